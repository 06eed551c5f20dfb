"""The settings of an exploration as text that makes them: Python, and an `audit.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fairreport.audit.audit import DEFAULT_TITLE
from fairreport.audit.record import AuditRecord, Entry, GapRecord, TestRecord
from fairreport.render import formats, gap_methods, pair_methods
from fairreport.render.record_lines import call
from fairreport.render.window_lines import window_code

_BY_POSITION = {
    "outcome_disparity": ("protected_attribute_columns", "outcome_column", "favorable_values"),
    "score_disparity": ("protected_attribute_columns", "score_column"),
    "metric_parity": ("protected_attribute_columns", "parity_metric"),
}


def python_text(record: AuditRecord) -> str:
    """Return Python that makes and runs an audit, given the data under the name ``data``.

    Examples
    --------
    >>> import fairreport as fr
    >>> rows = {"sex": ["F"] * 50 + ["M"] * 40, "hired": [1] * 30 + [0] * 20 + [1] * 30 + [0] * 10}
    >>> print(python_text(fr.Audit(rows).outcome_disparity("sex", "hired", 1, alpha=0.01).run().record))
    import fairreport as fr
    <BLANKLINE>
    run = (
        fr.Audit(data)
        .outcome_disparity('sex', 'hired', '1', alpha=0.01)
        .run()
    )
    """
    calls = "".join(f"    {_call(entry)}\n" for entry in record.entries)
    times, window = window_code(record)
    start = formats.printable(f"fr.Audit({', '.join(['data', *_arguments(record), *times])})")
    run = formats.printable(f".run({window})")
    return f"import fairreport as fr\n\nrun = (\n    {start}\n{calls}    {run}\n)\n"


def _arguments(record: AuditRecord) -> Iterator[str]:
    """Yield what an audit says of its data, beside its tests."""
    data = record.data
    stated: dict[str, Any] = {
        "title": None if record.title == DEFAULT_TITLE else record.title,
        "counts": data.counts,
        "missing_values": list(data.missing_values),
        "groups": {name: list(values) for name, values in data.declared_groups.items()},
        "about": _about(record),
        "as_of": record.created,
    }
    for name, value in stated.items():
        if value not in (None, [], {}):
            yield f"{name}={value!r}"


def _about(record: AuditRecord) -> dict[str, Any]:
    return record.about.model_dump(mode="json", exclude_defaults=True)


def _call(entry: Entry) -> str:
    if isinstance(entry, TestRecord):
        return call(entry, _BY_POSITION[entry.test.analysis])
    if isinstance(entry, GapRecord):
        return "".join(piece if isinstance(piece, str) else piece.text for piece in gap_methods.call(entry))
    return pair_methods.call(entry)
