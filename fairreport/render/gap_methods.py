"""How a test of rate gaps was made: its method, where its cases went, its settings, and the call that makes it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fairreport.analyses.calibration import DRAWS
from fairreport.analyses.gap_parameters import GapInterval, GapRule, Rate, RateGaps
from fairreport.analyses.rate_gaps import RuleFinding
from fairreport.audit.record import GapRecord
from fairreport.render import formats
from fairreport.render.gap_sentences import RATES, is_floor, is_gap, listed
from fairreport.render.gap_view import Argument
from fairreport.render.phrases import Line, Name, Setting
from fairreport.render.record_lines import joined, said, stated_words

_MEANINGS = {
    Rate.ERROR: "wrong predictions among all cases",
    Rate.FALSE_POSITIVE: "cases predicted 1 among those labelled 0",
    Rate.FALSE_NEGATIVE: "cases predicted 0 among those labelled 1",
    Rate.SELECTION: "cases predicted 1 among all cases",
}


def method_lines(record: GapRecord) -> tuple[Line, ...]:
    """Return how the numbers were made."""
    test = record.test
    lines = [
        ("Rates", "; ".join(f"{RATES[rate]}: {_MEANINGS[rate]}" for rate in Rate if rate in _rates(test))),
        ("Error budget", _budget(test)),
        ("Intervals of groups", _intervals(record)),
    ]
    if any(is_gap(rule) for rule in test.rules):
        lines.append(("Bounds of gaps", _gaps(test)))
    lines += _verdicts(test)
    fewer = formats.plural(test.min_cell, "case", "cases")
    small = f"a group with fewer than {fewer} with a prediction keeps its rule from PASS; "
    lines.append(("Small groups", small + "where its whole interval is beyond the bar the rule reads FAIL"))
    if any(rule.manual_review is not False for rule in test.rules):
        lines.append(
            ("Manual review", "a rule that asks for a person reads MANUAL_REVIEW where its figures would pass")
        )
    if test.probability is not None:
        bins = formats.plural(test.calibration_bins, "bin", "bins")
        lines.append(
            (
                "Calibration",
                f"expected calibration error over {bins} of equal width; beside it what a calibrated model would show: "
                f"labels drawn {formats.count(DRAWS)} times from the probabilities, mean and 95th percentile",
            )
        )
    found = [Line(term=term, text=said(text)) for term, text in lines]
    if test.threshold_source:
        found.append(Line(term="Source of the bars", text=said(Name.prose(bars_origin(record)))))
    return tuple(found)


def _rates(test: RateGaps) -> set[Rate]:
    return {rule.rate for rule in test.rules}


def _budget(test: RateGaps) -> str:
    level = formats.level(test.confidence_level)
    whole = formats.alpha(1 - test.confidence_level)
    looks = f"looks: {formats.count(test.looks)}" + ("" if test.looks == 1 else ", the budget is divided by it")
    rules = formats.plural(len(test.rules), "rule", "rules")
    joint = (
        f"joint: true, the budget is divided by {rules}"
        if test.joint
        else "joint: false, each rule has the whole budget of its own"
    )
    return f"{whole}, confidence {level}; {looks}; {joint}; {formats.alpha(test.budget)} a rule"


def _intervals(record: GapRecord) -> str:
    sizes = sorted({len(found.groups) for found in record.finding.rules})
    divided = " or ".join(formats.count(size) for size in sizes)
    by = f", {divided} here" if sizes else ""
    return (
        f"exact (Clopper-Pearson), two-sided; the budget of a rule is divided by its declared groups{by}, empty ones "
        "included; a missing prediction stays in its group and is counted at its worst for either end"
    )


def _gaps(test: RateGaps) -> str:
    if test.interval is GapInterval.PAIRWISE:
        return (
            "interval: pairwise; Newcombe's hybrid score bounds of each pair, the budget of the rule divided by the "
            "number of pairs"
        )
    return "interval: simultaneous; all pairs at once from the intervals of the groups, with no further correction"


def _verdicts(test: RateGaps) -> Iterator[tuple[str, str]]:
    if any(is_gap(rule) for rule in test.rules):
        yield (
            "Rules about gaps",
            "PASS where every upper bound is within the bar, FAIL where some lower bound is above it",
        )
    if any(is_floor(rule) for rule in test.rules):
        yield "Floors", "PASS where every lower end is at or above the bar, FAIL where some upper end is below it"
    if any(not is_gap(rule) and not is_floor(rule) for rule in test.rules):
        yield "Ceilings", "PASS where every upper end is within the bar, FAIL where some lower end is above it"
    yield (
        "Else",
        "INSUFFICIENT_EVIDENCE; also where more cases are left out than the rule allows, whatever its figures",
    )


def bars_origin(record: GapRecord) -> str:
    """Return where the bars of the rules come from."""
    source = record.test.threshold_source
    return f"stated by the user, source: {source}" if source else "stated by the user, source not stated"


def flow_lines(record: GapRecord) -> tuple[Line, ...]:
    """Return the way from the cases of the table to those of each rule."""
    evidence = record.finding.evidence
    if evidence is None:
        return ()
    without = sum(cell.n for cell in evidence.cells if cell.prediction is None)
    lines = [Line(term="Cases in the table", text=said(formats.count(evidence.rows)))]
    lines.append(Line(term="Without a prediction, kept", text=said(formats.count(without))))
    seen: set[frozenset[str]] = set()
    for found in record.finding.rules:
        if frozenset(found.rule.attribute) not in seen:
            seen.add(frozenset(found.rule.attribute))
            lines.append(_left_out_line(found))
    lines += [
        Line(term="Undeclared values", text=said(Name.of(name), ": ", *joined(values, ", ")))
        for name, values in evidence.undeclared
        if values
    ]
    return tuple(lines)


def _left_out_line(found: RuleFinding) -> Line:
    left = found.left_out
    numbers = (
        f": {formats.count(left.total)} ({formats.percent(left.share)}); {formats.count(left.missing_attribute)} "
        f"without the attribute, {formats.count(left.undeclared_value)} with an undeclared value"
    )
    return Line(term="Left out of rules", text=said("by ", *listed(found.rule.attribute), numbers))


def setting_lines(record: GapRecord) -> tuple[Setting, ...]:
    """Return all parameters of a test with their origin, a rule a line."""
    test = record.test
    lines = []
    for name, value in test.parameters().items():
        if name == "rules":
            origin = test.origin(name)
            lines += [Setting(name=name, value=Name.prose(repr(_rule(rule))), origin=origin) for rule in test.rules]
        else:
            lines.append(Setting(name=name, value=Name.prose(repr(value)), origin=test.origin(name)))
    return tuple(lines)


def call(record: GapRecord) -> tuple[str | Argument, ...]:
    """Return the Python call that makes a test, as a method of an audit: what the user stated, no default."""
    test = record.test
    parameters = test.parameters()
    levels = sum(map(len, test.attributes.values()))
    sizes = (formats.plural(levels, "group", "groups"), formats.plural(len(test.rules), "rule", "rules"))
    texts = [formats.printable(repr(value)) for value in (parameters["attributes"], [_rule(it) for it in test.rules])]
    attributes, rules = (
        Argument(name=name, text=text, size=size)
        for name, text, size in zip(("attributes", "rules"), texts, sizes, strict=True)
    )
    positional = {"attributes", "label", "prediction", "rules"}
    stated = [name for name in parameters if name not in positional and test.origin(name) != "default"]
    further = [*(f"{name}={parameters[name]!r}" for name in stated), *stated_words(test)]
    between = formats.printable(f", {test.label!r}, {test.prediction!r}, ")
    end = formats.printable("".join(f", {argument}" for argument in further))
    return f".{test.analysis}(", attributes, between, rules, f"{end})"


def _rule(rule: GapRule) -> dict[str, Any]:
    """Return a rule as it is written, without what it has by default."""
    written = rule.model_dump(mode="json", exclude_defaults=True)
    names = written["attribute"]
    return written | {"attribute": names[0] if len(names) == 1 else names}
