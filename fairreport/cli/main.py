"""The command ``fairreport``: what can be typed, which module does it, and what an error says.

Nothing here imports an engine or a library of numbers, so that ``fairreport --help`` answers at once.
"""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import NoReturn

from fairreport import __version__
from fairreport.cli.data_options import add_data_options, data_place
from fairreport.cli.history_options import add_history
from fairreport.cli.schedule_options import add_schedule
from fairreport.cli.window_options import add_window_options
from fairreport.errors import ConfigError, DataError, FairreportError, RefusedDataError, nearest

WRONG_INPUT = 2
INTERNAL_ERROR = 70
INTERRUPTED = 130
READER_GONE = 141

COMMANDS = {
    "run": "fairreport.cli.run:run",
    "fairness": "fairreport.cli.fairness:fairness",
    "demo": "fairreport.cli.demo:demo",
    "init": "fairreport.cli.start:start",
    "schema": "fairreport.cli.schema:schema",
    "verify": "fairreport.cli.verify:verify",
    "compare": "fairreport.cli.compare:compare",
    "schedule": "fairreport.cli.schedule:schedule",
    "presets": "fairreport.cli.presets:presets",
    "history": "fairreport.cli.history:history",
}

_EXIT_CODES = """\
exit codes of run:
  0   every test passes
  1   a test fails
  2   a file, the data, the configuration or an output is wrong; the message says what is wanted
  3   no test fails, but one was skipped or has too little evidence
  4   no test fails, but one asks for a person's review
  70  an error of fairreport itself; --debug shows where
"""

_FAIRNESS_CODES = """\
exit codes of fairness (the gravest rule's):
  0   PASS
  1   FAIL
  2   the files are refused; every fault is named
  3   INSUFFICIENT_EVIDENCE
  4   MANUAL_REVIEW
"""

_VERIFY_CODES = """\
exit codes of verify:
  0   the document agrees with its evidence, all of it
  1   something differs; every place is named
  2   a file cannot be read
  3   nothing differs, but not all was judged: pages that another version of fairreport words otherwise, pages by
      templates of your own, a PDF where none can be drawn, a test by a function of your own
"""

_COMPARE_CODES = """\
exit codes of compare:
  0   both were read, whatever changed
  1   with --exit-code: the status of a test, or of the audit, got worse
  2   a file cannot be read
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Do what the command line says and return the exit code.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments without the name of the program; those of the process where absent.

    Examples
    --------
    >>> main(["run", "no-such-audit.yaml"])
    2
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a name that the terminal cannot show stops nothing
    typed = sys.argv[1:] if argv is None else list(argv)
    try:
        arguments = make_parser().parse_args(typed)
    except RefusedCommandError as error:
        if typed[:2] == ["schedule", "run"]:
            from fairreport.cli.schedule import refuse_command  # only a refused run has an earlier one to withdraw

            refuse_command(typed, error.message)
        raise
    module, _, function = COMMANDS[arguments.command].partition(":")
    try:
        command: Callable[[argparse.Namespace], int] = getattr(import_module(module), function)
        code = command(arguments)
    except BrokenPipeError:
        _leave_quietly()
        return READER_GONE
    except KeyboardInterrupt:
        say("interrupted")
        return INTERRUPTED
    except FairreportError as error:
        if arguments.debug:
            traceback.print_exc()
        for line in lines_of(error):
            say(line)
        return WRONG_INPUT
    except Exception as error:  # noqa: BLE001 - a crash must not leave with 1, which says that a test fails
        if arguments.debug:
            traceback.print_exc()
        say(f"internal error: {type(error).__name__}: {error} (run again with --debug to see where)")
        return INTERNAL_ERROR
    return code


def say(message: str) -> None:
    """Write a message to standard error, as one line; control characters of the data cannot act on the terminal."""
    if "@" in message or "=" in message:
        from fairreport.tables.credentials import without_credentials  # whatever was typed, or a driver said

        message = without_credentials(message)
    if not message.isascii() or not message.isprintable():
        from fairreport.render.formats import printable  # only a strange message waits for it

        message = printable(message)
    sys.stderr.write(f"fairreport: {message}\n")
    sys.stderr.flush()


def emit(text: str) -> None:
    """Write a result to standard output.

    Raises
    ------
    DataError
        If standard output is closed or full.
    """
    stream = sys.stdout
    if stream is None:
        raise DataError("standard output is closed")
    try:
        buffer = getattr(stream, "buffer", None)
        if buffer is None:
            stream.write(text)
        else:
            stream.flush()
            buffer.write(text.encode("utf-8", "backslashreplace"))
            buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise DataError(f"cannot write to standard output: {error.strerror or error}") from None


def lines_of(error: FairreportError) -> list[str]:
    """Return what an error says: one line for each fault of a configuration.

    Examples
    --------
    >>> from fairreport.errors import Fault
    >>> fault = Fault(code="bad_type", message="is no list", path="tests", line=4)
    >>> lines_of(ConfigError(fault, source="a.yaml"))
    ['a.yaml: tests: is no list (line 4)']
    """
    if isinstance(error, (ConfigError, RefusedDataError)):
        return [f"{error.source}: {fault}" if error.source else str(fault) for fault in error.errors]
    return [str(error)]


def _leave_quietly() -> None:
    """Whoever read our output has gone (``| head``): let the last flush of the interpreter go nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


