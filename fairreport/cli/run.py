"""``fairreport run``: from a configuration to the outputs that were asked for."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from fairreport.audit.audit import Audit
from fairreport.audit.readers.configuration import Configuration, audit_of, load_configuration
from fairreport.audit.result import AuditRun
from fairreport.cli.main import WRONG_INPUT, emit, say
from fairreport.cli.outputs import Outputs, check_outputs
from fairreport.cli.progress import progress
from fairreport.errors import ConfigError, DataError, Fault, PdfUnavailableError, nearest
from fairreport.writing import write_whole


def run(arguments: argparse.Namespace) -> int:
    """Run an audit, write what was asked for, and return the exit code."""
    outputs = Outputs(json=arguments.json, html=arguments.html, pdf=arguments.pdf, csv=arguments.csv)
    refuse_absent(arguments.config)
    if arguments.data is not None:
        refuse_absent(arguments.data)
    if arguments.policy is not None:
        refuse_absent(arguments.policy)
    configuration = load_configuration(arguments.config, arguments.data, arguments.policy)
    audit = _audit(configuration)
    settings = configuration.stated.report
    if outputs.html or outputs.pdf:
        _refuse_unoffered(configuration)
    if isinstance(audit.data, Path):
        refuse_absent(audit.data)
    check_outputs(outputs, inputs=[arguments.config, Path(audit.data)])
    if configuration.stated.time:
        say("audit.time is not used yet: all rows are judged, of any time")
    with progress():
        result = audit.run()
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


def _audit(configuration: Configuration) -> Audit:
    try:
        return audit_of(configuration, Audit)
    except ConfigError as error:
        if error.errors[0].path != "audit.data" or error.code != "missing_parameter":
            raise
        message = "names no data; state it under audit.data, or give --data FILE"
        raise ConfigError(Fault(code=error.code, message=message), source=configuration.name) from None


def _refuse_unoffered(configuration: Configuration) -> None:
    """Raise where the configuration asks of the packet what this version does not do."""
    without_effect = {("language", "en"), ("suppress_below", 0)}
    faults = [
        Fault(
            code="not_offered",
            message="is not offered by this version; take it out",
            path=f"audit.report.{name}",
            line=configuration.line(f"audit.report.{name}"),
        )
        for name, value in configuration.stated.report.items()
        if value is not None and name != "paper" and (name, value) not in without_effect
    ]
    if faults:
        raise ConfigError(faults, source=configuration.name)


def write_outputs(result: AuditRun, outputs: Outputs, settings: Mapping[str, Any]) -> Iterator[str]:
    """Write every output, the PDF last, and yield where each went.

    Parameters
    ----------
    result : AuditRun
        What was found.
    outputs : Outputs
        What was asked for.
    settings : mapping
        What the configuration states under ``audit.report``.

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
    from fairreport.report.packet import Report  # only who asks for a packet waits for it

    report = Report(result, preset=settings.get("preset"), paper=settings.get("paper") or "A4")
    if outputs.html:
        write_whole(outputs.html, report.html())
        yield str(outputs.html)
    if outputs.pdf:
        report.save(outputs.pdf)
        yield str(outputs.pdf)


def _summary(result: AuditRun) -> str:
    counted = Counter(test.status.value for test in result.results)
    tests = ", ".join(f"{n:,} {status}" for status, n in sorted(counted.items()))
    return f"status {result.status.value} (tests: {tests})"
