"""From the record of a test of rate gaps to its view."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from fairreport.analyses.gap_bounds import GapGroup
from fairreport.analyses.rate_gaps import RuleFinding
from fairreport.audit.gap_assumptions import NOT_TOLD
from fairreport.audit.record import GapRecord
from fairreport.render import formats, gap_methods, gap_sentences
from fairreport.render.gap_sentences import RATES, is_gap
from fairreport.render.gap_tables import CommonAxes, RuleTables, deciding_cells, severity_of, worst_row
from fairreport.render.gap_view import CalibrationRow, CalibrationView, GapTestView, RuleView
from fairreport.render.phrases import Name, Names, Sentence
from fairreport.render.record_lines import not_computed, said
from fairreport.render.words import RULE_STATES, rule_state, state

_NEVER_SHORTENED, _SEVERAL = 16, 2
"""Names up to so many characters are whole everywhere; of longer ones, so many could look alike."""

_CALIBRATION = ("Cases", "No probability", "Calibration error", "A calibrated model: mean", "95th percentile")


def view_gaps(record: GapRecord) -> GapTestView:
    """Return the view of a test of rate gaps."""
    test, finding = record.test, record.finding
    code = None if finding.skip is None else finding.skip.code
    reason = None if finding.skip is None else Name.prose(finding.skip.reason)
    axes = CommonAxes(finding.rules)
    rules = tuple(_rules(record, axes))
    counts = tuple((word.value, finding.count(word)) for word in RULE_STATES if finding.count(word))
    view = GapTestView(
        name=Name.of(record.name),
        analysis=test.analysis,
        state=state(record.status),
        skip_code=code,
        skip_reason=reason,
        headline=said(not_computed(code), reason) if reason else said(""),
        counts_sentence=None if reason else said(f"{counted(counts)}."),
        rule_counts=counts,
        rules=rules,
        caption=_caption(record),
        drawn=_drawn_all(record, axes),
        calibration=_calibration(record),
        measurements=tuple((name, formats.measurement(name, n)) for name, n in record.measurements.items()),
        bars_origin=formats.printable(gap_methods.bars_origin(record)),
        flow=gap_methods.flow_lines(record),
        notes=(),
        insights=(),
        method=gap_methods.method_lines(record),
        settings=gap_methods.setting_lines(record),
        cannot_tell=NOT_TOLD,
        description=None if test.description is None else Name.prose(test.description),
        rationale=None if test.rationale is None else Name.prose(test.rationale),
        call=gap_methods.call(record),
    )
    worst = view.worst_first
    facts = tuple(rule.insight for rule in worst if rule.insight)
    return replace(view, headline=_capital(worst[0].sentence) if worst else view.headline, insights=facts)


def counted(counts: Iterable[tuple[str, int]]) -> str:
    """Return how many rules read what.

    Examples
    --------
    >>> counted([("PASS", 1), ("FAIL", 2)])
    '3 rules: 1 PASS, 2 FAIL'
    """
    pairs = list(counts)
    rules = formats.plural(sum(n for _, n in pairs), "rule", "rules")
    return f"{rules}: {', '.join(f'{formats.count(n)} {word}' for word, n in pairs)}"


def view_rule(record: GapRecord, found: RuleFinding) -> RuleView:
    """Return the view of one rule of a test."""
    return _view_rule(record, found, CommonAxes(record.finding.rules), _long_names(found))


def _rules(record: GapRecord, axes: CommonAxes) -> Iterator[RuleView]:
    """Yield the rules of a test; what several need alike is made once."""
    ids = Names(formats.printable(found.id) for found in record.finding.rules)
    names: dict[tuple[str, ...], Names | None] = {}
    for found in record.finding.rules:
        if found.rule.attribute not in names:
            names[found.rule.attribute] = _long_names(found)
        rule = _view_rule(record, found, axes, names[found.rule.attribute])
        yield replace(rule, id=rule.id.apart(ids), sentence=rule.sentence.apart(ids))


def _view_rule(record: GapRecord, found: RuleFinding, axes: CommonAxes, names: Names | None) -> RuleView:
    rule, level = found.rule, formats.level(record.test.confidence_level)
    n = len(found.groups)
    worst = worst_row(found)
    observed, bounds = deciding_cells(found, worst)
    view = RuleView(
        id=Name.of(found.id),
        state=rule_state(found.state),
        reason=gap_sentences.reason(found),
        rate=RATES[rule.rate],
        attributes=tuple(map(Name.of, rule.attribute)),
        asked=gap_sentences.asked(found),
        bar=gap_sentences.bar_cell(rule),
        bar_text=formats.threshold(rule.bar),
        is_gap=is_gap(rule),
        worst=worst,
        observed=observed,
        bounds=bounds,
        sentence=gap_sentences.finding_sentence(found, level),
        too_few=tuple(gap_sentences.too_few(found)),
        left_out=gap_sentences.left_out(found),
        placed=gap_sentences.placed(found),
        more=gap_sentences.more_cases(found.more),
        review=gap_sentences.review(found),
        unlisted=gap_sentences.unlisted(found),
        tables=RuleTables(found, level, axes, names),
        n_groups=n,
        n_pairs=n * (n - 1) // 2,
        insight=_insight(found),
        severity=severity_of(found),
    )
    return _apart(view, names) if names else view


def _long_names(found: RuleFinding) -> Names | None:
    """Return the groups of a rule where several have long names, which are kept apart wherever they are shortened."""
    labels = {formats.printable(group.label) for group in found.groups}
    return Names(sorted(labels)) if sum(len(label) > _NEVER_SHORTENED for label in labels) >= _SEVERAL else None


def _apart(view: RuleView, names: Names) -> RuleView:
    """Return the view, names of groups kept apart from one another wherever they are shortened; its tables do so."""

    def kept(sentence: Sentence | None) -> Sentence | None:
        return None if sentence is None else sentence.apart(names)

    return replace(
        view,
        worst=view.worst.apart(names),
        sentence=view.sentence.apart(names),
        reason=view.reason.apart(names),
        too_few=tuple(it.apart(names) for it in view.too_few),
        placed=kept(view.placed),
        more=kept(view.more),
        insight=kept(view.insight),
    )


def _insight(found: RuleFinding) -> Sentence | None:
    """Return the groups with the lowest and the highest observed rate."""
    judged = [group for group in found.groups if group.rate is not None]
    if len(judged) < _SEVERAL:
        return None
    bars = () if is_gap(found.rule) else (found.rule.bar,)
    low = min(judged, key=lambda group: group.rate or 0.0)
    high = max(judged, key=lambda group: group.rate or 0.0)
    rate = f"{RATES[found.rule.rate]} by "
    start = said(Name.of(found.id), f": {rate}", *gap_sentences.listed(found.rule.attribute), " is lowest in ")
    return start + said(*_rate_of(low, bars), ", highest in ", *_rate_of(high, bars), ".")


def _rate_of(group: GapGroup, bars: tuple[float, ...]) -> tuple[str | Name, ...]:
    numbers = (
        f"{formats.fixed(group.rate, against=bars)}, {formats.count(group.events)} of {formats.count(group.observed)}"
    )
    return Name.of(group.label), f" ({numbers})"


def _caption(record: GapRecord) -> Sentence:
    test, finding = record.test, record.finding
    if finding.evidence is None:
        return said("")
    cases = formats.plural(finding.evidence.rows, "case", "cases")
    level = formats.level(test.confidence_level)
    return said(
        "Rules on ",
        Name.of(test.prediction),
        " against ",
        Name.of(test.label),
        f", {cases}; bounds of a rule hold at once at {level}",
    )


def _drawn_all(record: GapRecord, axes: CommonAxes) -> str:
    """Return how the bounds are drawn, in words."""
    kinds = {is_gap(found.rule): axes.of(found.rule) for found in record.finding.rules}
    drawn = [
        f"from {formats.threshold(axis.low)} to {formats.threshold(axis.high)} for {'gaps' if gaps else 'rates'}"
        for gaps, axis in sorted(kinds.items(), reverse=True)
    ]
    return f"drawn {' and '.join(drawn)}, dashed at the bar" if drawn else ""


def _calibration(record: GapRecord) -> CalibrationView | None:
    finding, test = record.finding, record.test
    if finding.calibration is None or test.probability is None:
        return None
    rows = tuple(
        CalibrationRow(
            group=Name.of(item.label),
            cells=(
                formats.count(item.n),
                formats.count(item.missing),
                formats.fixed(item.ece),
                formats.fixed(item.noise_mean),
                formats.fixed(item.noise_p95),
            ),
        )
        for item in finding.calibration
    )
    bins = formats.plural(test.calibration_bins, "bin", "bins")
    names = Names(row.group.text for row in rows)
    return CalibrationView(
        caption=said(
            "Calibration error of ",
            Name.of(test.probability),
            f" by group, {bins}, beside what a calibrated model of the same size would show. It never decides a rule.",
        ),
        headings=_CALIBRATION,
        rows=tuple(replace(row, group=row.group.apart(names)) for row in rows),
    )


def _capital(sentence: Sentence) -> Sentence:
    first, *rest = sentence.pieces
    return Sentence((first[0].upper() + first[1:], *rest)) if isinstance(first, str) and first else sentence
