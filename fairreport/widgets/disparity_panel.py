"""The controls of disparity tests: outcomes, scores and metrics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from fairreport.analyses.kinds import KINDS
from fairreport.analyses.parameters import PValueAdjustment
from fairreport.audit.judging import DEFAULT_THRESHOLD
from fairreport.widgets import control_parts as parts
from fairreport.widgets.exploration import Exploration
from fairreport.widgets.restating import AnySettings
from fairreport.widgets.settings import Settings, bars_of
from fairreport.widgets.threshold_rows import ThresholdRows
from fairreport.widgets.toolkit import ipywidgets

BEST_GROUP = "the best group"
_BEST = ""
"""Stands for it as a value: no group has an empty name, and a dropdown takes None for nothing chosen."""

LOWEST_THRESHOLD = 0.5

_TESTS = {
    "none": "none",
    "z_test": "pooled z-test",
    "fisher_exact": "Fisher's exact test",
    "chi_square": "chi-square test",
    "auto": "the test that belongs to the metric",
}
ADJUSTMENTS = {"none": "none", "holm": "Holm", "benjamini_hochberg": "Benjamini-Hochberg"}
_COMPARISONS = {"reference": "the reference group", "overall": "all evaluated rows"}
_PLAIN = ("p_value_adjustment", "require_significance", "min_group_size")


class DisparityPanel:
    """One control a setting of a disparity test.

    Parameters
    ----------
    exploration : Exploration
        What is explored.
    changed : callable
        Called without arguments when a reader changes a setting.

    Attributes
    ----------
    box : ipywidgets.Box
        All controls.
    by_name : dict of str to widget
        The controls by the field of `Settings` that they set.
    thresholds : ThresholdRows
        The thresholds on measurements.
    """

    def __init__(self, exploration: Exploration, changed: parts.Changed) -> None:
        self._exploration = exploration
        self._reported = parts.Reported(changed)
        self._position = next(i for i, test in exploration.tests.items() if isinstance(test, KINDS))
        self._base = parts.of_kind(exploration.settings(self._position), Settings)
        columns, controls = exploration.attributes, exploration.controls
        self.by_name: dict[str, Any] = {
            "attributes": ipywidgets.SelectMultiple(
                options=parts.data_options({name: name for name in columns}),
                rows=min(4, max(2, len(columns))),
                **parts.labelled(
                    "Attributes", "1 to 3 columns; their combinations are the groups. Ctrl or Shift adds one"
                ),
            ),
            "reference": parts.dropdown(
                "Reference", "The group that others are compared with; one can be named with one attribute"
            ),
            "comparison": parts.dropdown("Compared with", "The reference group, or all evaluated rows"),
            "threshold": parts.slider(
                "Ratio threshold", "A group whose ratio to the reference is below it is below threshold"
            ),
            "max_difference": ipywidgets.Text(
                placeholder="no limit",
                continuous_update=False,
                **parts.labelled("Largest gap", "A worse group fails above this gap as well; empty for no such limit"),
            ),
            "significance_test": parts.dropdown(
                "Significance test", "Two-sided test of each group against what it is compared with"
            ),
            "alpha": parts.fraction(
                "Alpha",
                "Significance level; intervals have level 1 - alpha",
                low=parts.SMALLEST_ALPHA,
                high=parts.LARGEST_ALPHA,
            ),
            "p_value_adjustment": parts.dropdown(
                "Correction",
                "Adjustment of the p-values for the number of comparisons",
                parts.worded_options((item.value for item in PValueAdjustment), ADJUSTMENTS),
            ),
            "require_significance": parts.checkbox(
                "Require significance", "A group fails only where its difference is significant too"
            ),
            "min_group_size": parts.whole("Minimum size", "Rows that a group needs to be judged"),
            "min_group_share": parts.fraction(
                "Minimum share", "Share of the evaluated rows, 0 to 1, that a group needs to be judged"
            ),
            "controls": ipywidgets.SelectMultiple(
                options=parts.data_options({name: name for name in controls}),
                rows=min(4, max(2, len(controls))),
                **parts.labelled(
                    "Control columns", "Up to 2 columns within whose combinations groups are compared as well"
                ),
            ),
        }
        self.thresholds = ThresholdRows(self._reported.tell)
        self.box = ipywidgets.VBox([parts.grid(self.by_name.values()), self.thresholds.box])
        self.load(self._position, self._base)
        for control in self.by_name.values():
            control.observe(self._on_setting, names="value")

    def load(self, position: int, settings: AnySettings) -> None:
        """Show the settings of a test."""
        with self._reported:
            self._load(position, parts.of_kind(settings, Settings))

    def _load(self, position: int, settings: Settings) -> None:
        chosen, asked = self.by_name, self._exploration
        self._position, self._base = position, settings
        chosen["attributes"].value = tuple(n for n in asked.attributes if n in settings.attributes)
        self._load_reference(settings)
        parts.load_slider(chosen["threshold"], settings.threshold, low=LOWEST_THRESHOLD, high=1.0)
        chosen["significance_test"].options = parts.worded_options(asked.significance_tests(position), _TESTS)
        chosen["significance_test"].value = settings.significance_test
        for name in ("alpha", "min_group_share"):
            parts.load_fraction(chosen[name], getattr(settings, name))
        for name in _PLAIN:
            chosen[name].value = getattr(settings, name)
        test = asked.tests[position]
        chosen["controls"].value = tuple(n for n in asked.controls if n in settings.controls)
        parts.show(chosen["controls"], shown=test.analysis == "outcome_disparity")
        comparisons = asked.comparisons(position)
        chosen["comparison"].options = parts.worded_options(comparisons, _COMPARISONS)
        chosen["comparison"].value = settings.comparison
        chosen["max_difference"].value = parts.shown_number(settings.max_difference)
        for name in ("comparison", "max_difference"):
            parts.show(chosen[name], shown=bool(comparisons))
        known = test.known_measurements if isinstance(test, KINDS) else ()
        self.thresholds.load(settings.thresholds, known, bars_of([DEFAULT_THRESHOLD])[0])

    def _load_reference(self, settings: Settings) -> None:
        levels = list(self._exploration.levels(self._position, settings))
        if settings.reference is not None and settings.reference not in levels:
            levels.append(settings.reference)  # a group that no row has can be named, too
        control = self.by_name["reference"]
        control.options = [(BEST_GROUP, _BEST), *parts.data_options({level: level for level in levels})]
        control.value = settings.reference or _BEST

    def read(self) -> Settings:
        """Return the settings as the controls stand."""
        value = {name: control.value for name, control in self.by_name.items()}
        value["threshold"] = parts.slid(value["threshold"])
        value["reference"] = value["reference"] or None
        value["max_difference"] = parts.typed(value["max_difference"])
        value["attributes"] = parts.in_order(self._base.attributes, value["attributes"])
        value["controls"] = parts.in_order(self._base.controls, value["controls"])
        return replace(self._base, **value, thresholds=self.thresholds.read())

    def _on_setting(self, change: Mapping[str, Any]) -> None:
        if self._reported.is_held:
            return
        if change["owner"] is self.by_name["attributes"]:
            with self._reported:
                self._load_reference(replace(self.read(), reference=None))
        self._reported.tell()
