"""A first `audit.yaml` for a file or table: guesses about its columns, each written down as a guess."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairreport.audit.readers.columns import Column, Guess, guess
from fairreport.audit.readers.spellings import alike, plain
from fairreport.tables.credentials import holds_password
from fairreport.tables.places import DatabaseFile, DatabaseTable, StoredObjects, table_name
from fairreport.tables.sample import sample_file, sample_place

_SHOWN_LEVELS = 6
_RESERVED = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Starter:
    """The text of an `audit.yaml`, and what could not be guessed."""

    text: str
    doubts: tuple[str, ...]


def starter(data: Any, folder: Path) -> Starter:
    """Return a commented `audit.yaml` for a file or table.

    Parameters
    ----------
    data : Path, DatabaseTable, DatabaseFile or StoredObjects
        A CSV, JSONL or Parquet file, of which the first 200,000 rows are looked at; of a table 10,000.
    folder : Path
        Where the `audit.yaml` will lie; it names the data relative to there.

    Raises
    ------
    DataError
        If it cannot be read.
    """
    sample = sample_file(data) if isinstance(data, Path) else sample_place(data)
    found = guess(sample.names, sample.rows)
    looked = f"{'all' if sample.complete else 'the first'} {len(sample.rows):,} rows"
    lines = [
        f"# Guessed by `fairreport init` from {looked} of {quoted(_name(data))}.",
        "# Read every line and correct it. Then: fairreport run audit.yaml --html packet.html",
        *_audit_lines(found, data, folder),
        "tests:",
        *(line for attribute in found.attributes or [None] for line in _test_lines(found, attribute)),
        *_intersection_lines(found),
        *_column_lines(found),
    ]
    return Starter(text="\n".join(lines) + "\n", doubts=tuple(_doubts(found)))


def quoted(text: str) -> str:
    r"""Return any text as one YAML scalar on one line, bare where that is safe.

    Examples
    --------
    >>> quoted("age_band"), quoted("no"), quoted('a "b": c')
    ('age_band', '"no"', '"a \\"b\\": c"')
    """
    if text.isascii() and text.isidentifier() and text.lower() not in _RESERVED:
        return text
    return '"' + "".join(_escaped(character) for character in text) + '"'


def _escaped(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    return character if character.isprintable() else f"\\U{ord(character):08x}"


def _listed(texts: Sequence[str]) -> str:
    return f"[{', '.join(quoted(text) for text in texts)}]"


def _audit_lines(found: Guess, data: Any, folder: Path) -> Iterator[str]:
    yield "audit:"
    yield f"  title: {quoted(f'Audit of {_name(data)}')}"
    yield f"  data: {_data(data, folder)}"
    counted = quoted(found.counts.name) if found.counts else "null"
    yield f"  counts: {counted}  # column that says how many rows each row stands for"
    if found.time:
        column = quoted(found.time.name)
        yield f"  time: {{column: {column}}}  # for windows add: window: 7d, delay: 1h, align: 7d, timezone: UTC"
    seen = ", ".join(f"{quoted(word)} in {quoted(column)}" for word, column in found.missing_words)
    hint = f"seen: {seen}; take out a word that is a group of its own" if seen else "words for a missing cell"
    words = list(dict.fromkeys(word for word, _ in found.missing_words))
    yield f"  missing_values: {_listed(words)}  # {hint}"
    yield "  about:  # what is left empty is printed as not stated"
    yield '    system: ""  # what was audited, with its version'
    yield '    decision: ""  # the decision that people receive'
    yield '    period: ""  # the window that the data covers'
    yield '    prepared_by: ""'
    yield "    status: draft  # draft | final"
    yield "    origin: NOT STATED  # production | test | synthetic"


def _name(data: Any) -> str:
    """Return what is audited in a word: the file, the table, the objects."""
    return str(data.table[-1] if isinstance(data, (DatabaseTable, DatabaseFile)) else data.name)


def _data(data: Any, folder: Path) -> str:
    """Return what stands under ``data``; a URL with a password is left to the environment."""
    if isinstance(data, Path):
        return f"{quoted(_relative(data, folder))}  # relative to this file; --data overrides"
    if isinstance(data, DatabaseFile):
        place, hint = quoted(_relative(data.path, folder)), "relative to this file; --data and --table override"
    elif holds_password(data.url):
        place, hint = "$AUDIT_DB", "CHECK: put the URL into the environment variable AUDIT_DB"
    else:
        place, hint = quoted(data.url), "without a password: the driver reads PGPASSWORD or ~/.pgpass"
    table = "" if isinstance(data, StoredObjects) else f", table: {quoted(table_name(data.table))}"
    return f"{{url: {place}{table}}}  # {hint}"


def _relative(data: Path, folder: Path) -> str:
    try:
        return Path(os.path.relpath(data, folder)).as_posix()
    except ValueError:  # another drive
        return data.resolve().as_posix()


def _test_lines(found: Guess, attribute: Column | None) -> Iterator[str]:
    measured = found.outcome.name if found.outcome else "OUTCOME_COLUMN"
    by = attribute.name if attribute else "ATTRIBUTE_COLUMN"
    yield "  - outcome_disparity:"
    yield f"      name: {quoted(f'{measured} by {by}')}"
    yield f"      protected_attribute_columns: [{quoted(by)}]  # {_levels(attribute, found)}"
    for group in _alike(attribute):
        listed = ", ".join(map(quoted, group))
        yield f"      # CHECK: {listed} may be one group; spelt otherwise, each is judged by itself"
    yield f"      outcome_column: {quoted(measured)}  # {_levels(found.outcome, found)}"
    yield f"      favorable_values: {_favorable(found)}  # {_favorable_hint(found)}"
    if others := _unlisted(found):
        yield f"      # CHECK: {', '.join(map(quoted, others))} may be favorable too, spelt otherwise; list it if so"
    yield "      impact_ratio_threshold: 0.8"
    yield "      p_value_adjustment: holm"
    yield '      # thresholds: [{measurement: failingGroupCount, operator: "<=", value: 0}]  # the default'
    yield "      # threshold_source: where the threshold comes from"
    yield "      # rationale: why this outcome and this reference"
    if found.controls:
        yield f"      # control_columns: [{quoted(found.controls[0].name)}]  # compare like with like"


def _alike(column: Column | None) -> list[tuple[str, ...]]:
    return [] if column is None else alike([text for text, _ in column.levels])


def _unlisted(found: Guess) -> list[str]:
    """Return outcomes that may be a favorable value spelt otherwise, and are not listed; numbers are never alike."""
    if found.outcome is None or not found.favorable_is_sure:
        return []
    words = [text for text, _ in found.outcome.levels if any(map(str.isalpha, text))]
    near = [group for group in alike(words) if set(group) & set(found.favorable)]
    opposite = tuple(map(plain, found.favorable))  # "unqualified" ends as "qualified" does, and means the opposite
    others = [text for group in near for text in group if text not in found.favorable]
    return [text for text in others if not plain(text).endswith(opposite)]


def _favorable(found: Guess) -> str:
    """Return the favorable values; none where the words do not tell, so that nothing runs on a wrong guess."""
    return _listed(found.favorable) if found.favorable_is_sure else "[]"


def _favorable_hint(found: Guess) -> str:
    if found.favorable_is_sure and len(found.favorable) > 1:
        return "CHECK: each of these reads as an outcome that people want; take out what is none"
    if found.favorable_is_sure:
        return "the outcomes that people want"
    return "CHECK: list the outcomes that people want; the words do not tell"


def _levels(column: Column | None, found: Guess) -> str:
    if column is None:
        return "no column looked like it; name one"
    sized = found.counts is None  # rows of an aggregated table say nothing
    shown = ", ".join(f"{quoted(t)} ({n:,})" if sized else quoted(t) for t, n in column.levels[:_SHOWN_LEVELS])
    more = f" and {len(column.levels) - _SHOWN_LEVELS:,} more" if len(column.levels) > _SHOWN_LEVELS else ""
    return f"{shown}{more}"


def _intersection_lines(found: Guess) -> Iterator[str]:
    if len(found.attributes) < 2 or found.outcome is None:
        return
    names = [column.name for column in found.attributes[:3]]
    yield "  # Groups at the intersection of attributes, where there are rows enough:"
    yield "  # - outcome_disparity:"
    yield f"  #     name: {quoted(f'{found.outcome.name} by ' + ' and '.join(names))}"
    yield f"  #     protected_attribute_columns: {_listed(names)}"
    yield f"  #     outcome_column: {quoted(found.outcome.name)}"
    yield f"  #     favorable_values: {_favorable(found)}"


def _column_lines(found: Guess) -> Iterator[str]:
    yield "# Columns:"
    for column in found.columns:
        many = f"{column.n_levels:,} values"
        example = f", such as {quoted(column.levels[0][0])}" if column.levels else ""
        missing = f", {column.n_missing:,} empty" if column.n_missing else ""
        yield f"#   {quoted(column.name)}: {many}{example}{missing}"


def _doubts(found: Guess) -> Iterator[str]:
    if not found.attributes:
        yield "no column looks like a protected attribute; name one under protected_attribute_columns"
    if found.outcome is None:
        yield "no column looks like an outcome; name one under outcome_column"
    elif not found.favorable_is_sure:
        yield f"cannot tell which value of {found.outcome.name!r} is favorable; check favorable_values"
    else:
        yield from _outcome_doubts(found, found.outcome)
    for column in found.attributes:
        for group in _alike(column):
            yield f"values of {column.name!r} may be one group, spelt otherwise: {', '.join(map(repr, group))}"
    for column in found.too_fine:
        many = f"{column.n_levels:,} values"
        yield f"column {column.name!r} may be an attribute, but has {many}; put them in bands first"


def _outcome_doubts(found: Guess, outcome: Column) -> Iterator[str]:
    if len(found.favorable) > 1:
        levels = [(text, n) for text, n in outcome.levels if text in found.favorable]
        listed = ", ".join(f"{text!r} ({n:,})" if found.counts is None else repr(text) for text, n in levels)
        which = f"several values of {outcome.name!r} read as favorable"
        yield f"{which}, and all are listed: {listed}; check favorable_values"
    if others := _unlisted(found):
        listed = ", ".join(map(repr, others))
        yield f"values of {outcome.name!r} may be favorable, spelt otherwise, and are not listed: {listed}"
