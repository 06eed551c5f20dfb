"""A scheduled run, step by step: judge one window, keep it in the history, write everything, the manifest last.

The command line and the notebook both go through here, so that they write the same files.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from fairreport.audit.audit import Audit
from fairreport.audit.late import LateRows, late_rows
from fairreport.audit.readers.configuration import Configuration, audit_of, load_configuration
from fairreport.audit.result import AuditRun
from fairreport.audit.window import PlacedWindow, Window, instant_of, stamp, zone_of
from fairreport.display import Displayable
from fairreport.errors import ConfigError, FairreportError, Fault, PdfUnavailableError
from fairreport.report.folder_lock import holding
from fairreport.report.latest_run import END, finish_run, refuse_other_audit
from fairreport.report.manifest import (
    REFUSED,
    Manifest,
    NotOursError,
    forget_earlier,
    refuse_other_audit_in,
    remove_manifest,
    write_manifest,
)
from fairreport.report.packet import Report
from fairreport.report.packet_settings import AskedPacket, PacketSettings, packet_settings
from fairreport.report.schedule_files import Written, write_files
from fairreport.report.schedule_folder import named, refuse_run_anyway, starting
from fairreport.report.schedule_notes import unfinished, untouching, windows_of, without_time
from fairreport.report.schedule_parameters import ScheduleParameters, stated_by
from fairreport.report.schedule_refusal import refuse_in
from fairreport.report.schedule_summary import Told, manifest_head

if TYPE_CHECKING:
    from fairreport.audit.trend import Trends
    from fairreport.report.history import History

NOTHING_JUDGED = 3


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ScheduleOutcome(Displayable):
    """What a scheduled run came to, and where its files lie.

    Attributes
    ----------
    folder : Path
        Where the outputs lie.
    manifest : Manifest
        What was written.
    told : Told
        What the summary tells.
    """

    display_kind: ClassVar[str] = "schedule"

    folder: Path
    manifest: Manifest
    told: Told

    @property
    def exit_code(self) -> int:
        """The exit code of the run."""
        return self.manifest.exit_code


class ScheduledAudit:
    """One scheduled run of an audit.

    Parameters
    ----------
    parameters : ScheduleParameters
        What the run is told.
    now : datetime, optional
        What time it is, where the parameters do not state it: the end of the window follows from it where none is
        stated, and whether the window is over. The clock is never asked.

    Attributes
    ----------
    folder : Path
        Where the outputs go. A manifest of an earlier run is removed from it at once.
    audit : Audit
        The audit.
    window : Window
        The window that is judged.

    Raises
    ------
    ConfigError
        If the parameters or the configuration are wrong. Where the folder is known, its manifest says so.
    DataError
        If the folder or the history cannot be written.
    """

    def __init__(self, parameters: ScheduleParameters, *, now: datetime | None = None) -> None:
        self._run: AuditRun | None = None
        self._trends: Trends | None = None
        self._late: tuple[LateRows, ...] = ()
        self._kept: str | None = None
        self._now: datetime | None = None
        self.folder = Path()
        self._is_made = False
        self._held = ExitStack()
        self._out = parameters.out
        with starting(stated_by(parameters), now):
            if parameters.config is None and parameters.out is None:
                parameters = replace(parameters, out=Path(tempfile.mkdtemp(prefix="fairreport-")))
            out = parameters.out or Path()
            if END not in str(out):
                self._make(out)
            with self._reported():
                end = self._prepare(parameters, now)
            refuse_other_audit(out, self.audit_id)
            if END in str(out):
                self._make(Path(named(str(out), end)))
            self._refuse_other_audit()

    def _prepare(self, parameters: ScheduleParameters, now: datetime | None) -> datetime:
        """Read all that the run is told, before data is read, and return where the last of its windows ends."""
        asked = now if parameters.now is None else parameters.now
        self._clock = None if asked is None else instant_of(asked, zone_of(None), "now")
        self._parameters = _example(parameters)
        self._now = self._clock if self._parameters.window_end is None else None
        self._configuration = self._load()
        self._settings = self._packet_settings()
        self.audit = audit_of(
            self._configuration, Audit, time_column=parameters.time_column, timezone=parameters.timezone
        )
        self.window = self._window(self._configuration)
        placed = self._placed()
        self._notes = unfinished(placed, self._clock)
        if self._notes:
            self._now = self._clock
        self._notes += untouching(self.window)
        self._history = self._open_history()
        return max(window.end for window in placed)

    def _load(self) -> Configuration:
        configuration = load_configuration(self._parameters.config, self._parameters.data, table=self._parameters.table)
        if self._parameters.time_column is None and not configuration.stated.time:
            message = "which column holds the times? State audit.time.column, or time_column (--time-column)"
            raise ConfigError(
                Fault(code="missing_parameter", message=message, path="audit.time"), source=configuration.name
            )
        return configuration

    def _window(self, configuration: Configuration) -> Window:
        stated, asked = configuration.stated.time, self._parameters
        delay = next((it for it in (asked.delay, stated.get("delay")) if it is not None), 0)
        length = asked.window if asked.window is not None else stated.get("window")
        if length is None and any(name not in self.audit.own_windows for name in self.audit.names):
            message = "how long is the window? State audit.time.window, or window (--window), such as 7d"
            raise ConfigError(
                Fault(code="missing_parameter", message=message, path="audit.time"), source=configuration.name
            )
        return Window(
            length=length,
            end=asked.window_end,
            delay=delay,
            now=self._clock if asked.window_end is None else None,
            align=stated.get("align"),
        )

    def _placed(self) -> list[PlacedWindow]:
        zone = self.audit.time.zone if self.audit.time is not None else None
        assert zone is not None  # noqa: S101 - `_load` refuses an audit without a time column
        return [self.window.place(zone, self.audit.own_windows.get(name)) for name in self.audit.names]

    def _packet_settings(self) -> PacketSettings:
        config = self._parameters.config
        folder = config.parent if isinstance(config, Path) else Path()
        return packet_settings(self._configuration, folder, AskedPacket())

    def _open_history(self) -> History | None:
        if self._parameters.history is None:
            return None
        from fairreport.report.history import History  # noqa: PLC0415 - only who keeps one waits for it

        history = History.open(self._parameters.history)
        history.check()
        return history

    @property
    def audit_id(self) -> str:
        """Under what the results of this audit are kept."""
        from fairreport.report.history_key import audit_id_of  # noqa: PLC0415 - the same

        config = self._parameters.config
        stated = self._configuration.stated
        file = config if isinstance(config, Path) else None
        return audit_id_of(stated=stated.id, title=self.audit.title, file=file)

    def judge(self) -> AuditRun:
        """Judge the window and return the run.

        Raises
        ------
        DataError
            If the table cannot be read.
        """
        with self._reported():
            self._run = self.audit.run(self.window)
        return self._run

    def keep(self) -> Trends | None:
        """Keep the results in the history, count late rows, and return the trends; None without a history.

        Raises
        ------
        DataError
            If the history cannot be written.
        """
        run = self._judged()
        if self._history is None:
            return None
        with self._reported(), self._history as history:
            own = {(it.start, it.end) for it in windows_of(run.record)}
            judged = history.windows(self.audit_id) if self.audit_id in history.audits() else ()
            self._late = late_rows(self.audit, [it for it in judged if (it.start, it.end) not in own])
            kept = history.append(run.record, self.audit_id, now=None if self._clock is None else stamp(self._clock))
            self._kept = kept.sentence.removeprefix(f"{kept.place}: ")
            self._trends = history.trends(self.audit_id)
        return self._trends

    def finish(self) -> ScheduleOutcome:
        """Write all outputs, the manifest last, and return what the run came to.

        Raises
        ------
        DataError
            If an output cannot be written; the manifest then says that the run is not complete.
        """
        run = self._judged()
        with holding(self.folder), self._reported():
            report = self._report(run)
            told = self._told(report)
            written = Written()
            reason, complete = told.nothing, True
            try:
                write_files(report, told, self.folder, written, checksum=self._settings.checksum)
            except PdfUnavailableError as error:
                complete, reason = False, f"no PDF was written: {error}"
                told = replace(told, exit_code=REFUSED)
            stated = {
                "complete": complete,
                "exit_code": told.exit_code,
                "reason": reason,
                **manifest_head(told, now=self._now, kept=self._kept),
            }
            manifest = write_manifest(self.folder, stated, written.files)
            forget_earlier(self.folder)
            finish_run(self._out, self.folder, self.audit_id)
        self._held.close()
        return ScheduleOutcome(folder=self.folder, manifest=manifest, told=told)

    def _report(self, run: AuditRun) -> Report:
        return replace(self._settings, trends=self._trends).report(run)

    def _told(self, report: Report) -> Told:
        record = report.record
        rows = sum(window.rows_within for window in windows_of(record))
        nothing = None if rows else "the window holds no row, so nothing was judged"
        code = record.exit_code if rows else NOTHING_JUDGED
        return Told(
            record=record,
            audit_id=self.audit_id,
            exit_code=code,
            nothing=nothing,
            packet_id=report.packet_id,
            notes=(*self._notes, *without_time(windows_of(record))),
            late=self._late,
            trends=report.trends,
        )

    def _judged(self) -> AuditRun:
        return self.judge() if self._run is None else self._run

    def _make(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            message = f"cannot make the folder {str(folder)!r}: {error.strerror or error}"
            raise ConfigError(Fault(code="bad_output", message=message, path="out")) from None
        self._held.enter_context(holding(folder))
        remove_manifest(folder)
        self.folder = folder
        self._is_made = True

    def _refuse_other_audit(self) -> None:
        try:
            refuse_other_audit_in(self.folder, self.audit_id)
        except NotOursError:
            self._held.close()
            raise

    @contextmanager
    def _reported(self) -> Iterator[None]:
        """Let the manifest say why a run came to nothing."""
        try:
            yield
        except FairreportError as error:
            if self._is_made:
                refuse_in(self.folder, str(error), now=None if self._now is None else stamp(self._now))
            refuse_run_anyway({"out": self._out}, str(error))
            self._held.close()
            raise


def run_schedule(parameters: ScheduleParameters, *, now: datetime | None = None) -> ScheduleOutcome:
    """Do a whole scheduled run; see `ScheduledAudit`."""
    scheduled = ScheduledAudit(parameters, now=now)
    scheduled.judge()
    scheduled.keep()
    return scheduled.finish()


def _example(parameters: ScheduleParameters) -> ScheduleParameters:
    """Return the parameters with the example in place of a configuration that is not stated."""
    if parameters.config is not None:
        return parameters
    from fairreport.report.schedule_example import example_parameters  # noqa: PLC0415 - only the example needs it

    return example_parameters(parameters, parameters.out or Path())
