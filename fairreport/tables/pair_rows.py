"""Rows of named pairs, checked: who belongs where, outcomes, labels, weights, segments; everything wrong at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fairreport.errors import ConfigError, DataError, Fault, nearest
from fairreport.stats.proportion import LARGEST_TOTAL
from fairreport.tables.arrays import FetchedColumns
from fairreport.tables.memberships import Members, Patterns, Proportions, WrongMembership, kept, memberships
from fairreport.tables.needs import Reading
from fairreport.tables.pair_coded import CodedMembers, coded_members
from fairreport.tables.pair_needs import OutcomeKind, PairNeeds, PairPlan, WeightKind
from fairreport.tables.pair_numbers import shown, weight_unit, written_difference
from fairreport.tables.pair_tally import PairRowCount
from fairreport.tables.source import NestedColumnError, Table, absent_column
from fairreport.tables.text import Folder, NestedValueError

Array = npt.NDArray[Any]
BoolArray = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

LARGEST_NUMBER = 1e50
"""Weights and numbers beyond this have squares whose products may leave the floats."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairRows:
    """Evaluated rows: they have a weight and, where there are segments, a segment.

    Attributes
    ----------
    plan : PairPlan
        Groups, categories and pairs.
    members : Members
        Who belongs where.
    outcome : ndarray
        Outcome: 0 and 1, a score or number, or the place in the order of categories.
    label : ndarray or None
        0 and 1.
    weight : ndarray of float64 or None
        At least 0; None where rows are counted.
    segment : ndarray of int or None
        Place among `segments`.
    segments : tuple of str
        In text order.
    times : ndarray of int64 or None
        How often each row stands, where rows stand for several.
    count : PairRowCount
        How many rows there were.
    """

    plan: PairPlan
    members: Members
    outcome: Array
    label: Array | None
    weight: FloatArray | None
    segment: Array | None
    segments: tuple[str, ...]
    times: IntArray | None
    count: PairRowCount

    @property
    def n(self) -> int:
        """Evaluated rows of the table."""
        return len(self.outcome)


def pair_rows(table: Table, need: PairNeeds, reading: Reading) -> PairRows:
    """Return the evaluated rows of a table.

    Raises
    ------
    ConfigError
        If a column is absent, an outcome, label or prediction is missing or not what is wanted, a weight or
        membership is out of range, or a membership is missing for a part of a category only; everything at once.
    """
    absent = [
        Fault(code="unknown_column", message=absent_column(name, table.names), path=name)
        for name in need.columns
        if not table.has(name)
    ]
    if absent:
        raise ConfigError(absent)
    # A column may play several roles, and be read both ways.
    is_text = need.kind is OutcomeKind.CATEGORY
    cells = [*need.reference_values, *([need.outcome] if is_text else [])]
    cells += [need.segment] if need.segment is not None else []
    numbers = [name for name in need.memberships if name not in need.reference_values]
    numbers += [] if is_text else [need.outcome]
    numbers += [name for name in (need.subtracted, need.label, need.weight) if name is not None]
    try:
        fetched = table.arrays(tuple(dict.fromkeys(cells)), tuple(dict.fromkeys(numbers)), reading, alike=_alike(need))
    except NestedColumnError as error:
        raise ConfigError(Fault(code="bad_type", message="holds nested values", path=error.column)) from None
    return _Check(need, reading, fetched).rows()


def _alike(need: PairNeeds) -> tuple[str, ...]:
    """Return the columns of membership where few distinct rows are to be expected: nothing else is continuous."""
    counted = need.kind in {OutcomeKind.BINARY, OutcomeKind.CATEGORY} and need.weight_kind is not WeightKind.SAMPLING
    return need.memberships if counted and not need.reference_values else ()


