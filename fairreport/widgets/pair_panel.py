"""The controls of tests of named pairs: each parameter that the test has, the references, the thresholds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from fairreport.analyses.pair_parameters import PairTest, ShortfallMethod
from fairreport.analyses.pair_tests import SpreadKind
from fairreport.analyses.parameters import PValueAdjustment
from fairreport.audit.judging import DEFAULT_PAIR_THRESHOLD
from fairreport.widgets import control_parts as parts
from fairreport.widgets.disparity_panel import ADJUSTMENTS, LOWEST_THRESHOLD
from fairreport.widgets.exploration import Exploration
from fairreport.widgets.pair_settings import BARS, PairSettings, bar_of
from fairreport.widgets.restating import AnySettings
from fairreport.widgets.settings import bars_of
from fairreport.widgets.threshold_rows import ThresholdRows
from fairreport.widgets.toolkit import ipywidgets

_NO_SHORTFALL = ""
"""Stands for none as a value, which a dropdown takes for nothing chosen."""

_SHORTFALLS = [
    ("to the rate of the reference", ShortfallMethod.TO_REFERENCE_MEAN.value),
    ("to the rate of both together", ShortfallMethod.TO_COMBINED_MEAN.value),
    ("not counted", _NO_SHORTFALL),
]
_SPREADS = [("of all evaluated rows", SpreadKind.POPULATION.value), ("of the pair, pooled", SpreadKind.POOLED.value)]
_OPTIONAL = ("ratio_threshold", "difference_threshold")
"""Of a function of the user's own these are stated or not; nothing is stated by an empty text."""

_SLIDERS = {
    "air_threshold": (
        "AIR threshold",
        "Adverse impact ratio below which a group is below the threshold",
        LOWEST_THRESHOLD,
        1.0,
    ),
    "relative_rate_threshold": (
        "Rate threshold",
        "Ratio of unfavorable rates above which a group is beyond the threshold",
        1.0,
        2.0,
    ),
    "odds_ratio_threshold": (
        "Odds threshold",
        "Odds ratio below which a group is beyond the threshold; above, where an outcome of 1 is unfavorable",
        0.05,
        1.0,
    ),
    "smd_threshold": (
        "SMD threshold",
        "Standardized difference beyond which a group is beyond the threshold; its sign is the direction",
        -1.0,
        1.0,
    ),
    "ratio_threshold": (
        "Ratio threshold",
        "Ratio, turned so that below 1 is worse, below which a group is below the threshold",
        LOWEST_THRESHOLD,
        1.0,
    ),
}


