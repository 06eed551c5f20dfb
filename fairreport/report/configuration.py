"""The configuration of a run, stated again in full, so that it can be run again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import yaml

from fairreport.analyses.pair_parameters import PairTest
from fairreport.analyses.pair_tests import CustomDisparityMetric
from fairreport.audit.about import About, Origin
from fairreport.audit.record import AuditRecord, DataRecord, Entry, GapRecord
from fairreport.audit.window import WindowRecord


class _Dumper(yaml.SafeDumper):
    """PyYAML's safe dumper, which quotes every text that YAML 1.2 reads as a number (``1e3``)."""


_Dumper.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"^[-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?$"), list("-+.0123456789")
)

_HEADER = """\
# Every test and parameter of this audit, defaults included. To run it again:
#   fairreport run audit.yaml --data {place}
"""
_NO_PLACE = ("spark", "sqlframe")
"""Frames of these are brought, not named."""
_TABLE_OF_FILE = re.compile("table .+ in .+")


def configuration_yaml(record: AuditRecord, report: Mapping[str, Any] | None = None) -> str:
    """Return an ``audit.yaml`` that states the tests and parameters of a run, defaults included.

    Parameters
    ----------
    record : AuditRecord
        The run.
    report : mapping, optional
        What goes under ``audit.report``, such as the preset in use.

    Examples
    --------
    >>> import fairreport as fr
    >>> rows = {"sex": ["F"] * 50 + ["M"] * 40, "hired": [1] * 30 + [0] * 20 + [1] * 30 + [0] * 10}
    >>> text = configuration_yaml(fr.Audit(rows).outcome_disparity("sex", "hired", 1).run().record)
    >>> fr.Audit.from_config(__import__("yaml").safe_load(text), rows).run().status.value
    'passing'
    """
    kept = [entry for entry in record.entries if not isinstance(entry.test, CustomDisparityMetric)]
    stated = dict(report or {}) | ({} if record.withheld is None else {"suppress_below": record.withheld.below})
    audit = _audit(record) | ({"report": stated} if stated else {})
    content = {"audit": audit, "tests": [_test(entry) for entry in kept]}
    written = yaml.dump(content, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=110)
    return _header(record) + _left_out(len(record.entries) - len(kept)) + written


def _header(record: AuditRecord) -> str:
    window = record.data.window
    return _HEADER.format(place=_place(record.data) + ("" if window is None else f" --window-end {window.end}"))


def _place(data: DataRecord) -> str:
    """Return how a command line names data of this kind."""
    if data.asked and not data.engine.startswith(_NO_PLACE):
        return "URL --table NAME"
    return "FILE --table NAME" if _TABLE_OF_FILE.fullmatch(data.origin) else "FILE"


def _left_out(n: int) -> str:
    """Return the comment lines on metrics of the user's own, whose functions stand in no file."""
    if not n:
        return ""
    return (
        f"# Left out: {n} custom_disparity_metric. Its function cannot stand in a file; add the test in Python,\n"
        "# with the parameters that results.json states.\n"
    )


def _audit(record: AuditRecord) -> dict[str, Any]:
    stated: dict[str, Any] = {"title": record.title}
    if record.data.counts is not None:
        stated["counts"] = record.data.counts
    if record.data.missing_values:
        stated["missing_values"] = list(record.data.missing_values)
    if record.data.window is not None:
        stated["time"] = _time(record.data.window)
    if record.data.declared_groups:
        stated["groups"] = {name: list(values) for name, values in record.data.declared_groups.items()}
    about = _about(record.about)
    return stated | ({"about": about} if about else {})


def _time(window: WindowRecord) -> dict[str, Any]:
    return {
        "column": window.column,
        "timezone": window.timezone,
        "window": window.length_seconds,
        "delay": window.delay_seconds,
    }


def _about(about: About) -> dict[str, Any]:
    stated = {key: value for key, value in about.model_dump(mode="json").items() if value}
    if about.origin is Origin.NOT_STATED:
        del stated["origin"]
    return stated


def _test(record: Entry) -> dict[str, Any]:
    test = record.test
    stated: dict[str, Any] = {"name": record.name}
    if test.description is not None:
        stated["description"] = test.description
    parameters = test.parameters()
    stated |= _without_nulls(parameters)
    if isinstance(test, PairTest):  # a null that says something, and is no default
        stated |= {name: None for name in sorted(test.null_says_something) if parameters.get(name, "") is None}
    if not isinstance(record, GapRecord) and record.test.thresholds:
        stated["thresholds"] = [threshold.model_dump(mode="json") for threshold in record.test.thresholds]
    stated |= {
        name: value
        for name, value in (("threshold_source", test.threshold_source), ("rationale", test.rationale))
        if value is not None
    }
    return {test.analysis: stated}


def _without_nulls(value: Any) -> Any:
    """Return mappings without the entries that state nothing, those inside lists too."""
    if isinstance(value, dict):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    return [_without_nulls(item) for item in value] if isinstance(value, list) else value
