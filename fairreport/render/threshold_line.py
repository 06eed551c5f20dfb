"""A threshold against its measurement, as it prints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdLine:
    """A threshold against its measurement: `state` is ``holds``, ``does not hold`` or ``cannot be held``."""

    measurement: str
    operator: str
    value: str
    actual: str
    state: str
    glyph: str

    HOLDS: ClassVar[str] = "holds"
    MISSED: ClassVar[str] = "does not hold"
    UNDEFINED: ClassVar[str] = "cannot be held"

    @property
    def text(self) -> str:
        """The threshold, whether it holds, and the measurement."""
        return f"{self.measurement} {self.operator} {self.value} {self.state} (is {self.actual})"
