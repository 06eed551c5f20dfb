"""Student's test that two means are equal, the variance within the groups pooled."""

from __future__ import annotations

import math
from dataclasses import dataclass

from fairreport.stats.student import student_two_sided


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """Number, mean and sum of squared deviations from the mean of some values.

    Attributes
    ----------
    n : int
        Number of values, >= 1.
    mean : float
        Their mean.
    squares : float
        Sum of (x - mean)^2, exactly 0.0 for constant values.
    """

    n: int
    mean: float
    squares: float


def pooled_t(a: Spread, b: Spread) -> tuple[float, float] | None:
    """Return the two-sided p-value of Student's two-sample test, and its decimal logarithm.

    Parameters
    ----------
    a, b : Spread
        The two groups; one of a single value is enough on one side.

    Returns
    -------
    tuple of float or None
        None where both groups have a single value, or nothing varies within them.

    References
    ----------
    Student (1908), Biometrika 6, 1-25; R ``t.test(var.equal = TRUE)``.

    Examples
    --------
    >>> p, _ = pooled_t(Spread(n=10, mean=0.75, squares=28.805), Spread(n=10, mean=2.33, squares=36.081))
    >>> round(p, 5)
    0.07919
    """
    df = a.n + b.n - 2
    squares = a.squares + b.squares
    if df < 1 or squares <= 0:
        return None
    t = (a.mean - b.mean) / math.sqrt(squares / df * (1 / a.n + 1 / b.n))
    return student_two_sided(t, df)
