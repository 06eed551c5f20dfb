"""What happens at the edges: ties, zeros, and figures that are not defined; for what was used."""

from __future__ import annotations

from collections.abc import Callable

from fairreport.analyses.metrics import MetricTest
from fairreport.report.gap_methods import GAP_RULES
from fairreport.report.pair_edge_rules import PAIR_RULES
from fairreport.report.used import Used
from fairreport.tables.needs import Measure

Rule = tuple[Callable[[Used], bool], str]


def edge_rules(used: Used) -> tuple[str, ...]:
    """Return the rules that the tests of a packet can meet."""
    own = tuple(text for applies, text in (*_RULES, *GAP_RULES) if applies(used))
    return (*own, *(text for applies, text in PAIR_RULES if applies(used.pairs)))


_RULES: tuple[Rule, ...] = (
    (
        lambda used: used.has_rates,
        "A group without a favorable outcome, or without a row that scores, has the ratio 0, and its ratio interval "
        "begins at 0. Katz’s interval is not defined there.",
    ),
    (
        lambda used: bool(used.outcomes),
        "A reference without a favorable outcome gives no ratio: the test is skipped and says so.",
    ),
    (
        lambda used: bool(used.scores),
        "Scores equal to the overall median are neither above nor below it. Where so many are tied that the reference "
        "has none beyond it, the test is skipped and points to the outcome test.",
    ),
    (
        lambda used: bool(used.scores),
        "The standardized difference is not defined where no score varies within either group but their means differ; "
        "a measurement that would need it is not defined either.",
    ),
    (
        lambda used: bool(used.scores or used.metrics),
        "Infinite numbers are left out like missing ones. A cell that is no number makes the "
        "test skipped and is named.",
    ),
    (
        lambda _used: True,
        "A number that is not defined prints as “n.d.”; a dash stands where a figure does not apply. "
        "Neither is ever printed as 0.",
    ),
    (lambda used: used.has_rates, "Where both rates are 0 or both are 1, nothing varies: z is 0 and the p-value 1."),
    (
        lambda used: used.chooses_reference,
        "Reference: the highest rate, or the best value; among equal ones the group with the most rows, then the first "
        "in alphabetical order.",
    ),
    (
        lambda used: bool(used.all),
        "A group with fewer rows than the minimum is listed and never judged, and is never the reference.",
    ),
    (
        lambda used: bool(used.metrics),
        "Averages and other numbers within 1e-12 of each other, absolutely or relatively, are equal; shares of rows "
        "are compared exactly.",
    ),
    (
        lambda used: bool(used.metrics),
        "Where the comparison value is not positive no group has a ratio: a worse group is judged by its gap where "
        "max_difference is stated, and the test is skipped where it is not.",
    ),
    (
        lambda used: used.measures("r2", "mean", "median", "p95"),
        "A negative value held against a positive one gives a negative ratio, which is below every threshold; read the "
        "gap.",
    ),
    (
        lambda used: used.gathers(Measure.RANKS),
        "The AUC is not defined in a group without positive or without negative rows. Equal scores count one half. At "
        "an AUC of 0 or 1 the standard error is 0: its interval prints as “not estimable”, and of two such groups p "
        "is 1 where both are equal.",
    ),
    (
        lambda used: used.measures("npv", "false_omission_rate"),
        "A group without predicted negatives has neither a negative predictive value nor a false omission rate. Their "
        "support is the predicted negatives; whether a group is judged hangs on all its rows.",
    ),
    (
        lambda used: used.gathers(Measure.RESIDUALS),
        "R squared is not defined for one row and where the truth does not vary. It has neither interval nor test.",
    ),
    (
        lambda used: bool(used.metrics),
        "A group in which the metric is not defined is listed, not compared and not failing; it still counts among the "
        "judged groups of failingGroupPercentage. With fewer than two defined groups the test is skipped.",
    ),
    (
        lambda used: used.tests_by(MetricTest.WELCH),
        "Welch’s test needs two rows on each side. Where neither side varies p is 1 for equal averages, and “no "
        "variation” stands in place of a p-value for different ones.",
    ),
    (
        lambda used: used.measures("rmse"),
        "The interval of the root mean squared error is the root of that of the squared errors, its low end cut at 0; "
        "the test is on the squared errors.",
    ),
    (
        lambda used: used.measures("log_loss"),
        "Probabilities are clipped to 2.2e-16 from 0 and 1 before the logarithm is taken.",
    ),
    (
        lambda used: used.measures("log_loss", "brier"),
        "A probability below 0 or above 1 makes the test skipped.",
    ),
    (
        lambda used: used.gathers(Measure.QUANTILE),
        "An interval of a quantile lacks an end where the group has too few rows for it; that is said in place of a "
        "number. Quantiles between two values lie on a straight line; values equal to the pooled quantile are not "
        "above it.",
    ),
    (
        lambda used: used.measures("rate"),
        "Where no row has a positive value every rate is 0, nobody is worse, and no ratio is defined.",
    ),
    (
        lambda used: used.has_p_values,
        "A p-value below 1e-300 is kept as its logarithm, so that a smaller one is still smaller.",
    ),
    (
        lambda _used: True,
        "A rounded number is given more decimals where rounding would carry it across the threshold or the bar that "
        "it is judged against.",
    ),
)