class _Check:
    """Checks the columns of one table and collects what is wrong."""

    def __init__(self, need: PairNeeds, reading: Reading, fetched: FetchedColumns) -> None:
        self._need = need
        self._reading = reading
        self._fetched = fetched
        self._faults: list[Fault] = []
        self._coded: CodedMembers | None = None

    def rows(self) -> PairRows:
        """Return the evaluated rows.

        Raises
        ------
        ConfigError
            With every fault.
        """
        fetched = self._fetched
        plan, members = self._members()
        outcome = self._outcome()
        label = self._label()
        weight, unweighted = self._weight()
        segment, segments = self._segment()
        self._check_times()
        if self._faults:
            raise ConfigError(self._faults)
        if members is None or outcome is None:
            raise TypeError(type(members).__name__)  # only with a fault
        times = fetched.times
        repeated = self._repeated(weight, times)
        keep: BoolArray | None = None if unweighted is None else ~unweighted
        lacking = None
        if segment is not None:
            without = segment < 0
            counted = without if keep is None else without & keep
            lacking = int(counted.sum()) if repeated is None else int(repeated[counted].sum())
            if counted.any():
                keep = ~without if keep is None else keep & ~without
        unit = 1.0 if weight is None or self._need.weight_kind is not WeightKind.SAMPLING else weight_unit(weight)
        count = PairRowCount(
            total=fetched.n if times is None else int(times.sum()),
            missing_weight=_total(unweighted, times),
            missing_segment=lacking,
            undeclared=self._undeclared(keep, repeated),
            reference_only=() if self._coded is None else self._coded.reference_only,
            weight_unit=unit,
        )
        if weight is not None and unit != 1:
            weight = weight / unit
        if keep is not None:
            members = kept(members, keep)
            outcome, label, weight, segment, times = (
                None if array is None else array[keep] for array in (outcome, label, weight, segment, times)
            )
        if outcome is None:
            raise TypeError("no outcome")
        return PairRows(
            plan=plan,
            members=members,
            outcome=outcome,
            label=label,
            weight=weight,
            segment=segment,
            segments=segments,
            times=times,
            count=count,
        )

    def _check_times(self) -> None:
        """Refuse rows that stand for more than exact tests can hold."""
        name, times = self._reading.counts, self._fetched.times
        if name is None or times is None or self._need.weight_kind is not WeightKind.NONE:
            return
        rows = int(times.sum())
        if rows > LARGEST_TOTAL:
            message = f"column {name!r} stands for {rows:,} rows; at most {LARGEST_TOTAL:,} can be judged"
            self._fault("weight_out_of_range", message, name)

    def _undeclared(
        self, keep: BoolArray | None, repeated: FloatArray | IntArray | None
    ) -> tuple[tuple[str, int], ...]:
        """Return for each column how many evaluated rows hold a value that is not among its declared groups."""
        found = []
        for name, rows in ({} if self._coded is None else self._coded.undeclared).items():
            left_out = rows if keep is None else rows & keep
            n = int(left_out.sum()) if repeated is None else int(repeated[left_out].sum())
            found += [(name, n)] if n else []
        return tuple(found)

    def _repeated(self, weight: FloatArray | None, times: IntArray | None) -> FloatArray | IntArray | None:
        """Return how often each row counts among rows that are left out."""
        if self._need.weight_kind is not WeightKind.FREQUENCY or weight is None:
            return times
        filled = np.where(np.isnan(weight), 0.0, weight)
        return filled if times is None else filled * times

    def _fault(self, code: str, message: str, path: str) -> None:
        self._faults.append(Fault(code=code, message=message, path=path))

    def _numbers(self, name: str, code: str) -> Array | None:
        if name in self._fetched.refused:
            self._fault(code, self._fetched.refused[name].detail, name)
            return None
        return self._fetched.numbers[name]

    # --- memberships -------------------------------------------------------------------------------------

    def _members(self) -> tuple[PairPlan, Members | None]:
        need = self._need
        if need.reference_values:
            return self._coded_members()
        plan = PairPlan.of(need.protected, need.references, need.categories)
        columns = [self._numbers(name, "membership_out_of_range") for name in plan.groups]
        if any(column is None for column in columns):
            return plan, None
        found = memberships([column for column in columns if column is not None], plan)
        if isinstance(found, (Patterns, Proportions)):
            return plan, found
        for wrong in found:
            self._fault(*_membership_fault(wrong))
        return plan, None

    def _coded_members(self) -> tuple[PairPlan, Members | None]:
        """Return memberships from columns that hold the group as a value."""
        columns = {name: self._texts(name) for name in self._need.reference_values}
        found = coded_members(columns, self._need.reference_values, self._reading.declared, self._fetched.n)
        self._faults += found.faults
        self._coded = found
        return found.plan, found.members

    def _texts(self, name: str) -> tuple[Array, list[str | None]]:
        """Return the codes of a column matched as text, and the folded text of each code."""
        folder = Folder(self._reading.missing_values)
        codes, levels = self._fetched.cells[name]
        try:
            return codes, [folder(level) for level in levels]
        except NestedValueError:
            raise DataError(f"column {name!r} holds nested values; wanted text, numbers or booleans") from None

    # --- what is measured --------------------------------------------------------------------------------

    def _outcome(self) -> Array | None:
        need = self._need
        if need.kind is OutcomeKind.BINARY:
            return self._binary(need.outcome, "outcome")
        if need.kind is OutcomeKind.CATEGORY:
            return self._ordered(need.outcome)
        outcome = self._finite(need.outcome, "label" if need.subtracted is not None else "outcome")
        if need.subtracted is None:
            return outcome
        prediction = self._finite(need.subtracted, "prediction")
        return None if outcome is None or prediction is None else written_difference(outcome, prediction)

    def _label(self) -> Array | None:
        name = self._need.label
        if name is None:
            return None
        return self._finite(name, "label") if self._need.numeric_label else self._binary(name, "label")

    def _binary(self, name: str, role: str) -> Array | None:
        values = self._numbers(name, f"{role}_not_binary")
        if values is None:
            return None
        if np.count_nonzero(values) > np.count_nonzero(values == 1):  # something that is neither 0 nor 1
            missing = values != values  # noqa: PLR0124 - nan
            self._missing(name, role, missing)
            wrong = ~missing & (values != 0) & (values != 1)
            if wrong.any():
                n, example = self._count(wrong), shown(values[wrong][0])
                self._fault(
                    f"{role}_not_binary", f"column {name!r} must be 0 or 1; {n:,} rows are not ({example})", name
                )
            return None
        return values

    def _missing(self, name: str, role: str, missing: BoolArray) -> None:
        if missing.any():
            message = f"column {name!r} has no value in {self._count(missing):,} rows; leave these out, or fill them"
            self._fault(f"missing_{role}", message, name)

    def _count(self, rows: BoolArray) -> int:
        return _total(rows, self._fetched.times)

    def _finite(self, name: str, role: str) -> FloatArray | None:
        values = self._numbers(name, f"{role}_not_numeric")
        if values is None:
            return None
        numbers = values.astype(np.float64)
        self._missing(name, role, np.isnan(numbers))
        infinite = np.isinf(numbers) | (np.abs(np.nan_to_num(numbers, nan=0.0)) > LARGEST_NUMBER)
        if infinite.any():
            message = f"column {name!r} holds {shown(numbers[infinite][0])}; wanted finite numbers up to 1e50"
            self._fault("out_of_range", message, name)
        return numbers

    def _ordered(self, name: str) -> Array | None:
        codes, texts = self._texts(name)
        order = list(self._need.category_order)
        place = np.array([order.index(text) if text in order else -1 for text in [*texts, None]], dtype=np.int64)
        self._missing(name, "outcome", np.array([text is None for text in [*texts, None]])[codes])
        present = set(np.unique(codes).tolist())
        strange = sorted(
            text for code, text in enumerate(texts) if text is not None and text not in order and code in present
        )
        if strange:
            message = (
                f"column {name!r} holds {strange[0]!r}, which category_order does not name.{nearest(strange[0], order)}"
            )
            self._fault("unknown_category", message, name)
        return place[codes]

    # --- weights and segments ----------------------------------------------------------------------------

    def _weight(self) -> tuple[FloatArray | None, BoolArray | None]:
        """Return the weights, and which rows have none where some have."""
        name = self._need.weight
        if name is None:
            return None, None
        values = self._numbers(name, "weight_out_of_range")
        if values is None:
            return None, None
        weight = values if values.dtype == np.float64 else values.astype(np.float64)
        # Smallest and largest tell of missing weights, too: they are nan then.
        low, high = (float(weight.min()), float(weight.max())) if len(weight) else (0.0, 0.0)
        missing = None
        if np.isnan(low):
            missing = np.isnan(weight)
            known = weight[~missing]
            low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
        if low < 0 or high > LARGEST_NUMBER:
            example = shown(low if low < 0 else high)
            self._fault("weight_out_of_range", f"column {name!r} holds the weight {example}; wanted 0 to 1e50", name)
        elif self._need.weight_kind is WeightKind.FREQUENCY:
            broken = (weight != np.rint(weight)) & ~np.isnan(weight)
            if broken.any():
                message = f"column {name!r} holds the frequency {shown(weight[broken][0])}; wanted whole numbers"
                self._fault("weight_not_whole", message, name)
            elif (rows := self._rows_in_all(weight)) > LARGEST_TOTAL:
                message = f"column {name!r} stands for {rows:,.0f} rows; at most {LARGEST_TOTAL:,} can be judged"
                self._fault("weight_out_of_range", message, name)
        return weight, missing

    def _rows_in_all(self, weight: FloatArray) -> float:
        times = self._fetched.times
        return float(np.nansum(weight if times is None else weight * times))

    def _segment(self) -> tuple[Array | None, tuple[str, ...]]:
        if self._need.segment is None:
            return None, ()
        codes, texts = self._texts(self._need.segment)
        present = set(np.unique(codes).tolist())
        names = tuple(sorted({text for code, text in enumerate(texts) if text is not None and code in present}))
        at = {name: i for i, name in enumerate(names)}
        place = np.array([-1 if text is None else at.get(text, -1) for text in [*texts, None]], dtype=np.int64)
        return place[codes], names


def _total(rows: BoolArray | None, times: IntArray | None) -> int:
    if rows is None:
        return 0
    return int(rows.sum()) if times is None else int(times[rows].sum())


def _membership_fault(wrong: WrongMembership) -> tuple[str, str, str]:
    if wrong.example is None:
        text = f"column {wrong.column!r} is missing in rows where other groups of its category are not, or the reverse"
        return "half_missing_membership", text, wrong.column
    text = f"column {wrong.column!r} holds the membership {shown(wrong.example)}; wanted 0 to 1"
    return "membership_out_of_range", text, wrong.column
