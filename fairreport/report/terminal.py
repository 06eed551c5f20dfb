"""Lines for a terminal: at most 100 columns, control characters made visible, continued lines set in."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from typing import Any

from fairreport.render import formats
from fairreport.render.text_layout import COLUMNS, fit

_VALUE = 34


def indented(text: str, indent: str = "") -> Iterator[str]:
    """Yield a text in lines of at most 100 columns, the second and further ones set in by two more.

    Examples
    --------
    >>> list(indented("one two", "  "))
    ['  one two']
    """
    lines = textwrap.wrap(
        formats.printable(text),
        width=COLUMNS,
        initial_indent=indent,
        subsequent_indent=f"{indent}  " if indent else "",
        break_on_hyphens=False,
    )
    yield from (fit(line, COLUMNS) for line in lines)


def shown_value(value: Any) -> str:
    """Return a JSON value in few characters.

    Examples
    --------
    >>> shown_value(["F", "M"]), shown_value(0.8), shown_value(None)
    ('["F", "M"]', '0.8', 'null')
    """
    return fit(json.dumps(value, ensure_ascii=False), _VALUE)
