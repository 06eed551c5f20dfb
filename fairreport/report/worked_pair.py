"""Named pairs worked by hand: of each kind the gravest row, and the gravest pooled pair."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from fairreport.analyses.pair_result import ConfusionRow, MeanRow, OddsRow, RatioRow, Row, RowTest
from fairreport.audit.record import AuditRecord
from fairreport.render import formats
from fairreport.render.views import Name
from fairreport.report.worked_duel import Judged, amount, judged_rows, sides_of
from fairreport.report.worked_pair_others import mean_steps, odds_steps
from fairreport.report.worked_pair_rates import confusion_steps, ratio_steps
from fairreport.report.worked_row import Step, WorkedRow

_KINDS: tuple[tuple[str, Callable[[Row], bool]], ...] = (
    ("a pair of rates", lambda row: isinstance(row, RatioRow) and row.test is not RowTest.LINEARISED),
    ("a pair of rates, linearised", lambda row: isinstance(row, RatioRow) and row.test is RowTest.LINEARISED),
    ("a pair of odds", lambda row: isinstance(row, OddsRow)),
    ("a pair of means", lambda row: isinstance(row, MeanRow)),
    ("right and wrong predictions", lambda row: isinstance(row, ConfusionRow)),
)


def work_pairs(record: AuditRecord) -> tuple[WorkedRow, ...]:
    """Return one compared row of each kind of named pairs that was computed, the gravest, worked by hand."""
    return tuple(_rows(record))


def _rows(record: AuditRecord) -> Iterator[WorkedRow]:
    judged = [it for entry in record.pairs for it in judged_rows(entry) if it.row.test is not None]
    for kind, is_of in _KINDS:
        found = [it for it in judged if is_of(it.row)]
        if found:
            yield _worked(kind, min(found, key=lambda it: (_is_undefined(it), it.gravity)))


def _is_undefined(judged: Judged) -> bool:
    return judged.row.practically_significant is None


def _worked(kind: str, judged: Judged) -> WorkedRow:
    where = judged.where.whole
    return WorkedRow(
        kind=kind,
        test=Name.of(judged.record.name),
        group=Name.of(f"{where}: {judged.row.group}" if where else judged.row.group),
        against=Name.of(judged.reference.group),
        letters=_letters(judged),
        level=formats.level(judged.test.confidence_level),
        steps=tuple(_steps(judged)),
    )


def _letters(judged: Judged) -> tuple[tuple[str, str], ...]:
    if isinstance(judged.row, MeanRow):
        other = judged.reference
        theirs = other.total if isinstance(other, MeanRow) else 0
        return ("n", amount(judged.row.total)), ("m", amount(theirs))
    return tuple(zip("anbm", map(amount, sides_of(judged.duel())), strict=True))


def _steps(judged: Judged) -> Iterator[Step]:
    match judged.row:
        case RatioRow() as row:
            yield from ratio_steps(judged, row)
        case OddsRow() as row:
            yield from odds_steps(judged, row)
        case MeanRow() as row:
            yield from mean_steps(judged, row)
        case ConfusionRow() as row:
            yield from confusion_steps(judged, row)
