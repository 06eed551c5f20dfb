"""Group by group: what rows without an attribute, and persons with another outcome, could change."""

from __future__ import annotations

from collections.abc import Sequence

from fairreport.analyses.comparison import RateVerdict
from fairreport.analyses.grouping import Label
from fairreport.analyses.kinds import Test
from fairreport.analyses.metric_parameters import MetricParity
from fairreport.analyses.robustness import ratio_bar
from fairreport.analyses.robustness_missing import MissingAtWorst, MissingBound, Placed
from fairreport.analyses.robustness_moved import Fewest, Moved, MovedGroup
from fairreport.render import formats, words
from fairreport.render.phrases import Name, Sentence
from fairreport.render.record_lines import said
from fairreport.render.words import Kind
from fairreport.report.robustness_table import Heading, Labels, SmallRow, cell, small_table
from fairreport.report.robustness_variants import HOLDS, Part


def missing_part(
    test: Test, found: MissingAtWorst, attributes: Sequence[str], labels: Labels, *, has_test: bool
) -> Part:
    """Return what rows that lack an attribute could change in a test."""
    bar = ratio_bar(test)
    recorded = found.favorable is not None
    headings = [
        Heading("Group"),
        Heading("n", is_number=True),
        Heading("Ratio", is_number=True),
        Heading("Ratio, at worst to at best", is_number=True),
        *([Heading("With their own outcomes", is_number=True)] if recorded else []),
        Heading("Finding"),
        Heading("At worst"),
        Heading("At best"),
    ]
    rows = [_missing_row(test, bound, bar, labels, has_test=has_test) for bound in found.told]
    lacking = said(
        formats.plural(found.rows, "row that lacks ", "rows that lack "),
        *_or(attributes),
        " placed at their worst" if found.rows > 1 else " placed at its worst",
    )
    n = len(found.changing)
    return Part(
        changes=bool(n),
        text=lacking + said(f" ({_verdicts(n, found.n_groups)})" if n else ""),
        brief=_brief(n, found.n_groups),
        table=small_table(
            "Rows that lack an attribute, at their worst",
            headings,
            rows,
            more=_more(found.n_groups, found.told, [bound.group for bound in found.told], found.changing),
        ),
    )


def moved_part(test: Test, found: Moved, labels: Labels, *, has_test: bool) -> Part:
    """Return what persons with another outcome change in a test."""
    bar = ratio_bar(test)
    headings = [
        Heading("Group"),
        Heading("Ratio", is_number=True),
        Heading("Finding"),
        Heading("Verdict: in the group", is_number=True),
        Heading("Verdict: in the reference", is_number=True),
        Heading("Verdict: swapped", is_number=True),
    ]
    if has_test:
        headings += [
            Heading("Significance: in the group", is_number=True),
            Heading("Significance: in the reference", is_number=True),
        ]
    rows = [_moved_row(test, row, bar, labels, has_test=has_test) for row in found.told]
    n = len(found.by_one)
    least = found.told[0].fewest.persons
    fewest = "" if least is None else f" (it takes {formats.count(least)} or more for another verdict)"
    text = f"one person with another outcome{f' ({_verdicts(n, found.n_groups)})' if n else fewest}"
    return Part(
        changes=bool(n),
        text=said(text),
        brief=_brief(n, found.n_groups),
        table=small_table(
            "Fewest persons with another outcome for another verdict, and for another significance"
            if has_test
            else "Fewest persons with another outcome for another verdict",
            headings,
            rows,
            more=_more(found.n_groups, found.told, [row.group for row in found.told], found.by_one),
        ),
    )


def _missing_row(test: Test, bound: MissingBound, bar: float, labels: Labels, *, has_test: bool) -> SmallRow:
    ends = [formats.fixed(end.ratio, against=[bar]) for end in (bound.worse, bound.better)]
    own = [] if bound.recorded is None else [cell(formats.fixed(bound.recorded.ratio, against=[bar]))]

    def finding(end: Placed) -> Sentence:
        return cell(finding_text(test, end.verdict, has_test=has_test, reaches=end.reaches))

    return SmallRow(
        cells=(
            labels.whole(bound.group),
            cell(formats.count(bound.rows)),
            cell(formats.fixed(bound.stated.ratio, against=[bar])),
            cell("–".join(ends)),
            *own,
            finding(bound.stated),
            finding(bound.worse),
            finding(bound.better),
        ),
        mark="below" if bound.changes else "",
    )


def _moved_row(test: Test, row: MovedGroup, bar: float, labels: Labels, *, has_test: bool) -> SmallRow:
    numbers = [row.in_group, row.in_reference, row.swapped]
    numbers += [it for it in (row.significance_in_group, row.significance_in_reference) if it is not None]
    return SmallRow(
        cells=(
            labels.whole(row.group),
            cell(formats.fixed(row.ratio, against=[bar])),
            cell(finding_text(test, row.verdict, has_test=has_test, reaches=row.reaches)),
            *(cell(_persons(it)) for it in numbers),
        ),
        mark="below" if row.fewest.persons == 1 else "",
    )


def finding_text(test: Test, verdict: RateVerdict, *, has_test: bool, reaches: bool) -> str:
    """Return what is decided about a group, in the words and glyphs of the findings in sections 1 and 5.

    Where a gap decides beside the ratio, or may, the words name no number.
    """
    kind = Kind.REACHES_BELOW if reaches else Kind.AT_OR_ABOVE
    if verdict.below:
        tested = Kind.BELOW_SIGNIFICANT if verdict.significant else Kind.BELOW_CHANCE
        kind = tested if has_test else Kind.BELOW_UNTESTED
    text = words.finding(kind, formats.threshold(ratio_bar(test))).text
    if not isinstance(test, MetricParity) or test.max_difference is None:
        return text
    bar = formats.threshold(ratio_bar(test))
    return text.replace(f"below {bar}", "beyond a limit").replace(f"at or above {bar}", "within both limits")


def _persons(found: Fewest) -> str:
    if found.persons is not None:
        return formats.count(found.persons)
    return formats.ABSENT if found.beyond is None else f"more than {formats.count(found.beyond)}"


def _verdicts(n: int, of: int) -> str:
    return f"another verdict in {formats.count(n)} of {formats.plural(of, 'group', 'groups')}"


def _brief(n: int, of: int) -> str:
    return f"changes {formats.count(n)} of {formats.count(of)} groups" if n else HOLDS


def _more(n: int, told: Sequence[object], shown: Sequence[Label], changing: Sequence[Label]) -> str:
    """Return how many groups are not printed, and how many of these change."""
    rest = n - len(told)
    if not rest:
        return ""
    hidden = len(set(changing) - set(shown))
    some = "all" if hidden == rest else formats.count(hidden)
    which = f"{some} of them with another verdict as well" if hidden else "none with another verdict"
    return f"{formats.plural(rest, 'further group', 'further groups')}, {which}."


def _or(attributes: Sequence[str]) -> tuple[str | Name, ...]:
    pieces: list[str | Name] = []
    for raw in attributes:
        pieces += [" or ", Name.of(raw)] if pieces else [Name.of(raw)]
    return tuple(pieces)
