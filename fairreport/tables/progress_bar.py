"""A bar while a long read goes on: to a person at a terminal or a notebook, to nobody else.

A notebook keeps what is written into it. So in a notebook a bar is shown only where somebody sits in front of it:
front ends ask for cells with the right to be asked for input, programs that execute notebooks (papermill, nbconvert,
Quarto) without it. The bar is one output of its own, which is emptied at the end.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Protocol

SECONDS_BEFORE_BAR = 1.0
_LAYOUT = "{desc} {percentage:3.0f}%|{bar}| {elapsed}"
_WIDTH = 72


class Sink(Protocol):
    """Where a bar writes itself."""

    def write(self, text: str, /) -> object:
        """Write a bar over the one before."""
        ...

    def flush(self) -> object:
        """Have nothing left to write."""
        ...


@contextmanager
def bar() -> Iterator[Callable[[float], None] | None]:
    """Yield what shows the share read, from 0 to 1; None where nobody sees a bar.

    Nothing is written in the first second. ``TQDM_DISABLE=1`` in the environment turns bars off.
    """
    sink = _sink()
    if sink is None:
        yield None
        return
    from tqdm import tqdm  # noqa: PLC0415 - only who waits for a bar waits for it

    width = _WIDTH if isinstance(sink, NotebookLine) else None
    settings = {"delay": SECONDS_BEFORE_BAR, "mininterval": 0, "leave": False, "file": sink, "ncols": width}
    with tqdm(total=100, desc="reading", bar_format=_LAYOUT, **settings) as shown:

        def show(share: float) -> None:
            shown.update(100 * share - shown.n)

        yield show


def _sink() -> Sink | None:
    """Return where a bar would be seen by a person; None elsewhere, and wherever CI runs."""
    if os.environ.get("CI"):
        return None
    kernel = _kernel()
    if kernel is not None:
        return NotebookLine() if _is_interactive(kernel) else None
    return sys.stderr if sys.stderr is not None and sys.stderr.isatty() else None


def _kernel() -> Any:
    """Return the kernel that runs this, None outside of notebooks; nothing is imported to find out."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return getattr(shell, "kernel", None)


def _is_interactive(kernel: Any) -> bool:
    """Tell whether the cell that runs may ask for input, which only a front end with a person before it allows."""
    try:
        return bool(kernel.get_parent("shell")["content"]["allow_stdin"])
    except (AttributeError, KeyError, TypeError):  # no cell runs, or another kind of kernel
        return False


class NotebookLine:
    """One output of a notebook cell, in which a bar stands until it is emptied."""

    def __init__(self) -> None:
        self._handle: Any = None

    def write(self, text: str, /) -> None:
        """Show a bar in place of the one before; white space empties the output."""
        line = {"text/plain": text.strip()}
        if self._handle is not None:
            self._handle.update(line, raw=True)
        elif line["text/plain"]:
            self._handle = import_module("IPython.display").display(line, raw=True, display_id=True)

    def flush(self) -> None:
        """Have nothing left to write: outputs are sent at once."""
