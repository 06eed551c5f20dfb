"""Numbers and data strings as they are printed: the only place that rounds, or writes percent.

A rounded number never lands on the other side of the value it is judged against: where three decimals would
show 0.800 for a ratio below 0.8, more decimals are printed.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable

from fairreport.analyses.result import Number, PValue, Span

UNDEFINED = "n.d."
"""Printed for a number that is not defined."""
NOT_ESTIMABLE = "not estimable"
"""Printed for an interval whose standard error is 0, and for an interval without one."""
NO_VARIATION = "no variation"
"""Printed where values do not vary, for what is estimated from their variation."""
ABSENT = "—"
"""Printed where a number does not apply, such as the interval of the reference's own ratio."""
SHORT_NAME = 64
"""Data strings longer than this many characters are shortened in the middle where space is scarce."""
FINGERPRINT_SHOWN = 12

_MOST_DIGITS = 12
_TOLERANCE = 1e-12
"""Numbers this close to what they are judged against are judged, and printed, as equal to it."""
_INVISIBLE = frozenset("\u00ad\u034f\u061c\u180e\u200b\u200e\u200f\u2060\ufeff")
_UNPRINTABLE_CATEGORIES = frozenset({"Cc", "Cs", "Zl", "Zp"})
_LAST_OF_PLANE = 0xFFFE


