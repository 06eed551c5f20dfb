"""The notebook of a scheduled audit, executed by papermill and kept beside its outputs."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path
from typing import Any

from fairreport.audit.window import stamp
from fairreport.errors import ConfigError, ExtraMissingError, Fault
from fairreport.report.folder_lock import holding, lent
from fairreport.report.latest_run import finish_run
from fairreport.report.manifest import add_output, read_manifest
from fairreport.report.schedule import ScheduledAudit
from fairreport.report.schedule_files import NOTEBOOK
from fairreport.report.schedule_folder import starting
from fairreport.report.schedule_parameters import ScheduleParameters, stated_by
from fairreport.resources import scheduled_notebook
from fairreport.tables.credentials import shown_url
from fairreport.writing import write_whole


@dataclass(frozen=True, slots=True, kw_only=True)
class NotebookRun:
    """Where an executed notebook left its outputs, and what stopped it; None where it came to its end."""

    folder: Path
    failure: str | None


def execute_notebook(parameters: ScheduleParameters, *, now: datetime) -> NotebookRun:
    """Execute the notebook with papermill, keep it, and say where its outputs are.

    Whatever the kernel says, the manifest in that folder tells how the run ended; none is there where it did not.

    Parameters
    ----------
    parameters : ScheduleParameters
        What the run is told.
    now : datetime
        What time it is.

    Raises
    ------
    ExtraMissingError
        Without papermill, which ``fairreport[schedule]`` brings.
    ConfigError
        If the parameters or the configuration are wrong, or the data is no file.
    """
    with starting(stated_by(parameters), now):
        papermill = _papermill()
        if parameters.data is not None and not isinstance(parameters.data, (str, Path)):
            message = "must be a path or a URL: a notebook that papermill executes cannot take a table"
            raise ConfigError(Fault(code="bad_type", message=message, path="data"))
        is_placed = parameters.window_end is not None or parameters.now is not None
        stated = parameters if is_placed else replace(parameters, now=now)
        scheduled = ScheduledAudit(stated)  # which refuses what is wrong, and removes the manifest of before
    with holding(scheduled.folder), lent(scheduled.folder):
        failure = _executed(papermill, stated, scheduled.folder)
        if read_manifest(scheduled.folder) is not None:
            finish_run(parameters.out, scheduled.folder, scheduled.audit_id)
    return NotebookRun(folder=scheduled.folder, failure=failure)


def _executed(papermill: Any, stated: ScheduleParameters, folder: Path) -> str | None:
    """Execute the notebook, keep it, and return what stopped it."""
    given = {name: _plain(value) for name, value in stated_by(stated).items()} | {"out": str(folder.absolute())}
    failure = None
    with tempfile.TemporaryDirectory(prefix="fairreport-") as place:
        source, executed = Path(place) / NOTEBOOK, Path(place) / f"executed-{NOTEBOOK}"
        source.write_text(scheduled_notebook().read_text(encoding="utf-8"), encoding="utf-8")
        try:
            papermill.execute_notebook(
                str(source),
                str(executed),
                parameters=given,
                kernel_name="python3",
                progress_bar=False,
                log_output=False,
                extra_arguments=["--log-level=ERROR"],  # a kernel says on standard error that its transport is plain
            )
        except Exception as error:  # noqa: BLE001 - a cell or the kernel died: the manifest tells whether it mattered
            failure = f"{type(error).__name__}: {_last_line(error)}"
        if executed.exists():
            book = _without_secrets(executed.read_text(encoding="utf-8"), stated)
            write_whole(folder / NOTEBOOK, book)
            add_output(folder, NOTEBOOK, book)
    return failure


def _without_secrets(book: str, stated: ScheduleParameters) -> str:
    """Return a notebook with the places of data and history as they may be shown: a URL may hold a password."""
    shown: dict[str, str] = {}
    if stated.history is not None and "://" in stated.history:
        from fairreport.report.history import History  # noqa: PLC0415 - only who keeps one in a database waits for it

        shown[stated.history] = History.open(stated.history).place
    if isinstance(stated.data, str):
        shown[stated.data] = shown_url(stated.data)
    for text, instead in shown.items():
        written = {text, json.dumps(text, ensure_ascii=False)[1:-1], repr(text)[1:-1]}
        book = json.dumps(_replaced(json.loads(book), written, instead), ensure_ascii=False, indent=1) + "\n"
    return book


def _replaced(value: Any, written: set[str], shown: str) -> Any:
    """Return JSON values in which a text, however it is written, is another wherever it stands."""
    if isinstance(value, dict):
        return {key: _replaced(item, written, shown) for key, item in value.items()}
    if isinstance(value, list):
        return [_replaced(item, written, shown) for item in value]
    if not isinstance(value, str):
        return value
    for text in written:
        value = value.replace(text, shown)
    return value


def _last_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else "no message"


def _plain(value: Any) -> Any:
    if isinstance(value, Path):
        return str(value.absolute())
    if isinstance(value, datetime) and value.tzinfo is not None:
        return stamp(value)
    return value.isoformat() if isinstance(value, date) else value


def _papermill() -> Any:
    try:
        import papermill  # noqa: PLC0415 - comes with the schedule extra
    except ImportError:
        message = "papermill is not installed; pip install 'fairreport[schedule]' brings it"
        raise ExtraMissingError(message) from None
    return papermill
