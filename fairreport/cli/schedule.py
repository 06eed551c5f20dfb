"""``fairreport schedule``: one window judged and kept, and how to have that done every week."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from fairreport.cli.main import emit, say
from fairreport.cli.schedule_options import stated_anyway
from fairreport.cli.window_options import clock

if TYPE_CHECKING:
    from fairreport.report.manifest import Manifest
    from fairreport.report.schedule_parameters import ScheduleParameters


def schedule(arguments: argparse.Namespace) -> int:
    """Do a job of the command and return the exit code."""
    from fairreport.cli.schedule_examples import examples

    jobs = {"run": _run, "status": _status, "examples": examples}
    return jobs[arguments.job](arguments)


def _status(arguments: argparse.Namespace) -> int:
    from fairreport.report.manifest import UNFINISHED, differing_outputs, read_manifest

    manifest = read_manifest(arguments.folder)
    if manifest is None:
        say(f"there is no manifest.json in {arguments.folder}: no run came to its end there")
        return UNFINISHED
    differing = differing_outputs(arguments.folder)
    if differing:
        say(f"not the files that the run wrote: {', '.join(differing)}")
        return UNFINISHED
    _tell(arguments.folder, manifest)
    return manifest.exit_code


def _run(arguments: argparse.Namespace) -> int:
    from fairreport.cli.run import refuse_absent
    from fairreport.report.manifest import UNFINISHED, read_manifest
    from fairreport.report.schedule_folder import starting
    from fairreport.report.schedule_parameters import NAMES, schedule_parameters

    now = clock()
    stated = {name: getattr(arguments, name) for name in (*NAMES, "time_column", "timezone")}
    with starting(stated, now):
        refuse_absent(arguments.config)
        if isinstance(arguments.data, Path):
            refuse_absent(arguments.data)
        parameters = schedule_parameters(stated)
    if arguments.papermill:
        from fairreport.report.schedule_notebook import execute_notebook

        done = execute_notebook(parameters, now=now)
        folder, failure = done.folder, done.failure
    else:
        folder, failure = _run_here(parameters, now), None
    manifest = read_manifest(folder)
    if manifest is None:
        why = f" ({failure})" if failure else ""
        say(f"the run did not finish{why}: there is no manifest.json in {folder}")
        return UNFINISHED
    _tell(folder, manifest)
    return manifest.exit_code


def _run_here(parameters: ScheduleParameters, now: datetime) -> Path:
    from fairreport.cli.progress import progress
    from fairreport.report.schedule import ScheduledAudit

    scheduled = ScheduledAudit(parameters, now=now)
    with progress():
        scheduled.judge()
    scheduled.keep()
    return scheduled.finish().folder


def refuse_command(typed: Sequence[str], reason: str) -> None:
    """Let no manifest of an earlier run outlive a command line of ``schedule run`` that was refused.

    Parameters
    ----------
    typed : sequence of str
        The arguments of the program.
    reason : str
        What is wrong with them.
    """
    from fairreport.report.schedule_folder import refuse

    stated = stated_anyway(typed)
    if stated:
        refuse(stated, reason, clock())


def _tell(folder: Path, manifest: Manifest) -> None:
    """Say where everything is; the line for a log goes to standard output."""
    from fairreport.report.schedule_files import LOG

    document = manifest.document
    if manifest.reason:
        say(manifest.reason)
    for note in document.get("notes", ()):
        say(note)
    if document.get("history"):
        say(f"history: {document['history']}")
    for item in document.get("late", ()):
        window = item["window"]
        say(
            f"the window that ends {window['end']} was judged with {window['rows_within']:,} rows and holds "
            f"{item['rows']:,} now; to judge it again: --window-end {window['end']}"
        )
    if document["outputs"]:
        say(f"wrote {folder}")
    log = folder / LOG
    if LOG in document["outputs"]:
        emit(log.read_text(encoding="utf-8"))
