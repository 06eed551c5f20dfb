"""Where the templates and assets lie: inside the wheel, or in a checkout."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Literal

from fairreport.errors import ResourceMissingError

_CHECKOUT = Path(__file__).resolve().parents[1]


def resource_dir(kind: Literal["templates", "assets", "notebooks"]) -> Traversable:
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


def scheduled_notebook() -> Traversable:
    """Return the notebook of a scheduled audit.

    Raises
    ------
    ResourceMissingError
        If it is neither packaged nor beside the package.
    """
    return resource_dir("notebooks") / "scheduled_audit.ipynb"


def preset_dir() -> Traversable:
    """Return the folder of presets, which lies inside the package.

    Raises
    ------
    ResourceMissingError
        If it is not there.
    """
    folder = files("fairreport") / "report" / "presets"
    if folder.is_dir():
        return folder
    raise ResourceMissingError("This installation of fairreport has no folder of presets. Reinstall it.")
