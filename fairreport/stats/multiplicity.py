"""P-values adjusted for the number of tests in a family."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from fairreport.stats.proportion import FloatArray
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
    return _adjusted(p, log10_p, lambda size: np.full(size, float(size)), _unchanged)


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
    return _adjusted(p, log10_p, lambda size: np.arange(size, 0.0, -1.0), np.maximum.accumulate)


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
    return _adjusted(p, log10_p, lambda size: size / np.arange(1.0, size + 1), _smallest_from_here_on)


def _unchanged(values: FloatArray) -> FloatArray:
    return values


def _smallest_from_here_on(values: FloatArray) -> FloatArray:
    return np.minimum.accumulate(values[::-1])[::-1]


def _adjusted(
    p: npt.ArrayLike,
    log10_p: npt.ArrayLike | None,
    factors: Callable[[int], FloatArray],
    monotone: Callable[[FloatArray], FloatArray],
) -> PValues:
    """Return p-values times the factors of their ranks (smallest first), made monotone, in input order."""
    raw = np.asarray(p, dtype=np.float64)
    logs = _logarithms(raw) if log10_p is None else np.asarray(log10_p, dtype=np.float64)
    if raw.ndim != 1 or logs.shape != raw.shape:
        msg = f"found p-values of shape {raw.shape} and logarithms of shape {logs.shape}; wanted one row each"
        raise ValueError(msg)
    defined = np.flatnonzero(~np.isnan(raw))
    if np.any((raw[defined] < 0) | (raw[defined] > 1)):
        raise ValueError("found a p-value outside 0..1")
    ranked = defined[np.lexsort((logs[defined], raw[defined]))]
    factor = factors(ranked.size)
    scaled, scaled_logs = factor * raw[ranked], np.log10(factor) + logs[ranked]
    scaled = np.where(raw[ranked] < SMALLEST_TRUSTED, np.maximum(scaled, 10.0**scaled_logs), scaled)
    adjusted, adjusted_logs = np.full(raw.shape, np.nan), np.full(raw.shape, np.nan)
    adjusted[ranked] = np.minimum(monotone(scaled), 1.0)
    adjusted_logs[ranked] = np.minimum(monotone(scaled_logs), 0.0)
    return PValues(p=adjusted, log10_p=adjusted_logs)


def _logarithms(p: FloatArray) -> FloatArray:
    """Return decimal logarithms without the warning at 0; values outside [0, 1] are refused by the caller."""
    missing = np.where(np.isnan(p), np.nan, -np.inf)
    return np.log10(p, out=missing, where=p > 0)
