"""The notebook of a scheduled audit, executed by papermill and kept beside its outputs."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, fields, replace
from datetime import date, datetime
from pathlib import Path
from typing import Any

from fairreport.audit.window import stamp
from fairreport.errors import ConfigError, ExtraMissingError, Fault
from fairreport.report.schedule import ScheduledAudit
from fairreport.report.schedule_parameters import ScheduleParameters
from fairreport.resources import scheduled_notebook
from fairreport.writing import write_whole

NOTEBOOK = "scheduled_audit.ipynb"


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
    papermill = _papermill()
    if parameters.data is not None and not isinstance(parameters.data, Path):
        message = "must be the path of a file: a notebook that papermill executes cannot take a table"
        raise ConfigError(Fault(code="bad_type", message=message, path="data"))
    stated = (
        parameters if parameters.window_end is not None or parameters.now is not None else replace(parameters, now=now)
    )
    folder = ScheduledAudit(stated).folder  # which refuses what is wrong, and removes the manifest of the run before
    given = {field.name: _plain(getattr(stated, field.name)) for field in fields(stated)}
    given = {name: value for name, value in given.items() if value is not None} | {"out": str(folder.absolute())}
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
            write_whole(folder / NOTEBOOK, executed.read_bytes())
    return NotebookRun(folder=folder, failure=failure)


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
