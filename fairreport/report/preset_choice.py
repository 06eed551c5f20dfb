"""The preset that a report uses, with what the user states for its tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from fairreport.analyses.outcome_parameters import OutcomeDisparity
from fairreport.analyses.score_parameters import ScoreDisparity
from fairreport.audit.readers.preset import Preset, ProfileKey, ProfileKeyKind, find_preset, preset_text, unknown_preset
from fairreport.audit.readers.profile import Profile, read_profile
from fairreport.audit.record import AuditRecord, TestRecord
from fairreport.errors import ConfigError, Fault, nearest


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenPreset:
    """A preset in use, and what the user states for its tables."""

    preset: Preset
    profile: Profile

    @property
    def sha256(self) -> str:
        """The sha256 of the file of the preset."""
        return sha256(preset_text(self.preset.name).encode()).hexdigest()

    def settings(self) -> dict[str, Any]:
        """Return what goes under ``audit.report`` of a configuration."""
        profile = self.profile.document(self.preset)
        return {"preset": self.preset.name} | ({"profile": profile} if profile else {})

    def document(self) -> dict[str, Any]:
        """Return what the manifest states: its name, its file, what the user stated."""
        return {
            "name": self.preset.name,
            "sha256": self.sha256,
            "profile": self.profile.document(self.preset),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleColumn:
    """Which column plays a part in the tables of a preset.

    Attributes
    ----------
    key : ProfileKey
        The part.
    column : str or None
        None where there is none.
    is_guessed : bool
        Whether its name told, and not the user.
    candidates : tuple of str
        Where several names fit and none was taken: these.
    """

    key: ProfileKey
    column: str | None
    is_guessed: bool = False
    candidates: tuple[str, ...] = ()


def choose_preset(name: Any, profile: Any, record: AuditRecord) -> ChosenPreset | None:
    """Return the preset of a report; None where neither a preset nor a profile is stated.

    Raises
    ------
    ConfigError
        If there is no such preset, the profile is wrong, or names a column that no test of rates has.
    """
    if name is None and profile is None:
        return None
    faults = [] if name is None else unknown_preset(name, "preset")
    if faults:
        raise ConfigError(faults)
    preset = None if name is None else find_preset(name)
    stated, faults = read_profile(preset, profile, "profile")
    if preset is None or faults:
        raise ConfigError(faults)
    columns = attributes_of(record)
    absent = [
        Fault(
            code="missing_column",
            message=f"no outcome or score test is by {column!r}; they are by {', '.join(map(repr, columns)) or 'none'}."
            f"{nearest(column, columns)}",
            path=f"profile.{key}",
        )
        for key, column in stated.columns.items()
        if column not in columns
    ]
    if absent:
        raise ConfigError(absent)
    return ChosenPreset(preset=preset, profile=stated)


def stated_preset(document: Any) -> ChosenPreset | None:
    """Return the preset that a manifest states; None where it states none, or one that is not known here."""
    if not isinstance(document, Mapping) or unknown_preset(document.get("name"), "name"):
        return None
    preset = find_preset(str(document["name"]))
    profile, faults = read_profile(preset, document.get("profile"), "profile")
    return None if faults else ChosenPreset(preset=preset, profile=profile)


def preset_strings(chosen: ChosenPreset | None) -> tuple[str, ...]:
    """Return every text of the user's that the tables of a preset print; nothing without one."""
    return () if chosen is None else tuple(chosen.profile.strings())


def rate_tests(record: AuditRecord) -> Iterator[TestRecord]:
    """Yield the tests that compare rates of outcomes or of scores."""
    for entry in record.tests:
        if isinstance(entry.test, OutcomeDisparity | ScoreDisparity):
            yield entry


def attributes_of(record: AuditRecord) -> tuple[str, ...]:
    """Return the attributes of the tests that compare rates, each once."""
    names = [name for entry in rate_tests(record) for name in entry.test.protected_attribute_columns]
    return tuple(dict.fromkeys(names))


def columns_of(chosen: ChosenPreset, record: AuditRecord) -> tuple[RoleColumn, ...]:
    """Return which column plays each part: the stated one, or the only one whose name says so."""
    available = attributes_of(record)
    stated = chosen.profile.columns
    return tuple(
        RoleColumn(key=key, column=stated[key.key])
        if key.key in stated
        else _guessed(key, [name for name in available if name not in stated.values()])
        for key in chosen.preset.keys_of(ProfileKeyKind.COLUMN)
    )


def _guessed(key: ProfileKey, available: Sequence[str]) -> RoleColumn:
    fitting = tuple(name for name in available if _plain(name) in key.names)
    if len(fitting) == 1:
        return RoleColumn(key=key, column=fitting[0], is_guessed=True)
    return RoleColumn(key=key, column=None, candidates=fitting)


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", name.casefold()).strip("_")
