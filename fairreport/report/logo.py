"""A logo of the user's own: one picture, read once, that fetches and runs nothing."""

from __future__ import annotations

import base64
import io
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from xml.etree import ElementTree as ET

from fairreport.errors import ConfigError, Fault
from fairreport.report.self_contained import outside_references

LARGEST = 1_000_000
"""Bytes of the file."""
_MOST_PIXELS, _MOST_IN_ALL = 6_000, 16_000_000
_KEPT_PIXELS = (1_600, 600)
_AT_ONCE = Lock()
_RASTER = {"PNG", "JPEG"}
_SVG = "{http://www.w3.org/2000/svg}"
_DRAWN = frozenset(
    {
        *("svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan", "use"),
        *("defs", "linearGradient", "radialGradient", "stop", "clipPath", "mask", "symbol"),
        *("title", "desc", "metadata", "style"),
    }
)
_GRADIENTS = ("linearGradient", "radialGradient")
_WANTED = "wanted a PNG, a JPEG or an SVG"


@dataclass(frozen=True, slots=True, kw_only=True)
class Logo:
    """A picture on the cover.

    Attributes
    ----------
    media_type : str
        ``image/png`` or ``image/svg+xml``.
    content : bytes
        The picture.
    """

    media_type: str
    content: bytes = field(repr=False)

    @property
    def data_uri(self) -> str:
        """The picture as an address that holds it."""
        return f"data:{self.media_type};base64,{base64.b64encode(self.content).decode()}"


def read_logo(path: str | Path) -> Logo:
    """Return the logo of a file; rasters become PNG without whatever else the file holds.

    Parameters
    ----------
    path : path
        A PNG, JPEG or SVG of at most 1 MB.

    Raises
    ------
    ConfigError
        If there is none, it is damaged or too large, or an SVG holds scripts or points outside itself.
    """
    place, name = Path(path), str(path)
    try:
        if place.is_dir():
            raise _fault(f"{name!r} is a folder; {_WANTED}")
        size = place.stat().st_size
        if size > LARGEST:
            raise _fault(f"{name!r} has {size:,} bytes; at most {LARGEST:,} are embedded")
        content = place.read_bytes()
    except FileNotFoundError:
        raise _fault(f"there is no file {name!r}") from None
    except (OSError, ValueError) as error:
        if isinstance(error, ConfigError):
            raise
        raise _fault(f"cannot read {name!r}: {getattr(error, 'strerror', None) or error}") from None
    return logo_of(content, name)


def logo_of(content: bytes, name: str) -> Logo:
    """Return the logo that bytes hold, told by what they are and not by what the file is called.

    Raises
    ------
    ConfigError
        If they hold none.
    """
    if content.startswith((b"\x89PNG", b"\xff\xd8")):
        return _raster(content, name)
    start = content[:1024].lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith((b"<svg", b"<?xml", b"<!--", b"<!DOCTYPE")):
        return _svg(content, name)
    raise _fault(f"{name!r} is no picture that can be embedded; {_WANTED}")


def stored_logo(media_type: str, content: bytes) -> Logo:
    """Return a logo that a packet holds, as it is, after the same checks.

    Raises
    ------
    ConfigError
        If it is none that a packet embeds.
    """
    found = logo_of(content, "logo")
    if found.media_type != media_type:
        raise _fault(f"'logo' is {found.media_type}, not {media_type}")
    return Logo(media_type=media_type, content=content)


