"""What a test found in one window, read from its stored entry: measurements, groups, and how many comparisons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from fairreport.analyses.gap_parameters import GapInterval
from fairreport.audit.pair_document import pair_tables
from fairreport.audit.trend_evidence import GroupPoint, ValuePoint
from fairreport.report.compare_groups import standings
from fairreport.report.compare_pairs import FIELDS
from fairreport.tables.pair_needs import WeightKind

Json = dict[str, Any]

_RATIO, _DIFFERENCE = "ratio", "difference"
_ABOUT: dict[str, tuple[str, str]] = {
    "minImpactRatio": (_RATIO, "ratio_ci"),
    "minScoringRateImpactRatio": (_RATIO, "ratio_ci"),
    "minMetricRatio": (_RATIO, "ratio_ci"),
    "maxRateDifference": (_DIFFERENCE, "difference_ci"),
    "maxMetricDifference": (_DIFFERENCE, "difference_ci"),
    "worstGroupValue": ("value", "ci"),
    "adjustedMinImpactRatio": ("adjusted_impact_ratio", "adjusted_impact_ratio_ci"),
    "adjustedMinOddsRatio": ("adjusted_odds_ratio", "adjusted_odds_ratio_ci"),
}
"""Measurements that are a figure of one group: its field, and the ends of the interval."""

_BARS = {
    "minImpactRatio": (">=", ("impact_ratio_threshold", "air_threshold")),
    "minScoringRateImpactRatio": (">=", ("impact_ratio_threshold",)),
    "minMetricRatio": (">=", ("min_ratio",)),
    "maxMetricDifference": ("<=", ("max_difference",)),
}
"""Measurements that a parameter of the test is a bar for, where no threshold names them."""

_VALUES = {
    "outcome_disparity": ("ci", "ratio_ci"),
    "score_disparity": ("ci", "ratio_ci"),
    "metric_parity": ("ci", "ratio_ci"),
    "adverse_impact_ratio": ("rate_ci", "air_ci"),
    "adverse_impact_ratio_by_quantile": ("rate_ci", "air_ci"),
    "categorical_adverse_impact_ratio": ("rate_ci", "air_ci"),
    "segmented_adverse_impact_ratio": ("rate_ci", "air_ci"),
    "relative_rate": ("rate_ci", "relative_rate_ci"),
    "custom_disparity_metric": ("value_ci", "ratio_ci"),
}
"""Ends of the intervals of a group's value and of its ratio, by analysis."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A measurement of one window: its point, and the threshold it is held against."""

    point: ValuePoint
    operator: str | None = None
    threshold: float | None = None


def values_of(entry: Json) -> dict[str, Held]:
    """Return the measurements of an entry by name, those with a threshold first; of rate gaps the rules before them."""
    measurements: Json = entry.get("measurements") or {}
    found: dict[str, Held] = dict(_rules(entry)) if entry["analysis"] == "rate_gaps" else {}
    for check in entry.get("thresholds") or ():
        name = check["measurement"]
        if name in measurements:
            point = _value(entry, name, measurements[name])
            found.setdefault(name, Held(point=point, operator=str(check["operator"]), threshold=float(check["value"])))
    for name, value in measurements.items():
        operator, bar = _bar(entry, name)
        found.setdefault(name, Held(point=_value(entry, name, value), operator=operator, threshold=bar))
    return found


def rank_of(name: str, *, has_threshold: bool) -> int:
    """Return where a measurement stands: figures of groups with a bar, other thresholds, other figures, the rest."""
    if has_threshold:
        return 1 if name.endswith(("Count", "Percentage")) else 0
    return 2 if name in _ABOUT else 3


def _bar(entry: Json, name: str) -> tuple[str | None, float | None]:
    operator, names = _BARS.get(name, ("", ()))
    parameters: Json = entry.get("parameters") or {}
    values = [value for it in names if (value := (parameters.get(it) or {}).get("value")) is not None]
    return (operator, float(values[0])) if values else (None, None)


