"""``fairreport history``: what earlier runs of an audit found, window by window."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairreport.cli.main import emit, say
from fairreport.errors import ConfigError, DataError, Fault, nearest

if TYPE_CHECKING:
    from fairreport.audit.trend import Trends
    from fairreport.report.history import History
    from fairreport.report.history_merge import MergedTest


_STANDARD_OUTPUT = Path("-")


def history(arguments: argparse.Namespace) -> int:
    """Show or export a history, and return the exit code."""
    from fairreport.report.history import History  # only who asks for it waits for it

    found = History.open(arguments.place)
    if not found.audits():
        raise DataError(f"there is no history {found.place!r}, or it holds no record yet")
    return _show(found, arguments) if arguments.job == "show" else _export(found, arguments)


def _export(found: History, arguments: argparse.Namespace) -> int:
    from fairreport.report.history_export import history_csv, history_json  # the same

    if arguments.csv is None and arguments.json is None:
        message = "names no output; give --csv FILE or --json FILE"
        raise ConfigError(Fault(code="missing_parameter", message=message, path="history export"))
    if arguments.csv is not None and arguments.csv == arguments.json:
        where = "standard output" if arguments.csv == _STANDARD_OUTPUT else "the same file"
        message = f"--csv and --json both name {where}; give one of them another place"
        raise ConfigError(Fault(code="bad_output", message=message, path="history export"))
    files = {
        name: None if path == _STANDARD_OUTPUT else path
        for name, path in (("csv", arguments.csv), ("json", arguments.json))
    }
    for path in found.export(**files):
        say(f"wrote {path}")
    if arguments.csv == _STANDARD_OUTPUT:
        emit(history_csv(found.entries(superseded=True)))
    if arguments.json == _STANDARD_OUTPUT:
        emit(history_json(found.entries(superseded=True)))
    return 0


def _show(found: History, arguments: argparse.Namespace) -> int:
    audits = found.audits()
    if arguments.audit is None and len(audits) > 1:
        return _list_audits(found, audits, arguments)
    if arguments.merge is not None:
        merged = _of_test(found.merged(arguments.audit, length=arguments.merge), arguments.test)
        if arguments.json:
            _emit_json({"place": found.place, "merged": [item.document() for item in merged]})
        else:
            emit("\n".join(_merged_lines(merged)) + "\n")
        return 0
    trends = _trends(found, arguments)
    if arguments.json:
        _emit_json({"place": found.place, **trends.to_dict()})
    else:
        emit(f"{trends!r}\n")
    return 0


def _list_audits(found: History, audits: Sequence[str], arguments: argparse.Namespace) -> int:
    """Say which audits a history holds, since none of them is named."""
    counted = {audit: found.entries(audit) for audit in audits}
    listed = [
        {
            "audit_id": audit,
            "tests": len({entry.test_name for entry in entries}),
            "windows": len({(entry.window_start, entry.window_end) for entry in entries}),
            "latest": entries[-1].window_end,
        }
        for audit, entries in counted.items()
    ]
    if arguments.json:
        _emit_json({"place": found.place, "audits": listed})
        return 0
    emit(f"{found.place} holds {len(audits):,} audits; name one with --audit\n")
    for item in listed:
        latest = f", the latest ends {item['latest']}" if item["latest"] else ""
        emit(f"  {item['audit_id']}: {item['tests']:,} tests, {item['windows']:,} windows{latest}\n")
    return 0


def _trends(found: History, arguments: argparse.Namespace) -> Trends:
    from fairreport.audit.trend import judge_trends  # the same

    stated = {"baseline": arguments.baseline, "odds_ratio": arguments.odds_ratio}
    trends = found.trends(arguments.audit, **{name: value for name, value in stated.items() if value is not None})
    if arguments.test is None:
        return trends
    kept = tuple(test for test in trends.evidence.tests if test.name == arguments.test)
    if not kept:
        raise _no_test(arguments.test, [test.name for test in trends.evidence.tests])
    return judge_trends(replace(trends.evidence, tests=kept))


def _of_test(merged: Sequence[MergedTest], test: str | None) -> list[MergedTest]:
    kept = [item for item in merged if test is None or item.test_name == test]
    if not kept:
        raise _no_test(str(test), sorted({item.test_name for item in merged}))
    return kept


def _no_test(name: str, known: Sequence[str]) -> ConfigError:
    message = f"there is no test {name!r} in the history.{nearest(name, known)}"
    return ConfigError(Fault(code="bad_enum", message=message, path="--test"))


def _merged_lines(merged: Sequence[MergedTest]) -> Iterator[str]:
    from fairreport.report.merge_text import merged_lines

    for item in merged:
        yield from merged_lines(item)


def _emit_json(document: dict[str, Any]) -> None:
    emit(json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n")
