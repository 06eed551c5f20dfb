"""The words and numbers of pages, in their order and without how they are laid out, and where two pages part."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from html.parser import HTMLParser

_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?(?:e[-\u2212]?\d+)?")
_TOKEN = re.compile(rf"{_NUMBER.pattern}|[^\W\d]+|[^\w\s]")
_DECIMAL = re.compile(r"([\d,]+)\.(\d+)(e[-\u2212]?\d+)?")
_READ = frozenset({"aria-label", "alt", "content", "title", "data-colophon"})
_MOST_TOKENS = 3_000
"""Longer stretches that differ are told as one: their words are not aligned one by one."""
_FURNITURE = re.compile(r"Page \d+ of \d+\s*$")
_CONTENTS = re.compile(r"\A(?:\d+\s*\n)+(?=\d+\s+Contents)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A stretch of words at which two pages part.

    Attributes
    ----------
    stated, drawn : tuple of str
        The words of either; one of them may be empty.
    context : str
        The words before.
    """

    stated: tuple[str, ...]
    drawn: tuple[str, ...]
    context: str

    @property
    def is_other_number(self) -> bool:
        """Whether numbers stand where other numbers are drawn, among the same words."""
        pairs = list(zip(self.stated, self.drawn, strict=False))
        return len(self.stated) == len(self.drawn) and all(
            one == other or (_NUMBER.fullmatch(one) and _NUMBER.fullmatch(other)) for one, other in pairs
        )

    @property
    def is_near(self) -> bool:
        """Whether decimals differ by one unit of their last digit, and nothing else does."""
        pairs = list(zip(self.stated, self.drawn, strict=False))
        return len(self.stated) == len(self.drawn) and all(a == b or _by_one_digit(a, b) for a, b in pairs)


def words(text: str) -> list[str]:
    """Return the words, numbers and signs of a text.

    Examples
    --------
    >>> words("0.367 (95% interval 0.206–0.621; p 1.3e-4): n = 1,200")[:8]
    ['0.367', '(', '95', '%', 'interval', '0.206', '–', '0.621']
    """
    return _TOKEN.findall(text)


def places(stated: Sequence[str], drawn: Sequence[str]) -> list[Place]:
    """Return where the lines of two pages part.

    Examples
    --------
    >>> [it.stated for it in places(["a rate of 0.2", "b"], ["a rate of 0.3", "b"])]
    [('0.2',)]
    """
    return list(_places(stated, drawn))


def _places(stated: Sequence[str], drawn: Sequence[str]) -> Iterator[Place]:
    for one, other in _apart(list(stated), list(drawn)):
        before, after = (words("\n".join(lines)) for lines in (one, other))
        if max(len(before), len(after)) > _MOST_TOKENS:
            yield Place(stated=tuple(before), drawn=tuple(after), context="")
            continue
        for tag, start, end, first, last in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
            if tag != "equal":
                context = " ".join(before[max(0, start - 6) : start])
                yield Place(stated=tuple(before[start:end]), drawn=tuple(after[first:last]), context=context)


def _apart(one: list[str], other: list[str]) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the stretches of lines that differ; what both begin with need not be aligned."""
    start = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    one, other = one[start:], other[start:]
    for tag, i, j, k, m in SequenceMatcher(None, one, other).get_opcodes():
        if tag != "equal":
            yield one[i:j], other[k:m]


def _by_one_digit(one: str, other: str) -> bool:
    """Tell whether two decimals lie one unit of their last digit apart; whole numbers are counts, and never near."""
    a, b = _DECIMAL.fullmatch(one), _DECIMAL.fullmatch(other)
    if a is None or b is None or len(a[2]) != len(b[2]) or a[3] != b[3]:
        return False
    return abs(_whole(a) - _whole(b)) == 1


def _whole(decimal: re.Match[str]) -> int:
    return int(f"{decimal[1].replace(',', '')}{decimal[2]}")


def page_lines(html: str) -> list[str]:
    """Return what a reader of a page sees or hears, a line each text: styles and drawings are not among it.

    Examples
    --------
    >>> page_lines('<p title="a">n is <b>12</b></p><style>p { margin: 1px }</style>')
    ['a', 'n is', '12']
    """
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return [line for line in reader.lines if line]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = []
        self._is_style = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._is_style = tag == "style"
        self.lines += [" ".join((value or "").split()) for name, value in attrs if name in _READ]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self._is_style = False

    def handle_endtag(self, tag: str) -> None:
        self._is_style = self._is_style and tag != "style"

    def handle_data(self, data: str) -> None:
        if not self._is_style:
            self.lines.append(" ".join(data.split()))


def printed_lines(pages: Sequence[str]) -> list[str]:
    """Return the lines of the pages of a PDF without what hangs on where pages break: their feet, numbers, contents."""
    return [line for page in pages for line in _without_furniture(page)]


def _without_furniture(page: str) -> list[str]:
    lines = [line.strip() for line in _CONTENTS.sub("", page).splitlines()]
    return [_FURNITURE.sub("", line) for line in lines if line and line != "•"]


def in_covered(lines: Sequence[str], covered: frozenset[int]) -> list[str]:
    """Return lines without the words that hold a character which the packaged fonts lack, spelt out or not."""
    return [" ".join(word for word in line.split() if _is_covered(word, covered)) for line in lines]


def _is_covered(word: str, covered: frozenset[int]) -> bool:
    return "[U+" not in word and all(ord(character) in covered for character in word)
