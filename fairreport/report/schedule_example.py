"""The example of a scheduled audit that comes with the package: twelve weeks of simulated decisions."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

from fairreport.report.schedule_parameters import ScheduleParameters
from fairreport.resources import resource_dir

FIRST_END = date(2026, 1, 12)
LAST_END = date(2026, 3, 30)
HISTORY = "history.duckdb"


def example_parameters(parameters: ScheduleParameters, folder: Path) -> ScheduleParameters:
    """Return the parameters with the example's configuration, outputs and history.

    Parameters
    ----------
    parameters : ScheduleParameters
        Without a configuration.
    folder : Path
        Where the outputs go. The weeks before the window are judged into a history there, so that there is a trend.
    """
    from fairreport.audit.audit import Audit  # noqa: PLC0415 - only the example judges ahead
    from fairreport.audit.window import Window, instant_of, zone_of  # noqa: PLC0415 - the same
    from fairreport.report.history import History  # noqa: PLC0415 - the same
    from fairreport.report.history_key import audit_id_of  # noqa: PLC0415 - the same

    config = Path(str(resource_dir("assets") / "schedule" / "audit.yaml"))
    history = folder / HISTORY
    stated = replace(
        parameters,
        config=config,
        out=folder,
        history=str(history),
        window_end=parameters.window_end or LAST_END,
    )
    audit = Audit.from_config(config)
    key = audit_id_of(stated=None, title=audit.title, file=config)
    zone = zone_of(None)
    before = instant_of(stated.window_end, zone, "window_end")
    ends = [FIRST_END + timedelta(weeks=week) for week in range((LAST_END - FIRST_END).days // 7)]
    folder.mkdir(parents=True, exist_ok=True)
    with History.open(str(history)) as kept:
        for end in ends:
            if instant_of(end, zone, "window_end") < before:
                kept.append(audit.run(Window(length="7d", end=end)).record, key)
    return stated