def _raster(content: bytes, name: str) -> Logo:
    from PIL import Image  # noqa: PLC0415 - comes with matplotlib; only who has a logo waits for it

    try:
        with warnings.catch_warnings(), _whole_pictures_only():
            warnings.simplefilter("error")  # one of them tells of a picture that unpacks to far too much
            picture = Image.open(io.BytesIO(content), formats=sorted(_RASTER))
            wide, high = picture.size
            is_small = max(wide, high) <= _MOST_PIXELS and wide * high <= _MOST_IN_ALL
            has_alpha = "A" in picture.getbands() or "transparency" in picture.info
            drawn = picture.convert("RGBA" if has_alpha else "RGB") if is_small else None
    except Exception as error:  # noqa: BLE001 - a damaged picture breaks a decoder in many ways
        raise _fault(f"{name!r} is a damaged picture ({' '.join(str(error).split())[:80]}); {_WANTED}") from None
    if drawn is None:
        most = f"at most {_MOST_PIXELS:,} either way, and {_MOST_IN_ALL:,} in all"
        raise _fault(f"{name!r} is {wide:,} by {high:,} pixels; {most}")
    drawn.thumbnail(_KEPT_PIXELS)
    clean = Image.frombytes(drawn.mode, drawn.size, drawn.tobytes())  # without comments, places and profiles
    stream = io.BytesIO()
    clean.save(stream, format="PNG", optimize=True)
    return Logo(media_type="image/png", content=stream.getvalue())


@contextmanager
def _whole_pictures_only() -> Iterator[None]:
    """Have Pillow refuse a picture that was cut, whatever else in the process asked of it; then leave it as it was.

    WeasyPrint has Pillow fill up what is missing with grey, from its import on and for everybody.
    """
    from PIL import ImageFile  # noqa: PLC0415 - the same

    with _AT_ONCE:
        before = ImageFile.LOAD_TRUNCATED_IMAGES
        ImageFile.LOAD_TRUNCATED_IMAGES = False
        try:
            yield
        finally:
            ImageFile.LOAD_TRUNCATED_IMAGES = before


def _svg(content: bytes, name: str) -> Logo:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _fault(f"{name!r} is no SVG in UTF-8; save it as UTF-8, or as PNG") from None
    if re.search(r"<!(DOCTYPE|ENTITY)|<\?xml-stylesheet", text, re.IGNORECASE):
        raise _fault(f"{name!r} declares a document type or a style sheet; save it as plain SVG, or as PNG")
    try:
        root = ET.fromstring(text)  # noqa: S314 - no document type, so no entities
    except ET.ParseError as error:
        raise _fault(f"{name!r} is no SVG: {error}") from None
    if root.tag != f"{_SVG}svg":
        raise _fault(f"{name!r} is XML but no SVG; {_WANTED}")
    strange = next((tag for tag in _drawn(root) if tag not in _DRAWN), None)
    if strange is not None:
        raise _fault(f"{name!r} holds <{strange}>, which is not embedded; save it as plain SVG, or as PNG")
    if any(item.get("gradientUnits") != "userSpaceOnUse" for tag in _GRADIENTS for item in root.iter(f"{_SVG}{tag}")):
        raise _fault(
            f"{name!r} has a gradient in the units of its shapes, which WeasyPrint leaves out of a PDF; "
            'give it gradientUnits="userSpaceOnUse", or save it as PNG'
        )
    _drop_foreign(root)
    ET.register_namespace("", _SVG[1:-1])
    ET.register_namespace("xlink", "http://www.w3.org/1999/xlink")
    clean = ET.tostring(root, encoding="unicode")
    found = outside_references(clean)
    if found:
        raise _fault(f"{name!r} points outside itself or runs something: {found[0]}; save it as plain SVG, or as PNG")
    return Logo(media_type="image/svg+xml", content=clean.encode())


def _drawn(root: ET.Element) -> list[str]:
    """Return the names of all elements of SVG, and of those that other vocabularies could run."""
    return [
        str(item.tag).removeprefix(_SVG)
        for item in root.iter()
        if str(item.tag).startswith((_SVG, "{http://www.w3.org/1999/xhtml}"))
    ]


def _drop_foreign(root: ET.Element) -> None:
    """Take out what programs note for themselves: elements and attributes of other vocabularies, and metadata."""
    for item in root.iter():
        for child in [child for child in item if not str(child.tag).startswith(_SVG) or child.tag == f"{_SVG}metadata"]:
            item.remove(child)
        kept = {key: value for key, value in item.attrib.items() if not key.startswith("{") or key.endswith("}href")}
        item.attrib.clear()
        item.attrib.update(kept)


def _fault(message: str) -> ConfigError:
    return ConfigError(Fault(code="bad_logo", message=message, path="logo"))
