"""The controls of an explorer: the choice of the test, and native widgets with labels for the settings of its kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fairreport.analyses.gap_parameters import RateGaps
from fairreport.analyses.kinds import KINDS
from fairreport.analyses.pair_parameters import PairTest
from fairreport.widgets import control_parts as parts
from fairreport.widgets.disparity_panel import DisparityPanel
from fairreport.widgets.exploration import Exploration
from fairreport.widgets.gap_panel import GapPanel
from fairreport.widgets.pair_panel import PairPanel
from fairreport.widgets.restating import AnySettings
from fairreport.widgets.toolkit import ipywidgets

_PANELS: tuple[tuple[type | tuple[type, ...], Callable[[Exploration, parts.Changed], parts.Panel]], ...] = (
    (KINDS, DisparityPanel),
    (RateGaps, GapPanel),
    (PairTest, PairPanel),
)
"""The controls of each kind of test, in the order in which they are looked for."""


class Controls:
    """The choice of the test, and one control a setting.

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
    test : ipywidgets.Dropdown
        Chooses the test.
    """

    def __init__(self, exploration: Exploration, names: Mapping[int, str], changed: parts.Changed) -> None:
        self.test = parts.dropdown(
            "Test",
            "Which test of the audit to explore",
            parts.data_options(dict(zip(names.values(), names, strict=True))),
        )
        made = {
            kinds: panel(exploration, changed)
            for kinds, panel in _PANELS
            if any(isinstance(test, kinds) for test in exploration.tests.values())
        }
        self._panels = {
            position: next(panel for kinds, panel in made.items() if isinstance(test, kinds))
            for position, test in exploration.tests.items()
        }
        self._all = tuple(made.values())
        self.box = ipywidgets.VBox([parts.grid([self.test]), *(panel.box for panel in self._all)])
        self.load(self.position, exploration.settings(self.position))
        self._changed = changed
        self.test.observe(self._on_test, names="value")

    @property
    def position(self) -> int:
        """The position of the chosen test."""
        return int(self.test.value)

    @property
    def panel(self) -> parts.Panel:
        """The controls of the chosen test."""
        return self._panels[self.position]

    @property
    def by_name(self) -> dict[str, Any]:
        """The controls of the chosen test by the setting that they set; ``"test"`` chooses the test."""
        return {"test": self.test, **self.panel.by_name}

    @property
    def rule(self) -> int:
        """The position of the rule that is looked at, of a test of rate gaps."""
        return self.panel.rule if isinstance(self.panel, GapPanel) else 0

    def load(self, position: int, settings: AnySettings) -> None:
        """Show the settings of a test, and the controls of its kind only."""
        wanted = self._panels[position]
        for panel in self._all:
            panel.box.layout.display = "grid" if panel is wanted else "none"
        wanted.load(position, settings)

    def read(self) -> AnySettings:
        """Return the settings as the controls stand."""
        return self.panel.read()

    def _on_test(self, _change: object) -> None:
        self._changed()
