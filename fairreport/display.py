"""How a result shows itself without knowing who draws it.

A displayable object names its kind; this registry names, for each kind, the drawing as an import path, which
is resolved when something is displayed. So the arrow of imports points downwards only, and a result that was
imported by itself still has its display.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar

Bundle = dict[str, str]
TEXT, HTML, MARKDOWN = "text/plain", "text/html", "text/markdown"


@dataclass(frozen=True, slots=True)
class Drawing:
    """Where a kind of result is drawn.

    Attributes
    ----------
    module : str
        Its import path.
    whole : str
        Function that makes every form, by MIME type.
    text : str, optional
        Function that makes the plain text alone, for whoever asks for no more; absent, all is made and the rest left.
    """

    module: str
    whole: str
    text: str | None = None


DRAWINGS = {
    "run": Drawing("fairreport.render.drawings", "draw_run", "text_of_audit"),
    "test": Drawing("fairreport.render.drawings", "draw_test", "text_of_result"),
    "report": Drawing("fairreport.render.drawings", "draw_report", "text_of_report"),
    "verification": Drawing("fairreport.report.verify_display", "draw_verification", "text_of_verification"),
    "comparison": Drawing("fairreport.report.compare_display", "draw_comparison", "text_of_comparison"),
    "trends": Drawing("fairreport.render.trend_drawing", "draw_trends"),
    "plan": Drawing("fairreport.render.plan_drawing", "draw_plan", "text_of_plan"),
    "schedule": Drawing("fairreport.report.schedule_drawing", "draw_schedule"),
}


def mimebundle(shown: Displayable) -> Bundle:
    """Return the representations of an object by MIME type; it never raises."""
    drawing = DRAWINGS[shown.display_kind]
    try:
        draw: Callable[[Any], Bundle] = getattr(import_module(drawing.module), drawing.whole)
        return draw(shown)
    except Exception as error:  # noqa: BLE001 - a display must not take the user's result away
        return {TEXT: _no_display(shown, error)}


def plain_text(shown: Displayable) -> str:
    """Return the plain text of an object, nothing else being drawn; it never raises."""
    drawing = DRAWINGS[shown.display_kind]
    if drawing.text is None:
        return mimebundle(shown)[TEXT]
    try:
        draw: Callable[[Any], str] = getattr(import_module(drawing.module), drawing.text)
        return draw(shown)
    except Exception as error:  # noqa: BLE001 - a repr must not take the user's result away
        return _no_display(shown, error)


def _no_display(shown: Displayable, error: Exception) -> str:
    """Return one line that says why there is no display; what an error says of itself may be as hostile as the data."""
    try:
        told = "".join(it if it.isprintable() else " " for it in str(error))[:200]
    except Exception:  # noqa: BLE001 - an error that cannot say what it is
        told = "no message"
    return f"<{type(shown).__name__}: no display ({type(error).__name__}: {told})>"


class Displayable:
    """Gives an object its notebook display and its repr."""

    __slots__ = ()
    display_kind: ClassVar[str]

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> Bundle:
        text_only = include is not None and set(include) <= {TEXT}
        bundle = {TEXT: plain_text(self)} if text_only else mimebundle(self)
        kept = (kind for kind in bundle if include is None or kind in include)
        return {kind: bundle[kind] for kind in kept if not (exclude and kind in exclude)}

    def _repr_html_(self) -> str:
        return mimebundle(self).get(HTML, "")

    def _repr_markdown_(self) -> str:
        return mimebundle(self).get(MARKDOWN, "")

    def __repr__(self) -> str:
        return plain_text(self)
