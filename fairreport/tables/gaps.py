"""Rate gaps: cases counted by declared levels, label and prediction; everything wrong with the data found at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fairreport.errors import Fault, RefusedDataError
from fairreport.tables.gap_tally import CalibrationBin, GapCell, GapTally
from fairreport.tables.needs import Reading
from fairreport.tables.source import Key, NestedColumnError, Table, absent_column, nested_values
from fairreport.tables.text import Folder, NestedValueError, canonical

BIN_TOLERANCE = 1e-9
"""0.3, 0.6 and 0.7 with ten bins land in the bin that starts there, although 0.3 * 10 is below 3 in binary."""

LISTED = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class GapNeeds:
    """What rate gaps need of the table.

    Attributes
    ----------
    attributes : mapping of str to tuple of str
        Declared levels of each attribute, in the order of their declaration.
    label, prediction : str
        Columns of 0 and 1.
    probability, unit : str or None
        Column of probabilities; column that identifies the person.
    case_id : str
        Column whose values must not repeat, where the table has it.
    bins : int
        Bins of the calibration error.
    """

    attributes: Mapping[str, tuple[str, ...]]
    label: str
    prediction: str
    probability: str | None
    unit: str | None
    case_id: str
    bins: int

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column once that must be there."""
        optional = tuple(name for name in (self.probability, self.unit) if name is not None)
        return tuple(dict.fromkeys((*self.attributes, self.label, self.prediction, *optional)))


@dataclass(frozen=True, slots=True, kw_only=True)
class GapScan:
    """The tally of rate gaps, or everything that is wrong with the cases."""

    tally: GapTally | None
    faults: tuple[Fault, ...] = ()


def count_cases(table: Table, need: GapNeeds, reading: Reading) -> GapTally:
    """Return the tally of rate gaps.

    Raises
    ------
    RefusedDataError
        If a column is absent, a label is not 0 or 1, a prediction not 0, 1 or empty, a probability not from 0 to
        1, a case id or a person repeated, or there are no rows; everything at once.
    """
    found = absent_columns(table, need)
    sink = CaseSink(need, reading)
    if not found:
        try:
            for _, key, n in table.count([sink.columns], reading.counts):
                sink.add(key, n)
        except NestedColumnError as error:
            found = (nested_column(error.column),)
    scan = GapScan(tally=None, faults=found) if found else finish_cases(table, sink)
    if scan.tally is None:
        raise RefusedDataError(scan.faults, source=table.origin)
    return scan.tally


def absent_columns(table: Table, need: GapNeeds) -> tuple[Fault, ...]:
    """Return a fault for each column that the table lacks."""
    return tuple(
        Fault(code="missing_column", message=absent_column(name, table.names), path=name)
        for name in need.columns
        if not table.has(name)
    )


def nested_column(name: str) -> Fault:
    """Return the fault of a column of nested values."""
    return Fault(code="nested_column", message=nested_values(name), path=name)


def finish_cases(table: Table, sink: CaseSink) -> GapScan:
    """Return the tally of a sink that took in all rows, with what needs a look of its own at the table.

    Raises
    ------
    NestedColumnError
        If a column holds nested values.
    """
    unit_missing, repeated = _persons(table, sink.need, sink.reading)
    found = [*sink.faults(), *repeated]
    bins: tuple[CalibrationBin, ...] = ()
    if sink.need.probability is not None:
        bins, wrong = _calibration(table, sink.need, sink.reading, sink)
        found += wrong
    return GapScan(tally=None if found else sink.tally(bins, unit_missing), faults=tuple(found))


