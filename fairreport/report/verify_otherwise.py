"""Pages that other versions drew, judged by their words and numbers.

A page of the same versions is held against its drawing byte for byte. Where others made it, less can be asked, and
what remains is decided so that nothing unlike passes for the same:

- a number that is another number among the same words differs, whatever the versions;
- words that differ, differ, unless another version of fairreport may have put them otherwise, or the pages of a PDF
  break elsewhere: then they were not judged, and the document does not agree as a whole;
- nor are decimals judged that lie one unit of their last digit apart, where another version computed them;
- figures by another matplotlib may lie half a point apart; past that they were not judged.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from fairreport.render import formats
from fairreport.report.differences import Difference
from fairreport.report.fonts import packaged_code_points
from fairreport.report.page_words import Place, in_covered, page_lines, places, printed_lines
from fairreport.report.verify_record import Looked, NotJudged
from fairreport.report.verify_versions import Alike

_FIGURE = re.compile(r'<svg role="img".*?</svg>', re.DOTALL)
_PART = re.compile(r"(-?\d+(?:\.\d+)?)")
_NEAR = 0.5
"""How far apart, in points, two drawings of a figure may lie."""
_LISTED = 20
_SHOWN = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What two drawings of the same pages may differ in.

    Attributes
    ----------
    name : str
        Name of the packet.
    alike : Alike
        Which versions are the same.
    """

    name: str
    alike: Alike


def judge_page(shown: Shown, stated: str, drawn: str) -> Looked:
    """Return how a page of HTML differs from its drawing by other versions."""
    text = "the words and numbers of the page, drawn again"
    found = places(page_lines(stated), page_lines(drawn))
    if found:
        return _judged(shown, text, found, words_are_certain=shown.alike.worded)
    if not shown.alike.worded:
        left = NotJudged(
            what="how the page looks", reason=_advised(shown, "its styles and drawings are another version's")
        )
        return Looked(text=text, not_judged=(left,))
    bare, again = stated, drawn
    left_out: tuple[NotJudged, ...] = ()
    if not shown.alike.same("matplotlib"):
        bare, again = _FIGURE.sub("<svg/>", stated), _FIGURE.sub("<svg/>", drawn)
        if not _figures_are_near(stated, drawn):
            reason = _advised(shown, "another version of matplotlib drew them otherwise")
            left_out = (NotJudged(what="the drawing of figures", reason=reason),)
    rest = places(bare.splitlines(), again.splitlines())
    found_there = _judged(shown, text, rest, words_are_certain=True)
    remark = "The words and numbers of the page agree; other versions drew it, and it differs in some bytes."
    return Looked(
        text=text,
        differences=found_there.differences,
        remarks=() if rest or left_out else (remark,),
        not_judged=left_out + found_there.not_judged,
    )


def judge_printed(shown: Shown, stated: tuple[str, ...], drawn: tuple[str, ...], *, is_covered: bool) -> Looked:
    """Return how the text of the pages of a PDF differs from that drawn again.

    Parameters
    ----------
    shown : Shown
        What may differ.
    stated, drawn : tuple of str
        The text of each page.
    is_covered : bool
        Whether the packaged fonts print every character of the data; others depend on the machine.
    """
    one, other = printed_lines(stated), printed_lines(drawn)
    found = _joined(one, other)
    left: tuple[NotJudged, ...] = ()
    if found and not is_covered:
        covered = packaged_code_points()
        left = (
            NotJudged(what="names in some scripts", reason="they depend on the fonts of the machine that printed them"),
        )
        found = _joined(in_covered(one, covered), in_covered(other, covered))
    certain = shown.alike.worded and shown.alike.same("weasyprint", "matplotlib") and is_covered
    judged = _judged(shown, "", found, words_are_certain=certain)
    broken = "The words and numbers of the pages agree; the pages break at other places."
    return Looked(
        differences=judged.differences,
        remarks=() if found or left else (broken,),
        not_judged=left + judged.not_judged,
    )


def _joined(one: list[str], other: list[str]) -> list[Place]:
    """Return where the words part, however they are broken into lines."""
    if " ".join(one).split() == " ".join(other).split():
        return []
    return places(one, other)


def _judged(shown: Shown, text: str, found: list[Place], *, words_are_certain: bool) -> Looked:
    near = [] if shown.alike.computed else [place for place in found if place.is_near]
    sure = [place for place in found if place not in near and (words_are_certain or place.is_other_number)]
    left = [place for place in found if place not in sure]
    more: tuple[NotJudged, ...] = ()
    if left:
        first = left[0]
        told = f"{formats.plural(len(left), 'place', 'places')} read otherwise, the first after {first.context!r}: "
        told += f"{_words(first.stated)} where this version draws {_words(first.drawn)}"
        more = (NotJudged(what="words of the pages", reason=_advised(shown, told)),)
    return Looked(text=text, differences=tuple(_differences(shown, sure)), not_judged=more)


def _differences(shown: Shown, found: list[Place]) -> list[Difference]:
    held = [
        Difference(
            file=shown.name,
            pointer=f"after {place.context!r}" if place.context else "page",
            stated=_words(place.stated),
            recomputed=_words(place.drawn),
        )
        for place in found[:_LISTED]
    ]
    if len(found) > _LISTED:
        message = f"{len(found) - _LISTED:,} more places differ"
        held.append(Difference(file=shown.name, pointer="page", message=message))
    return held


def _words(words: tuple[str, ...]) -> str:
    text = " ".join(words)
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}...") if text else "nothing"


def _advised(shown: Shown, reason: str) -> str:
    wanted = shown.alike.to_install
    return f"{reason}; with the versions that made it, all can be judged: {wanted}" if wanted else reason


def _figures_are_near(stated: str, drawn: str) -> bool:
    one, other = _FIGURE.findall(stated), _FIGURE.findall(drawn)
    return len(one) == len(other) and all(map(_is_near, one, other))


def _is_near(one: str, other: str) -> bool:
    """Tell whether two figures have the same elements, at most so far apart."""
    a, b = _PART.split(one), _PART.split(other)
    if len(a) != len(b) or a[::2] != b[::2]:
        return False
    return all(abs(float(x) - float(y)) <= _NEAR for x, y in zip(a[1::2], b[1::2], strict=True))
