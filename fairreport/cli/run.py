"""``fairreport run``: from a configuration to the outputs that were asked for."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from fairreport.audit.audit import Audit
from fairreport.audit.readers.configuration import Configuration, audit_of, load_configuration
from fairreport.audit.result import AuditRun
from fairreport.audit.withheld import published_sentence
from fairreport.cli.data_options import files_of
from fairreport.cli.main import WRONG_INPUT, emit, say
from fairreport.cli.outcome_remarks import spelling_remarks
from fairreport.cli.outputs import Outputs, check_outputs
from fairreport.cli.presets import check_preset
from fairreport.cli.progress import progress
from fairreport.cli.window_options import asked_window, is_window_asked, remarks_after, remarks_before
from fairreport.errors import ConfigError, DataError, Fault, PdfUnavailableError, nearest
from fairreport.report.packet_settings import AskedPacket, PacketSettings, packet_settings

if TYPE_CHECKING:
    from fairreport.report.history import History


def run(arguments: argparse.Namespace) -> int:
    """Run an audit, write what was asked for, and return the exit code."""
    outputs = Outputs(json=arguments.json, html=arguments.html, pdf=arguments.pdf, csv=arguments.csv)
    refuse_absent(arguments.config)
    if isinstance(arguments.data, Path):
        refuse_absent(arguments.data)
    if arguments.policy is not None:
        refuse_absent(arguments.policy)
    if arguments.preset is not None:
        check_preset(arguments.preset, "--preset")
        if not (outputs.html or outputs.pdf):
            say("the tables of a preset stand in a packet; ask for one with --html FILE or --pdf FILE")
    configuration = load_configuration(
        arguments.config, arguments.data, arguments.policy, table=arguments.table, preset=arguments.preset
    )
    audit = _audit(configuration, arguments)
    settings = PacketSettings()
    if outputs.html or outputs.pdf:
        asked = AskedPacket(
            previous=arguments.previous, suppress_below=arguments.suppress_below, checksum=arguments.checksum
        )
        settings = packet_settings(configuration, arguments.config.parent, asked)
    files = files_of(audit.data)
    for file in files:
        refuse_absent(file)
    check_outputs(outputs, inputs=[arguments.config, *files])
    window = asked_window(arguments, configuration.stated.time, audit) if is_window_asked(arguments) else None
    for remark in remarks_before(audit, window):
        say(remark)
    history = None if arguments.history is None else _open_history(arguments.history)
    with progress():
        result = audit.run(window)
    for remark in (*remarks_after(audit, result), *spelling_remarks(result)):
        say(remark)
    if history is not None:
        from fairreport.report.history_key import audit_id_of  # only who keeps a history waits for it

        audit_id = audit_id_of(stated=configuration.stated.id, title=result.record.title, file=arguments.config)
        say(history.append(result, audit_id).sentence)
        settings = replace(settings, trends=history.trends(audit_id) if _has_time(result) else None)
    if not outputs:
        emit(f"{result!r}\n")
        return result.exit_code
    code = result.exit_code
    try:
        for place in write_outputs(result, outputs, settings):
            say(f"wrote {place}")
    except PdfUnavailableError as error:
        say(f"no PDF was written: {error}")
        code = WRONG_INPUT
    say(_summary(result))
    return code


def _open_history(place: str) -> History:
    """Return a history that a run can be kept in; no data was read yet."""
    from fairreport.report.history import History

    found = History.open(place)
    found.check()
    return found


def _has_time(result: AuditRun) -> bool:
    """Tell whether a run has a place among others in time."""
    data = result.record.data
    return result.record.created is not None or data.window is not None or bool(data.test_windows)


def refuse_absent(path: Path) -> None:
    """Raise `DataError` where there is no such file, with the nearest name in its folder."""
    try:
        if path.exists():
            return
    except (OSError, ValueError) as error:  # a folder that is closed, a name that is too long or no name
        name = str(path) if len(str(path)) < 500 else f"{str(path)[:60]}..."
        raise DataError(f"cannot read {name!r}: {getattr(error, 'strerror', error)}") from None
    folder = path.parent
    names = [item.name for item in folder.iterdir()] if folder.is_dir() else []
    raise DataError(f"there is no file {str(path)!r}.{nearest(path.name, names)}")


def _audit(configuration: Configuration, arguments: argparse.Namespace) -> Audit:
    try:
        return audit_of(configuration, Audit, time_column=arguments.time_column, timezone=arguments.timezone)
    except ConfigError as error:
        if error.errors[0].path != "audit.data" or error.code != "missing_parameter":
            raise
        message = "names no data; state it under audit.data, or give --data FILE"
        raise ConfigError(Fault(code=error.code, message=message), source=configuration.name) from None


def write_outputs(result: AuditRun, outputs: Outputs, settings: PacketSettings) -> Iterator[str]:
    """Write every output, the PDF last, and yield where each went.

    Parameters
    ----------
    result : AuditRun
        What was found.
    outputs : Outputs
        What was asked for.
    settings : PacketSettings
        How the packet is to be made.

    Raises
    ------
    PdfUnavailableError
        If this machine cannot write PDF; all other outputs are there.
    """
    if outputs.json == "-":
        emit(result.to_json())
    elif outputs.json:
        result.to_json(outputs.json)
        yield outputs.json
    if outputs.csv:
        result.to_csv(outputs.csv)
        yield str(outputs.csv)
    if not (outputs.html or outputs.pdf):
        return
    from fairreport.report.checksum import write_packet  # only who asks for a packet waits for it

    report = settings.report(result)
    left = "" if report.record.withheld is None else published_sentence(report.record.withheld)
    if left:
        say(f"suppress_below: {left}")
    if outputs.html:
        page = report.html().encode("utf-8", "backslashreplace")
        yield str(write_packet(outputs.html, page, packet_id=report.packet_id if settings.checksum else None))
    if outputs.pdf:
        yield str(report.save(outputs.pdf, checksum=settings.checksum))


def _summary(result: AuditRun) -> str:
    counted = Counter(test.status.value for test in result.results)
    tests = ", ".join(f"{n:,} {status}" for status, n in sorted(counted.items()))
    return f"status {result.status.value} (tests: {tests})"