def groups_of(entry: Json) -> dict[str, GroupPoint]:
    """Return where each group of an entry stands, worst first, with the intervals that the entry states."""
    ends, ratio_ends = _VALUES.get(entry["analysis"], ("", ""))
    rows = dict(_labelled_rows(entry))
    held = dict(_pairs(rows, entry)) if entry["analysis"] in FIELDS else dict(_standing(entry))
    return {
        label: replace(
            point,
            low=rows.get(label, {}).get(f"{ends}_low"),
            high=rows.get(label, {}).get(f"{ends}_high"),
            ratio_low=rows.get(label, {}).get(f"{ratio_ends}_low"),
            ratio_high=rows.get(label, {}).get(f"{ratio_ends}_high"),
        )
        for label, point in held.items()
    }


def _standing(entry: Json) -> Iterator[tuple[str, GroupPoint]]:
    counted = entry["analysis"] != "score_disparity"  # beyond the median of its own window
    for label, at in standings(entry).items():
        hits, cases = (at.hits, at.support) if counted else (None, None)
        yield label, GroupPoint(n=at.n, hits=hits, cases=cases, value=at.value, ratio=at.ratio, verdict=at.verdict)


def _pairs(rows: Mapping[str, Json], entry: Json) -> Iterator[tuple[str, GroupPoint]]:
    fields = FIELDS[entry["analysis"]]
    for label, row in rows.items():
        hits, cases = row.get(fields.hits), row.get(fields.support)
        whole = isinstance(hits, int) and isinstance(cases, int) and entry.get("weights") != WeightKind.SAMPLING.value
        total = row.get("denominator", row.get("total"))
        verdict = {True: "failing", False: "not failing", None: "no verdict"}[row["practically_significant"]]
        yield (
            label,
            GroupPoint(
                n=total if isinstance(total, int) else row["observations"],
                hits=hits if whole else None,
                cases=cases if whole else None,
                value=row.get(fields.value),
                ratio=row.get(fields.ratio),
                verdict="reference" if row["is_reference"] else verdict,
            ),
        )


def no_change_test(entry: Json) -> str | None:
    """Return why the groups of a test have no test of change; None where they have one."""
    if entry["analysis"] == "score_disparity":
        return "its rates are held against the median of their own window"
    if entry["analysis"] == "adverse_impact_ratio_by_quantile":
        return "its cutoffs are quantiles of their own window"
    if entry.get("weights") == "sampling":
        return "its figures are sums of weights, not counts"
    if entry["analysis"] == "metric_parity" and not _has_shares(entry):
        return "its metric is no share of counted rows"
    if not FIELDS.get(entry["analysis"]) or FIELDS[entry["analysis"]].hits:
        return None
    return "its figures are means, not shares of counted rows"


def level_of(entry: Json) -> tuple[float | None, str, int | None]:
    """Return the level of the comparisons, their correction, and how many were made."""
    parameters: Json = entry.get("parameters") or {}

    def stated(name: str) -> Any:
        return (parameters.get(name) or {}).get("value")

    if entry["analysis"] == "rate_gaps":
        rules = len(entry.get("rules") or ())
        share = (stated("looks") or 1) * (max(rules, 1) if stated("joint") else 1)
        level = stated("confidence_level")
        return (None if level is None else (1 - level) / share), "simultaneous", rules or None
    rows = [row for _, row in _labelled_rows(entry)]
    tested = sum(row.get("p_value") is not None or "log10_p" in row for row in rows)
    return stated("alpha"), str(stated("p_value_adjustment") or "none"), tested or None


def _value(entry: Json, name: str, value: Any) -> ValuePoint:
    field, ends = _ABOUT.get(name, ("", ""))
    if field and value is not None:
        for label, row in _labelled_rows(entry):
            if row.get("is_reference") or row.get("sufficient") is False:
                continue
            for own, limits in ((field, ends), *_of_pairs(name)):
                held = row.get(own)
                if held is not None and abs(held) == abs(value):
                    return replace(_point(value, row, limits, turned=held != value), group=label, n=_rows_of(row))
    return ValuePoint(value=value)


def _rows_of(row: Json) -> int | None:
    """Return the rows of a group, as `groups_of` has them."""
    found = next((row[name] for name in ("n", "denominator", "total", "observations") if name in row), None)
    return found if isinstance(found, int) else None


def _of_pairs(name: str) -> tuple[tuple[str, str], ...]:
    """Return what the rows of named pairs call the figure of a measurement."""
    return (("air", "air_ci"),) if name == "minImpactRatio" else ()


