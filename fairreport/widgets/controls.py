"""The controls of an explorer: native widgets with labels, one a setting, in the order in which they are tabbed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from fairreport.analyses.parameters import PValueAdjustment
from fairreport.render import formats
from fairreport.widgets.exploration import Exploration
from fairreport.widgets.settings import Settings
from fairreport.widgets.toolkit import ipywidgets

BEST_GROUP = "the best group"
_BEST = ""
"""Stands for it as a value: no group has an empty name, and a dropdown takes None for nothing chosen."""

LOWEST_THRESHOLD = 0.5
SMALLEST_ALPHA = 0.0001

_STYLE = {"description_width": "11.5em"}
_LONGEST_OPTION = 60

_TESTS = {
    "none": "none",
    "z_test": "pooled z-test",
    "fisher_exact": "Fisher's exact test",
    "chi_square": "chi-square test",
    "auto": "the test that belongs to the metric",
}
_ADJUSTMENTS = {"none": "none", "holm": "Holm", "benjamini_hochberg": "Benjamini-Hochberg"}
_COMPARISONS = {"reference": "the reference group", "overall": "all evaluated rows"}


class Controls:
    """One control a setting.

    Parameters
    ----------
    exploration : Exploration
        What is explored.
    names : mapping of int to str
        The tests to choose from, by position.
    changed : callable
        Called without arguments when a reader changes a setting or chooses another test.

    Attributes
    ----------
    box : ipywidgets.Box
        All controls.
    by_name : dict of str to widget
        The controls by the field of `Settings` that they set; ``"test"`` chooses the test.
    """

    def __init__(self, exploration: Exploration, names: Mapping[int, str], changed: Callable[[], None]) -> None:
        self._exploration = exploration
        self._changed = changed
        self._is_loading = False
        self._base = exploration.settings(next(iter(names)))
        self.by_name: dict[str, Any] = {
            "test": ipywidgets.Dropdown(
                options=_options(dict(zip(names.values(), names, strict=True))),
                **_labelled("Test", "Which test of the audit to explore"),
            ),
            "attributes": ipywidgets.SelectMultiple(
                options=_options({name: name for name in exploration.attributes}),
                rows=min(4, max(2, len(exploration.attributes))),
                **_labelled("Attributes", "1 to 3 columns; their combinations are the groups. Ctrl or Shift adds one"),
            ),
            "reference": ipywidgets.Dropdown(
                **_labelled("Reference", "The group that others are compared with; one can be named with one attribute")
            ),
            "threshold": ipywidgets.FloatSlider(
                min=LOWEST_THRESHOLD,
                max=1.0,
                step=0.01,
                readout_format=".2f",
                **_labelled("Ratio threshold", "A group whose ratio to the reference is below it is below threshold"),
            ),
            "significance_test": ipywidgets.Dropdown(
                **_labelled("Significance test", "Two-sided test of each group against what it is compared with")
            ),
            "alpha": ipywidgets.BoundedFloatText(
                min=SMALLEST_ALPHA,
                max=0.9999,
                step=0.005,
                **_labelled("Alpha", "Significance level; intervals have level 1 - alpha"),
            ),
            "p_value_adjustment": ipywidgets.Dropdown(
                options=[(_ADJUSTMENTS[item.value], item.value) for item in PValueAdjustment],
                **_labelled("Correction", "Adjustment of the p-values for the number of comparisons"),
            ),
            "require_significance": ipywidgets.Checkbox(
                indent=True,
                **_labelled("Require significance", "A group fails only where its difference is significant too"),
            ),
            "min_group_size": ipywidgets.BoundedIntText(
                min=1, max=2**31, **_labelled("Minimum size", "Rows that a group needs to be judged")
            ),
            "min_group_share": ipywidgets.BoundedFloatText(
                min=0.0,
                max=1.0,
                step=0.005,
                **_labelled("Minimum share", "Share of the evaluated rows, 0 to 1, that a group needs to be judged"),
            ),
            "controls": ipywidgets.SelectMultiple(
                options=_options({name: name for name in exploration.controls}),
                rows=min(4, max(2, len(exploration.controls))),
                **_labelled("Control columns", "Up to 2 columns within whose combinations groups are compared as well"),
            ),
            "comparison": ipywidgets.Dropdown(
                **_labelled("Compared with", "The reference group, or all evaluated rows")
            ),
        }
        grid = ipywidgets.Layout(
            display="grid", grid_template_columns="repeat(auto-fit, minmax(22em, 1fr))", width="100%"
        )
        self.box = ipywidgets.Box(list(self.by_name.values()), layout=grid)
        self.load(self.position, self._base)
        for name, control in self.by_name.items():
            control.observe(self._on_test if name == "test" else self._on_setting, names="value")

    @property
    def position(self) -> int:
        """The position of the chosen test."""
        return int(self.by_name["test"].value)

    def load(self, position: int, settings: Settings) -> None:
        """Show the settings of a test."""
        self._is_loading = True
        try:
            self._load(position, settings)
        finally:
            self._is_loading = False

    def _load(self, position: int, settings: Settings) -> None:
        chosen = self.by_name
        chosen["test"].value = position
        chosen["attributes"].value = tuple(n for n in self._exploration.attributes if n in settings.attributes)
        self._load_reference(position, settings)
        _load_threshold(chosen["threshold"], settings.threshold)
        _choose(chosen["significance_test"], self._exploration.significance_tests(position), _TESTS)
        chosen["significance_test"].value = settings.significance_test
        chosen["alpha"].min = min(SMALLEST_ALPHA, settings.alpha)
        chosen["alpha"].max = max(0.9999, settings.alpha)
        for name in ("alpha", "p_value_adjustment", "require_significance", "min_group_size", "min_group_share"):
            chosen[name].value = getattr(settings, name)
        is_outcome = self._exploration.tests[position].analysis == "outcome_disparity"
        chosen["controls"].value = tuple(n for n in self._exploration.controls if n in settings.controls)
        _show(chosen["controls"], shown=is_outcome)
        comparisons = self._exploration.comparisons(position)
        _choose(chosen["comparison"], comparisons, _COMPARISONS)
        chosen["comparison"].value = settings.comparison
        _show(chosen["comparison"], shown=bool(comparisons))
        self._base = settings

    def _load_reference(self, position: int, settings: Settings) -> None:
        levels = list(self._exploration.levels(position, settings))
        if settings.reference is not None and settings.reference not in levels:
            levels.append(settings.reference)  # a group that no row has can be named, too
        control = self.by_name["reference"]
        control.options = [(BEST_GROUP, _BEST), *_options({level: level for level in levels})]
        control.value = settings.reference or _BEST

    def read(self) -> Settings:
        """Return the settings as the controls stand."""
        value = {name: control.value for name, control in self.by_name.items() if name != "test"}
        value["threshold"] = round(value["threshold"], 9)  # a slider adds up its steps
        value["reference"] = value["reference"] or None
        value["attributes"] = _in_order(self._base.attributes, value["attributes"])
        value["controls"] = _in_order(self._base.controls, value["controls"])
        return replace(self._base, **value)

    def _on_test(self, _change: object) -> None:
        if not self._is_loading:
            self._changed()

    def _on_setting(self, change: Mapping[str, Any]) -> None:
        if self._is_loading:
            return
        if change["owner"] is self.by_name["attributes"]:
            self._is_loading = True
            try:
                self._load_reference(self.position, replace(self.read(), reference=None))
            finally:
                self._is_loading = False
        self._changed()


def _in_order(stated: tuple[str, ...], chosen: Iterable[str]) -> tuple[str, ...]:
    """Return the chosen columns, in the order they had where they are the same ones."""
    columns = tuple(chosen)
    return stated if set(stated) == set(columns) else columns


def _labelled(description: str, tooltip: str) -> dict[str, Any]:
    """Return what every control has: a label that belongs to it, and what it means."""
    return {
        "description": description,
        "tooltip": tooltip,
        "style": _STYLE,
        "layout": ipywidgets.Layout(width="auto"),
    }


def _options(values: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Return options whose labels are data strings: control characters made visible, long ones shortened."""
    labels = {name: formats.printable(name) for name in values}
    short = formats.shortened_apart(list(dict.fromkeys(labels.values())), _LONGEST_OPTION)
    return [(short[labels[name]], value) for name, value in values.items()]


def _choose(control: Any, values: Iterable[str], words: Mapping[str, str]) -> None:
    """Give a control its options, nothing chosen."""
    control.options = [(words[value], value) for value in values]


def _show(control: Any, *, shown: bool) -> None:
    control.disabled = not shown
    control.layout.display = None if shown else "none"


def _load_threshold(slider: Any, value: float) -> None:
    """Show a threshold on the slider, whose range and steps are made to hold it."""
    slider.min = min(LOWEST_THRESHOLD, math.floor(value * 100) / 100)
    is_fine = not math.isclose(value * 100, round(value * 100), abs_tol=1e-9)
    slider.step, slider.readout_format = (0.001, ".3f") if is_fine else (0.01, ".2f")
    slider.value = value