class PairPanel:
    """One control a setting of a test of named pairs.

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
        The controls by the parameter that they set; ``"bar"`` sets the one of `BARS` that the test has, ``"of"``
        chooses whose reference is set.
    thresholds : ThresholdRows
        The thresholds on measurements.
    """

    def __init__(self, exploration: Exploration, changed: parts.Changed) -> None:
        self._exploration = exploration
        self._reported = parts.Reported(changed)
        self._position = next(i for i, test in exploration.tests.items() if isinstance(test, PairTest))
        self._base = parts.of_kind(exploration.settings(self._position), PairSettings)
        self._references: dict[str, str] = {}
        self.by_name: dict[str, Any] = {
            "of": parts.dropdown("Reference of", "Whose reference the next setting is"),
            "reference": parts.dropdown("Reference", "The group that the others are compared with"),
            "bar": parts.slider("Threshold", "What the figure of each pair is held against"),
            "ratio_threshold": self._optional("Ratio threshold", "Ratio below which a group is below; empty for none"),
            "difference_threshold": self._optional(
                "Gap threshold", "Difference above which a group is beyond; empty for none"
            ),
            "percent_difference_threshold": parts.fraction(
                "Gap threshold", "Difference of the rates, 0 to 1, that must be exceeded as well", step=0.01
            ),
            "lower_is_favorable": parts.checkbox("Lower is favorable", "Whether a lower outcome is the favorable one"),
            "alpha": parts.fraction("Alpha", "Significance level", low=parts.SMALLEST_ALPHA, high=parts.LARGEST_ALPHA),
            "confidence_level": parts.fraction(
                "Confidence level",
                "Level of the confidence intervals",
                low=parts.SMALLEST_ALPHA,
                high=parts.LARGEST_ALPHA,
                step=0.01,
            ),
            "p_value_adjustment": parts.dropdown(
                "Correction",
                "Adjustment of the p-values for the number of comparisons",
                parts.worded_options((item.value for item in PValueAdjustment), ADJUSTMENTS),
            ),
            "adjust_over_quantiles": parts.checkbox(
                "All quantiles at once", "Adjust the p-values over all quantiles together, with Holm by default"
            ),
            "max_for_fishers": ipywidgets.BoundedFloatText(
                min=0.0,
                max=float(parts.MOST),
                step=10.0,
                **parts.labelled(
                    "Fisher's test up to", "Smallest observed or expected cell up to which Fisher's exact test is made"
                ),
            ),
            "shortfall_method": parts.dropdown(
                "Shortfall", "Up to which rate favorable outcomes that lack are counted", _SHORTFALLS
            ),
            "sd": parts.dropdown("Divided by", "Standard deviation that the difference is divided by", _SPREADS),
            "welch": parts.checkbox("Welch's test", "Test without assuming equal variances"),
        }
        self.thresholds = ThresholdRows(self._reported.tell)
        self.box = ipywidgets.VBox([parts.grid(self.by_name.values()), self.thresholds.box])
        self.load(self._position, self._base)
        for control in self.by_name.values():
            control.observe(self._on_setting, names="value")

    @staticmethod
    def _optional(description: str, tooltip: str) -> Any:
        return ipywidgets.Text(placeholder="none", continuous_update=False, **parts.labelled(description, tooltip))

    def load(self, position: int, settings: AnySettings) -> None:
        """Show the settings of a test."""
        with self._reported:
            self._load(position, parts.of_kind(settings, PairSettings))

    def _load(self, position: int, settings: PairSettings) -> None:
        test = self._test(position)
        self._position, self._base = position, settings
        self._references = dict(settings.references)
        chosen = self.by_name
        of = chosen["of"].value if chosen["of"].value in settings.references else next(iter(settings.references))
        chosen["of"].options = parts.data_options({name: name for name in settings.references})
        chosen["of"].value = of
        parts.show(chosen["of"], shown=len(settings.references) > 1)
        self._load_reference()
        self._load_bar(test, settings)
        for name, value in settings.values.items():
            if name in _OPTIONAL and name in chosen and (name != "ratio_threshold" or not self._slides(test)):
                chosen[name].value = parts.shown_number(value)
            elif name == "shortfall_method":
                chosen[name].value = value or _NO_SHORTFALL
            elif name in {"alpha", "confidence_level", "percent_difference_threshold", "max_for_fishers"}:
                parts.load_fraction(chosen[name], float(value or 0.0))
            elif name not in BARS:
                chosen[name].value = value
        for name, control in chosen.items():
            if name not in {"of", "reference", "bar", "ratio_threshold"}:
                parts.show(control, shown=name in settings.values)
        parts.show(chosen["bar"], shown=self._slides(test))
        parts.show(chosen["ratio_threshold"], shown=not self._slides(test))
        self.thresholds.load(settings.thresholds, test.known_measurements, bars_of([DEFAULT_PAIR_THRESHOLD])[0])

    def _test(self, position: int) -> PairTest:
        test = self._exploration.tests[position]
        if not isinstance(test, PairTest):
            raise TypeError(type(test).__name__)
        return test

    @staticmethod
    def _slides(test: PairTest) -> bool:
        """Tell whether the threshold of a test stands on a slider: everywhere but where none need be stated."""
        return "difference_threshold" not in type(test).model_fields

    def _load_bar(self, test: PairTest, settings: PairSettings) -> None:
        name = bar_of(test)
        description, tooltip, low, high = _SLIDERS[name]
        control = self.by_name["bar"]
        control.description, control.tooltip = description, tooltip
        if self._slides(test):
            high = 3.0 if settings.values.get("lower_is_favorable") is True and name.startswith("odds") else high
            parts.load_slider(control, float(settings.values[name] or 0.0), low=low, high=high)

    def _load_reference(self) -> None:
        of = str(self.by_name["of"].value)
        present = self._references[of]
        known = [*self._exploration.references(self._position, of)]
        levels = known if present in known else [*known, present]
        control = self.by_name["reference"]
        control.options = parts.data_options({level: level for level in levels})
        control.value = present
        parts.show(control, shown=len(levels) > 1)

    def read(self) -> PairSettings:
        """Return the settings as the controls stand."""
        test = self._test(self._position)
        values = dict(self._base.values)
        for name in values:
            if name in BARS and self._slides(test):
                values[name] = parts.slid(self.by_name["bar"].value)
            elif name in _OPTIONAL:
                values[name] = parts.typed(self.by_name[name].value)
            elif name == "shortfall_method":
                values[name] = self.by_name[name].value or None
            else:
                values[name] = self.by_name[name].value
        self._references[str(self.by_name["of"].value)] = str(self.by_name["reference"].value)
        return replace(self._base, values=values, references=dict(self._references), thresholds=self.thresholds.read())

    def _on_setting(self, change: Mapping[str, Any]) -> None:
        if self._reported.is_held:
            return
        if change["owner"] is self.by_name["of"]:
            with self._reported:
                self._load_reference()
            return
        if change["owner"] is self.by_name["lower_is_favorable"]:
            with self._reported:
                self._load_bar(self._test(self._position), self.read())
        self._reported.tell()
