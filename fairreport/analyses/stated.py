"""What every test states beside its own parameters: its name, what it is for, and where its bars come from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr

_NO_PARAMETERS = {"name", "description", "thresholds", "threshold_source", "rationale"}


class StatedTest(BaseModel):
    """A test as a user states it; what it measures is added by each kind of test."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    analysis: ClassVar[str]
    subtype: ClassVar[str]

    name: str | None = Field(default=None, description="Name of the test, unique in its audit.")
    description: str | None = Field(default=None, description="What the test is for, in the user's words.")
    threshold_source: str | None = Field(default=None, description="Where the thresholds come from.")
    rationale: str | None = Field(default=None, description="Why this rate and this reference.")

    _of_preset: frozenset[str] = PrivateAttr(default=frozenset())

    @property
    def title(self) -> str:
        """The name of the test, or one made from its columns."""
        raise NotImplementedError

    @classmethod
    def list_parameters(cls) -> frozenset[str]:
        """Names of the parameters that a file must give as lists."""
        found = {name for name, field in cls.model_fields.items() if "tuple" in str(field.annotation)}
        return frozenset(found - cls.mapping_parameters())

    @classmethod
    def mapping_parameters(cls) -> frozenset[str]:
        """Names of the parameters that are mappings."""
        return frozenset(name for name, field in cls.model_fields.items() if "dict" in str(field.annotation))

    def parameters(self) -> dict[str, Any]:
        """Return the parameters by name, defaults included, as JSON values."""
        dumped = self.model_dump(mode="json", exclude=_NO_PARAMETERS)
        return dict(dumped)

    def attributed(self, names: Iterable[str]) -> Self:
        """Return the test with the parameters marked that have the value of the preset in use."""
        made = self.model_copy()
        made._of_preset = frozenset(names)  # noqa: SLF001 - a copy of its own kind, not yet anyone else's
        return made

    def origin(self, parameter: str) -> str:
        """Return where a value comes from.

        ``"preset"`` where it is that of the preset in use, ``"default"`` where it is the documented default,
        ``"user"`` elsewhere.
        """
        if parameter in self._of_preset:
            return "preset"
        field = type(self).model_fields[parameter]
        same = not field.is_required() and getattr(self, parameter) == field.default
        return "default" if same else "user"
