"""Weighted rates and means compared by linearisation: variances with the covariance of groups that overlap.

With w = membership times weight, a mean is r = sum w x / sum w; its variance is sum w^2 (x - r)^2 / (sum w)^2,
the covariance of two groups sum w_p w_r (x - r_p)(x - r_r) / (W_p W_r). Multiplying all weights by a constant
changes none of them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fairreport.stats.proportion import critical_value
from fairreport.stats.significance import normal_two_sided

# A variance this small beside its parts is the rounding of 0: the two groups are the same rows.
VANISHING = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class Products:
    """Sums over rows of u, u x and u x^2, where u is w^2 of one group or w_p w_r of two."""

    weight: float
    first: float
    second: float

    def about(self, p: float, r: float) -> float:
        """Return the sum of u (x - p)(x - r)."""
        return self.second - (p + r) * self.first + p * r * self.weight

    def about_rates(self, p: float, r: float) -> float:
        """Return the same for outcomes of 0 and 1, from terms of one sign: nothing cancels."""
        return self.first * (1 - p) * (1 - r) + (self.weight - self.first) * p * r


@dataclass(frozen=True, slots=True, kw_only=True)
class Linearised:
    """The variances of two weighted means, and their covariance.

    Attributes
    ----------
    group, reference : float
        Variances, >= 0.
    covariance : float
        Of either sign; 0 where no row belongs to both.
    """

    group: float
    reference: float
    covariance: float

    @property
    def of_difference(self) -> float:
        """The variance of the difference of the means; 0 where it is the rounding of 0."""
        return _variance(self.group, self.reference, self.covariance)

    def of_log_ratio(self, p: float, r: float) -> float:
        """Return the variance of the logarithm of the ratio of the means p and r, both not 0."""
        return _variance(self.group / (p * p), self.reference / (r * r), self.covariance / (p * r))

    def of_log_odds(self, p: float, r: float) -> float:
        """Return the variance of the log odds ratio of the rates p and r, both strictly between 0 and 1."""
        u, v = p * (1 - p), r * (1 - r)
        return _variance(self.group / (u * u), self.reference / (v * v), self.covariance / (u * v))


def _variance(group: float, reference: float, covariance: float) -> float:
    found = group + reference - 2 * covariance
    return found if found > VANISHING * (group + reference) else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A z test: the statistic, its two-sided p-value, and the decimal logarithm of that."""

    z: float
    p: float
    log10_p: float


def z_test(difference: float, variance: float) -> Estimate | None:
    """Return the z test of a difference with a known variance.

    Parameters
    ----------
    difference : float
        Group minus reference.
    variance : float
        Its variance, >= 0.

    Returns
    -------
    Estimate or None
        None where the variance is 0: nothing is tested.

    References
    ----------
    Särndal, Swensson and Wretman (1992), Model Assisted Survey Sampling, section 5.7 (ratio of two totals).

    Examples
    --------
    >>> found = z_test(-0.2, 0.01)
    >>> round(found.z, 6), round(found.p, 6)
    (-2.0, 0.0455)
    >>> z_test(0.1, 0.0) is None
    True
    """
    if variance <= 0:
        return None
    z = difference / math.sqrt(variance)
    p, log10_p = normal_two_sided(np.array([z]))
    return Estimate(z=z, p=float(p[0]), log10_p=float(log10_p[0]))


def log_interval(value: float, variance: float, *, level: float) -> tuple[float, float]:
    """Return the interval of a positive estimate that is symmetric in logarithms.

    Parameters
    ----------
    value : float
        Estimate, > 0.
    variance : float
        Variance of its logarithm, >= 0.
    level : float
        Confidence level, 0 < level < 1.

    References
    ----------
    Särndal, Swensson and Wretman (1992), Model Assisted Survey Sampling, section 5.5 (Taylor linearisation).

    Examples
    --------
    >>> low, high = log_interval(0.8, 0.04, level=0.95)
    >>> round(low, 4), round(high, 4)
    (0.5406, 1.1839)
    """
    factor = math.exp(critical_value(level) * math.sqrt(variance))
    return value / factor, value * factor


def effective_size(total: float, squares: float) -> float:
    """Return Kish's effective sample size, (sum w)^2 / sum w^2; 0 without any weight.

    Parameters
    ----------
    total, squares : float
        Sum of the weights, and of their squares, both >= 0.

    References
    ----------
    Kish (1965), Survey Sampling, section 11.7.

    Examples
    --------
    >>> effective_size(4.0, 4.0), effective_size(6.0, 20.0)
    (4.0, 1.8)
    """
    return total * total / squares if squares > 0 else 0.0
