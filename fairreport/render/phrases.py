"""Data strings, sentences and lines: what views are written in."""

from __future__ import annotations

from dataclasses import dataclass

from fairreport.render import formats


@dataclass(frozen=True, slots=True)
class Name:
    """A data string: hostile until escaped, without control characters, set in `<bdi>` in HTML.

    Attributes
    ----------
    text : str
        The string, its control characters made visible.
    shortens : bool
        Whether it may be shortened; a sentence with data strings in it may not.
    """

    text: str
    shortens: bool = True

    @classmethod
    def of(cls, raw: str) -> Name:
        """Return the name that shows a data string."""
        return cls(formats.printable(raw))

    @classmethod
    def prose(cls, raw: str) -> Name:
        """Return a sentence that holds data strings; it is as hostile as they are, and never shortened."""
        return cls(formats.printable(raw), shortens=False)

    @property
    def short(self) -> str:
        """The string, shortened in the middle where it is long."""
        return self.cut(formats.SHORT_NAME)

    def cut(self, longest: int) -> str:
        """Return the string, shortened in the middle to a number of characters."""
        return formats.shortened(self.text, longest) if self.shortens else self.text


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of our own words and of data strings.

    Attributes
    ----------
    pieces : tuple of str and Name
        In order, white space included.
    """

    pieces: tuple[str | Name, ...]

    @property
    def text(self) -> str:
        """The sentence as plain text, names shortened."""
        return "".join(piece if isinstance(piece, str) else piece.short for piece in self.pieces)

    def plain(self, longest: int) -> str:
        """Return the sentence as plain text, names shortened to a number of characters."""
        return "".join(p if isinstance(p, str) else p.cut(longest) for p in self.pieces)

    def __add__(self, other: Sentence) -> Sentence:
        return Sentence(self.pieces + other.pieces)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A term and what is said about it, for lists of settings, methods and counts."""

    term: str
    text: Sentence
