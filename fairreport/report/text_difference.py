"""Two texts held against each other, line by line."""

from __future__ import annotations

from fairreport.report.differences import Difference


def first_difference(name: str, stated: bytes, found: bytes) -> Difference:
    """Return the first line at which two texts differ."""
    one, other = (content.decode("utf-8", "replace").splitlines() for content in (stated, found))
    at = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    apart = sum(a != b for a, b in zip(one, other, strict=False)) + abs(len(one) - len(other))
    shown = [_around(lines[at] if at < len(lines) else "", (one, other), at) for lines in (one, other)]
    message = f"{apart:,} lines differ" if apart != 1 else "one line differs"
    return Difference(
        file=name,
        pointer=f"line {at + 1}",
        stated=shown[0],
        recomputed=shown[1],
        message=message if apart else "line ends differ",
    )


def _around(line: str, both: tuple[list[str], list[str]], at: int) -> str:
    """Return what stands around the first character at which two lines differ."""
    a, b = (lines[at] if at < len(lines) else "" for lines in both)
    place = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    start = max(0, place - 30)
    return f"{'...' if start else ''}{line[start : place + 50]}"