class CaseSink:
    """Folds raw cells and counts cases by level, label and prediction."""

    def __init__(self, need: GapNeeds, reading: Reading) -> None:
        self.need = need
        self.reading = reading
        self.columns = tuple(dict.fromkeys((*need.attributes, need.label, need.prediction)))
        self.folders = {name: Folder(reading.missing_values) for name in self.columns}
        self._declared = {name: frozenset(levels) for name, levels in need.attributes.items()}
        self._cells: Counter[tuple[tuple[str | None, ...], tuple[bool, ...], str, str | None]] = Counter()
        self._labels: Counter[str | None] = Counter()
        self._predictions: Counter[str] = Counter()
        self._undeclared: dict[str, Counter[str]] = {name: Counter() for name in need.attributes}
        self.rows = 0

    def fold(self, name: str, raw: object) -> str | None:
        """Return the text of a raw cell of a column."""
        try:
            return self.folders[name](raw)
        except NestedValueError:
            raise NestedColumnError(name) from None

    def place(self, texts: Mapping[str, str | None]) -> tuple[tuple[str | None, ...], tuple[bool, ...]]:
        """Return the declared level of each attribute, None where there is none, and which are undeclared."""
        strange = tuple(
            texts[name] is not None and texts[name] not in declared for name, declared in self._declared.items()
        )
        levels = tuple(None if odd else texts[name] for name, odd in zip(self._declared, strange, strict=True))
        return levels, strange

    def add(self, key: Key, n: int) -> None:
        """Take in `n` rows that share the same raw cells."""
        texts = {name: self.fold(name, raw) for name, raw in zip(self.columns, key, strict=True)}
        self.rows += n
        label, prediction = texts[self.need.label], texts[self.need.prediction]
        if label not in {"0", "1"}:
            self._labels[label] += n
        if prediction not in {"0", "1", None}:
            self._predictions[str(prediction)] += n
        levels, strange = self.place(texts)
        for name, odd in zip(self._declared, strange, strict=True):
            if odd:
                self._undeclared[name][str(texts[name])] += n
        self._cells[levels, strange, str(label), prediction] += n

    def faults(self) -> Iterator[Fault]:
        """Yield what is wrong with labels, predictions and rows."""
        if not self.rows:
            yield Fault(code="no_rows", message="there are no rows to judge")
        if self._labels:
            yield Fault(
                code="label_not_binary",
                message=f"column {self.need.label!r} must be 0 or 1; found {_examples(self._labels)}",
                path=self.need.label,
            )
        if self._predictions:
            yield Fault(
                code="prediction_not_binary",
                message=f"column {self.need.prediction!r} must be 0, 1 or empty; found {_examples(self._predictions)}",
                path=self.need.prediction,
            )

    def tally(self, bins: tuple[CalibrationBin, ...], unit_missing: int = 0) -> GapTally:
        """Return the finished tally."""
        cells = [
            GapCell(levels=levels, undeclared=strange, label=int(label), prediction=_binary(prediction), n=n)
            for (levels, strange, label, prediction), n in self._cells.items()
        ]
        return GapTally(
            attributes=tuple(self.need.attributes),
            declared=tuple(self.need.attributes.values()),
            label=self.need.label,
            prediction=self.need.prediction,
            rows=self.rows,
            cells=tuple(sorted(cells, key=lambda cell: cell.order)),
            bins=bins,
            undeclared=tuple(
                (name, tuple(sorted(found, key=lambda value: (-found[value], value))[:LISTED]))
                for name, found in self._undeclared.items()
                if found
            ),
            unit_missing=unit_missing,
        )


def _binary(text: str | None) -> int | None:
    return None if text is None else int(text)


def _examples(found: Counter[str | None] | Counter[str]) -> str:
    listed = sorted(found.items(), key=lambda item: (-item[1], str(item[0])))[:3]
    shown = ", ".join(f"{'nothing' if value is None else repr(value)} ({n:,} rows)" for value, n in listed)
    return shown + (f" and {len(found) - 3} more" if len(found) > 3 else "")


