"""The tree that the house tests look at."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MADE = {".git", ".venv", "build", "dist", "demo", "__pycache__", "_resources"}


def files_of(*folders: str) -> list[Path]:
    """Return every file of the project (below some folders), nothing that a tool left behind."""
    places = [ROOT / folder for folder in folders] or [ROOT]
    found = []
    for place in places:
        for path in place.rglob("*"):
            parts = path.relative_to(ROOT).parts
            cached = any(
                part.endswith(("_cache", ".egg-info")) or part in {".hypothesis", ".ipynb_checkpoints"}
                for part in parts
            )
            if path.is_file() and not cached and not MADE & set(parts) and path.suffix != ".pyc":
                found.append(path)
    return sorted(found)


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def tree() -> Callable[..., list[Path]]:
    return files_of
