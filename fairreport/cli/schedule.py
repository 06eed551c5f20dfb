"""``fairreport schedule``: one window judged and kept, and how to have that done every week."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairreport.cli.main import emit, say
from fairreport.cli.schedule_options import stated_anyway
from fairreport.cli.window_options import clock

if TYPE_CHECKING:
    from fairreport.report.manifest import Manifest
    from fairreport.report.schedule import ScheduleOutcome
    from fairreport.report.schedule_parameters import ScheduleParameters


def schedule(arguments: argparse.Namespace) -> int:
    """Do a job of the command and return the exit code."""
    from fairreport.cli.schedule_examples import examples

    jobs = {"run": _run, "status": _status, "examples": examples}
    return jobs[arguments.job](arguments)


def _status(arguments: argparse.Namespace) -> int:
    from fairreport.report.latest_run import LATEST
    from fairreport.report.manifest import MANIFEST, UNFINISHED

    folder: Path = arguments.folder
    if not (folder / LATEST).is_file():
        return _status_in(folder)
    if (folder / MANIFEST).exists():
        say(f"{folder} holds both {MANIFEST} and {LATEST}: name the folder of one run, or remove the one not meant")
        return UNFINISHED
    return _status_of_latest(folder)


def _status_of_latest(place: Path) -> int:
    """Say how the newest of several runs ended, each with a folder of its own."""
    from fairreport.report.latest_run import FINISHED, LATEST, REFUSED_RUN, STARTED, read_latest
    from fairreport.report.manifest import REFUSED, UNFINISHED

    latest = read_latest(place)
    if latest is not None and latest.state == REFUSED_RUN:
        say(latest.reason or "the newest run was refused")
        return REFUSED
    if latest is not None and latest.state == FINISHED and latest.folder and ".." not in Path(latest.folder).parts:
        return _status_in(place / latest.folder)
    is_started = latest is not None and latest.state == STARTED
    say(f"the newest run in {place} started and did not finish" if is_started else f"{place / LATEST} says nothing")
    return UNFINISHED


def _status_in(folder: Path) -> int:
    from fairreport.report.manifest import MANIFEST, UNFINISHED, differing_outputs, read_manifest

    manifest = read_manifest(folder)
    if manifest is None:
        what = f"the {MANIFEST} in {folder} is none of a run" if (folder / MANIFEST).exists() else _no_manifest(folder)
        say(f"{what}: no run came to its end there")
        return UNFINISHED
    differing = differing_outputs(folder)
    if differing:
        say(f"not the files that the run wrote: {', '.join(differing)}")
        return UNFINISHED
    return _tell(folder, manifest)


def _no_manifest(folder: Path) -> str:
    return f"there is no manifest.json in {folder}"


def _run(arguments: argparse.Namespace) -> int:
    from fairreport.report.schedule_start import started

    with started(arguments.out):  # before anything is imported that takes its time
        return _run_started(arguments)


def _run_started(arguments: argparse.Namespace) -> int:
    from fairreport.cli.run import refuse_absent
    from fairreport.report.manifest import UNFINISHED, read_manifest
    from fairreport.report.schedule_folder import starting
    from fairreport.report.schedule_parameters import NAMES, refuse_nothing, schedule_parameters

    now = clock()
    stated = {name: getattr(arguments, name) for name in (*NAMES, "time_column", "timezone")}
    with starting(stated, now):
        refuse_nothing(stated)
        refuse_absent(arguments.config)
        if isinstance(arguments.data, Path):
            refuse_absent(arguments.data)
        parameters = schedule_parameters(stated)
    if not arguments.papermill:
        outcome = _run_here(parameters, now)
        return _tell(outcome.folder, outcome.manifest)
    from fairreport.report.schedule_notebook import execute_notebook

    done = execute_notebook(parameters, now=now)
    manifest = read_manifest(done.folder)
    if manifest is None:
        why = f" ({done.failure})" if done.failure else ""
        say(f"the run did not finish{why}: {_no_manifest(done.folder)}")
        return UNFINISHED
    return _tell(done.folder, manifest)


def _run_here(parameters: ScheduleParameters, now: datetime) -> ScheduleOutcome:
    from fairreport.cli.progress import progress
    from fairreport.report.schedule import ScheduledAudit

    scheduled = ScheduledAudit(parameters, now=now)
    with progress():
        scheduled.judge()
    scheduled.keep()
    return scheduled.finish()


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


def _tell(folder: Path, manifest: Manifest) -> int:
    """Say where everything is, and return the exit code of the run; the line for a log goes to standard output."""
    from fairreport.report.manifest import UNFINISHED, read_output
    from fairreport.report.schedule_files import LOG

    document = manifest.document
    line = read_output(folder, manifest, LOG)
    if LOG in document["outputs"] and (line is None or _packet_id(line) != document.get("packet_id")):
        say(f"{LOG} in {folder} is not that of the run that the manifest tells of")
        return UNFINISHED
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
    if line is not None:
        emit(line)
    return manifest.exit_code


def _packet_id(line: str) -> Any:
    try:
        return json.loads(line).get("packet_id")
    except (ValueError, RecursionError, AttributeError):
        return None
