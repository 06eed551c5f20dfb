"""How much of a test a figure shows, how large it is, and where things stand; nothing is drawn here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

from matplotlib.font_manager import FontProperties, findfont
from matplotlib.ft2font import FT2Font

from fairreport.render import formats
from fairreport.render.views import Axis, Row, TestView
from fairreport.render.words import FindingWords, Kind, Side

DRAWN_ROWS = 40
"""At most so many groups are drawn, worst first, the reference among them."""
WIDTH = 6.7
"""Width of a figure in inches: the text width of an A4 page."""
WIDE = 10.4
"""Width of a figure with two panels side by side, for screens."""
TITLE = 0.3
"""Height of the name above a panel in inches."""

_ABOVE, _BELOW, _LINE_HEIGHT = 0.24, 0.5, 0.16
_RIGHT, _UNNAMED = 0.62, 0.12
_CROWDED = 16
_LINE = 34
_LETTER, _BESIDE, _GAP = 0.064, 0.3, 0.14
_ROOM = _BESIDE + _LETTER * _LINE - _GAP
_SHORTEST = 8
_POINTS, _SPARE = 8.0, 1.08


class Labelled(Protocol):
    """Whatever takes a row and has a name at its left."""

    @property
    def label(self) -> str:
        """The name as plain text."""
        ...


Box = tuple[float, float, float, float]


class Panel(Protocol):
    """The size of a panel in inches, and the box of its axes as fractions of it."""

    @property
    def height(self) -> float:
        """Height of the panel."""
        ...

    @property
    def names(self) -> float:
        """Width left of the axes."""
        ...

    @property
    def place(self) -> Box:
        """Left, bottom, width and height of the axes."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """The size of a panel in inches.

    Attributes
    ----------
    rows : tuple of Row, or of what else has a label
        What is drawn, from top to bottom.
    pitch : float
        Height of a row.
    below : float
        Height under the rows: the axis, what it says, and the legend.
    """

    rows: tuple[Labelled, ...]
    pitch: float
    below: float

    @property
    def height(self) -> float:
        """Height of the panel."""
        return _ABOVE + self.below + max(len(self.rows), 1) * self.pitch

    @property
    def names(self) -> float:
        """Width that the names of the rows take."""
        letters = max((min(len(row.label), _LINE) for row in self.rows), default=0)
        widest = max((min(width_of(row.label), _ROOM) for row in self.rows), default=0.0)
        return max(_BESIDE + _LETTER * letters, widest + _GAP)

    @property
    def place(self) -> Box:
        """Box of the axes as fractions of a figure of one panel: left, bottom, width, height."""
        return self._box(self.names, WIDTH - self.names - _RIGHT, WIDTH)

    @property
    def places(self) -> tuple[Box, Box]:
        """Boxes of the axes of two panels side by side, the names at the left of the first."""
        width = (WIDE - self.names - 2 * _RIGHT - _UNNAMED) / 2
        right = self.names + width + _RIGHT + _UNNAMED
        return self._box(self.names, width, WIDE), self._box(right, width, WIDE)

    def _box(self, left: float, width: float, whole: float) -> Box:
        height = self.height
        return left / whole, self.below / height, width / whole, 1 - (self.below + _ABOVE) / height


def dot_frame(view: TestView) -> Frame:
    """Return the frame of the dot plot of a test."""
    rows = drawn_rows(view)
    return frame_of(rows, rows, 1 + bool(left_out(view, rows)))


def frame_of(labels: Sequence[Labelled], rows: Sequence[Row], lines: int) -> Frame:
    """Return the frame of rows, headings among them, under an axis with so many lines of text.

    Parameters
    ----------
    labels : sequence of Labelled
        Everything that takes a row.
    rows : sequence of Row
        Of these what has a mark.
    lines : int
        Lines of text under the axis.
    """
    pitch = 0.25 if all(_fits(row.label) for row in labels) else 0.34
    if len(labels) > _CROWDED:
        pitch = 0.19
    return Frame(rows=tuple(labels), pitch=pitch, below=below(rows, lines))


def ridge_frame(rows: Sequence[Row], lines: int) -> Frame:
    """Return the frame of the distributions of groups.

    Parameters
    ----------
    rows : sequence of Row
        The groups.
    lines : int
        Lines of text under the axis.
    """
    return Frame(rows=tuple(rows), pitch=0.2 if len(rows) > _CROWDED else 0.4, below=below(rows, lines))


def below(rows: Sequence[Row], lines: int) -> float:
    """Return the height under rows: an axis with so many lines of text, and the legend."""
    return _BELOW + _LINE_HEIGHT * (lines - 1) + 0.17 * -(-len(kinds_of(rows)) // 2)


def legend_drop(lines: int) -> float:
    """Return how far below the axis the legend begins, in inches."""
    return 0.42 + _LINE_HEIGHT * (lines - 1)


def drawn_rows(view: TestView) -> list[Row]:
    """Return the judged groups and the reference, worst first; the rest is said in words."""
    if view.table is None:
        return []
    rows = [row for row in view.table.rows if row.finding.side is not Side.TOO_FEW]
    if len(rows) <= DRAWN_ROWS:
        return rows
    others = [row for row in rows if not row.is_reference]
    return [*others[: DRAWN_ROWS - 1], *(row for row in rows if row.is_reference)]


def kinds_of(rows: Sequence[Row]) -> list[FindingWords]:
    """Return each finding that occurs, once, in the order of gravity."""
    found = {(row.finding.kind, row.finding.word): row.finding for row in rows}
    kinds = list(Kind)
    return [found[key] for key in sorted(found, key=lambda key: kinds.index(key[0]))]


def left_out(view: TestView, rows: Sequence[Row]) -> str:
    """Return what is not among the drawn rows, in words."""
    drawn_small = sum(row.finding.side is Side.TOO_FEW for row in rows)
    small = view.counts.too_few - drawn_small
    rest = len(view.table.rows) - len(rows) - small if view.table else 0
    parts = []
    if rest:
        parts.append(f"{formats.plural(rest, 'further group', 'further groups')}")
    if small:
        parts.append(f"{formats.plural(small, 'group', 'groups')} with not enough data")
    return f"not drawn: {formats.listed(parts)}" if parts else ""


def label_of_axis(view: TestView, axis: Axis, rows: Sequence[Row]) -> str:
    """Return what the axis says: what is drawn, and what is not."""
    missing = left_out(view, rows)
    return f"{axis.label}\n{missing}" if missing else axis.label


def title_of(view: TestView) -> str:
    """Return what a figure shows, in words."""
    if view.table is None:
        return f"{view.name.short}: {view.headline.text}"
    by = formats.listed(name.short for name in view.table.attributes)
    return f"{view.table.axis.label if view.table.axis else 'Values'} by {by}, with intervals."


def labels_of(rows: Sequence[Labelled]) -> list[list[str]]:
    """Return the label of each row in its lines, shortened so that different rows never look alike."""
    most = most_lines(rows)
    found: dict[str, list[str]] = {}
    wide = list(dict.fromkeys(row.label for row in rows))
    longest = _LINE
    while wide:  # wide letters fill a line before it has so many of them
        cut = formats.shortened_apart(wide, most * longest)
        found |= {label: _label_lines(cut[label], most=most, longest=longest) for label in wide}
        longest -= 1
        wide = [label for label in wide if longest >= _SHORTEST and not all(map(_fits, found[label]))]
    return [found[row.label] for row in rows]


def _fits(line: str) -> bool:
    return len(line) <= _LINE and width_of(line) <= _ROOM


def _label_lines(whole: str, *, most: int, longest: int) -> list[str]:
    """Return a label in at most so many lines of at most so many characters."""
    label = formats.shortened(whole, most * longest)
    if len(label) <= longest:
        return [label]
    if most == 1:
        return [formats.shortened(label, longest)]
    space = label.rfind(" ", len(label) - longest, longest + 1)
    cut = space if space > 0 else longest
    return [label[:cut].rstrip(), label[cut:].strip()]


def shortened_lines(text: str) -> str:
    """Return lines of a label each cut to what a line holds."""
    return "\n".join(fitted(formats.shortened(line, _LINE), _ROOM) for line in text.split("\n"))


def fitted(text: str, room: float, *, bold: bool = False) -> str:
    """Return a text shortened to so many inches, as far as it can be."""
    found, longest = text, len(text)
    while longest > _SHORTEST and width_of(found, bold=bold) > room:
        longest -= 1
        found = formats.shortened(text, longest)
    return found


def width_of(text: str, *, bold: bool = False) -> float:
    """Return how wide a text is at most, in inches, in the font that comes with matplotlib whatever the settings are.

    A little is added, as letters stand on whole pixels and a page may have wider fonts.
    """
    return sum(_advance(character, bold=bold) for character in text) * _POINTS / 72 * _SPARE


@cache
def _advance(character: str, *, bold: bool) -> float:
    """Return the width of a character in ems; one where the font does not have it."""
    font = _font(bold=bold)
    if ord(character) not in font.get_charmap():
        return 1.0
    return float(font.load_char(ord(character)).linearHoriAdvance) / 65536 / 100


@cache
def _font(*, bold: bool) -> Any:
    """Return the font in a size of its own: 100 pixels an em."""
    font = FT2Font(findfont(FontProperties(family=["DejaVu Sans"], weight="bold" if bold else "normal")))
    font.set_size(100, 72)
    return font


def most_lines(rows: Sequence[Labelled]) -> int:
    """Return how many lines a label may take."""
    return 1 if len(rows) > _CROWDED else 2
