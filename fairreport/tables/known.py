"""What the first look at a view found: folded cells, and which columns have nothing to guard against."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fairreport.tables.needs import Labels
from fairreport.tables.view import NumericView

_LARGEST_WHOLE = 2.0**53
"""Up to here every whole number is a double; what is larger by 1 is read as this very number."""


Texts = Mapping[str, Mapping[object, str | None]]


def in_order(view: NumericView, texts: Texts) -> Texts:
    """Return folded texts with the raw cells in one order, whatever the order an engine gave them in.

    Statements are made of them, and are to be the same ones every time.
    """
    return {
        name: dict(sorted(cells.items(), key=lambda item: "" if item[0] is None else view.cells[name].literal(item[0])))
        for name, cells in texts.items()
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A view and what is known of it; expressions are as short as that allows, since every row pays for them.

    Attributes
    ----------
    view : NumericView
        The view.
    texts : mapping
        For each cell column, the folded text of each raw cell as DuckDB hands it over.
    finite : frozenset of str
        Number columns in which every row is finite.
    ranges : mapping of str to (float, float)
        Smallest and largest finite value of each number column that has any.
    """

    view: NumericView
    texts: Texts
    finite: frozenset[str]
    ranges: Mapping[str, tuple[float, float]]

    def is_rounded(self, name: str) -> bool:
        """Tell whether whole numbers of a column are too large for a double to hold each of them."""
        low, high = self.ranges.get(name, (0.0, 0.0))
        return self.view.numbers[name].is_integer and max(-low, high) >= _LARGEST_WHOLE

    def number(self, name: str) -> str:
        """Return SQL of a number, null where it is missing or infinite."""
        column = self.view.numbers[name]
        return column.plain if name in self.finite else column.value

    def positive(self, labels: Labels) -> str:
        """Return SQL that is true for a positive label, false for another, null where it is missing."""
        cell = self.view.cells[labels.column]
        texts = self.texts[labels.column]
        positive = self._among(labels.column, [c for c, text in texts.items() if text in labels.positive])
        missing = [c for c, text in texts.items() if text is None]
        if not missing:
            return positive
        blank = self._among(labels.column, [c for c in missing if c is not None])
        return f"(CASE WHEN {cell.expression} IS NULL OR {blank} THEN NULL ELSE {positive} END)"

    def indicator(self, labels: Labels) -> str:
        """Return SQL of a double: 1 for a positive label, 0 for another, null where it is missing."""
        texts = self.texts[labels.column]
        filled = {cell: text for cell, text in texts.items() if cell is not None}
        cell = self.view.cells[labels.column]
        number = cell.whole if self.view.is_remote else cell.expression
        if (
            number is not None
            and filled.keys() == {0, 1}
            and filled[1] in labels.positive
            and filled[0] not in {None, *labels.positive}
        ):
            return f"CAST({number} AS DOUBLE)"  # cheaper than to compare
        return f"CAST({self.positive(labels)} AS DOUBLE)"

    def _among(self, name: str, cells: Sequence[object]) -> str:
        column = self.view.cells[name]
        if not cells:
            return "FALSE"
        listed = ", ".join(map(column.literal, cells))
        return f"({column.expression} = {listed})" if len(cells) == 1 else f"({column.expression} IN ({listed}))"

    def whole(self, names: Sequence[str]) -> str | None:
        """Return SQL that holds where every number is finite; None where that is every row."""
        guarded = [f"{self.view.numbers[name].value} IS NOT NULL" for name in names if name not in self.finite]
        return " AND ".join(guarded) if guarded else None