class RefusedCommandError(SystemExit):
    """A command line that cannot be read; what is wrong with it stands on standard error already."""

    def __init__(self, message: str) -> None:
        super().__init__(WRONG_INPUT)
        self.message = message


class _Parser(argparse.ArgumentParser):
    """A parser that names the nearest choice where one is misspelled."""

    def error(self, message: str) -> NoReturn:
        typed = message.partition("invalid choice: '")[2].partition("'")[0]
        known = [str(choice) for action in self._actions for choice in action.choices or ()]
        from fairreport.tables.credentials import without_credentials  # a URL may stand where none is known

        said = without_credentials(f"{message}{nearest(typed, known) if typed else ''}")
        self.print_usage(sys.stderr)
        sys.stderr.write(f"{self.prog}: error: {said}\n")
        raise RefusedCommandError(said)


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    parser = _Parser(
        prog="fairreport",
        description="Measure how decisions fall on groups of people, as a document that one can check.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"fairreport {__version__}")
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--debug", action="store_true", help="show the traceback of an error")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Parser)
    _add_run(commands.add_parser, shared)
    _add_fairness(commands.add_parser, shared)
    _add_demo(commands.add_parser, shared)
    _add_init(commands.add_parser, shared)
    _add_schema(commands.add_parser, shared)
    _add_verify(commands.add_parser, shared)
    _add_compare(commands.add_parser, shared)
    add_schedule(commands.add_parser, shared)
    add_history(commands.add_parser, shared)
    _add_presets(commands.add_parser, shared)
    return parser


_AddParser = Callable[..., argparse.ArgumentParser]


def _rows(text: str) -> int:
    """Return a number of rows as typed."""
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"must be a whole number of at least 0, got {text!r}")
    return int(text)


def _add_run(add_parser: _AddParser, shared: argparse.ArgumentParser) -> None:
    command = add_parser(
        "run",
        help="run the audit that a file describes",
        description="Run the audit that an audit.yaml or a tests.json describes. Without an output, a "
        "summary in plain text goes to standard output.",
        epilog=_EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        parents=[shared],
        allow_abbrev=False,
    )
    command.add_argument("config", metavar="CONFIG", type=Path, help="audit.yaml, tests.json or fairness.yaml")
    add_data_options(command)
    command.add_argument("--policy", metavar="FILE", type=Path, help="confidence level of a fairness.yaml")
    command.add_argument("--json", metavar="FILE", help="write every number as JSON; - for standard output")
    command.add_argument("--html", metavar="FILE", type=Path, help="write the packet as one HTML page")
    command.add_argument("--pdf", metavar="FILE", type=Path, help="write the packet as PDF")
    command.add_argument("--csv", metavar="FOLDER", type=Path, help="write every group as CSV, one file a test")
    command.add_argument("--previous", metavar="FILE", type=Path, help="an earlier packet: say what changed since")
    command.add_argument(
        "--suppress-below", metavar="N", type=_rows, help="show groups with fewer rows without figures in the packet"
    )
    command.add_argument(
        "--no-checksum",
        dest="checksum",
        action="store_false",
        default=None,
        help="write no .sha256 beside the packet",
    )
    command.add_argument("--history", metavar="PLACE", help="keep the result in this DuckDB file or database too")
    command.add_argument("--preset", metavar="NAME", help="lay out what a regulation or practice asks; see presets")
    add_window_options(command)


