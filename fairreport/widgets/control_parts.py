"""The parts that controls are made of: labels, options of data strings, sliders that hold what is stated."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol, TypeVar

from fairreport.render import formats
from fairreport.widgets.restating import AnySettings
from fairreport.widgets.toolkit import ipywidgets

STYLE = {"description_width": "11.5em"}
LONGEST_OPTION = 60
SMALLEST_ALPHA, LARGEST_ALPHA = 0.0001, 0.9999
MOST = 2**31

Changed = Callable[[], None]
Kind = TypeVar("Kind", bound=AnySettings)


class Panel(Protocol):
    """The controls of one kind of test."""

    @property
    def box(self) -> Any:
        """All controls, as one widget."""

    @property
    def by_name(self) -> Mapping[str, Any]:
        """The controls by the setting that they set."""

    def load(self, position: int, settings: AnySettings) -> None:
        """Show the settings of a test."""

    def read(self) -> AnySettings:
        """Return the settings as the controls stand."""


class Reported:
    """What a reader changes; while the program itself sets controls, `with` this, they report nothing.

    Parameters
    ----------
    changed : callable
        Called without arguments when a reader changes something.
    """

    def __init__(self, changed: Changed) -> None:
        self._changed = changed
        self.is_held = False

    def __enter__(self) -> None:
        self.is_held = True

    def __exit__(self, *_error: object) -> None:
        self.is_held = False

    def tell(self) -> None:
        """Call what is to be called, unless the program sets controls."""
        if not self.is_held:
            self._changed()


def of_kind(settings: AnySettings, kind: type[Kind]) -> Kind:
    """Return settings that are of the kind of a panel.

    Raises
    ------
    TypeError
        If they are of another kind.
    """
    if not isinstance(settings, kind):
        raise TypeError(type(settings).__name__)
    return settings


def labelled(description: str, tooltip: str) -> dict[str, Any]:
    """Return what every control has: a label that belongs to it, and what it means."""
    return {
        "description": description,
        "tooltip": tooltip,
        "style": STYLE,
        "layout": ipywidgets.Layout(width="auto"),
    }


def dropdown(description: str, tooltip: str, options: Iterable[tuple[str, Any]] = ()) -> Any:
    """Return a control that chooses one of several."""
    return ipywidgets.Dropdown(options=list(options), **labelled(description, tooltip))


def fraction(description: str, tooltip: str, *, low: float = 0.0, high: float = 1.0, step: float = 0.005) -> Any:
    """Return a control of a number between two ends."""
    return ipywidgets.BoundedFloatText(min=low, max=high, step=step, **labelled(description, tooltip))


def whole(description: str, tooltip: str) -> Any:
    """Return a control of a whole number of at least one."""
    return ipywidgets.BoundedIntText(min=1, max=MOST, **labelled(description, tooltip))


def checkbox(description: str, tooltip: str) -> Any:
    """Return a control that is on or off."""
    return ipywidgets.Checkbox(indent=True, **labelled(description, tooltip))


def slider(description: str, tooltip: str) -> Any:
    """Return a slider of hundredths; see `load_slider`."""
    return ipywidgets.FloatSlider(min=0.0, max=1.0, step=0.01, readout_format=".2f", **labelled(description, tooltip))


def grid(controls: Iterable[Any]) -> Any:
    """Return controls side by side, as many as there is room for."""
    layout = ipywidgets.Layout(
        display="grid", grid_template_columns="repeat(auto-fit, minmax(min(22em, 100%), 1fr))", width="100%"
    )
    return ipywidgets.Box(list(controls), layout=layout)


def data_options(values: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Return options whose labels are data strings: control characters made visible, long ones shortened."""
    labels = {name: formats.printable(name) for name in values}
    short = formats.shortened_apart(list(dict.fromkeys(labels.values())), LONGEST_OPTION)
    return [(short[labels[name]], value) for name, value in values.items()]


def worded_options(values: Iterable[str], words: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return options with their words."""
    return [(words[value], value) for value in values]


def show(control: Any, *, shown: bool) -> None:
    """Show a control, or hide it so that it cannot be reached either."""
    control.disabled = not shown
    control.layout.display = None if shown else "none"


def load_slider(control: Any, value: float, *, low: float, high: float) -> None:
    """Show a value on a slider, whose ends and steps are made to hold it."""
    least, most = min(low, math.floor(value * 100) / 100), max(high, math.ceil(value * 100) / 100)
    control.min, control.max = min(control.min, least), max(control.max, most)  # ends between must not move the value
    control.value = value
    control.min, control.max = least, most
    is_fine = not math.isclose(value * 100, round(value * 100), abs_tol=1e-9)
    control.step, control.readout_format = (0.001, ".3f") if is_fine else (0.01, ".2f")


def load_fraction(control: Any, value: float) -> None:
    """Show a value in a bounded control, whose ends are made to hold it."""
    control.min = min(control.min, value)
    control.max = max(control.max, value)
    control.value = value


def slid(value: float) -> float:
    """Return the value of a slider, which adds up its steps."""
    return round(value, 9)


def typed(text: str) -> float | str | None:
    """Return the number that was typed, None for nothing, and the text itself where it is no number."""
    stripped = text.strip()
    if not stripped:
        return None
    try:
        return float(stripped)
    except ValueError:
        return stripped


def shown_number(value: float | str | None) -> str:
    """Return a number as it would be typed; empty for none."""
    return "" if value is None else f"{value}"


def in_order(stated: tuple[str, ...], chosen: Iterable[str]) -> tuple[str, ...]:
    """Return the chosen columns, in the order they had where they are the same ones."""
    columns = tuple(chosen)
    return stated if set(stated) == set(columns) else columns