def _persons(table: Table, need: GapNeeds, reading: Reading) -> tuple[int, list[Fault]]:
    """Return the cases without a person, and the faults of a case id or a person that stands in several rows.

    With counts a row is several cases anyway.
    """
    found: list[Fault] = []
    unit_missing = 0
    for name, what in ((need.case_id, "case id"), (need.unit, "person")):
        if name is None or not table.has(name):
            continue
        try:
            example = None if reading.counts is not None else canonical(table.repeated(name, reading.missing_values))
            if what == "person":
                unit_missing = table.missing(name, reading)
        except NestedColumnError:
            found.append(nested_column(name))
            continue
        if example is not None:
            message = f"column {name!r} must name each {what} once; found {example!r} in several rows"
            code = "duplicate_case" if what == "case id" else "repeated_unit"
            found.append(Fault(code=code, message=message, path=name))
    return unit_missing, found


def _calibration(
    table: Table, need: GapNeeds, reading: Reading, sink: CaseSink
) -> tuple[tuple[CalibrationBin, ...], list[Fault]]:
    """Count cases, positive labels and probabilities by level and bin; sums are exact, as those of moments are."""
    from fairreport.tables.moments import grid_bits  # noqa: PLC0415 - only calibration sums probabilities

    name = str(need.probability)
    if table.elsewhere is not None:  # the sums below need whole numbers of 128 bits
        table, reading = table.elsewhere.brought((*sink.columns, name), reading)
    view = table.view(sink.columns, (name,), reading)
    if name in view.refused:
        return (), [Fault(code="not_numeric", message=view.refused[name].detail, path=name)]
    bits = grid_bits(sink.rows)
    keys = (*need.attributes, need.label)
    column = view.numbers[name]
    infinite = f"{column.filled} AND {column.value} IS NULL"
    inner = [f"{view.cells[key].expression} AS k{i}" for i, key in enumerate(keys)]
    inner += [f"{column.value} AS p", f"({infinite}) AS odd", f"{view.weight or '1'} AS w"]
    scale = f"CAST('{2.0**bits!r}' AS DOUBLE)"
    place = f"least(CAST(floor(p * {need.bins} + {BIN_TOLERANCE!r}) AS BIGINT), {need.bins - 1})"
    grouped = ", ".join(f"k{i}" for i in range(len(keys)))
    sql = (
        f"SELECT {grouped}, {place} AS bin, sum(w), sum(CAST(p * {scale} AS HUGEINT) * w), "
        f"min(p), max(p), bool_or(odd) FROM (SELECT {', '.join(inner)} FROM {view.source}) "
        f"WHERE p IS NOT NULL OR odd GROUP BY {grouped}, bin"
    )
    found: dict[tuple[tuple[str | None, ...], int], list[int]] = {}
    outside: list[float] = []
    for row in view.fetch_rows(sql):
        *cells, place_of, n, total, low, high, odd = row
        if odd:
            outside.append(float("inf"))
        if low is None or not n:
            continue
        outside += [end for end in (low, high) if not 0 <= end <= 1]
        texts = {
            key: None if cell is None else sink.fold(key, view.cells[key].restore(cell))
            for key, cell in zip(keys, cells, strict=True)
        }
        levels, _ = sink.place(texts)
        sums = found.setdefault((levels, int(place_of)), [0, 0, 0])
        sums[0] += int(n)
        sums[1] += int(n) if texts[need.label] == "1" else 0
        sums[2] += int(total)
    if outside:
        message = f"column {name!r} must be from 0 to 1; found {outside[0]!r}"
        return (), [Fault(code="probability_out_of_range", message=message, path=name)]
    order = sorted(found, key=lambda item: (tuple(level or "" for level in item[0]), item[1]))
    return tuple(
        CalibrationBin(levels=levels, bin=b, n=n, positives=positives, probability_sum=_exact(total, bits))
        for levels, b in order
        for n, positives, total in [found[levels, b]]
    ), []


def _exact(total: int, bits: int) -> float:
    return total / (1 << bits)
