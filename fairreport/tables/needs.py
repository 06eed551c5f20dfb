"""What the tests need of a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

ChooseReference = Callable[[Any], tuple[str, ...] | None]
"""From a tally without its pairs to the label of the reference group."""


class Measure(StrEnum):
    """What is gathered of each group besides its rows."""

    OUTCOME = "outcome"
    SCORE = "score"
    SHARE = "share"
    MOMENTS = "moments"
    QUANTILE = "quantile"
    RANKS = "ranks"
    RESIDUALS = "residuals"


class Loss(StrEnum):
    """The number per row whose moments are gathered."""

    VALUE = "value"
    ABSOLUTE_ERROR = "absolute_error"
    SQUARED_ERROR = "squared_error"
    LOG_LOSS = "log_loss"
    BRIER = "brier"


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """A column matched as text, and the values that count as positive."""

    column: str
    positive: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeNeeds:
    """What an outcome test needs of the table."""

    attributes: tuple[str, ...]
    outcome: str
    favorable_values: tuple[str, ...]
    unfavorable_values: tuple[str, ...] = ()
    controls: tuple[str, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column once: attributes, controls, outcome."""
        return tuple(dict.fromkeys((*self.attributes, *self.controls, self.outcome)))


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureNeeds:
    """What a score or metric test needs of the table.

    Attributes
    ----------
    attributes : tuple of str
        1 to 3 columns.
    measure : Measure
        What is gathered of each group.
    numbers : tuple of str
        Columns read as numbers; for errors the prediction, then the truth.
    labels : tuple of Labels
        Columns matched as text; for shares among predicted negatives the prediction, then the truth.
    loss : Loss
        The number per row, where moments are gathered.
    quantile, level : float
        Which quantile, where one is gathered, and the level of its interval.
    probability : str or None
        The column among `numbers` that must lie in 0..1.
    needs_positive : bool
        Whether the last label column must have a positive value in the evaluated rows.
    choose : callable or None
        Picks the reference group from the tally, where not every pair of groups can be kept.
    """

    attributes: tuple[str, ...]
    measure: Measure
    numbers: tuple[str, ...] = ()
    labels: tuple[Labels, ...] = ()
    loss: Loss = Loss.VALUE
    quantile: float = 0.5
    level: float = 0.95
    probability: str | None = None
    needs_positive: bool = False
    choose: ChooseReference | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column once: attributes, labels, numbers."""
        return tuple(dict.fromkeys((*self.attributes, *(item.column for item in self.labels), *self.numbers)))


Needs = OutcomeNeeds | MeasureNeeds


def sample_of(need: MeasureNeeds) -> tuple[object, ...]:
    """Return what tests that share a sample have in common: in this order they are judged."""
    return tuple(sorted(need.attributes)), need.numbers, tuple((item.column, item.positive) for item in need.labels)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How cells are to be read, the same for every test of an audit.

    Attributes
    ----------
    counts : str or None
        Column that says how many rows each row stands for.
    missing_values : tuple of str
        Words that stand for a missing cell.
    declared : mapping of str to tuple of str
        Declared groups of an attribute; other values are left out and counted.
    """

    counts: str | None = None
    missing_values: tuple[str, ...] = ()
    declared: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
