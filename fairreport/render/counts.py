"""How many groups are what, as numbers and in the words of the finding column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

from fairreport.render import formats
from fairreport.render.table_view import Row
from fairreport.render.words import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How many groups are what.

    Attributes
    ----------
    significant, may_be_chance, below_untested : int
        Groups below the threshold, or with a gap above its limit, by what the significance test says.
    reaches_below : int
        Groups at or above the threshold whose interval reaches below it.
    meets : int
        Other groups at or above it, or with a gap within its limit.
    too_few, reference : int
        Groups with not enough data, and the references.
    not_tested : int
        Groups without a ratio.
    gap_above, gap_within : int
        How many of those below, and of those that meet, are so by their gap.
    """

    significant: int = 0
    may_be_chance: int = 0
    below_untested: int = 0
    reaches_below: int = 0
    meets: int = 0
    too_few: int = 0
    reference: int = 0
    not_tested: int = 0
    gap_above: int = 0
    gap_within: int = 0

    @property
    def below_threshold(self) -> int:
        """Groups below the threshold, whether or not chance alone could explain it."""
        return self.significant + self.may_be_chance + self.below_untested

    @property
    def below(self) -> int:
        """Groups below the threshold that chance is not said to explain."""
        return self.significant + self.below_untested

    @property
    def inconclusive(self) -> int:
        """Groups that chance alone could put on their side of the threshold."""
        return self.may_be_chance + self.reaches_below

    @property
    def compared(self) -> int:
        """Groups that were judged against a reference."""
        return self.below_threshold + self.reaches_below + self.meets + self.not_tested

    @property
    def of_those_below(self) -> str:
        """What the significance test says of the groups below the threshold, in words; nothing where there are none."""
        if not self.below_threshold:
            return ""
        if self.below_untested == self.below_threshold:
            return "not tested"
        parts = [f"{formats.count(self.significant)} significant"]
        parts += [f"{formats.count(self.may_be_chance)} may be chance"] if self.may_be_chance else []
        parts += [f"{formats.count(self.below_untested)} not tested"] if self.below_untested else []
        return ", ".join(parts)

    def __add__(self, other: Counts) -> Counts:
        return Counts(**{field.name: getattr(self, field.name) + getattr(other, field.name) for field in fields(self)})


def count(rows: Sequence[Row]) -> Counts:
    """Return how many groups are what."""
    kinds = [row.finding.kind for row in rows]
    gaps = [row.finding.kind for row in rows if row.finding.by_gap]
    within = gaps.count(Kind.AT_OR_ABOVE)
    return Counts(
        significant=kinds.count(Kind.BELOW_SIGNIFICANT),
        may_be_chance=kinds.count(Kind.BELOW_CHANCE),
        below_untested=kinds.count(Kind.BELOW_UNTESTED),
        reaches_below=kinds.count(Kind.REACHES_BELOW),
        meets=kinds.count(Kind.AT_OR_ABOVE),
        too_few=kinds.count(Kind.NOT_ENOUGH_DATA),
        reference=kinds.count(Kind.REFERENCE),
        not_tested=kinds.count(Kind.NOT_DEFINED) + kinds.count(Kind.NO_RATIO),
        gap_above=len(gaps) - within,
        gap_within=within,
    )


def counted(counts: Counts, *, threshold: str, again: str, limit: str) -> str:
    """Return how many comparisons are what, in the words of the finding column.

    Parameters
    ----------
    counts : Counts
        The numbers.
    threshold, again : str
        What a ratio is held against, as it prints first and later on.
    limit : str
        What a gap is above, as it prints.

    Examples
    --------
    >>> counted(Counts(may_be_chance=2, meets=1), threshold="0.80", again="0.80", limit="0.05")
    '2 below 0.80 (0 significant, 2 may be chance), 1 at or above 0.80'
    >>> counted(Counts(reaches_below=1), threshold="the threshold", again="it", limit="its limit")
    '0 below the threshold, 1 at or above it with the interval reaching below, 0 at or above it'
    """
    below = f"{formats.count(counts.below_threshold - counts.gap_above)} below {threshold}"
    if counts.gap_above:
        below += f" and {formats.count(counts.gap_above)} with a gap above {limit}"
    if counts.below_threshold:
        below += f" ({counts.of_those_below})"
    parts = [below]
    if counts.reaches_below:
        parts.append(f"{formats.count(counts.reaches_below)} at or above {again} with the interval reaching below")
    parts.append(f"{formats.count(counts.meets - counts.gap_within)} at or above {again}")
    if counts.gap_within:
        parts.append(f"{formats.count(counts.gap_within)} with a gap of at most {limit}")
    if counts.not_tested:
        parts.append(f"{formats.count(counts.not_tested)} without a ratio")
    return ", ".join(parts)
