"""The folder of a scheduled run, found before anything else: nothing in it may speak for a run that was refused."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from datetime import datetime
from itertools import product
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from fairreport.audit.readers.text_file import read_text
from fairreport.audit.readers.yaml_text import parse_yaml
from fairreport.audit.window import Window, instant_of, stamp, zone_of
from fairreport.errors import ConfigError, FairreportError
from fairreport.report.folder_lock import holding
from fairreport.report.latest_run import END, refuse_run
from fairreport.report.manifest import NotOursError, put_back, remove_manifest
from fairreport.report.schedule_refusal import refuse_in
from fairreport.report.schedule_start import started


@contextmanager
def starting(stated: Mapping[str, Any], now: datetime | None = None) -> Iterator[None]:
    """Let no manifest of an earlier run outlive a start: it goes first, and a refusal takes its place.

    Where the name of the folder follows from the end of the window, and that from the time and the configuration, the
    folder is found once the configuration is read, or else as well as can be.

    Parameters
    ----------
    stated : mapping of str to object
        What the run is told, whatever is wrong with it: only ``out``, ``window_end``, ``timezone``, ``window``,
        ``delay``, ``now`` and ``config`` are looked at.
    now : datetime, optional
        What time it is.

    Raises
    ------
    DataError
        If the manifest cannot be removed, or another run writes into the folder.
    """
    with started(stated.get("out")):
        folder = folder_of(stated, None)
        with nullcontext() if folder is None else holding(folder):
            if folder is not None:
                remove_manifest(folder)
            try:
                yield
            except NotOursError as error:
                if folder is not None:
                    put_back(folder)
                refuse_run_anyway(stated, str(error))
                raise
            except FairreportError as error:
                refuse(stated, str(error), now)
                raise


def refuse(stated: Mapping[str, Any], reason: str, now: datetime | None = None) -> None:
    """Let the manifest of a folder that is there say why a run did not start; see `starting`."""
    refuse_run_anyway(stated, reason)
    folder = folder_of(stated, now)
    if folder is None:
        return
    with suppress(FairreportError), holding(folder):  # what is said is what came first
        remove_manifest(folder)
        refuse_in(folder, reason, now=None if now is None else stamp(now))


def refuse_run_anyway(stated: Mapping[str, Any], reason: str) -> None:
    """Let the file beside the folders of windows say that the newest run was refused, where it can be written."""
    with suppress(FairreportError, OSError, ValueError):
        refuse_run(stated.get("out"), reason)


def folder_of(stated: Mapping[str, Any], now: datetime | None) -> Path | None:
    """Return the folder of outputs as far as it is stated; None where it is not there or cannot be known.

    Parameters
    ----------
    stated : mapping of str to object
        See `starting`.
    now : datetime or None
        What time it is; None for a folder whose name does not follow from that.
    """
    out = stated.get("out")
    if not isinstance(out, (str, Path)) or not str(out).strip():
        return None
    name = str(out)
    if END in name:
        end = _end(stated, now)
        if end is None:
            return None
        name = named(name, end)
    try:
        return Path(name) if Path(name).is_dir() else None
    except (OSError, ValueError):  # a name that is too long, or none
        return None


def named(out: str, end: datetime) -> str:
    """Return the name of a folder with the end of the window: its day, with the time where it is not midnight.

    Examples
    --------
    >>> named("reports/{end}", datetime.fromisoformat("2026-03-30T06:30:00Z"))
    'reports/2026-03-30T06-30-00Z'
    """
    return out.replace(END, stamp(end).removesuffix("T00:00:00Z").replace(":", "-"))


def _end(stated: Mapping[str, Any], now: datetime | None) -> datetime | None:
    """Return where the window ends; None where that cannot be known."""
    time = _time_of(stated.get("config"))
    zone = next((it for it in map(_zone, (stated.get("timezone"), time.get("timezone"))) if it), ZoneInfo("UTC"))
    if stated.get("window_end") is not None:
        with suppress(ConfigError):
            return instant_of(stated["window_end"], zone, "window_end")
        return None
    now = stated.get("now") or now
    if now is None:
        return None
    delays: tuple[Any, ...] = (stated.get("delay"), time.get("delay"), 0)
    lengths: tuple[Any, ...] = (stated.get("window"), time.get("window"), "1d")
    for length, delay in product(lengths, delays):
        with suppress(ConfigError):
            return Window(length=length, delay=delay, now=now, align=time.get("align")).place(zone).end
    return None


def _zone(name: Any) -> ZoneInfo | None:
    with suppress(ConfigError):
        return zone_of(name) if isinstance(name, str) else None
    return None


def _time_of(config: Any) -> Mapping[str, Any]:
    """Return what a configuration states under ``audit.time``, whatever else is wrong with it."""
    content = config
    if isinstance(config, (str, Path)):
        try:
            text = read_text(Path(config))
            content = json.loads(text) if Path(config).suffix.lower() == ".json" else parse_yaml(text).content
        except (FairreportError, ValueError, RecursionError):
            return {}
    for key in ("audit", "time"):
        content = content.get(key) if isinstance(content, Mapping) else None
    return content if isinstance(content, Mapping) else {}
