"""Whatever in a page would be fetched or run when somebody opens it: a packet holds nothing of the kind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

from fairreport.errors import ConfigError, Fault

_FETCHED = frozenset({"src", "srcset", "poster", "data", "background", "action", "formaction", "manifest", "ping"})
_ACTIVE = frozenset({"script", "iframe", "frame", "object", "embed", "applet", "base", "portal", "form"})
_STYLED = frozenset(
    {"style", "fill", "stroke", "filter", "clip-path", "mask", "marker-start", "marker-mid", "marker-end", "cursor"}
)
_IMPORT = re.compile(r"@import", re.IGNORECASE)
_URL = re.compile(r"url\(\s*[\"']?\s*([^\"')]*)", re.IGNORECASE)
_FONT_OF_THE_PACKAGE = "fairreport-asset:"
_LONGEST = 80


def outside_references(html: str) -> list[str]:
    """Return everything in a page that is fetched or run when it is opened, in words; links to follow are not.

    Examples
    --------
    >>> outside_references('<p>a <a href="https://example.org">link</a><img src="data:image/png;base64,AA=="></p>')
    []
    >>> outside_references('<img src="https://example.org/a.png"><p style="background: url(/etc/passwd)">')
    ["<img src='https://example.org/a.png'>", "url('/etc/passwd')"]
    """
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.found


def refuse_outside(html: str) -> None:
    """Raise where a page would fetch or run anything.

    Raises
    ------
    ConfigError
        Naming the first thing of the kind.
    """
    found = outside_references(html)
    if found:
        more = f" and {len(found) - 1:,} more" if len(found) > 1 else ""
        message = f"a packet fetches and runs nothing; wanted data: addresses and no scripts, got {found[0]}{more}"
        raise ConfigError(Fault(code="bad_template", message=message, path="templates"))


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self._is_style = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._is_style = tag == "style"
        if tag in _ACTIVE:
            self.found.append(f"<{tag}>")
        for name, value in attrs:
            self.found += _of_attribute(tag, name.lower(), value or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self._is_style = False

    def handle_endtag(self, tag: str) -> None:
        self._is_style = self._is_style and tag != "style"

    def handle_data(self, data: str) -> None:
        if self._is_style:
            self.found += _of_css(data)


def _of_attribute(tag: str, name: str, value: str) -> Iterator[str]:
    is_link = name.rpartition(":")[2] == "href"
    if name.startswith("on"):
        yield f"<{tag} {name}>"
    elif tag == "meta" and name == "http-equiv" and value.lower() != "content-security-policy":
        yield f"<meta http-equiv={value[:_LONGEST]!r}>"
    elif name in _FETCHED or (is_link and tag not in {"a", "area"}):
        if not _is_inside(value):
            yield f"<{tag} {name}={value[:_LONGEST]!r}>"
    elif is_link:
        if re.sub(r"\s", "", value).lower().startswith(("javascript:", "vbscript:")):
            yield f"<{tag} {name}={value[:_LONGEST]!r}>"
    elif name in _STYLED:
        yield from _of_css(value)


def _of_css(text: str) -> Iterator[str]:
    plain = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    plain = re.sub(r"\\([0-9a-fA-F]{1,6})\s?", lambda found: chr(min(int(found[1], 16), 0x10FFFF) or 0xFFFD), plain)
    plain = plain.replace("\\", "")
    if _IMPORT.search(plain):
        yield "@import"
    yield from (f"url({address[:_LONGEST]!r})" for address in _URL.findall(plain) if not _is_inside(address))


def _is_inside(address: str) -> bool:
    start = address.strip().lower()
    return not start or start.startswith(("data:", "#", _FONT_OF_THE_PACKAGE))
