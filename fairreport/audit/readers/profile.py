"""What a user states for the tables of a preset: which column is what, how categories are called, dates, words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from pydantic_core import PydanticCustomError

from fairreport.audit.readers.preset import Preset, ProfileKey, ProfileKeyKind, day
from fairreport.errors import Fault, nearest
from fairreport.tables.text import NestedValueError, canonical


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What a user states for the tables of a preset.

    Attributes
    ----------
    columns : mapping of str to str
        Column of the data, by the key of the profile.
    labels : mapping of str to mapping of str to str
        For a key of a column: how values of the data are called in the tables. Values of one label count together.
    shares : mapping of str to float
        Numbers above 0 and at most 1.
    texts : mapping of str to str
        Words, and days such as 2026-11-29.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    shares: Mapping[str, float] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)

    def label(self, key: str, value: str) -> str:
        """Return how a value of a column is called; as it is where nothing is stated."""
        return self.labels.get(key, {}).get(value, value)

    def document(self, preset: Preset) -> dict[str, Any]:
        """Return it as it may stand in a configuration, in the order of the preset's keys."""
        stated: dict[str, Any] = {**self.columns, **self.shares, **self.texts}
        found: dict[str, Any] = {}
        for item in preset.profile:
            if item.kind is ProfileKeyKind.LABELS and self.labels:
                found[item.key] = {key: dict(words) for key, words in self.labels.items()}
            elif item.key in stated:
                found[item.key] = stated[item.key]
        return found

    def strings(self) -> Iterator[str]:
        """Yield every text that the user stated."""
        yield from self.columns.values()
        yield from self.texts.values()
        for words in self.labels.values():
            yield from words.values()


def read_profile(preset: Preset | None, stated: Any, path: str) -> tuple[Profile, list[Fault]]:
    """Return what a profile states, and everything that is wrong with it.

    Parameters
    ----------
    preset : Preset or None
        The preset whose tables it is for.
    stated : mapping or None
        Keys of the preset and values.
    path : str
        Where it stands, for the messages.
    """
    if stated is None:
        return Profile(), []
    if not isinstance(stated, Mapping):
        return Profile(), [Fault(code="bad_type", message=f"must be a mapping, got {stated!r}", path=path)]
    if preset is None:
        message = "says what the tables of a preset show; name the preset beside it"
        return Profile(), [Fault(code="missing_parameter", message=message, path=path)]
    known = {item.key: item for item in preset.profile}
    columns: dict[str, str] = {}
    labels: dict[str, Mapping[str, str]] = {}
    shares: dict[str, float] = {}
    texts: dict[str, str] = {}
    faults: list[Fault] = []
    for key, value in stated.items():
        item, place = known.get(str(key)), f"{path}.{key}"
        if item is None:
            faults.append(_unknown(preset, str(key), place))
        elif value is None:
            continue
        elif item.kind is ProfileKeyKind.LABELS:
            labels.update(_labels(preset, value, place, faults))
        elif item.kind is ProfileKeyKind.SHARE:
            shares.update(_share(item, value, place, faults))
        elif item.kind is ProfileKeyKind.COLUMN:
            columns.update(_words(item, value, place, faults, wanted="a column name"))
        else:
            texts.update(_words(item, value, place, faults, wanted="text"))
    twice = [name for name in columns.values() if list(columns.values()).count(name) > 1]
    if twice:
        message = f"names the column {twice[0]!r} twice"
        faults.append(Fault(code="duplicate_columns", message=message, path=path))
    return Profile(columns=columns, labels=labels, shares=shares, texts=texts), faults


def _unknown(preset: Preset, key: str, path: str) -> Fault:
    keys = [item.key for item in preset.profile]
    if not keys:
        return Fault(code="unknown_parameter", message=f"the preset {preset.name} takes no profile", path=path)
    message = f"is no known key; known: {', '.join(keys)}.{nearest(key, keys)}"
    return Fault(code="unknown_parameter", message=message, path=path)


def _words(item: ProfileKey, value: Any, path: str, faults: list[Fault], *, wanted: str) -> dict[str, str]:
    if item.kind is ProfileKeyKind.DATE:
        try:
            return {item.key: day(value)}
        except PydanticCustomError as error:
            faults.append(Fault(code=error.type, message=str(error), path=path))
            return {}
    if isinstance(value, (bool, date)) or not isinstance(value, (str, int)) or not str(value).strip():
        faults.append(Fault(code="bad_type", message=f"must be {wanted}, got {value!r}", path=path))
        return {}
    # A column is called what it is called, white space included.
    return {item.key: str(value) if item.kind is ProfileKeyKind.COLUMN else str(value).strip()}


def _share(item: ProfileKey, value: Any, path: str, faults: list[Fault]) -> dict[str, float]:
    most = 1.0 if item.most is None else item.most
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or not 0 < value <= most:
        message = f"must be a number above 0 and at most {most:g}, got {value!r}"
        faults.append(Fault(code="out_of_range" if is_number else "bad_type", message=message, path=path))
        return {}
    return {item.key: float(value)}


def _labels(preset: Preset, value: Any, path: str, faults: list[Fault]) -> dict[str, Mapping[str, str]]:
    keys = [item.key for item in preset.keys_of(ProfileKeyKind.COLUMN)]
    wanted = f"must map {' or '.join(keys)} to what each value is called, such as {{{keys[0]}: {{F: Female}}}}"
    if not isinstance(value, Mapping):
        faults.append(Fault(code="bad_type", message=f"{wanted}; got {value!r}", path=path))
        return {}
    found: dict[str, Mapping[str, str]] = {}
    for key, words in value.items():
        place = f"{path}.{key}"
        if str(key) not in keys:
            message = f"is no known key; known: {', '.join(keys)}.{nearest(str(key), keys)}"
            faults.append(Fault(code="unknown_parameter", message=message, path=place))
        elif not isinstance(words, Mapping):
            faults.append(Fault(code="bad_type", message=f"{wanted}; got {words!r}", path=place))
        else:
            found[str(key)] = {
                text: label for raw, called in words.items() for text, label in _label(raw, called, place, faults)
            }
    return found


def _label(raw: Any, called: Any, path: str, faults: list[Fault]) -> Iterator[tuple[str, str]]:
    try:
        text = canonical(raw)
    except NestedValueError:
        text = None
    if text is None or not isinstance(called, str) or not called.strip():
        message = f"must map a value to text, got {raw!r}: {called!r}"
        faults.append(Fault(code="bad_type", message=message, path=path))
    else:
        yield text, called.strip()
