"""Why a figure of named pairs is not defined: every reason in words, at this one place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from fairreport.analyses.pair_reason import Reason
from fairreport.render import formats
from fairreport.render.phrases import Name, Sentence

REASONS: Mapping[str, str] = {
    Reason.EMPTY_GROUP: "the group or its reference has no rows",
    Reason.REFERENCE_RATE_ZERO: "the reference rate is zero",
    Reason.GROUP_RATE_ZERO: "the rate of the group is zero",
    Reason.GROUP_RATE_ONE: "the rate of the group is one",
    Reason.REFERENCE_RATE_ONE: "the reference rate is one",
    Reason.WEIGHTED: "rows carry sampling weights, so nothing exact is computed",
    Reason.FRACTIONAL_MEMBERSHIP: "memberships are proportions, so nothing exact is computed",
    Reason.ZERO_VARIANCE: "nothing varies",
    Reason.ZERO_SPREAD: "the standard deviation is zero",
    Reason.GROUP_OF_ONE: "a group has one row only",
    Reason.NOT_PRACTICALLY_SIGNIFICANT: "the group is not practically significant",
    Reason.EMPTY_DENOMINATOR: "no row of the group or of its reference counts in the rate",
    Reason.NO_SHARED_SEGMENT: "no segment has rows of both groups",
    Reason.TOO_FEW_STRATA: "fewer than two segments carry information",
    Reason.ODDS_RATIO_UNDEFINED: "the pooled odds ratio is not defined",
    Reason.ODDS_RATIO_ZERO: "the pooled odds ratio is zero",
    Reason.CMH: "the Cochran-Mantel-Haenszel test gives no z",
    Reason.METRIC_UNDEFINED: "the metric gives no number for the group or its reference",
    Reason.UNDEFINED_DRAWS: "the metric gives no number in too many draws of the bootstrap",
    Reason.DIVISOR_ZERO: "the value that the ratio is taken of is zero",
    Reason.NO_THRESHOLD: "no threshold is stated",
    Reason.BOOTSTRAP: "a bootstrap interval stands in the place of a test",
}
"""Each code of a reason, and what it says."""

_FIELDS = {
    "air": "ratio",
    "air_ci_low": "lower end of the ratio's interval",
    "air_ci_high": "upper end of the ratio's interval",
    "relative_rate": "ratio",
    "relative_rate_ci_low": "lower end of the ratio's interval",
    "relative_rate_ci_high": "upper end of the ratio's interval",
    "ratio": "ratio",
    "ratio_ci_low": "lower end of the ratio's interval",
    "ratio_ci_high": "upper end of the ratio's interval",
    "odds_ratio": "odds ratio",
    "odds_ratio_ci_low": "lower end of the odds ratio's interval",
    "odds_ratio_ci_high": "upper end of the odds ratio's interval",
    "odds_ratio_conditional": "conditional odds ratio",
    "interval_test_disagree": "whether interval and test agree",
    "rate_difference": "difference",
    "rate_ci_low": "interval of the rate",
    "rate_ci_high": "interval of the rate",
    "favorable_rate": "rate",
    "unfavorable_rate": "rate",
    "positive_rate": "rate",
    "average_label": "average label",
    "value_ci_low": "interval of the value",
    "value_ci_high": "interval of the value",
    "difference_ci_low": "interval of the difference",
    "difference_ci_high": "interval of the difference",
    "p_value": "p",
    "adjusted_p": "adjusted p",
    "practically_significant": "verdict",
    "sd": "standard deviation",
    "smd": "standardized difference",
    "mean_difference": "difference of means",
    "four_fifths_flag": "four-fifths flag",
    "fisher_two_sided": "Fisher's tests",
    "fisher_directional": "Fisher's tests",
    "mid_p_two_sided": "mid-p",
    "mid_p_directional": "mid-p",
    "shortfall_to_four_fifths": "shortfalls in persons",
    "shortfall_to_parity": "shortfalls in persons",
    "one_person_flip": "one person moved",
    "air_missing_low": "bounds with missing memberships",
    "air_missing_high": "bounds with missing memberships",
    "cmh_statistic": "CMH test",
    "cmh_corrected_statistic": "corrected CMH test",
    "cmh_corrected_p": "corrected CMH test",
    "ratio_q": "Q",
    "ratio_q_df": "Q",
    "ratio_q_p": "Q",
    "breslow_day_tarone_statistic": "Breslow-Day-Tarone test",
    "breslow_day_tarone_df": "Breslow-Day-Tarone test",
    "breslow_day_tarone_p": "Breslow-Day-Tarone test",
    "crude_air": "ratio over all rows",
    "direction_reverses": "whether the direction reverses",
}
_IMPLIED = {Reason.NOT_PRACTICALLY_SIGNIFICANT, Reason.CMH, Reason.BOOTSTRAP}
"""What follows from the kind of test, or from what the finding says; told in the method, not group by group."""

_MOST_NAMES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Undefined:
    """The fields of one row that are not defined, each with the code of its reason."""

    name: tuple[str | Name, ...]
    reasons: Mapping[str, str]


def reason_words(code: str | None) -> str:
    """Return a reason in words; a code that is not known stands for itself.

    Examples
    --------
    >>> reason_words("reference_rate_zero")
    'the reference rate is zero'
    """
    return "no reason is stated" if code is None else REASONS.get(code, formats.printable(code).replace("_", " "))


def undefined_sentences(rows: Iterable[Undefined]) -> tuple[Sentence, ...]:
    """Return what is not defined, for whom and why, rows that lack the same for the same reason together."""
    found: dict[tuple[str, str], list[tuple[str | Name, ...]]] = {}
    for row in rows:
        by_code: dict[str, list[str]] = {}
        for field, code in row.reasons.items():
            if code not in _IMPLIED:
                by_code.setdefault(code, []).append(_FIELDS.get(field, field.replace("_", " ")))
        for code, fields in by_code.items():
            found.setdefault((code, formats.listed(_whole(fields))), []).append(row.name)
    return tuple(_sentence(code, fields, names) for (code, fields), names in found.items())


def _whole(fields: list[str]) -> list[str]:
    """Return fields, each once, the two ends of an interval as the interval.

    Examples
    --------
    >>> _whole(["lower end of the ratio's interval", "upper end of the ratio's interval", "p"])
    ["the ratio's interval", 'p']
    """
    low, high = "lower end of ", "upper end of "
    found: dict[str, None] = {}
    for field in fields:
        interval = field.removeprefix(low).removeprefix(high)
        both = f"{low}{interval}" in fields and f"{high}{interval}" in fields
        found.setdefault(interval if both else field)
    return list(found)


def _sentence(code: str, fields: str, names: list[tuple[str | Name, ...]]) -> Sentence:
    several = list(dict.fromkeys(names))
    pieces: list[str | Name] = []
    for name in several[:_MOST_NAMES]:
        pieces += ["; ", *name] if pieces else name
    rest = len(several) - _MOST_NAMES
    if rest > 0:
        pieces.append(f" and {formats.count(rest)} more")
    return Sentence((*pieces, f": {reason_words(code)}; not defined: {fields}."))