def _add_fairness(add_parser: _AddParser, shared: argparse.ArgumentParser) -> None:
    command = add_parser(
        "fairness",
        help="answer the rate-gap rules of a fairness.yaml",
        description="Answer the rate-gap rules of a fairness.yaml: PASS, FAIL, INSUFFICIENT_EVIDENCE or MANUAL_REVIEW.",
        epilog=_FAIRNESS_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        parents=[shared],
        allow_abbrev=False,
    )
    command.add_argument("config", metavar="FILE", type=Path, help="fairness.yaml; its cases lie beside it")
    command.add_argument("--policy", metavar="FILE", type=Path, help="a file that states confidence_level")
    command.add_argument("--json", action="store_true", help="one JSON object on standard output, a refusal too")


def _add_demo(add_parser: _AddParser, shared: argparse.ArgumentParser) -> None:
    text = "write the packet of the real data that comes with fairreport"
    command = add_parser("demo", help=text, description=f"{text.capitalize()}.", parents=[shared], allow_abbrev=False)
    command.add_argument(
        "--out",
        metavar="FOLDER",
        type=Path,
        default=Path("demo"),
        help="where to write it (default: %(default)s)",
    )


def _add_init(add_parser: _AddParser, shared: argparse.ArgumentParser) -> None:
    text = "write a commented audit.yaml guessed from the columns of a file or table"
    command = add_parser("init", help=text, description=f"{text.capitalize()}.", parents=[shared], allow_abbrev=False)
    command.add_argument("data", metavar="DATA", type=data_place, help="a CSV, JSONL or Parquet file, or a database")
    command.add_argument("--table", metavar="NAME", help="which table of the database, such as hr.decisions")
    command.add_argument(
        "--out",
        metavar="FILE",
        type=Path,
        default=Path("audit.yaml"),
        help="what to write (default: %(default)s)",
    )
    command.add_argument("--force", action="store_true", help="overwrite the file where it exists")


def _add_schema(add_parser: _AddParser, shared: argparse.ArgumentParser) -> None:
    text = "print the JSON Schema of the configuration or of the result"
    command = add_parser("schema", help=text, description=f"{text.capitalize()}.", parents=[shared], allow_abbrev=False)
    command.add_argument("which", choices=["config", "result"], help="audit.yaml, or what run --json writes")


def _add_verify(add_parser: _AddParser, shared: argparse.ArgumentParser) -> None:
    command = add_parser(
        "verify",
        help="compute a packet again from the evidence inside it, and say what differs",
        description="Compute every figure and verdict of a packet again from the evidence inside it, and say what "
        "differs. The pages are drawn again too; those of other versions are judged by their words and numbers. It "
        "shows that the document is consistent in itself, not who made it.",
        epilog=_VERIFY_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        parents=[shared],
        allow_abbrev=False,
    )
    command.add_argument("packet", metavar="PACKET", type=Path, help="a PDF or HTML packet, or a results.json")
    add_data_options(command, files="count the rows of the audited file again as well")
    command.add_argument("--json", action="store_true", help="one JSON object on standard output")


def _add_compare(add_parser: _AddParser, shared: argparse.ArgumentParser) -> None:
    command = add_parser(
        "compare",
        help="say what changed between two packets",
        description="Say what changed between two packets: verdicts, rates, groups, parameters. Neither is verified.",
        epilog=_COMPARE_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        parents=[shared],
        allow_abbrev=False,
    )
    command.add_argument("old", metavar="OLD", type=Path, help="a PDF or HTML packet, or a results.json")
    command.add_argument("new", metavar="NEW", type=Path, help="the later one")
    command.add_argument("--json", action="store_true", help="one JSON object on standard output")
    command.add_argument("--html", metavar="FILE", type=Path, help="write what changed as one HTML page")
    command.add_argument("--pdf", metavar="FILE", type=Path, help="write what changed as PDF")
    command.add_argument("--exit-code", action="store_true", help="leave with 1 where a status got worse")


def _add_presets(add_parser: _AddParser, shared: argparse.ArgumentParser) -> None:
    text = "list the presets for run --preset, or print what one of them says"
    command = add_parser(
        "presets", help=text, description=f"{text.capitalize()}.", parents=[shared], allow_abbrev=False
    )
    command.add_argument("name", metavar="NAME", nargs="?", help="print its facts, each with its source and its day")
