"""What a report is asked for: each argument of its own type, and the configuration's words where one is silent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any

from fairreport.audit.about import About
from fairreport.audit.readers.preset import ProfileKeyKind, find_preset, unknown_preset
from fairreport.audit.record import AuditRecord
from fairreport.errors import ConfigError, Fault
from fairreport.report.preset_choice import attributes_of

_TYPES: dict[str, tuple[tuple[type, ...], str]] = {
    "about": ((About, Mapping), "an About or a mapping"),
    "profile": ((Mapping,), "a mapping"),
    "trends": ((), "what History.trends returns"),
    "logo": ((str, PathLike), "a path"),
    "colors": ((Mapping,), "a mapping of names to colours"),
    "footer": ((str,), "text"),
    "templates": ((str, PathLike), "a path"),
    "path": ((str, PathLike), "a path"),
}
_REQUIRED = {"path"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """How a packet is to be made; None where nobody said."""

    preset: Any = None
    profile: Any = None
    paper: Any = None
    suppress_below: Any = None
    logo: Any = None
    colors: Any = None
    footer: Any = None
    templates: Any = None

    def beside(self, stated: Mapping[str, Any], record: AuditRecord) -> Asked:
        """Return the same with what a configuration states under ``audit.report`` where this is silent.

        Parameters
        ----------
        stated : mapping
            What it states, with paths as they can be opened.
        record : AuditRecord
            What is reported: columns that none of its tests has are left out of a stated profile, since they are
            those of other tests of the audit.

        Raises
        ------
        ConfigError
            If another preset is asked for than the one whose values the parameters of the tests have.
        """
        if self.preset is not None and self.preset != stated.get("preset"):
            _refuse_two_presets(self.preset, stated.get("preset"), record)
            stated = {key: value for key, value in stated.items() if key != "profile"}  # that of another preset
        found = {name: stated.get(name) for name in self.__slots__ if getattr(self, name) is None}
        profile = found.get("profile")
        if profile is not None:
            found["profile"] = _of_record(profile, self.preset or stated.get("preset"), record)
        own = {name: getattr(self, name) for name in self.__slots__ if getattr(self, name) is not None}
        return Asked(**(found | own))


def _of_record(profile: Mapping[str, Any], preset: Any, record: AuditRecord) -> Mapping[str, Any]:
    if unknown_preset(preset, "preset"):
        return profile
    columns = {key.key for key in find_preset(preset).keys_of(ProfileKeyKind.COLUMN)}
    present = attributes_of(record)
    return {key: value for key, value in profile.items() if key not in columns or value in present}


def _refuse_two_presets(asked: Any, used: Any, record: AuditRecord) -> None:
    """Raise where parameters have the values of a preset, and the tables of another would stand beside them."""
    if used is None or unknown_preset(asked, "preset"):
        return
    if any(entry.test.origin(name) == "preset" for entry in record.entries for name in entry.test.parameters()):
        message = (
            f"the tests were judged with the preset {used!r}, whose values their parameters have; "
            f"for another one: Audit.from_config(..., preset={asked!r})"
        )
        raise ConfigError(Fault(code="two_presets", message=message, path="preset"))


def refuse_other_types(**arguments: Any) -> None:
    """Raise where an argument of a report is of another type than it takes; None is of every type that may be absent.

    Raises
    ------
    ConfigError
        With one fault an argument, each by its name.
    """
    given = {name: value for name, value in arguments.items() if value is not None or name in _REQUIRED}
    faults = [_fault(name, value) for name, value in given.items() if not _fits(name, value)]
    if faults:
        raise ConfigError(faults)


def _fits(name: str, value: Any) -> bool:
    if name == "trends":
        from fairreport.audit.trend import Trends  # noqa: PLC0415 - most reports have none

        return isinstance(value, Trends)
    if not isinstance(value, _TYPES[name][0]):
        return False
    return name != "about" or not isinstance(value, Mapping) or all(isinstance(key, str) for key in value)


def _fault(name: str, value: Any) -> Fault:
    shown = repr(value)
    more = shown if len(shown) <= 60 else f"a {type(value).__name__}"
    return Fault(code="bad_type", message=f"must be {_TYPES[name][1]}, got {more}", path=name)
