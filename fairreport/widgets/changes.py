"""What a changed setting changed in the verdict, in one sentence."""

from __future__ import annotations

from collections.abc import Iterator

from fairreport.audit.record import Entry, GapRecord, PairRecord, TestRecord
from fairreport.render import formats
from fairreport.render.phrases import Name, Sentence
from fairreport.render.record_lines import said
from fairreport.render.words import state
from fairreport.widgets.disparity_changes import Pieces, disparity_changes
from fairreport.widgets.evidence import Lack
from fairreport.widgets.exploration import Answer
from fairreport.widgets.gap_changes import gap_changes
from fairreport.widgets.pair_changes import pair_changes

AS_STATED = said("As stated. Change a setting, and this line says what that changes.")

_LACKING = {
    Lack.COUNTS: (
        "The groups of these columns are not counted yet: rows that lack one attribute count where another is used, "
        "and the counts at hand do not tell them apart. One scan of the table counts them."
    ),
    Lack.PAIRS: "The counts for this reference group are not at hand. One scan of the table gives them.",
    Lack.SUMS: "The sums for these settings are not at hand. One scan of the table gives them.",
    Lack.ROWS: "This metric is a function of your own: it is called on the rows, once for every draw, when you scan.",
    Lack.INTERVALS: "Everything but the intervals is shown; at this alpha they need one scan of the table.",
    Lack.DISTRIBUTIONS: (
        "Everything shown here is complete. The comparison of whole distributions with this reference, for the packet, "
        "needs one scan of the table."
    ),
    Lack.CALIBRATION: ("Everything that decides is shown. Calibration with so many bins needs one scan of the table."),
}
_NOTHING_ELSE = {
    TestRecord: "no group's verdict changed",
    GapRecord: "no rule reads differently",
    PairRecord: "no comparison's verdict changed",
}


def describe_lack(lack: Lack) -> str:
    """Return what one scan of the table would add; empty where it would add nothing."""
    return _LACKING.get(lack, "")


def describe_change(before: Answer | None, after: Answer) -> Sentence:
    """Return what a setting changed in the verdict.

    Parameters
    ----------
    before : Answer or None
        The last answer with a result; None where there is none.
    after : Answer
        The answer now.
    """
    if after.refusal is not None:
        return said("These settings do not stand together: ", Name.prose(after.refusal), ".")
    if after.record is None:
        return said(describe_lack(after.lack))
    if before is None or before.record is None:
        shown = said("Status: ", state(after.record.status).word, *_reason(after.record), ".")
        return AS_STATED if after.is_stated else shown
    pieces: list[str | Name] = [_status(before.record, after.record)]
    for position, change in enumerate(_changes(before.record, after.record)):
        pieces += ["; " if position else ": ", *change]
    if len(pieces) == 1 and before.record.status is after.record.status and not _skip_reason(after.record):
        pieces.append(f"; {_NOTHING_ELSE[type(after.record)]}")
    return said(*pieces, ".")


def _status(before: Entry, after: Entry) -> str:
    was, now = state(before.status).word, state(after.status).word
    return f"Status stays {now}" if was == now else f"Status {was} → {now}"


def _skip_reason(record: Entry) -> str | None:
    """Return why a test was skipped."""
    skip = record.skip if isinstance(record, PairRecord) else record.finding.skip
    return None if skip is None else skip.reason


def _reason(record: Entry) -> Pieces:
    """Return why a test was skipped, as an addition to its status."""
    reason = _skip_reason(record)
    if reason is not None:
        return (": ", Name.prose(reason))
    if isinstance(record, GapRecord):
        return ()
    undefined = [check.measurement for check in record.thresholds if check.passed is None]
    return (f": {formats.listed(undefined)} not defined, and a threshold is on it",) if undefined else ()


def _changes(before: Entry, after: Entry) -> Iterator[Pieces]:
    match before, after:
        case TestRecord(), TestRecord():
            yield from disparity_changes(before, after)
        case GapRecord(), GapRecord():
            yield from gap_changes(before, after)
        case PairRecord(), PairRecord():
            yield from pair_changes(before, after)
