"""Lancaster's mid-p: the exact test of Fisher, less half the probability of the observed table."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fairreport.stats.fisher import Alternative, fisher_exact, log_table_probability
from fairreport.stats.significance import LOG_10, PValues


def mid_p(
    a: npt.ArrayLike,
    n: npt.ArrayLike,
    b: npt.ArrayLike,
    m: npt.ArrayLike,
    *,
    alternative: Alternative | str = Alternative.TWO_SIDED,
) -> PValues:
    """Return mid-p values: Fisher's p less half the probability of the observed table.

    Parameters
    ----------
    a, n : array_like of int
        Favourable outcomes and total of each group.
    b, m : array_like of int
        Favourable outcomes and total of the reference.
    alternative : {"two-sided", "less", "greater"}
        ``less``: the group's rate is lower than the reference's.

    Returns
    -------
    PValues
        0.5 where only one table is possible: both rates are 0 %, both are 100 %, or a side is empty.

    References
    ----------
    Lancaster (1961), JASA 56, 223-234; Agresti (2002), Categorical Data Analysis, section 1.4.4.

    Examples
    --------
    >>> mid_p(3, 10, 8, 10).p.round(6)
    array([0.053703])
    >>> mid_p(0, 5, 0, 5, alternative="less").p
    array([0.5])
    """
    exact = fisher_exact(a, n, b, m, alternative=alternative)
    share = np.exp(np.minimum(log_table_probability(a, n, b, m) - exact.log10_p * LOG_10, 0.0))
    left = 1 - share / 2
    return PValues(p=exact.p * left, log10_p=exact.log10_p + np.log10(left))
