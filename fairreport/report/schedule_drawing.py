"""A scheduled run as a notebook and a terminal show it: what it came to, and which files it left."""

from __future__ import annotations

from fairreport.render.environment import render
from fairreport.render.words import state
from fairreport.report.manifest import MANIFEST
from fairreport.report.schedule import ScheduleOutcome
from fairreport.report.schedule_files import CONTENTS
from fairreport.report.schedule_summary import late_sentences
from fairreport.report.terminal import indented


def draw_schedule(outcome: ScheduleOutcome) -> dict[str, str]:
    """Return the display of a scheduled run by MIME type."""
    page = render(
        "fragments/schedule.html",
        complete=outcome.manifest.complete,
        reason=outcome.manifest.reason or "",
        code=outcome.exit_code,
        state=state(outcome.told.record.status),
        packet_id=outcome.told.packet_id,
        late=_notes(outcome),
        files=_files(outcome),
    )
    return {"text/plain": "\n".join(_lines(outcome)), "text/html": page}


def _notes(outcome: ScheduleOutcome) -> list[str]:
    return [*outcome.told.notes, *late_sentences(outcome.told.late)]


def _files(outcome: ScheduleOutcome) -> list[tuple[str, str]]:
    names = set(outcome.manifest.document["outputs"])
    there = [(name, what) for name, what in CONTENTS.items() if name in names or name.endswith("/")]
    return [*there, (MANIFEST, "what is here, with its sha256, written last")]


def _lines(outcome: ScheduleOutcome) -> list[str]:
    complete = "complete" if outcome.manifest.complete else "NOT complete"
    lines = [
        f"Run {complete}: {outcome.told.record.status.value.replace('_', ' ')}, exit code {outcome.exit_code}, "
        f"packet {outcome.told.packet_id}"
    ]
    texts = [outcome.manifest.reason or "", *_notes(outcome)]
    lines += [line for text in texts if text for line in indented(text)]
    width = max(len(name) for name, _ in _files(outcome))
    return [*lines, *(f"{name.ljust(width)}  {what}" for name, what in _files(outcome))]
