"""``fairreport presets``: which presets there are, and what each says."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterator

from fairreport.audit.readers.preset import Preset, find_preset, preset_names, unknown_preset
from fairreport.cli.main import emit
from fairreport.errors import ConfigError

_COLUMNS = 100
_MEANING = "Using a preset does not by itself make an audit."


def presets(arguments: argparse.Namespace) -> int:
    """Print the presets, or what one of them says."""
    if arguments.name is None:
        lines = [line for name in preset_names() for line in _listed(find_preset(name))]
        lines += ["what one says: fairreport presets NAME", _MEANING]
    else:
        check_preset(arguments.name, "NAME")
        lines = list(_told(find_preset(arguments.name)))
    emit("\n".join(lines) + "\n")
    return 0


def check_preset(name: str, option: str) -> None:
    """Raise where there is no such preset, naming the nearest.

    Raises
    ------
    ConfigError
        With the option that states it.
    """
    faults = unknown_preset(name, option)
    if faults:
        raise ConfigError(faults)


def _listed(preset: Preset) -> Iterator[str]:
    yield preset.name
    yield from _indented(preset.title)
    yield from _indented(preset.source)
    yield from _indented(f"looked up {preset.as_of}")
    yield ""


def _told(preset: Preset) -> Iterator[str]:
    yield f"{preset.name}: {preset.title} ({preset.kind.value})"
    yield from _indented(preset.source)
    yield from _indented(preset.summary)
    yield ""
    for fact in preset.facts:
        yield from _item(fact.says)
        yield from _indented(f"{fact.source}; looked up {fact.as_of}", "    ")
    if preset.parameters:
        yield from ("", "parameters, where the configuration states none:")
        for item in preset.parameters:
            yield from _item(f"{item.name} {item.value} ({', '.join(item.analyses)})")
    if preset.requirements:
        yield from ("", "what it asks of an audit:")
        for requirement in preset.requirements:
            yield from _item(requirement.says)
    if preset.profile:
        yield from ("", "what its tables take, under audit.report.profile:")
        for key in preset.profile:
            yield from _item(f"{key.key} ({key.kind.value}): {key.says}")
    yield from ("", "what it takes as given:")
    for limit in preset.limits:
        yield from _item(f"{limit.title}. {limit.text} {limit.consequence}")
    yield from ("", _MEANING)


def _item(text: str) -> list[str]:
    return textwrap.wrap(text, _COLUMNS, initial_indent="  - ", subsequent_indent="    ")


def _indented(text: str, by: str = "  ") -> list[str]:
    return textwrap.wrap(text, _COLUMNS, initial_indent=by, subsequent_indent=by)
