"""The packet's fonts, and which characters neither they nor the machine can print."""

from __future__ import annotations

import base64
import shutil
import subprocess
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path

from fairreport.resources import resource_dir

ASSET_SCHEME = "fairreport-asset"
"""Scheme of the addresses that stand for a packaged asset; only the PDF's own fetcher knows it."""

_FONT_FOLDERS = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "~/.local/share/fonts",
    "~/.fonts",
    "/Library/Fonts",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """One packaged font: its family, weight and style in CSS, and the stem of its files."""

    family: str
    weight: int
    style: str
    stem: str


FACES = (
    Face(family="Fairreport Sans", weight=400, style="normal", stem="FairreportSans-Regular"),
    Face(family="Fairreport Sans", weight=700, style="normal", stem="FairreportSans-Bold"),
    Face(family="Fairreport Sans", weight=400, style="italic", stem="FairreportSans-Italic"),
    Face(family="Fairreport Serif", weight=700, style="normal", stem="FairreportSerif-Bold"),
    Face(family="Fairreport Mono", weight=400, style="normal", stem="FairreportMono-Regular"),
)
_IN_HTML = {"FairreportSans-Regular", "FairreportSans-Bold", "FairreportSerif-Bold"}

_DEBIAN_PACKAGES = (
    ("fonts-noto-cjk", "Chinese, Japanese and Korean"),
    ("fonts-noto-core", "Arabic, Hebrew, Indic and most other scripts"),
    ("fonts-noto-color-emoji", "emoji"),
)


def print_font_css() -> str:
    """Return the font rules of the PDF, whose fetcher serves the packaged files."""
    return "".join(_rule(face, f"{ASSET_SCHEME}:fonts/{face.stem}.ttf", "truetype") for face in FACES)


@cache
def screen_font_css() -> str:
    """Return the font rules of the HTML file, which carries the three faces it needs most."""
    rules = []
    for face in FACES:
        if face.stem in _IN_HTML:
            data = base64.b64encode(_asset(f"fonts/{face.stem}.woff2")).decode()
            rules.append(_rule(face, f"data:font/woff2;base64,{data}", "woff2"))
    return "".join(rules)


def _rule(face: Face, address: str, kind: str) -> str:
    return (
        f'@font-face{{font-family:"{face.family}";font-weight:{face.weight};font-style:{face.style};'
        f'src:url("{address}") format("{kind}")}}\n'
    )


def _asset(name: str) -> bytes:
    return resource_dir("assets").joinpath(name).read_bytes()


def font_hashes() -> list[tuple[str, str]]:
    """Return the file name and sha256 of every packaged font of the PDF."""
    from hashlib import sha256  # noqa: PLC0415 - only a packet asks for it

    return [(f"{face.stem}.ttf", sha256(_asset(f"fonts/{face.stem}.ttf")).hexdigest()) for face in FACES]


@cache
def packaged_code_points() -> frozenset[int]:
    """Return the code points that the text face of the packet covers."""
    return _code_points(BytesIO(_asset("fonts/FairreportSans-Regular.ttf")))


def _code_points(source: BytesIO, number: int = 0) -> frozenset[int]:
    from fontTools.ttLib import TTFont  # noqa: PLC0415 - comes with the pdf extra

    with TTFont(source, fontNumber=number, lazy=True) as font:
        return frozenset(font.getBestCmap() or ())


@cache
def machine_code_points() -> frozenset[int]:
    """Return the code points that the fonts of this machine cover, as fontconfig or the font files tell."""
    command = shutil.which("fc-list")
    if command is None:
        return _scan_folders()
    try:
        listed = subprocess.run(  # noqa: S603 - a fixed command without input
            [command, "--format=%{charset}\n"], capture_output=True, text=True, check=True, timeout=60
        )
    except (OSError, subprocess.SubprocessError):
        return _scan_folders()
    return frozenset(_expand(set(listed.stdout.split())))


def _expand(ranges: Iterable[str]) -> Iterator[int]:
    """Yield the code points of hexadecimal ranges such as ``20-7e``."""
    for item in ranges:
        first, _, last = item.partition("-")
        try:
            yield from range(int(first, 16), int(last or first, 16) + 1)
        except ValueError:
            continue


def _scan_folders() -> frozenset[int]:
    found: set[int] = set()
    for folder in _FONT_FOLDERS:
        for path in sorted(Path(folder).expanduser().rglob("*.[to]t[cf]")):
            try:
                found |= _code_points(BytesIO(path.read_bytes()))
            except Exception:  # noqa: BLE001, S112 - a broken font file on the machine is no fault of the packet
                continue
    return frozenset(found)


def unprintable(text: str) -> tuple[str, ...]:
    """Return the characters of a text that no font at hand can print, in the order of their code points.

    Characters that are not drawn at all (joiners, variation selectors, direction marks) are not among them;
    control characters are, since nothing can print those.
    """
    wanted = {ord(character) for character in set(text) if not _is_silent(character)} - packaged_code_points()
    if wanted:
        wanted -= {point for point in machine_code_points() if not unicodedata.category(chr(point)).startswith("C")}
    return tuple(chr(point) for point in sorted(wanted))


def _is_silent(character: str) -> bool:
    if character in "\t\n\r ":
        return True
    category = unicodedata.category(character)
    return category == "Cf" or 0xFE00 <= ord(character) <= 0xFE0F or 0xE0100 <= ord(character) <= 0xE01EF


def spell_out(text: str, characters: Iterable[str]) -> str:
    """Return a text with some characters replaced by their code points, so that names stay told apart.

    Examples
    --------
    >>> spell_out("A日本", "日本")
    'A[U+65E5][U+672C]'
    """
    return text.translate({ord(character): f"[U+{ord(character):04X}]" for character in characters})


def debian_packages(characters: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return the Debian packages that bring fonts for some characters, each with what it covers.

    Examples
    --------
    >>> [name for name, _ in debian_packages("日م")]
    ['fonts-noto-cjk', 'fonts-noto-core']
    """
    wanted = {_package(character) for character in characters}
    return tuple(item for item in _DEBIAN_PACKAGES if item[0] in wanted)


def _package(character: str) -> str | None:
    name = unicodedata.name(character, "")
    if not name or unicodedata.category(character).startswith("C"):
        return None
    if name.startswith(("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "FULLWIDTH", "HALFWIDTH", "IDEOGRAPHIC", "BOPOMOFO")):
        return "fonts-noto-cjk"
    return "fonts-noto-color-emoji" if ord(character) >= 0x1F000 and ord(character) < 0x1FB00 else "fonts-noto-core"
