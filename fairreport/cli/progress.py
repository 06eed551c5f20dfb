"""A bar on standard error while a long read goes on: to a person at a terminal, to nobody else."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from fairreport.tables.progress import listening

SECONDS_BEFORE_BAR = 1


@contextmanager
def progress() -> Iterator[None]:
    """Show how far the reading is, where standard error is a terminal and no CI runs."""
    if not sys.stderr.isatty() or os.environ.get("CI"):
        yield
        return
    from tqdm import tqdm

    layout = "{desc} {percentage:3.0f}%|{bar}| {elapsed}"
    settings = {"delay": SECONDS_BEFORE_BAR, "mininterval": 0, "leave": False, "file": sys.stderr}
    with tqdm(total=100, desc="reading", bar_format=layout, **settings) as bar:

        def show(share: float) -> None:
            bar.update(100 * share - bar.n)

        with listening(show):
            yield
