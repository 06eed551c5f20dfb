"""How a result shows itself without knowing who draws it.

A displayable object names its kind; this registry names, for each kind, the drawing as an import path, which
is resolved when something is displayed. So the arrow of imports points downwards only, and a result that was
imported by itself still has its display.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, ClassVar

DRAWINGS = {
    "run": "fairreport.render.drawings:draw_run",
    "test": "fairreport.render.drawings:draw_test",
    "report": "fairreport.render.drawings:draw_report",
    "verification": "fairreport.report.verify_drawing:draw_verification",
    "comparison": "fairreport.report.compare_drawing:draw_comparison",
}

Bundle = dict[str, str]


def mimebundle(shown: Displayable) -> Bundle:
    """Return the representations of an object by MIME type; it never raises."""
    module, _, function = DRAWINGS[shown.display_kind].partition(":")
    try:
        draw: Callable[[Any], Bundle] = getattr(import_module(module), function)
        return draw(shown)
    except Exception as error:  # noqa: BLE001 - a display must not take the user's result away
        return {"text/plain": f"<{type(shown).__name__}: no display ({type(error).__name__}: {error})>"}


class Displayable:
    """Gives an object its notebook display and its repr."""

    __slots__ = ()
    display_kind: ClassVar[str]

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Bundle:  # noqa: ARG002
        return mimebundle(self)

    def _repr_html_(self) -> str:
        return mimebundle(self).get("text/html", "")

    def __repr__(self) -> str:
        return mimebundle(self)["text/plain"]
