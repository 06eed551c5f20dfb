"""The style sheet of the figures: ours where the user has set nothing, the user's own everywhere else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.resources import as_file
from typing import Any

from matplotlib import rc_params_from_file, rcParams, rcParamsDefault, style

from fairreport.resources import resource_dir

SHEET = "fairreport.mplstyle"
INK, FAINT = "#1a1a1a", "#8a8a8a"
BELOW, MEETS, OPEN = "#9c2a00", "#00508c", "#4d4d4d"
"""Colours of the sheet: of text and of what is faint, and of findings."""

_SET: Any = rcParams
_DEFAULT: Any = rcParamsDefault
_CYCLE, _TEXT, _GRID = "axes.prop_cycle", "text.color", "grid.color"
_FINDINGS = (BELOW, MEETS, OPEN)


@cache
def sheet() -> dict[Any, Any]:
    """Return the settings of the style sheet."""
    with as_file(resource_dir("assets") / SHEET) as path:
        return dict(rc_params_from_file(str(path), fail_on_error=True, use_default_template=False))


@contextmanager
def styled(own: Any = None) -> Iterator[None]:
    """Draw a new figure in the style sheet, under what the user has set, under a style of the user's.

    Parameters
    ----------
    own : str, path, mapping or list of these, optional
        What `matplotlib.style.use` takes.
    """
    ours = {key: value for key, value in sheet().items() if _SET[key] == _DEFAULT[key]}
    with style.context([ours, *_listed(own)]):
        yield


@contextmanager
def styled_as_given(own: Any = None) -> Iterator[None]:
    """Draw on axes of the user's, whose sizes stay: only a style that is named here is laid over.

    Parameters
    ----------
    own : str, path, mapping or list of these, optional
        What `matplotlib.style.use` takes.
    """
    with style.context(_listed(own)):
        yield


def shown_colour(colour: str) -> str:
    """Return what a colour of the sheet is where the user has set another one.

    Parameters
    ----------
    colour : str
        One of the colours above; any other stays.

    Examples
    --------
    >>> from matplotlib import rc_context
    >>> with rc_context({"text.color": "white"}):
    ...     shown_colour(INK), shown_colour(FAINT)
    ('white', '#8a8a8a')
    """
    if colour in _FINDINGS:
        own = _SET[_CYCLE].by_key().get("color", ())
        is_set = _SET[_CYCLE] != _DEFAULT[_CYCLE] and len(own) >= len(_FINDINGS)
        return _hexadecimal(own[_FINDINGS.index(colour)]) if is_set else colour
    key = {INK: _TEXT, FAINT: _GRID}.get(colour)
    if key is None or _SET[key] == _DEFAULT[key]:
        return colour
    return _hexadecimal(_SET[key])


def hollow_colour() -> str:
    """Return what a hollow mark is filled with: the ground of the axes, white where that is clear."""
    face = str(_SET["axes.facecolor"])
    return "white" if face == "none" else _hexadecimal(face)


def _hexadecimal(colour: Any) -> str:
    """Return a colour of a style sheet, which writes hexadecimal digits without their sign."""
    text = str(colour)
    return f"#{text}" if len(text) == 6 and all(it in "0123456789abcdefABCDEF" for it in text) else text


def _listed(own: Any) -> list[Any]:
    if own is None:
        return []
    return list(own) if isinstance(own, (list, tuple)) else [own]
