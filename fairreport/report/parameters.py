"""The parameters of all tests in one table: what tests share is stated once, what differs once for each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from fairreport.analyses.stated import StatedTest
from fairreport.render.views import Name, Setting

ALL_TESTS = "all"
_RUN_FROM = 3
"""Tests that follow one another are printed as their first and last from this many on."""
LONGEST_VALUE = 600
"""A value of more characters, such as hundreds of declared groups, is not printed again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedParameter:
    """A value of a parameter.

    Attributes
    ----------
    name : str
        The parameter.
    meaning : str
        What it is; empty where the row before says it.
    value : Name
        Its value, as written in Python.
    origin : str
        Where the value comes from.
    tests : str
        The numbers of the tests that have it, or ``"all"``.
    """

    name: str
    meaning: str
    value: Name
    origin: str
    tests: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UnsetParameter:
    """A parameter that every test which knows it leaves at its default, none; `tests` is empty where all do."""

    name: str
    tests: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """The parameters of all tests: every value with its origin, and the names of those that no test sets."""

    stated: tuple[StatedParameter, ...]
    unset: tuple[UnsetParameter, ...]


@dataclass(frozen=True, slots=True)
class _Use:
    """One parameter in all tests: the numbers of its tests by value and origin."""

    meaning: str
    numbers: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    values: dict[tuple[str, str], Name] = field(default_factory=dict)
    unset: list[str] = field(default_factory=list)


Stated = tuple[str, StatedTest, Sequence[Setting]]
"""A test with its number in the packet and its parameters as they print."""


def parameters_of(tests: Sequence[Stated]) -> Parameters:
    """Return the parameters of all tests.

    Parameters
    ----------
    tests : sequence of Stated
        All of them, in the order in which they are printed.
    """
    uses: dict[tuple[str, str], _Use] = {}
    for number, test, settings in tests:
        values, fields = test.parameters(), type(test).model_fields
        for item in settings:
            meaning = fields[item.name].description or ""
            use = uses.setdefault((item.name, meaning), _Use(meaning))
            value = _fitting(item.value)
            key = (value.text, item.origin)
            use.numbers.setdefault(key, []).append(number)
            use.values.setdefault(key, value)
            if values[item.name] is None and test.origin(item.name) == "default":
                use.unset.append(number)
    everything = [number for number, _, _ in tests]
    return Parameters(
        stated=tuple(row for (name, _), use in uses.items() for row in _stated(name, use, everything)),
        unset=tuple(
            UnsetParameter(name=name, tests="" if numbers == everything else in_runs(numbers))
            for name, numbers in _never_set(uses)
        ),
    )


def _fitting(value: Name) -> Name:
    """Return a value, or where it stands where it is too long for a table."""
    return value if len(value.text) <= LONGEST_VALUE else Name.prose("stated in full in audit.yaml")


def _never_set(uses: Mapping[tuple[str, str], _Use]) -> Iterator[tuple[str, list[str]]]:
    for (name, _), use in uses.items():
        if _is_unset(use):
            yield name, use.unset


def _is_unset(use: _Use) -> bool:
    return len(use.unset) == sum(len(numbers) for numbers in use.numbers.values())


def _stated(name: str, use: _Use, everything: list[str]) -> Iterator[StatedParameter]:
    if _is_unset(use):
        return
    for position, (key, numbers) in enumerate(use.numbers.items()):
        yield StatedParameter(
            name=name,
            meaning="" if position else use.meaning,
            value=use.values[key],
            origin=key[1],
            tests=ALL_TESTS if numbers == everything and len(numbers) > 1 else in_runs(numbers),
        )


def in_runs(numbers: Sequence[str]) -> str:
    """Return the numbers of tests, those that follow one another as first and last.

    Examples
    --------
    >>> in_runs(["5.1", "5.2", "5.3", "7.1", "7.3"])
    '5.1–5.3, 7.1, 7.3'
    """
    runs: list[list[str]] = []
    for number in numbers:
        if runs and _follows(number, runs[-1][-1]):
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) >= _RUN_FROM else ", ".join(run) for run in runs)


def _follows(number: str, before: str) -> bool:
    section, _, position = number.partition(".")
    section_before, _, position_before = before.partition(".")
    return section == section_before and int(position) == int(position_before) + 1
