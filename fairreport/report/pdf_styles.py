"""WeasyPrint's own style sheet without what no packet uses: six rules that it would work out for every element."""

from __future__ import annotations

import copy
import re
from functools import cache
from types import ModuleType
from typing import Any
from xml.etree.ElementTree import Element

_NOTES = frozenset({"footnote-call", "footnote-marker", "note-call", "note-marker", "note-callback"})
_MARKER = "marker"
_NO_PAGE = "<html></html>"
_USES_NOTES = re.compile(r"footnote|\bnote(?:-area)?\s*\(", re.IGNORECASE)
_USES_LIST_ITEMS = re.compile(r"list-item", re.IGNORECASE)


def lean_document(engine: ModuleType, html: str, *, tree: Element | None = None, **settings: Any) -> Any:
    """Return WeasyPrint's document of a page, to be rendered; what it renders is the same to the byte.

    Its style sheet gives every element five pseudo-elements for notes at the foot of a page and one for the mark of
    a list item, whether there are such or not: each is a record of styles that takes a kilobyte and is kept to the
    end, which made up a quarter of the memory of a large packet. Pages with notes, or with list items other than
    ``<li>``, which own templates may have, keep the rules they need.

    Parameters
    ----------
    engine : module
        WeasyPrint.
    html : str
        The page.
    tree : Element, optional
        Its elements, where they are known already; else the page is parsed.
    **settings
        What its ``HTML`` takes.
    """
    dropped = frozenset() if _USES_NOTES.search(html) else _NOTES
    narrowed = frozenset() if _USES_LIST_ITEMS.search(html) else frozenset({_MARKER})

    class LeanDocument(engine.HTML):  # type: ignore[name-defined, misc]
        def _ua_stylesheets(self, *arguments: Any, **named: Any) -> list[Any]:
            sheets = super()._ua_stylesheets(*arguments, **named)
            return [_lean(sheet, dropped, narrowed) for sheet in sheets]

    document = LeanDocument(string=html if tree is None else _NO_PAGE, **settings)
    if tree is not None:
        from cssselect2 import ElementWrapper  # type: ignore[import-untyped] # noqa: PLC0415 - comes with WeasyPrint

        document.wrapper_element = ElementWrapper.from_html_root(tree, content_language=None)
        document.etree_element = document.wrapper_element.etree_element
    return document


@cache
def _lean(sheet: Any, dropped: frozenset[str], narrowed: frozenset[str]) -> Any:
    """Return a style sheet whose rules for any element leave out some pseudo-elements, and give others to ``<li>``.

    A sheet that is not built as those of WeasyPrint 70 are is returned as it is.
    """
    anywhere = vars(sheet.matcher).get("other_selectors")
    by_name = vars(sheet.matcher).get("lower_local_name_selectors")
    if not isinstance(anywhere, list) or not isinstance(by_name, dict):
        return sheet
    lean = copy.copy(sheet)
    lean.matcher = copy.copy(sheet.matcher)
    lean.matcher.other_selectors = [rule for rule in anywhere if rule[3] not in dropped | narrowed]
    moved = [rule for rule in anywhere if rule[3] in narrowed]
    lean.matcher.lower_local_name_selectors = by_name | {"li": [*by_name.get("li", []), *moved]}
    return lean
