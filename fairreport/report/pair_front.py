"""Named pairs on the page of the result: how many comparisons are what, and the worst of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from fairreport.render import formats
from fairreport.render.pair_view import PairTestView, gravity
from fairreport.render.record_lines import said
from fairreport.render.views import Name, Row, RunView, Sentence

_GRAVEST = "Gravest: "
SHOWN = 3
"""Pairs on the page of the result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontPair:
    """A pair with its test and, where a table says so, its reference.

    Attributes
    ----------
    test : Name
        Its test.
    group : tuple of Name
        The group, with what stands in front of it.
    reference : Name or None
        What it is held against.
    n, rate, figure, interval : str
        Its rows, or what is counted of them; its rate or value; what is judged, and the interval of that.
    finding, side : str
        What is found, and where that counts.
    """

    test: Name
    group: tuple[Name, ...]
    reference: Name | None
    n: str
    rate: str
    figure: str
    interval: str
    finding: str
    side: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PairFront:
    """What the page of the result says of named pairs.

    Attributes
    ----------
    headline : Sentence or None
        The worst comparison, with its numbers; None where none was made.
    leads : bool
        Whether the state of the audit comes of named pairs, and the headline of the run is about them.
    counts : tuple of (str, str)
        Heading and number; none where nothing was compared.
    worst : tuple of FrontPair
        The worst comparisons.
    reversals : tuple of Sentence
        Pairs whose direction reverses when they are pooled.
    more : str
        How many further comparisons stand where, in words.
    facts : tuple of Sentence
        Facts of the run that the worst comparisons do not tell.
    """

    headline: Sentence | None
    leads: bool
    counts: tuple[tuple[str, str], ...]
    worst: tuple[FrontPair, ...]
    reversals: tuple[Sentence, ...]
    more: str
    facts: tuple[Sentence, ...]


def pair_front(run: RunView, *, sections: str) -> PairFront:
    """Return what the page of the result says of named pairs, which stand in the named sections."""
    found = worst_pairs(run.pairs)
    n = run.pair_counts.compared
    more = n - min(len(found), SHOWN)
    return PairFront(
        headline=_headline(found),
        leads=_leads(run),
        counts=tuple(_counts(run)) if n else (),
        worst=tuple(_front(test, row) for test, row in found[:SHOWN]),
        reversals=tuple(line for test in run.pairs for line in test.reversals),
        more=f"{formats.plural(more, 'further comparison', 'further comparisons')} in {sections}." if more > 0 else "",
        facts=tuple(dict.fromkeys(_facts(run))),
    )


def _facts(run: RunView) -> Iterator[Sentence]:
    """Yield the facts of the run that the worst comparisons do not tell, then further ones of named pairs."""
    yield from (fact for fact in run.insights if not _is_told(fact))
    several = len(run.entries) > 1
    for test in run.pairs:
        for fact in test.insights:
            if not _is_told(fact):
                yield said(test.name, ": ") + fact if several else fact


def _is_told(fact: Sentence) -> bool:
    """Tell whether a fact is a comparison, which the table of the worst ones tells."""
    return any(isinstance(piece, str) and piece.startswith(_GRAVEST) for piece in fact.pieces)


def worst_pairs(tests: Sequence[PairTestView]) -> list[tuple[PairTestView, Row]]:
    """Return the comparisons of all tests, worst first, each with its test."""
    rows = [(test, row) for test in tests for row in test.comparisons]
    return sorted(rows, key=lambda pair: gravity(pair[1]))


def _headline(found: list[tuple[PairTestView, Row]]) -> Sentence | None:
    return found[0][1].sentence if found else None


def _leads(run: RunView) -> bool:
    gravest = next((test for test in run.worst_first if test.state.key == run.state.key), None)
    return isinstance(gravest, PairTestView)


def _counts(run: RunView) -> list[tuple[str, str]]:
    counts = run.pair_counts
    always = [("practically significant", counts.significant)]
    beyond = [
        ("beyond the threshold, may be chance", counts.may_be_chance),
        ("beyond it, difference within its limit", counts.small_gap),
        ("within it, interval reaches beyond", counts.reaches),
    ]
    rest = [("not defined", counts.undefined), ("without a threshold", counts.not_judged)]
    shown = [*always, *((text, n) for text, n in beyond if n), ("within the threshold", counts.meets)]
    shown += [(text, n) for text, n in rest if n]
    return [(heading, formats.count(n)) for heading, n in shown]


def _front(test: PairTestView, row: Row) -> FrontPair:
    cells = _cells(test, row)
    return FrontPair(
        test=test.name,
        group=row.group,
        reference=row.reference,
        n=_first(cells, "counted", "n"),
        rate=_first(cells, "own_rate", "rate", "mean", "value", "crude"),
        figure=row.figure,
        interval=_first(cells, "interval", "difference_interval"),
        finding=f"{row.finding.glyph} {row.finding.shortest}",
        side=row.finding.side.value,
    )


def _first(cells: Mapping[str, str], *keys: str) -> str:
    return next((cells[key] for key in keys if key in cells), formats.ABSENT)


def _cells(test: PairTestView, row: Row) -> dict[str, str]:
    tables = [test.pooled.table if test.pooled else None, test.listed, *(it.table for it in test.tables)]
    table = next(table for table in tables if table is not None and row in table.rows)
    return {column.key: text for column, text in zip(table.columns, row.cells, strict=True)}
