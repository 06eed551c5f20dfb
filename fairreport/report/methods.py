"""The methods section: each figure with its formula, how it is made, and its source, for what was used."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from fairreport.analyses.metrics import Metric, MetricTest
from fairreport.analyses.parameters import PValueAdjustment, SignificanceTest
from fairreport.report.gap_methods import GAP_INTRO, GAP_METHODS
from fairreport.report.pair_methods import PAIR_INTRO, PAIR_METHODS
from fairreport.report.used import Used
from fairreport.tables.needs import Measure


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodLine:
    """One figure.

    Attributes
    ----------
    title : str
        What it is.
    formula : str
        In letters or words; empty where the text says it all.
    text : str
        How it is made.
    source : str
        Where that comes from.
    """

    title: str
    formula: str
    text: str
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodPart:
    """The lines of one kind: its heading, what its letters mean, and the lines."""

    heading: str
    intro: str
    lines: tuple[MethodLine, ...]


Entry = tuple[Callable[[Used], bool], str, str, str, str]
"""When the line is printed; title, formula, text and source."""

UsedT = TypeVar("UsedT")


def methods_of(used: Used) -> tuple[MethodPart, ...]:
    """Return the parts of the methods section that have lines."""
    parts = (
        MethodPart(heading="Rates", intro=_RATE_INTRO, lines=_lines(_RATES, used)),
        MethodPart(heading="Scores", intro="", lines=_lines(_SCORES, used)),
        MethodPart(heading="Metrics", intro=_METRIC_INTRO, lines=(*_metrics(used), *_lines(_METRICS, used))),
        MethodPart(heading="Intervals, tests and adjustments", intro=_COMMON_INTRO, lines=_lines(_COMMON, used)),
        MethodPart(heading="Adjusted ratios", intro="", lines=_lines(_CONTROLS, used)),
        MethodPart(heading="Rate gaps", intro=GAP_INTRO, lines=_lines(GAP_METHODS, used)),
        MethodPart(heading="Named pairs", intro=PAIR_INTRO, lines=_lines(PAIR_METHODS, used.pairs)),
    )
    return tuple(part for part in parts if part.lines)


def _lines(
    entries: tuple[tuple[Callable[[UsedT], bool], str, str, str, str], ...], used: UsedT
) -> tuple[MethodLine, ...]:
    return tuple(
        MethodLine(title=title, formula=formula, text=text, source=source)
        for applies, title, formula, text, source in entries
        if applies(used)
    )


def _metrics(used: Used) -> Iterator[MethodLine]:
    """Yield the metrics themselves, from their records in the catalogue."""
    for metric in used.catalogue:
        tested = any(test.has_test for test in used.metrics if test.metric.name == metric.name)
        test = metric.test.value if tested else "none"
        yield MethodLine(
            title=f"{metric.label[:1].upper()}{metric.label[1:]}",
            formula=metric.formula,
            text=f"{_direction(metric)} Interval: {metric.interval}. Test: {test}.",
            source=metric.reference,
        )


def _direction(metric: Metric) -> str:
    if metric.higher_is_better is None:
        return "Which direction is better, the user states."
    return "Higher is better." if metric.higher_is_better else "Lower is better."


_RATE_INTRO = (
    "A group has a favorable outcomes, or a rows that score, among n rows, and its reference b among m. Everything is "
    "computed from these whole numbers."
)
_METRIC_INTRO = "A group has the value v; w is the value it is compared with."
_COMMON_INTRO = "z is the two-sided standard normal quantile of the level."

_RATES: tuple[Entry, ...] = (
    (
        lambda used: bool(used.outcomes),
        "Rate",
        "p = a / n",
        "Over the rows that are evaluated; q = b / m for the reference.",
        "",
    ),
    (
        lambda used: bool(used.scores),
        "Scoring rate",
        "p = a / n, a rows strictly beyond the overall median",
        "Beyond is above it, or below it where lower is favorable. Rows at the median stay among the n. The overall "
        "median is that of all evaluated rows, those of small groups included; of an even number the midpoint of the "
        "middle two.",
        "",
    ),
    (
        lambda used: used.has_rates,
        "Impact ratio",
        "p / q = (a m) / (n b)",
        "One division of whole numbers. Whether it is below the threshold c / d is decided on a m d < c b n, so a "
        "ratio of exactly the threshold is not below it.",
        "Agresti (2002), Categorical Data Analysis, section 2.2.2, relative risk",
    ),
    (lambda used: used.has_rates, "Difference", "p − q = (a m − b n) / (n m)", "Group minus reference.", ""),
    (
        lambda used: bool(used.outcomes),
        "All groups at once",
        "χ² = Σ (x − e)² / e over both outcomes of every group",
        "Pearson’s test that all sufficient groups have one rate, K − 1 degrees of freedom, with Yates’s correction "
        "for two groups. It is stated as chiSquarePValue.",
        "Pearson (1900), Philosophical Magazine 50, 157–175",
    ),
)

_SCORES: tuple[Entry, ...] = (
    (
        lambda used: bool(used.scores),
        "Mean and median difference",
        "group − reference",
        "Signed. The measurements count only what lies on the unfavorable side.",
        "",
    ),
    (
        lambda used: bool(used.scores),
        "Standardized difference",
        "mean difference / √(((n − 1) v + (m − 1) w) / (n + m − 2))",
        "v and w are the variances of group and reference, with n − 1 and m − 1 in their denominators.",
        "Cohen (1988), Statistical Power Analysis, 2nd ed., equations 2.5.1 and 2.5.2",
    ),
    (
        lambda used: bool(used.scores),
        "Probability of superiority",
        "(g + e / 2) / (n m)",
        "Informational. Of all pairs of a row of the group and one of the reference, g in which the first has the "
        "higher score and e with equal scores.",
        "Vargha and Delaney (2000), Journal of Educational and Behavioral Statistics 25, 101–132",
    ),
    (
        lambda used: bool(used.scores),
        "Cliff’s delta",
        "(g − l) / (n m)",
        "Informational. The same pairs, l in which the first has the lower score; from −1 to 1.",
        "Cliff (1993), Psychological Bulletin 114, 494–509",
    ),
    (
        lambda used: bool(used.scores),
        "KS distance",
        "largest |F(x) − G(x)|",
        "Informational. F and G are the shares of scores up to x in the group and in the reference. No p-value is "
        "stated for it.",
        "Smirnov (1939), Bulletin Mathématique de l’Université de Moscou 2(2), 3–16",
    ),
)

_METRICS: tuple[Entry, ...] = (
    (
        lambda used: bool(used.metrics),
        "Ratio",
        "v / w where higher is better, w / v where lower is better",
        "Below 1 always means worse. A group fails where it is worse and its ratio is below min_ratio, or its gap "
        "above max_difference where that is stated. Shares of rows are divided and compared as fractions.",
        "",
    ),
    (
        lambda used: bool(used.metrics),
        "Gap and difference",
        "gap = |v − w| where worse, else 0; difference = v − w",
        "The gap counts the worse side only.",
        "",
    ),
    (
        lambda used: bool(used.against_all),
        "Comparison with all rows",
        "w over all evaluated rows; test: group against the rest",
        "Ratio and gap are to the value of all evaluated rows. The test is of the group against all other evaluated "
        "rows, those of small groups included, since a group overlaps with a whole that it is part of.",
        "",
    ),
)

_COMMON: tuple[Entry, ...] = (
    (
        lambda used: used.has_shares,
        "Wilson interval of a rate or share",
        "(2k + z² ± z √(z² + 4k (N − k) / N)) / (2 (N + z²))",
        "The score interval of k among N, without continuity correction. That of a scoring rate holds for the median "
        "as observed.",
        "Wilson (1927), JASA 22, 209–212",
    ),
    (
        lambda used: used.has_share_contrasts,
        "Koopman interval of a ratio",
        "all θ with |S(θ)| ≤ z",
        "The ratios that the score test does not reject, S(θ) being the difference p − θ q over its standard error "
        "with both rates estimated under θ. Katz’s interval, symmetric in logs, stands beside it in worked rows.",
        "Koopman (1984), Biometrics 40, 513–517; Katz and others (1978), Biometrics 34, 469–474",
    ),
    (
        lambda used: used.has_share_differences,
        "Newcombe interval of a difference",
        "d − √((p − l₁)² + (u₂ − q)²) to d + √((u₁ − p)² + (q − l₂)²)",
        "The hybrid of the Wilson intervals l₁ to u₁ of the group and l₂ to u₂ of the reference.",
        "Newcombe (1998), Statistics in Medicine 17, 873–890, method 10",
    ),
    (
        lambda used: used.gathers(Measure.MOMENTS),
        "t interval of an average",
        "mean ± t s / √n",
        "s² is the variance of the values per row with n − 1 in its denominator, t the two-sided quantile of Student’s "
        "distribution with n − 1 degrees of freedom.",
        "Student (1908), Biometrika 6, 1–25",
    ),
    (
        lambda used: used.gathers(Measure.QUANTILE),
        "Interval of a quantile",
        "values at the innermost places r with P(B < r), and P(B ≥ r), below (1 − level) / 2",
        "B is binomial (n, q). It assumes no distribution; ties only raise its level.",
        "David and Nagaraja (2003), Order Statistics, 3rd ed., section 7.1",
    ),
    (
        lambda used: used.gathers(Measure.RANKS),
        "Hanley-McNeil standard error",
        "SE² = (A (1 − A) + (P − 1)(A / (2 − A) − A²) + (N − 1)(2 A² / (1 + A) − A²)) / (P N)",
        "A is the AUC of P positive and N negative rows. DeLong’s interval, in results.json and in the worked row, is "
        "informational.",
        "Hanley and McNeil (1982), Radiology 143, 29–36; DeLong and others (1988), Biometrics 44, 837–845",
    ),
    (
        lambda used: (
            used.makes(SignificanceTest.FISHER_EXACT)
            or used.tests_by(MetricTest.FISHER)
            or used.tests_by(MetricTest.POOLED_QUANTILE)
        ),
        "Fisher’s exact test",
        "p = Σ P(x) over all x with P(x) ≤ P(a)",
        "Two-sided, hypergeometric with all margins fixed; ties are settled with a relative tolerance.",
        "Fisher (1935), JRSS 98, 39–82",
    ),
    (
        lambda used: used.makes(SignificanceTest.Z_TEST),
        "Pooled z test",
        "z = (p − q) / √(r (1 − r) (1/n + 1/m)), r = (a + b) / (n + m)",
        "Two-sided, without continuity correction.",
        "Fleiss, Levin and Paik (2003), section 3.1",
    ),
    (
        lambda used: used.makes(SignificanceTest.CHI_SQUARE),
        "Chi-square test",
        "χ² = N max(|a m − b n| − N / 2, 0)² / (n m (a + b) (N − a − b))",
        "One degree of freedom, with Yates’s correction; N = n + m.",
        "Yates (1934), Supplement to the JRSS 1, 217–235",
    ),
    (
        lambda used: used.tests_by(MetricTest.WELCH),
        "Welch’s t test",
        "t = difference of means / √(s²/n + u²/m)",
        "Two-sided, on the values or losses per row, with the degrees of freedom of Welch and Satterthwaite; s² and u² "
        "are the variances of both sides.",
        "Welch (1947), Biometrika 34, 28–35; Satterthwaite (1946), Biometrics Bulletin 2, 110–114",
    ),
    (
        lambda used: used.tests_by(MetricTest.POOLED_QUANTILE),
        "Test of a quantile",
        "a of n and b of m values strictly above the pooled quantile",
        "The quantile of the group and what it is tested against, taken together; then Fisher’s exact test on the "
        "counts above it.",
        "Mood (1950), Introduction to the Theory of Statistics, for the median",
    ),
    (
        lambda used: used.tests_by(MetricTest.HANLEY_MCNEIL),
        "z test of two areas",
        "z = (v − w) / √(SE₁² + SE₂²)",
        "Two-sided, for independent groups.",
        "Hanley and McNeil (1983), Radiology 148, 839–843, with a correlation of 0",
    ),
    (
        lambda used: used.adjusts(PValueAdjustment.HOLM),
        "Holm’s adjustment",
        "max over i ≤ r of (K − i + 1) p(i), at most 1",
        "Over the K p-values of one test, the smallest first; it bounds the chance of any finding by chance.",
        "Holm (1979), Scandinavian Journal of Statistics 6, 65–70",
    ),
    (
        lambda used: used.adjusts(PValueAdjustment.BENJAMINI_HOCHBERG),
        "Benjamini-Hochberg adjustment",
        "min over i ≥ r of (K / i) p(i), at most 1",
        "Over the K p-values of one test, the smallest first; it bounds the expected share of findings by chance.",
        "Benjamini and Hochberg (1995), JRSS B 57, 289–300",
    ),
    (
        lambda used: any(test.significance_test is not SignificanceTest.NONE for test in used.rates),
        "p (all pairs)",
        "min(1, p K (K − 1) / 2)",
        "For K sufficient groups; for information, since the reference may be chosen from the data.",
        "Dunn (1961), JASA 56, 52–64",
    ),
)

_CONTROLS: tuple[Entry, ...] = (
    (
        lambda used: used.has_controls,
        "Adjusted ratio",
        "Σ (a m / N) / Σ (b n / N)",
        "Mantel-Haenszel, over the combinations of the control columns in which both sides have rows; N = n + m. "
        "Interval of Greenland and Robins.",
        "Greenland and Robins (1985), Biometrics 41, 55–68",
    ),
    (
        lambda used: used.has_controls,
        "Adjusted odds ratio",
        "Σ (a (m − b) / N) / Σ (b (n − a) / N)",
        "Mantel-Haenszel. Interval of Robins, Breslow and Greenland.",
        "Mantel and Haenszel (1959), JNCI 22, 719–748; Robins and others (1986), Biometrics 42, 311–323",
    ),
)
