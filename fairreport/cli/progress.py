"""One bar for all reads of a command: on standard error, to a person at a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from fairreport.tables.progress import listening
from fairreport.tables.progress_bar import bar


@contextmanager
def progress() -> Iterator[None]:
    """Show how far the reading is, where standard error is a terminal and no CI runs."""
    with ExitStack() as stack:
        show = stack.enter_context(bar())
        if show is not None:
            stack.enter_context(listening(show))
        yield
