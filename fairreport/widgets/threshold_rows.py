"""The thresholds of a test as controls: a measurement, an operator and a value each, added and removed one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairreport.analyses.parameters import Operator
from fairreport.widgets.control_parts import Changed
from fairreport.widgets.settings import Bar
from fairreport.widgets.toolkit import ipywidgets

_NARROW = {"description_width": "initial"}


class ThresholdRows:
    """The thresholds of a test.

    Parameters
    ----------
    changed : callable
        Called without arguments when a reader changes, adds or removes a threshold.

    Attributes
    ----------
    box : ipywidgets.VBox
        A row a threshold, then what adds one.
    rows : list of tuple of widget
        For each threshold the controls of measurement, operator and value, and what removes it.
    """

    def __init__(self, changed: Changed) -> None:
        self._changed = changed
        self._stated: tuple[Bar, ...] = ()
        self._measurements: Sequence[str] = ()
        self._own = ""
        self.rows: list[tuple[Any, Any, Any, Any]] = []
        self.add = ipywidgets.Button(
            description="Add a threshold",
            tooltip="The test passes where all of its thresholds hold; without any, its own one applies",
        )
        self.add.on_click(self._on_add)
        self._note = ipywidgets.HTML()
        self.box = ipywidgets.VBox([])

    def load(self, thresholds: Sequence[Bar], measurements: Sequence[str], own: Bar) -> None:
        """Show thresholds.

        Parameters
        ----------
        thresholds : sequence of (str, str, float)
            Measurement, operator and value of each.
        measurements : sequence of str
            What a threshold can be on.
        own : (str, str, float)
            The test's own, which applies without any.
        """
        self._stated = tuple(thresholds)
        self._measurements = measurements
        self._own = " ".join(map(str, own))
        self.rows = [self._row(bar) for bar in thresholds]
        self._lay()

    def read(self) -> tuple[Bar, ...]:
        """Return the thresholds as the controls stand; a whole number stays one, and what is stated stays as it is."""
        found = tuple(
            (str(name.value), str(operator.value), _number(value.value)) for name, operator, value, _ in self.rows
        )
        return self._stated if found == self._stated else found

    def _row(self, bar: Bar) -> tuple[Any, Any, Any, Any]:
        name, operator, value = bar
        number = len(self.rows) + 1
        row = (
            ipywidgets.Dropdown(
                options=list(self._measurements),
                value=name,
                description="Threshold",
                tooltip="The measurement that is held against the value",
                style={"description_width": "11.5em"},
                layout=ipywidgets.Layout(width="auto", min_width="24em"),
            ),
            ipywidgets.Dropdown(
                options=[item.value for item in Operator],
                value=operator,
                description="holds where",
                tooltip="How the measurement is compared with the value",
                style=_NARROW,
                layout=ipywidgets.Layout(width="11em"),
            ),
            ipywidgets.FloatText(
                value=value,
                step=0.01,
                description="value",
                tooltip="The number that the measurement is compared with",
                style=_NARROW,
                layout=ipywidgets.Layout(width="10em"),
            ),
            ipywidgets.Button(
                description="Remove",
                tooltip=f"Remove threshold {number}, on {name}",
                layout=ipywidgets.Layout(width="6em"),
            ),
        )
        for control in row[:3]:
            control.observe(self._on_value, names="value")
        row[3].on_click(self._on_remove)
        return row

    def _lay(self) -> None:
        layout = ipywidgets.Layout(flex_flow="row wrap")
        self._note.value = "" if self.rows else f"No threshold is stated; the test's own is {_shown(self._own)}."
        lines = [ipywidgets.HBox(list(row), layout=layout) for row in self.rows]
        self.box.children = [*lines, ipywidgets.HBox([self.add, self._note], layout=layout)]

    def _on_value(self, _change: object) -> None:
        self._changed()

    def _on_add(self, _button: object) -> None:
        first = self._measurements[0]
        self.rows.append(self._row((first, Operator.AT_MOST.value, 0)))
        self._lay()
        self._changed()

    def _on_remove(self, button: object) -> None:
        self.rows = [row for row in self.rows if row[3] is not button]
        self._lay()
        self._changed()


def _number(value: float) -> float:
    return int(value) if float(value).is_integer() else value


def _shown(text: str) -> str:
    """Return our own words as HTML."""
    return text.replace("<", "&lt;").replace(">", "&gt;")
