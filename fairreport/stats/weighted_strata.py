"""A weighted group against the reference inside strata, pooled with Mantel-Haenszel weights held fixed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from fairreport.stats.linearised import Estimate, Linearised, log_interval, z_test
from fairreport.stats.significance import chi_square_tail


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightedStratum:
    """One stratum in which both sides have weight.

    Attributes
    ----------
    group, reference : float
        Total weights, > 0.
    p, r : float
        Weighted rates.
    variances : Linearised
        Their variances and covariance.
    """

    group: float
    reference: float
    p: float
    r: float
    variances: Linearised

    @property
    def share(self) -> float:
        """The Mantel-Haenszel weight, W_p W_r / (W_p + W_r)."""
        return self.group * self.reference / (self.group + self.reference)


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightedPool:
    """Estimates pooled over weighted strata.

    Attributes
    ----------
    ratio : float or None
        Mantel-Haenszel ratio; None where the reference has no favourable weight.
    low, high : float or None
        Its interval, symmetric in logarithms; None where a pooled rate is 0.
    difference : float
        Mantel-Haenszel difference, group minus reference.
    test : Estimate or None
        z test of the difference; None where its variance is 0.
    odds_ratio : float or None
        Mantel-Haenszel odds ratio; None where its denominator is 0.
    """

    ratio: float | None
    low: float | None
    high: float | None
    difference: float
    test: Estimate | None
    odds_ratio: float | None


def pool_weighted(strata: Sequence[WeightedStratum], *, level: float) -> WeightedPool:
    """Return the pooled ratio, difference and odds ratio, with linearised variances.

    With c = W_p W_r / (W_p + W_r) held fixed, the difference is sum c (r_p - r_r) / sum c with variance
    sum c^2 var(r_p - r_r) / (sum c)^2; the ratio is A / B, A = sum c r_p and B = sum c r_r, its logarithm with
    variance sum c^2 (var_p / A^2 + var_r / B^2 - 2 cov / (A B)).

    Parameters
    ----------
    strata : sequence of WeightedStratum
        At least one.
    level : float
        Confidence level, 0 < level < 1.

    References
    ----------
    Mantel and Haenszel (1959), JNCI 22, 719-748; Särndal, Swensson and Wretman (1992), Model Assisted Survey
    Sampling, section 5.5 (Taylor linearisation).

    Examples
    --------
    >>> one = WeightedStratum(group=10.0, reference=10.0, p=0.4, r=0.5,
    ...                       variances=Linearised(group=0.024, reference=0.025, covariance=0.0))
    >>> found = pool_weighted([one], level=0.95)
    >>> found.ratio, round(found.difference, 6), round(found.test.z, 4)
    (0.8, -0.1, -0.4518)
    """
    shares = [stratum.share for stratum in strata]
    top = math.fsum(c * s.p for c, s in zip(shares, strata, strict=True))
    bottom = math.fsum(c * s.r for c, s in zip(shares, strata, strict=True))
    everything = math.fsum(shares)
    difference = math.fsum(c * (s.p - s.r) for c, s in zip(shares, strata, strict=True)) / everything
    variance = math.fsum(c * c * s.variances.of_difference for c, s in zip(shares, strata, strict=True))
    low = high = None
    if top > 0 and bottom > 0:
        spread = math.fsum(c * c * s.variances.of_log_ratio(top, bottom) for c, s in zip(shares, strata, strict=True))
        low, high = log_interval(top / bottom, spread, level=level)
    agree = math.fsum(c * s.p * (1 - s.r) for c, s in zip(shares, strata, strict=True))
    differ = math.fsum(c * s.r * (1 - s.p) for c, s in zip(shares, strata, strict=True))
    return WeightedPool(
        ratio=top / bottom if bottom > 0 else None,
        low=low,
        high=high,
        difference=difference,
        test=z_test(difference, variance / (everything * everything)),
        odds_ratio=agree / differ if differ > 0 else None,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Heterogeneity:
    """The test that strata share one ratio: the statistic, its degrees of freedom, p and log10 of p."""

    statistic: float
    df: int
    p: float
    log10_p: float


def heterogeneity_about(centre: float, log_ratios: Sequence[float], variances: Sequence[float]) -> Heterogeneity | None:
    """Return Q = sum (ln RR_i - ln RR)^2 / v_i about a pooled ratio, degrees of freedom strata less one.

    Parameters
    ----------
    centre : float
        Logarithm of the pooled ratio.
    log_ratios, variances : sequence of float
        Logarithms of the ratios of the strata, and their variances, > 0.

    Returns
    -------
    Heterogeneity or None
        None with fewer than two strata.

    References
    ----------
    Cochran (1954), Biometrics 10, 101-129; Greenland and Robins (1985), Biometrics 41, 55-68, on the weights.

    Examples
    --------
    >>> found = heterogeneity_about(0.0, [0.3, -0.3], [0.09, 0.09])
    >>> round(found.statistic, 6), found.df
    (2.0, 1)
    """
    if len(log_ratios) < 2:
        return None
    statistic = math.fsum((x - centre) ** 2 / v for x, v in zip(log_ratios, variances, strict=True))
    df = len(log_ratios) - 1
    p, log10_p = chi_square_tail(statistic, df)
    return Heterogeneity(statistic=statistic, df=df, p=p, log10_p=log10_p)
