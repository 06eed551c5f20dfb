"""Where the templates and assets lie: inside the wheel, or in a checkout."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Literal

from fairreport.errors import ResourceMissingError

_CHECKOUT = Path(__file__).resolve().parents[1]


def resource_dir(kind: Literal["templates", "assets"]) -> Traversable:
    """Return the folder of one kind of resource.

    Raises
    ------
    ResourceMissingError
        If the folder is neither packaged nor beside the package.
    """
    packaged = files("fairreport") / "_resources" / kind
    if packaged.is_dir():
        return packaged
    if (_CHECKOUT / "pyproject.toml").is_file() and (_CHECKOUT / kind).is_dir():
        return _CHECKOUT / kind
    raise ResourceMissingError(f"This installation of fairreport has no {kind!r} folder. Reinstall it.")
