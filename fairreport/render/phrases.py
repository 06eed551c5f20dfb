"""Data strings, sentences and lines: what views are written in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from fairreport.render import formats


class Names:
    """The names of one table, which are shortened so that different ones never look alike.

    Parameters
    ----------
    texts : iterable of str
        The names, as `Name.text` has them.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = dict.fromkeys(texts)
        self._cut: dict[int, Mapping[str, str]] = {}

    def cut(self, text: str, longest: int) -> str:
        """Return one of the names, shortened to a number of characters."""
        if longest not in self._cut:
            self._cut[longest] = formats.shortened_apart(self._texts, longest)
        return self._cut[longest].get(text) or formats.shortened(text, longest)

    def __contains__(self, text: str) -> bool:
        return text in self._texts


@dataclass(frozen=True, slots=True)
class Name:
    """A data string: hostile until escaped, without control characters, set in `<bdi>` in HTML.

    Attributes
    ----------
    text : str
        The string, its control characters made visible.
    shortens : bool
        Whether it may be shortened; a sentence with data strings in it may not.
    among : Names or None
        The names that it stays apart from where it is shortened.
    """

    text: str
    shortens: bool = True
    among: Names | None = field(default=None, compare=False, repr=False)

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
        if not self.shortens or len(self.text) <= longest:
            return self.text
        return self.among.cut(self.text, longest) if self.among else formats.shortened(self.text, longest)

    def apart(self, names: Names) -> Name:
        """Return the name, kept apart from others if it is one of them."""
        return replace(self, among=names) if self.shortens and self.text in names else self


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

    @property
    def whole(self) -> str:
        """The sentence as plain text, every name in full."""
        return "".join(piece if isinstance(piece, str) else piece.text for piece in self.pieces)

    def plain(self, longest: int) -> str:
        """Return the sentence as plain text, names shortened to a number of characters."""
        return "".join(p if isinstance(p, str) else p.cut(longest) for p in self.pieces)

    def apart(self, names: Names) -> Sentence:
        """Return the sentence with its names kept apart from one another."""
        return Sentence(tuple(piece if isinstance(piece, str) else piece.apart(names) for piece in self.pieces))

    def __add__(self, other: Sentence) -> Sentence:
        return Sentence(self.pieces + other.pieces)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A term and what is said about it, for lists of settings, methods and counts."""

    term: str
    text: Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A parameter with its value as written in Python, and its origin."""

    name: str
    value: Name
    origin: str
