"""What a comparison of named pairs of groups needs of a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class WeightKind(StrEnum):
    """What a weight says: how likely a row was to be drawn, or how often it stands."""

    NONE = "none"
    SAMPLING = "sampling"
    FREQUENCY = "frequency"


class OutcomeKind(StrEnum):
    """How the outcome is read."""

    BINARY = "binary"
    SCORE = "score"
    CATEGORY = "category"
    NUMBER = "number"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A protected group beside its reference group, by position among the groups, and their category."""

    category: int
    protected: int
    reference: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PairPlan:
    """The groups that are compared.

    Attributes
    ----------
    groups : tuple of str
        Names of the groups, each once.
    categories : tuple of str
        Names of the categories, each once, in the order first named.
    pairs : tuple of Pair
        What is compared with what, as given.
    """

    groups: tuple[str, ...]
    categories: tuple[str, ...]
    pairs: tuple[Pair, ...]

    @classmethod
    def of(cls, protected: tuple[str, ...], references: tuple[str, ...], categories: tuple[str, ...]) -> PairPlan:
        """Return the plan of three lists of one length.

        Examples
        --------
        >>> plan = PairPlan.of(("Black", "Hispanic"), ("White", "White"), ("Race", "Race"))
        >>> plan.groups, len(plan.pairs)
        (('Black', 'Hispanic', 'White'), 2)
        """
        groups = tuple(dict.fromkeys((*protected, *references)))
        names = tuple(dict.fromkeys(categories))
        pairs = tuple(
            Pair(category=names.index(category), protected=groups.index(group), reference=groups.index(reference))
            for group, reference, category in zip(protected, references, categories, strict=True)
        )
        return cls(groups=groups, categories=names, pairs=pairs)

    def members(self, category: int) -> tuple[int, ...]:
        """Return the positions of the groups of a category."""
        found = (at for pair in self.pairs if pair.category == category for at in (pair.protected, pair.reference))
        return tuple(dict.fromkeys(found))


@dataclass(frozen=True, slots=True, kw_only=True)
class PairNeeds:
    """What a test of named pairs needs of the table.

    Attributes
    ----------
    protected, references, categories : tuple of str
        Lists of one length: columns of membership (0, 1 or a proportion), and the category of each pair.
    reference_values : mapping of str to str
        Instead of these, columns that hold the group as a value, each with its reference value.
    outcome : str
        Column of the outcome.
    kind : OutcomeKind
        How it is read.
    subtracted : str or None
        Column of numbers that is taken off the outcome (a prediction, of residuals).
    label : str or None
        Column of labels, 0 or 1.
    numeric_label : bool
        Whether labels are any numbers instead.
    weight : str or None
        Column of weights.
    weight_kind : WeightKind
        What they say.
    segment : str or None
        Column of segments, matched as text.
    quantiles : tuple of float
        Where cutoffs are wanted, for scores.
    lower_is_favorable : bool
        Whether a score at or below the cutoff is favorable, and not one at or above it.
    category_order : tuple of str
        Outcomes from worst to best, for categories.
    """

    outcome: str
    kind: OutcomeKind = OutcomeKind.BINARY
    protected: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    reference_values: Mapping[str, str] = field(default_factory=dict)
    subtracted: str | None = None
    label: str | None = None
    numeric_label: bool = False
    weight: str | None = None
    weight_kind: WeightKind = WeightKind.NONE
    segment: str | None = None
    quantiles: tuple[float, ...] = ()
    lower_is_favorable: bool = False
    category_order: tuple[str, ...] = ()

    @property
    def attributes(self) -> tuple[str, ...]:
        """Columns that hold the group as a value."""
        return tuple(self.reference_values)

    @property
    def memberships(self) -> tuple[str, ...]:
        """Columns that say who belongs where."""
        return tuple(dict.fromkeys((*self.protected, *self.references, *self.reference_values)))

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column once."""
        optional = (self.subtracted, self.label, self.weight, self.segment)
        named = (*self.memberships, self.outcome, *(name for name in optional if name is not None))
        return tuple(dict.fromkeys(named))