def printable(text: str) -> str:
    r"""Return a data string with its control characters made visible, such as ``[U+202E]``.

    Control characters, line ends, direction overrides, invisible marks, lone surrogates and noncharacters
    are replaced; everything a script needs (such as the joiners of Persian and Hindi) stays.

    Examples
    --------
    >>> printable("a\nb")
    'a[U+000A]b'
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(f"[U+{ord(character):04X}]" if _is_hidden(character) else character for character in text)


def _is_hidden(character: str) -> bool:
    code = ord(character)
    if character in _INVISIBLE or unicodedata.category(character) in _UNPRINTABLE_CATEGORIES:
        return True
    embedding = 0x202A <= code <= 0x202E or 0x2066 <= code <= 0x206F
    noncharacter = 0xFDD0 <= code <= 0xFDEF or code & _LAST_OF_PLANE == _LAST_OF_PLANE
    return embedding or noncharacter


def shortened(text: str, longest: int = SHORT_NAME) -> str:
    """Return a text of at most `longest` characters: its beginning and its end around an ellipsis.

    Examples
    --------
    >>> shortened("abcdefghij", 6)
    'abcd…j'
    """
    if len(text) <= longest:
        return text
    tail = max(1, (longest - 1) // 3)
    return f"{text[: longest - 1 - tail].rstrip()}…{text[-tail:].lstrip()}"


def shortened_apart(names: Iterable[str], longest: int = SHORT_NAME) -> dict[str, str]:
    """Return each name in at most `longest` characters, different names never alike.

    Names that would be shortened to the same text lose their common beginning instead; where that does not
    tell them apart either, they stay whole.

    Examples
    --------
    >>> list(shortened_apart(["office of the north side", "office of the south side"], 12).values())
    ['…north side', '…south side']
    """
    found = {name: shortened(name, longest) for name in names}
    for alike in _alike(found):
        found |= _cut_apart(alike, longest)
    return found | {name: name for alike in _alike(found) for name in alike}


def _alike(found: dict[str, str]) -> list[list[str]]:
    """Return the names that are shown as the same text, those of each text together."""
    by_text: dict[str, list[str]] = {}
    for name, text in found.items():
        by_text.setdefault(text, []).append(name)
    return [names for names in by_text.values() if len(names) > 1]


def _cut_apart(names: list[str], longest: int) -> dict[str, str]:
    """Return names from a little before where they begin to differ, again for those that are still alike."""
    found: dict[str, str] = {}
    pending = [names]
    while pending:
        several = pending.pop()
        first, last = min(several), max(several)
        pairs = enumerate(zip(first, last, strict=False))
        same = next((i for i, (a, b) in pairs if a != b), min(len(first), len(last)))
        start = max(first.rfind(" ", 0, same) + 1, same - longest // 3)
        cut = {name: _from(name, start, longest) for name in several}
        found |= cut
        pending += [alike for alike in _alike(cut) if len(alike) < len(several)]
    return found


def _from(name: str, start: int, longest: int) -> str:
    text = f"…{name[start : start + longest]}" if start else name
    return text if len(text) <= longest else f"{text[: longest - 1].rstrip()}…"


def count(n: Number | None) -> str:
    """Return a count with separators.

    Examples
    --------
    >>> count(64000)
    '64,000'
    """
    return UNDEFINED if n is None else _signed(f"{n:,}")


def amount(n: Number | None) -> str:
    """Return a count, or a weight: one decimal where it is not whole.

    Examples
    --------
    >>> amount(40), amount(1234.0), amount(12.25), amount(1234.0000001)
    ('40', '1,234', '12.2', '1,234')
    """
    return count(round(n)) if n is not None and abs(n - round(n)) < 1e-6 else fixed(n, 1)


def fixed(value: Number | None, digits: int = 3, *, against: Iterable[Number] = ()) -> str:
    """Return a number with fixed decimals, more where rounding would cross a value it is judged against.

    Parameters
    ----------
    value : number or None
        None gives ``n.d.``.
    digits : int
        Decimals.
    against : iterable of number
        Values that the printed number must lie on the same side of as the number itself; within 1e-12 is equal.

    Examples
    --------
    >>> fixed(0.7845601), fixed(0.79999, against=[0.8]), fixed(-0.03), fixed(None)
    ('0.785', '0.79999', '−0.030', 'n.d.')
    """
    if value is None or not math.isfinite(value):
        return UNDEFINED
    sides = [(mark, 0 if _is_same(value, mark) else _side(value, mark)) for mark in against]
    return _on_its_side(value, digits, sides)


def _on_its_side(value: Number, digits: int, sides: Iterable[tuple[Number, int]]) -> str:
    """Return a number with as many decimals as put it on the given side of each mark."""
    wanted = tuple(sides)
    text = f"{value:.{digits}f}"
    while digits < _MOST_DIGITS and any(_side(float(text), mark) != side for mark, side in wanted):
        digits += 1
        text = f"{value:.{digits}f}"
    return _signed(f"{float(text):,.{digits}f}")


def _is_same(value: Number, mark: Number) -> bool:
    """Tell whether a number is judged as equal to a value it is judged against."""
    return math.isclose(value, mark, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE)


def digits_for(values: Iterable[Number | None]) -> int:
    """Return how many decimals tell values apart: three; more where all are below 0.1, one from 10,000 on.

    Examples
    --------
    >>> digits_for([167484.3, 0.2]), digits_for([0.00042, None]), digits_for([0, 12.5])
    (1, 6, 3)
    """
    largest = max((abs(value) for value in values if value is not None), default=0)
    if largest >= 10_000:
        return 1
    return 3 if not 0 < largest < 0.1 else min(_MOST_DIGITS, 2 - math.floor(math.log10(largest)))


def _side(value: Number, mark: Number) -> int:
    return (value > mark) - (value < mark)


def _signed(text: str) -> str:
    """Return the text with a true minus sign, and none before zero."""
    if not text.startswith("-"):
        return text
    return f"−{text[1:]}" if text.strip("-0.,") else text[1:]


def percent(fraction: Number | None, digits: int = 1, *, against: Iterable[Number] = ()) -> str:
    """Return a fraction as a percentage; see `fixed` for the fractions it is judged against.

    Examples
    --------
    >>> percent(0.125), percent(0.1004, against=[0.1])
    ('12.5%', '10.04%')
    """
    marks = [mark * 100 for mark in against]
    return UNDEFINED if fraction is None else f"{fixed(fraction * 100, digits, against=marks)}%"


def level(fraction: float) -> str:
    """Return a confidence level as a percentage without needless decimals.

    Examples
    --------
    >>> level(0.95), level(0.999)
    ('95%', '99.9%')
    """
    text = f"{fraction * 100:.10g}"
    return f"{fraction * 100:.16g}%" if text == "100" else f"{text}%"


def threshold(value: Number) -> str:
    """Return a threshold as it was given, with at least two decimals.

    Examples
    --------
    >>> threshold(0.8), threshold(0.875), threshold(1)
    ('0.80', '0.875', '1.00')
    """
    text = f"{value:.12f}".rstrip("0")
    whole, _, decimals = text.partition(".")
    return _signed(f"{whole}.{decimals.ljust(2, '0')}")


def measured(value: Number) -> str:
    """Return a number of the data's own scale, such as a cutoff, with at most six significant digits.

    Examples
    --------
    >>> measured(4.0), measured(-0.25), measured(1234567.5)
    ('4', '−0.25', '1,234,568')
    """
    digits = min(_MOST_DIGITS, max(0, 5 - math.floor(math.log10(abs(value))))) if value else 0
    text = f"{value:,.{digits}f}"
    return _signed(text.rstrip("0").rstrip(".") if "." in text else text)


def alpha(value: float) -> str:
    """Return a significance level as it was given.

    Examples
    --------
    >>> alpha(0.05), alpha(1e-05)
    ('0.05', '0.00001')
    """
    return f"{value:.12f}".rstrip("0")


def span(interval: Span | None, digits: int = 3, *, against: Iterable[Number] = (), signed: bool = False) -> str:
    """Return a confidence interval.

    Parameters
    ----------
    interval : Span or None
        None gives a dash: there is no interval to state.
    digits : int
        Decimals.
    against : iterable of number
        See `fixed`.
    signed : bool
        Whether the ends can be negative; then "to" stands between them.

    Examples
    --------
    >>> span(Span(low=0.72208, high=0.85238)), span(Span(low=-0.04, high=-0.02), signed=True)
    ('0.722–0.852', '−0.040 to −0.020')
    """
    if interval is None:
        return ABSENT
    marks = tuple(against)
    if interval.high is None and interval.low is not None:
        return f"from {fixed(interval.low, digits, against=marks)}, no upper end"
    if interval.low is None and interval.high is not None:
        return f"up to {fixed(interval.high, digits, against=marks)}, no lower end"
    if interval.low is None:
        return UNDEFINED
    between = " to " if signed else "–"
    return f"{fixed(interval.low, digits, against=marks)}{between}{fixed(interval.high, digits, against=marks)}"


def p_value(value: PValue | None, *, alpha: float | None = None) -> str:
    """Return a p-value: three decimals, or powers of ten below 0.001; a dash where nothing was tested.

    A p-value of exactly 0 comes of two groups without any variation; it is no probability, and not printed as one.

    Examples
    --------
    >>> p_value(PValue(p=0.04321, log10=-1.36)), p_value(PValue(p=6.87e-08, log10=-7.163))
    ('0.043', '6.9e-8')
    >>> p_value(PValue(p=None, log10=-312.5)), p_value(PValue(p=0.04996, log10=-1.301), alpha=0.05)
    ('3.2e-313', '0.04996')
    >>> p_value(PValue(p=None, log10=-1443.001))
    '1.0e-1443'
    >>> p_value(PValue(p=0.0, log10=None))
    'no variation'
    """
    if value is None:
        return ABSENT
    if value.p == 0:
        return NO_VARIATION
    if value.p is None and value.log10 is None:
        return "below 1e-300"
    if value.p is None and value.log10 is not None:
        exponent = math.floor(value.log10)
        mantissa = f"{10 ** (value.log10 - exponent):.1f}"
        return f"1.0e{exponent + 1}" if mantissa == "10.0" else f"{mantissa}e{exponent}"
    return probability(value.p, alpha=alpha)


def probability(p: float | None, *, alpha: float | None = None) -> str:
    """Return a probability in the form of a p-value; a dash for None.

    Examples
    --------
    >>> probability(0.5), probability(2.7e-10), probability(0.0)
    ('0.500', '2.7e-10', '0')
    """
    if p is None:
        return ABSENT
    if p == 0:
        return "0"
    marks = () if alpha is None else (alpha,)
    if p >= 0.001:
        return _on_its_side(p, 3, [(mark, _side(p, mark)) for mark in marks])
    digits = 1
    while digits < _MOST_DIGITS and any(_side(float(f"{p:.{digits}e}"), mark) != _side(p, mark) for mark in marks):
        digits += 1
    mantissa, _, exponent = f"{p:.{digits}e}".partition("e")
    return f"{mantissa}e{int(exponent)}"


def fingerprint(digest: str) -> str:
    """Return the beginning of a hexadecimal digest, enough to tell two apart at a glance."""
    return digest if len(digest) <= FINGERPRINT_SHOWN else f"{digest[:FINGERPRINT_SHOWN]}…"


def limit(value: Number) -> str:
    """Return the value of a threshold on a measurement: whole numbers as counts.

    Examples
    --------
    >>> limit(0), limit(0.8)
    ('0', '0.80')
    """
    return count(value) if isinstance(value, int) else threshold(value)


def measurement(name: str, value: Number | None, *, against: Iterable[Number] = ()) -> str:
    """Return a measurement by its documented name: counts whole, p-values as such, else three decimals.

    Examples
    --------
    >>> measurement("failingGroupCount", 2), measurement("minImpactRatio", 0.7845)
    ('2', '0.784')
    """
    if value is None:
        return UNDEFINED
    if name.endswith("PValue"):
        return probability(float(value))
    return count(value) if isinstance(value, int) else fixed(value, against=against)


def plural(n: int, one: str, many: str) -> str:
    """Return a count with its noun.

    Examples
    --------
    >>> plural(1, "group", "groups"), plural(2, "group", "groups")
    ('1 group', '2 groups')
    """
    return f"{count(n)} {one if n == 1 else many}"


def listed(items: Iterable[str]) -> str:
    """Return items as an enumeration.

    Examples
    --------
    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    texts = list(items)
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}" if texts else ""