def _point(value: float, row: Json, ends: str, *, turned: bool) -> ValuePoint:
    low, high = row.get(f"{ends}_low"), row.get(f"{ends}_high")
    if turned:  # a measurement counts a shortfall up, where the row has it below 0
        low, high = (None if high is None else -high), (None if low is None else -low)
    return ValuePoint(value=value, low=low, high=high)


def _rules(entry: Json) -> Iterator[tuple[str, Held]]:
    """Yield each rule of a test of rate gaps: its widest gap, or its worst group, against its bar."""
    for rule in entry.get("rules") or ():
        groups: Json = rule["groups"]
        if rule["max_group_gap"] is not None:
            value, gap = _widest(rule, entry)
            pair = (gap["a"], gap["b"]) if "a" in gap else ()
            point = ValuePoint(
                value=value,
                low=gap.get("gap_lower"),
                high=gap.get("gap_upper"),
                group=" against ".join(pair),
                n=min((groups[label]["observed"] for label in pair), default=None),
            )
            yield rule["id"], Held(point=point, operator="<=", threshold=rule["max_group_gap"])
            continue
        at_least = rule["rate"] == "selection"
        rates = [(label, group) for label, group in groups.items() if group["rate"] is not None]
        ordered = sorted(rates, key=lambda item: float(item[1]["rate"]), reverse=not at_least)
        nothing: tuple[str, Json] = ("", {})
        label, worst = ordered[0] if ordered else nothing
        point = ValuePoint(
            value=worst.get("rate"),
            low=worst.get("lower"),
            high=worst.get("upper"),
            group=label,
            n=worst.get("observed"),
        )
        yield rule["id"], Held(point=point, operator=">=" if at_least else "<=", threshold=rule["worst_group"])


def _widest(rule: Json, entry: Json) -> tuple[float | None, Json]:
    """Return the widest gap between the rates of two groups of a rule, and its bounds."""
    rates = {label: group["rate"] for label, group in rule["groups"].items() if group["rate"] is not None}
    if len(rates) < 2:
        return None, {}
    if "gaps_left_out" not in rule:
        pairs = [gap for gap in rule["gaps"] if {gap["a"], gap["b"]} <= rates.keys()]
        gap = max(pairs, key=lambda it: abs(rates[it["a"]] - rates[it["b"]]))
        return abs(rates[gap["a"]] - rates[gap["b"]]), gap
    most, least = max(rates, key=lambda label: rates[label]), min(rates, key=lambda label: rates[label])
    return abs(rates[most] - rates[least]), _bounds(rule, entry, most, least)


def _bounds(rule: Json, entry: Json, most: str, least: str) -> Json:
    """Return the bounds of the gap of two groups; nothing where they stand in no list and follow from no intervals."""
    listed = next((gap for gap in rule["gaps"] if {gap["a"], gap["b"]} == {most, least}), None)
    if listed is not None:
        return dict(listed)
    interval: Json = (entry.get("parameters") or {}).get("interval") or {}
    if interval.get("value") != GapInterval.SIMULTANEOUS.value:
        return {}
    high, low = rule["groups"][most], rule["groups"][least]
    return {
        "gap_lower": max(0.0, high["lower"] - low["upper"], low["lower"] - high["upper"]),
        "gap_upper": max(high["upper"] - low["lower"], low["upper"] - high["lower"]),
    }


def _labelled_rows(entry: Json) -> Iterator[tuple[str, Json]]:
    """Yield the rows of an entry by the labels that `standings` gives them."""
    if entry["analysis"] == "rate_gaps":
        for rule in entry.get("rules") or ():
            for label, group in rule["groups"].items():
                yield f"{rule['id']}: {label}", {"_low": group["lower"], "_high": group["upper"]}
    elif entry["analysis"] in FIELDS:
        for key, rows in pair_tables(entry):
            before = "".join(f"{name} {value}: " for name, value in key.items() if name != "cutoff")
            for row in rows:
                yield f"{before}{row['group_category']} = {row['group']}", row
    else:
        for row in entry.get("groups") or ():
            yield ", ".join(f"{name} = {level}" for name, level in row["group"].items()), row


def _has_shares(entry: Json) -> bool:
    evidence: Json = entry.get("evidence") or {}
    groups: list[Json] = evidence.get("groups") or []
    return not groups or "hits" in groups[0]
