"""One small whole number for each combination of groups, in SQL and in Python."""

from __future__ import annotations

import math
from collections.abc import Sequence

from fairreport.tables.sinks import Label


def code_sql(levels: Sequence[Sequence[str]], *, with_class: bool, is_remote: bool) -> str:
    """Return SQL of one small integer per combination of levels, and of the class where there are two."""
    size = math.prod(len(level) for level in levels) * (2 if with_class else 1)
    code = "0"
    for i, level in enumerate(levels):
        code = f"({code} * {len(level)} + m{i}.code)"
    if with_class:
        code = f"({code} * 2 + {'CASE WHEN y THEN 1 ELSE 0 END' if is_remote else 'CAST(y AS UTINYINT)'})"
    if is_remote:
        return code
    kind = "UTINYINT" if size <= 2**8 else "USMALLINT" if size <= 2**16 else "BIGINT"
    return f"CAST({code} AS {kind})"


def code_of(label: Label, levels: Sequence[Sequence[str]]) -> int:
    """Return the number of a label."""
    code = 0
    for text, level in zip(label, levels, strict=True):
        code = code * len(level) + level.index(text)
    return code
