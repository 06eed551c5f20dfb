"""Everything that a packet prints about its preset, gathered once; None where it uses none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fairreport.audit.readers.preset import Check, Preset, ProfileTables
from fairreport.audit.record import AuditRecord
from fairreport.render import formats
from fairreport.render.record_lines import said
from fairreport.render.views import Line, RunView, Sentence
from fairreport.report.preset_agreement import Agreement, AgreementLine, agreement_lines
from fairreport.report.preset_choice import ChosenPreset, columns_of
from fairreport.report.preset_stated import stated_text
from fairreport.report.profile_categories import category_sets
from fairreport.report.profile_category_text import (
    absent_sentences,
    category_tables,
    column_sentences,
    warning_sentences,
)
from fairreport.report.profile_pairs import absent_kinds, pair_tables
from fairreport.report.profile_rates import (
    DEVIATIONS_EXPLAINED,
    RATIOS_EXPLAINED,
    absent_tests,
    deviation_tables,
    ratio_tables,
)
from fairreport.report.profile_table import ProfileTable

_EXPLAINED = {ProfileTables.BEST_RATIOS: RATIOS_EXPLAINED, ProfileTables.DEVIATIONS: DEVIATIONS_EXPLAINED}


@dataclass(frozen=True, slots=True, kw_only=True)
class PresetPart:
    """What a packet prints about its preset.

    Attributes
    ----------
    preset : Preset
        The preset.
    sha256 : str
        Of its file.
    agreement : tuple of AgreementLine
        What it asks, and whether the run is so.
    counted : str
        How many requirements are met and how many differ, in words.
    stated : tuple of Line
        What the user stated for its tables, dates and words.
    columns : tuple of Sentence
        Which column plays which part.
    explained : tuple of str
        How to read its tables.
    tables : tuple of ProfileTable
        Its tables.
    absent : tuple of Sentence
        Why a table is absent, one sentence each.
    warnings : tuple of Sentence
        What does not fit together.
    """

    preset: Preset
    sha256: str
    agreement: tuple[AgreementLine, ...]
    counted: str
    stated: tuple[Line, ...]
    columns: tuple[Sentence, ...]
    explained: tuple[str, ...]
    tables: tuple[ProfileTable, ...]
    absent: tuple[Sentence, ...]
    warnings: tuple[Sentence, ...]

    @property
    def is_wide(self) -> bool:
        """Whether some table needs a landscape page."""
        return any(table.is_wide for table in self.tables)


def preset_part(
    chosen: ChosenPreset | None, record: AuditRecord, run: RunView, numbers: Mapping[str, str]
) -> PresetPart | None:
    """Return what a packet prints about its preset.

    Parameters
    ----------
    chosen : ChosenPreset or None
        The preset; None where there is none.
    record : AuditRecord
        The run.
    run : RunView
        The same as it prints.
    numbers : mapping of str to str
        The numbers of its tests in the packet, by name.
    """
    if chosen is None:
        return None
    kind = chosen.preset.tables
    sets = category_sets(chosen, record) if kind is ProfileTables.CATEGORIES else ()
    lines = agreement_lines(chosen, record, numbers, sets)
    tables: tuple[ProfileTable, ...]
    absent: tuple[Sentence, ...]
    columns: tuple[Sentence, ...] = ()
    warnings: tuple[Sentence, ...] = ()
    if kind is ProfileTables.CATEGORIES:
        tables, absent = tuple(category_tables(chosen, sets)), tuple(absent_sentences(chosen, sets))
        columns = tuple(column_sentences(columns_of(chosen, record)))
        warnings = tuple(warning_sentences(chosen, sets, record))
    elif kind is ProfileTables.PAIRS:
        tables, absent = tuple(pair_tables(run, numbers)), tuple(absent_kinds(run))
    else:
        made = ratio_tables if kind is ProfileTables.BEST_RATIOS else deviation_tables
        tables, absent = tuple(made(record, numbers)), tuple(absent_tests(record))
    return PresetPart(
        preset=chosen.preset,
        sha256=chosen.sha256,
        agreement=lines,
        counted=_counted(lines),
        stated=tuple(_stated(chosen, record)),
        columns=columns,
        explained=_EXPLAINED.get(kind, ()),
        tables=tables,
        absent=absent,
        warnings=warnings,
    )


def _counted(lines: tuple[AgreementLine, ...]) -> str:
    counts = {kind: sum(line.agreement is kind for line in lines) for kind in Agreement}
    words = [f"{n:,} {kind.value}" for kind, n in counts.items() if n]
    return f"Of {formats.plural(len(lines), 'requirement', 'requirements')}: {formats.listed(words)}."


def _stated(chosen: ChosenPreset, record: AuditRecord) -> list[Line]:
    """Return the words and days that the user stated, and which of those that are asked for are not stated."""
    texts = {item.key: stated_text(chosen, record, item.key) for item in chosen.preset.profile}
    asked = {requirement.key for requirement in chosen.preset.requirements if requirement.check is Check.STATED}
    return [
        Line(term=item.says, text=texts[item.key] or said("not stated"))
        for item in chosen.preset.profile
        if texts[item.key] is not None or item.key in asked
    ]
