"""A verification in words, as the terminal shows it."""

from __future__ import annotations

from collections.abc import Iterator

from fairreport.render import formats
from fairreport.report.differences import Difference
from fairreport.report.terminal import indented, shown_value
from fairreport.report.verify_record import Verification

SHOWN = 20
"""At most so many differences are printed; JSON holds all of them."""

_PLACES = 4


def verification_text(found: Verification) -> str:
    """Return a verification as plain text of at most 100 columns."""
    lines = [
        *indented(f"{found.source} ({found.kind}, packet id {found.packet_id})"),
        *indented(lead(found)),
        "",
        *(line for check in found.checks for line in indented(_told(check.text, check.n_differences), "  ")),
    ]
    if found.differences:
        lines += ["", "differences (file, place: stated -> recomputed):"]
        lines += [line for item in found.differences[:SHOWN] for line in indented(difference_line(item), "  ")]
        lines += [f"  {_more(found)}"] if _more(found) else []
    if found.not_judged:
        lines += ["", "not judged:"]
        lines += [line for it in found.not_judged for line in indented(f"{it.what}: {it.reason}", "  ")]
    lines += ["", "taken as stated:"]
    lines += [line for text in _taken(found) for line in indented(text, "  ")]
    if found.remarks:
        lines += ["", *(line for remark in found.remarks for line in indented(remark))]
    lines += ["", *indented(found.meaning)]
    return "\n".join(lines) + "\n"


def lead(found: Verification) -> str:
    """Return the outcome in one sentence; what was not judged stands before what agrees."""
    differ = formats.plural(len(found.differences), "difference", "differences")
    counted = found.recomputed
    what = (
        f"{formats.plural(counted.numbers, 'number', 'numbers')}, "
        f"{formats.plural(counted.verdicts, 'verdict', 'verdicts')} and "
        f"{formats.plural(counted.texts, 'text', 'texts')} recomputed"
    )
    taken = f", {formats.plural(found.n_tests_taken, 'test', 'tests')} taken as stated" if found.n_tests_taken else ""
    more = f"{what if counted.numbers else 'not all could be recomputed'}{taken}, {differ}."
    if found.not_judged and not found.differences:
        left = formats.listed(list(dict.fromkeys(item.what for item in found.not_judged)))
        figures = "the figures agree with the evidence" if counted.numbers else "what was compared agrees"
        return f"Not all was judged: {figures}, but {left} could not be compared: {more}"
    agrees = "agrees with its evidence" if found.agrees_with_evidence else "does not agree with its evidence"
    if found.agrees_with_evidence and found.differences:
        agrees += f", but not with the {found.with_data}"
    return f"The document {agrees}: {more}"


def difference_line(item: Difference) -> str:
    """Return a difference in one sentence."""
    place = " ".join(part for part in (item.file, item.pointer) if part)
    plain = item.stated is None and item.recomputed is None and item.message
    values = "" if plain else f"{shown_value(item.stated)} -> {shown_value(item.recomputed)}"
    return f"{place}: {'; '.join(part for part in (values, item.message) if part)}"


def _taken(found: Verification) -> Iterator[str]:
    """Yield what was taken as stated, places with one reason together."""
    places: dict[str, list[str]] = {}
    for item in found.taken_as_stated:
        places.setdefault(item.reason, []).append(item.pointer)
    for reason, pointers in places.items():
        more = f" and {len(pointers) - _PLACES:,} more" if len(pointers) > _PLACES else ""
        yield f"{', '.join(pointers[:_PLACES])}{more}: {reason}"


def _told(text: str, n: int) -> str:
    return f"{'agrees ' if not n else 'differs'}  {text}{f' ({n:,})' if n else ''}"


def _more(found: Verification) -> str:
    left = len(found.differences) - SHOWN
    return f"and {left:,} more" if left > 0 else ""
