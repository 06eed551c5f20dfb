"""The controls of tests of rate gaps: one rule at a time, then what all rules of the test share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from fairreport.analyses.gap_parameters import MOST_BINS, GapInterval, Rate, RateGaps
from fairreport.render.gap_sentences import RATES
from fairreport.widgets import control_parts as parts
from fairreport.widgets.exploration import Exploration
from fairreport.widgets.gap_settings import GapSettings, RuleSettings
from fairreport.widgets.restating import AnySettings
from fairreport.widgets.toolkit import ipywidgets

_BARS = [("largest gap between groups", True), ("worst group", False)]
_INTERVALS = {"simultaneous": "from the groups' intervals, all at once", "pairwise": "pair by pair"}
_LONGEST_BAR = 0.2
"""A slider of gaps ends here, unless the bar is larger."""

_SHARED = ("interval", "min_cell", "looks", "joint", "calibration_bins")
_OF_RULES = ("rate", "attribute", "is_gap", "bar", "max_left_out", "needs_review")


class GapPanel:
    """One control a setting of a test of rate gaps.

    Parameters
    ----------
    exploration : Exploration
        What is explored.
    changed : callable
        Called without arguments when a reader changes a setting or chooses another rule.

    Attributes
    ----------
    box : ipywidgets.Box
        All controls.
    by_name : dict of str to widget
        The controls by the setting that they set; ``"rule"`` chooses the rule.
    """

    def __init__(self, exploration: Exploration, changed: parts.Changed) -> None:
        self._exploration = exploration
        self._reported = parts.Reported(changed)
        self._position = next(i for i, test in exploration.tests.items() if isinstance(test, RateGaps))
        self._base = parts.of_kind(exploration.settings(self._position), GapSettings)
        self._rules = list(self._base.rules)
        self.by_name: dict[str, Any] = {
            "rule": parts.dropdown("Rule", "Which rule of the test the next six settings are of"),
            "rate": parts.dropdown("Rate", "The rate that is compared", [(RATES[rate], rate.value) for rate in Rate]),
            "attribute": parts.dropdown("Groups by", "A declared attribute, or a crossing of them"),
            "is_gap": parts.dropdown("Bar on", "The largest gap between any two groups, or the worst group", _BARS),
            "bar": parts.slider(
                "Bar", "What no gap may be above; for the worst group a floor of selection, a ceiling of error rates"
            ),
            "max_left_out": parts.fraction(
                "May be left out", "Share of cases left out, 0 to 1, above which nothing is concluded", step=0.01
            ),
            "needs_review": parts.checkbox("Ask for a person", "A person must look even where the figures pass"),
            "confidence_level": parts.fraction(
                "Confidence level",
                "Confidence that all intervals of a rule hold at once; above 0.5, below 1",
                low=0.5001,
                high=0.9999,
                step=0.01,
            ),
            "interval": parts.dropdown(
                "Bounds of gaps",
                "From the intervals of the groups, or pair by pair",
                parts.worded_options((item.value for item in GapInterval), _INTERVALS),
            ),
            "min_cell": parts.whole("Minimum cases", "Cases with a prediction that a rate must rest on"),
            "looks": parts.whole("Looks", "How often the data is looked at; the error budget is divided by it"),
            "joint": parts.checkbox("Share the budget", "Divide the error budget by the number of rules as well"),
            "calibration_bins": ipywidgets.BoundedIntText(
                min=1,
                max=MOST_BINS,
                **parts.labelled("Calibration bins", "Bins of equal width for the calibration error; never decides"),
            ),
        }
        self.box = parts.grid(self.by_name.values())
        self.load(self._position, self._base)
        for name, control in self.by_name.items():
            control.observe(self._on_rule if name == "rule" else self._on_setting, names="value")

    @property
    def rule(self) -> int:
        """The position of the chosen rule."""
        return int(self.by_name["rule"].value or 0)

    def load(self, position: int, settings: AnySettings) -> None:
        """Show the settings of a test, the chosen rule where it is the same test."""
        checked, test = parts.of_kind(settings, GapSettings), self._exploration.tests[position]
        if not isinstance(test, RateGaps):
            raise TypeError(type(test).__name__)
        with self._reported:
            chosen = self.rule if position == self._position and self.by_name["rule"].options else 0
            self._position, self._base, self._rules = position, checked, list(checked.rules)
            self.by_name["rule"].options = parts.data_options({rule.id: i for i, rule in enumerate(test.rules)})
            self.by_name["rule"].value = chosen
            self._load_attributes(position)
            parts.load_fraction(self.by_name["confidence_level"], checked.confidence_level)
            for name in _SHARED:
                self.by_name[name].value = getattr(checked, name)
            parts.show(self.by_name["calibration_bins"], shown=test.probability is not None)
            self._load_rule(self._rules[chosen])

    def _load_attributes(self, position: int) -> None:
        crossings = self._exploration.crossings(position)
        named = {" and ".join(names): frozenset(names) for names in crossings}
        self.by_name["attribute"].options = parts.data_options(named)

    def _load_rule(self, rule: RuleSettings) -> None:
        chosen = self.by_name
        chosen["rate"].value = rule.rate
        chosen["attribute"].value = frozenset(rule.attribute)
        chosen["is_gap"].value = rule.is_gap
        self._load_bar(rule)
        parts.load_fraction(chosen["max_left_out"], rule.max_left_out)
        chosen["needs_review"].value = rule.needs_review

    def _load_bar(self, rule: RuleSettings) -> None:
        parts.load_slider(self.by_name["bar"], rule.bar, low=0.0, high=_LONGEST_BAR if rule.is_gap else 1.0)

    def read(self) -> GapSettings:
        """Return the settings as the controls stand."""
        value = {name: self.by_name[name].value for name in _OF_RULES}
        value["bar"] = parts.slid(value["bar"])
        value["attribute"] = self._names(value["attribute"])
        self._rules[self.rule] = RuleSettings(**value)
        shared = {name: self.by_name[name].value for name in ("confidence_level", *_SHARED)}
        return replace(self._base, rules=tuple(self._rules), **shared)

    def _names(self, chosen: frozenset[str]) -> tuple[str, ...]:
        stated = self._base.rules[self.rule].attribute
        if frozenset(stated) == chosen:
            return stated
        known = self._exploration.crossings(self._position)
        return next(names for names in known if frozenset(names) == chosen)

    def _on_rule(self, _change: object) -> None:
        if self._reported.is_held:
            return
        with self._reported:
            self._load_rule(self._rules[self.rule])
        self._reported.tell()

    def _on_setting(self, change: Mapping[str, Any]) -> None:
        if self._reported.is_held:
            return
        if change["owner"] is self.by_name["is_gap"]:
            with self._reported:
                self._load_bar(self.read().rules[self.rule])
        self._reported.tell()
