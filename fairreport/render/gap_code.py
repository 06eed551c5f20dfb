"""The code that makes an audit as a notebook shows it: whole up to a limit, then long lists of rules by their place."""

from __future__ import annotations

from dataclasses import dataclass

from fairreport.render.gap_view import Argument, GapTestView
from fairreport.render.views import RunView

MOST_SHOWN = 6_000
"""Code up to so many characters is shown whole."""

_LONG = 400
"""Of longer code, arguments that take more characters than this are shown by their place in the result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownCode:
    """The code of an audit as it is shown.

    Attributes
    ----------
    text : str
        The code; it runs as it stands where the result still exists as ``run``.
    cuts : tuple of (str, str)
        What was shortened, such as ``"1,000 rules"``, each with the place where all of it is.
    """

    text: str
    cuts: tuple[tuple[str, str], ...]


def shown_code(run: RunView) -> ShownCode:
    """Return the code of an audit, shortened where it is long; the packet prints all of it."""
    text, cuts = run.code, []
    if len(text) > MOST_SHOWN:
        for position, test in enumerate(run.entries):
            if isinstance(test, GapTestView):
                places = {
                    piece: f"run.results[{position}].record.test.{piece.name}"
                    for piece in test.call
                    if isinstance(piece, Argument) and len(piece.text) > _LONG
                }
                text = text.replace(test.code, _with(test, places), 1)
                cuts += [(piece.size, place) for piece, place in places.items()]
    return ShownCode(text=text, cuts=tuple(cuts))


def _with(test: GapTestView, places: dict[Argument, str]) -> str:
    """Return the call of a test, some of its arguments by their place."""
    return "".join(piece if isinstance(piece, str) else places.get(piece, piece.text) for piece in test.call)
