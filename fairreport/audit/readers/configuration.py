"""One door for configurations: a path, a mapping or a list; the shape tells which format it is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairreport.audit.readers.audit_yaml import StatedAudit, read_audit_yaml
from fairreport.audit.readers.data import data_of
from fairreport.audit.readers.fairness_yaml import fairness_of, read_policy
from fairreport.audit.readers.preset import find_preset
from fairreport.audit.readers.preset_defaults import with_defaults
from fairreport.audit.readers.tests_json import StatedTest, read_tests_json
from fairreport.audit.readers.text_file import read_text
from fairreport.audit.readers.yaml_text import ParsedYaml, parse_yaml
from fairreport.errors import ConfigError, Fault
from fairreport.tables.places import place_of

if TYPE_CHECKING:
    from fairreport.audit.audit import Audit


_PATHS = ("logo", "templates")


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """A configuration as stated, with the data it names resolved against the folder of its file."""

    stated: StatedAudit
    data: Any
    text: str | None
    name: str | None
    parsed: ParsedYaml | None = None
    folder: Path | None = None

    @property
    def report(self) -> dict[str, Any]:
        """What it states under ``audit.report``, with the paths as they can be opened from here."""
        found = dict(self.stated.report)
        for name in _PATHS:
            if found.get(name) is not None:
                found[name] = Path(found[name]) if self.folder is None else self.folder / found[name]
        return found

    def line(self, path: str) -> int | None:
        """Return the line of a dotted path in the file, where there is one."""
        return None if self.parsed is None else self.parsed.line(path)


def read_configuration(
    config: Any,
    data: Any,
    kind: type[Audit],
    policy: Any = None,
    *,
    table: str | None = None,
    preset: str | None = None,
    time_column: str | None = None,
    timezone: str | None = None,
) -> Audit:
    """Return the audit that a configuration describes; see `Audit.from_config`."""
    configuration = load_configuration(config, data, policy, table=table, preset=preset)
    return audit_of(configuration, kind, time_column=time_column, timezone=timezone)


def audit_of(
    configuration: Configuration, kind: type[Audit], *, time_column: str | None = None, timezone: str | None = None
) -> Audit:
    """Return the audit that a configuration states.

    Parameters
    ----------
    configuration : Configuration
        As it was read.
    kind : type
        `Audit`.
    time_column, timezone : str, optional
        Instead of what it states under ``audit.time``.

    Raises
    ------
    ConfigError
        If it names no data.
    """
    stated = configuration.stated
    if configuration.data is None:
        message = "no data: the configuration names none, and none was given beside it"
        raise ConfigError(
            Fault(code="missing_parameter", message=message, path="audit.data"), source=configuration.name
        )
    audit = kind(
        configuration.data,
        title=stated.title,
        counts=stated.counts,
        missing_values=stated.missing_values,
        groups=stated.groups,
        about=stated.about,
        as_of=stated.as_of,
        time_column=time_column or stated.time.get("column"),
        timezone=timezone or stated.time.get("timezone"),
    )
    name = stated.report.get("preset")
    preset = None if name is None else find_preset(name)
    for item in stated.tests:
        test = item.test if preset is None else with_defaults(item.test, preset)
        audit.add(test, ignored=item.ignored, window=item.window)
    audit.report = configuration.report
    return audit


def load_configuration(
    config: Any, data: Any = None, policy: Any = None, *, table: str | None = None, preset: str | None = None
) -> Configuration:
    """Return a configuration as stated.

    Parameters
    ----------
    config, data, policy, table : object
        See `Audit.from_config`.
    preset : str, optional
        The preset to use, whatever the configuration names.

    Raises
    ------
    ConfigError
        With all faults, each with its dotted path and, in YAML, its line.
    """
    if isinstance(config, (str, Path)):
        return _from_file(Path(config), data, table, policy, preset)
    stated = _by_shape(config, policy, preset)
    return Configuration(stated=stated, data=_data(stated, data, table, None), text=None, name=None)


def _from_file(path: Path, data: Any, table: str | None, policy: Any, preset: str | None) -> Configuration:
    text = read_text(path)
    if path.suffix.lower() == ".json":
        parsed = ParsedYaml(content=_parse_json(text, path.name), lines={})
    else:
        try:
            parsed = parse_yaml(text)
        except ConfigError as error:
            raise ConfigError(error.errors, source=path.name) from None
    try:
        stated = _by_shape(parsed.content, policy, preset)
        named = None if data is not None else _data(stated, None, table, path.parent)
    except ConfigError as error:
        located = [
            Fault(code=f.code, message=f.message, path=f.path, line=f.line or parsed.line(f.path)) for f in error.errors
        ]
        raise ConfigError(located, source=path.name) from None
    return Configuration(
        stated=stated,
        data=named if data is None else place_of(data, table),
        text=text,
        name=path.name,
        parsed=parsed,
        folder=path.parent,
    )


def _parse_json(text: str, name: str) -> Any:
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        stated: dict[str, Any] = {}
        for key, value in pairs:
            if key in stated:
                raise ConfigError(Fault(code="duplicate_key", message=f"the key {key!r} is stated twice"), source=name)
            stated[key] = value
        return stated

    try:
        return json.loads(text, object_pairs_hook=unique)
    except ConfigError:
        raise
    except json.JSONDecodeError as error:
        fault = Fault(code="bad_syntax", message=f"is no JSON: {error.msg}", line=error.lineno)
        raise ConfigError(fault, source=name) from None
    except RecursionError:
        raise ConfigError(Fault(code="too_large", message="the file nests too deeply"), source=name) from None
    except ValueError:  # Python reads no whole number of more than 4,300 digits
        raise ConfigError(Fault(code="too_large", message="a number has too many digits"), source=name) from None


def _by_shape(content: Any, policy: Any, preset: str | None) -> StatedAudit:
    if policy is not None and not (isinstance(content, Mapping) and "fairness" in content):
        message = "goes with a fairness.yaml; state confidence_level in the test of rate gaps instead"
        raise ConfigError(Fault(code="unknown_parameter", message=message, path="policy"))
    report = {} if preset is None else {"preset": preset}
    if isinstance(content, list):
        return StatedAudit(tests=tuple(read_tests_json(content)), report=report)
    if isinstance(content, Mapping) and "subtype" in content:
        return StatedAudit(tests=tuple(read_tests_json([content])), report=report)
    if isinstance(content, Mapping) and ("tests" in content or "audit" in content):
        return read_audit_yaml(content, preset)
    if isinstance(content, Mapping) and "fairness" in content:
        level, ignored = (None, ()) if policy is None else read_policy(Path(policy))
        fairness = fairness_of(content, confidence_level=level)
        test = StatedTest(test=fairness.test, ignored=tuple(f"policy.{key}" for key in ignored))
        return StatedAudit(title=fairness.name, data=str(fairness.cases), tests=(test,), report=report)
    message = "is no configuration; wanted a mapping with audit and tests, one with fairness, or a list of tests"
    raise ConfigError(Fault(code="bad_type", message=message))


def _data(stated: StatedAudit, data: Any, table: str | None, folder: Path | None) -> Any:
    """Return what is audited: what was given, else what the configuration names, relative to its folder."""
    if data is not None:
        return place_of(data, table)
    return None if stated.data is None else data_of(stated.data, table, folder)
