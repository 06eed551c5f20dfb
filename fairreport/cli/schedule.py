"""``fairreport schedule``: one window judged and kept, and how to have that done every week."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from fairreport.cli.main import emit, say
from fairreport.cli.schedule_options import EXAMPLES
from fairreport.cli.window_options import clock

if TYPE_CHECKING:
    from fairreport.report.manifest import Manifest
    from fairreport.report.schedule_parameters import ScheduleParameters


def schedule(arguments: argparse.Namespace) -> int:
    """Do a job of the command and return the exit code."""
    jobs = {"run": _run, "status": _status, "examples": _examples}
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
    from fairreport.report.schedule_parameters import NAMES, schedule_parameters

    refuse_absent(arguments.config)
    if arguments.data is not None:
        refuse_absent(arguments.data)
    stated = {name: getattr(arguments, name) for name in (*NAMES, "time_column", "timezone")}
    parameters = schedule_parameters(stated)
    if arguments.papermill:
        from fairreport.report.schedule_notebook import execute_notebook

        done = execute_notebook(parameters, now=clock())
        folder, failure = done.folder, done.failure
    else:
        folder, failure = _run_here(parameters), None
    manifest = read_manifest(folder)
    if manifest is None:
        why = f" ({failure})" if failure else ""
        say(f"the run did not finish{why}: there is no manifest.json in {folder}")
        return UNFINISHED
    _tell(folder, manifest)
    return manifest.exit_code


def _run_here(parameters: ScheduleParameters) -> Path:
    from fairreport.cli.progress import progress
    from fairreport.report.schedule import ScheduledAudit

    scheduled = ScheduledAudit(parameters, now=clock() if parameters.window_end is None else None)
    with progress():
        scheduled.judge()
    scheduled.keep()
    return scheduled.finish().folder


def _tell(folder: Path, manifest: Manifest) -> None:
    """Say where everything is; the line for a log goes to standard output."""
    from fairreport.report.schedule_files import LOG

    document = manifest.document
    if manifest.reason:
        say(manifest.reason)
    if document.get("history"):
        say(f"history: {document['history']}")
    for item in document.get("late", ()):
        window = item["window"]
        say(
            f"the window that ends {window['end']} was judged with {window['rows_within']:,} rows and holds "
            f"{item['rows']:,} now; to judge it again: --window-end {window['end']}"
        )
    say(f"wrote {folder}")
    log = folder / LOG
    if LOG in document["outputs"]:
        emit(log.read_text(encoding="utf-8"))


def _examples(arguments: argparse.Namespace) -> int:
    from fairreport.resources import resource_dir, scheduled_notebook

    if arguments.name is None:
        emit("".join(f"{name.ljust(20)}{what}\n" for name, what in EXAMPLES.items()))
        emit(f"{'notebook'.ljust(20)}the notebook for papermill\n")
        return 0
    place = (
        scheduled_notebook() if arguments.name == "notebook" else resource_dir("assets") / "schedule" / arguments.name
    )
    emit(place.read_text(encoding="utf-8"))
    return 0
