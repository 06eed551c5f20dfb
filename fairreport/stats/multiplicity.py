"""P-values adjusted for the number of tests in a family."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fairreport.stats.proportion import FloatArray, IntArray
from fairreport.stats.significance import PValues

# Below this a float loses digits or vanishes, and only the logarithm is trusted.
SMALLEST_TRUSTED = 1e-300


def bonferroni(p: npt.ArrayLike, log10_p: npt.ArrayLike | None = None) -> PValues:
    """Return p-values multiplied by the size of their family, at most 1.

    Parameters
    ----------
    p : array_like of float, shape (tests,)
        P-values in [0, 1]; nan marks a test that is not defined: it is not counted and stays nan.
    log10_p : array_like of float, shape (tests,), optional
        Their decimal logarithms, where p may have underflowed. Taken from p if not given (0 gives -inf).

    Returns
    -------
    PValues
        In the order of the input.

    References
    ----------
    Dunn (1961), JASA 56, 52-64; R ``p.adjust(method = "bonferroni")``.

    Examples
    --------
    >>> bonferroni([0.01, 0.04, 0.5]).p
    array([0.03, 0.12, 1.  ])
    """
    family = _family(p, log10_p)
    return family.adjusted(np.full(family.size, family.size))


def holm(p: npt.ArrayLike, log10_p: npt.ArrayLike | None = None) -> PValues:
    """Return Holm's step-down p-values, which bound the chance of any false finding.

    Parameters
    ----------
    p : array_like of float, shape (tests,)
        P-values in [0, 1]; nan marks a test that is not defined: it is not counted and stays nan.
    log10_p : array_like of float, shape (tests,), optional
        Their decimal logarithms, where p may have underflowed. Taken from p if not given (0 gives -inf).

    Returns
    -------
    PValues
        In the order of the input; never below the raw p-values, never above 1.

    References
    ----------
    Holm (1979), Scandinavian Journal of Statistics 6, 65-70; R ``p.adjust(method = "holm")``.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).p
    array([0.03, 0.06, 0.06])
    """
    family = _family(p, log10_p)
    return family.adjusted(family.size - np.arange(family.size), running="up")


def benjamini_hochberg(p: npt.ArrayLike, log10_p: npt.ArrayLike | None = None) -> PValues:
    """Return Benjamini and Hochberg's step-up p-values, which bound the share of false findings.

    Parameters
    ----------
    p : array_like of float, shape (tests,)
        P-values in [0, 1]; nan marks a test that is not defined: it is not counted and stays nan.
    log10_p : array_like of float, shape (tests,), optional
        Their decimal logarithms, where p may have underflowed. Taken from p if not given (0 gives -inf).

    Returns
    -------
    PValues
        In the order of the input; never below the raw p-values, never above 1.

    References
    ----------
    Benjamini and Hochberg (1995), JRSS B 57, 289-300; R ``p.adjust(method = "BH")``.

    Examples
    --------
    >>> benjamini_hochberg([0.01, 0.04, 0.03]).p
    array([0.03, 0.04, 0.04])
    """
    family = _family(p, log10_p)
    return family.adjusted(family.size / np.arange(1, family.size + 1), running="down")
