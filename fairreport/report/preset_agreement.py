"""Whether a run is as a preset asks: each requirement met or not, with the numbers; nothing is judged anew."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from fairreport.analyses.outcome_parameters import OutcomeDisparity
from fairreport.analyses.parameters import ReferenceStrategy, SignificanceTest
from fairreport.analyses.score_parameters import ScoreDisparity
from fairreport.audit.readers.preset import Check, PresetParameter, Requirement
from fairreport.audit.record import AuditRecord, Entry, PairRecord, TestRecord
from fairreport.audit.withheld import WithheldTest
from fairreport.render import formats
from fairreport.render.record_lines import joined, said
from fairreport.render.views import Name, Sentence
from fairreport.report.parameters import in_runs
from fairreport.report.preset_choice import ChosenPreset, rate_tests
from fairreport.report.preset_stated import stated_text, where_to_state
from fairreport.report.profile_categories import WHY_LEFT_OUT, CategorySet
from fairreport.report.profile_category_text import title_of
from fairreport.report.profile_pairs import MEAN_TESTS, RATIO_TESTS
from fairreport.report.profile_rates import highest


class Agreement(StrEnum):
    """Whether a requirement is met."""

    MET = "met"
    DIFFERS = "differs"
    NOT_STATED = "not stated"
    NOT_IN_DATA = "not in the data"
    NO_TEST = "no such test"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementLine:
    """One thing that a preset asks.

    Attributes
    ----------
    says : str
        What it asks.
    source : str
        Where that comes from.
    agreement : Agreement
        Whether the run is so.
    detail : Sentence
        The numbers.
    """

    says: str
    source: str
    agreement: Agreement
    detail: Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What a requirement is held against."""

    chosen: ChosenPreset
    record: AuditRecord
    numbers: Mapping[str, str]
    sets: tuple[CategorySet, ...]

    def places(self, entries: Sequence[Entry]) -> str:
        """Return the numbers of tests, those that follow one another as first and last."""
        numbers = {self.numbers[entry.name] for entry in entries}
        return in_runs(sorted(numbers, key=lambda number: [int(part) for part in number.split(".")]))

    def unshown(self, entry: Entry) -> WithheldTest | None:
        """Return what is withheld of a test; None where nothing is."""
        return None if self.record.withheld is None else self.record.withheld.of(entry.name)

    @property
    def rates(self) -> list[TestRecord]:
        """The tests of rates that were computed."""
        return [entry for entry in rate_tests(self.record) if entry.finding.skip is None]


Answer = tuple[Agreement, Sentence]


def agreement_lines(
    chosen: ChosenPreset, record: AuditRecord, numbers: Mapping[str, str], sets: tuple[CategorySet, ...]
) -> tuple[AgreementLine, ...]:
    """Return what a preset asks of parameters, then what else, each with whether the run is so.

    Parameters
    ----------
    chosen : ChosenPreset
        The preset.
    record : AuditRecord
        The run; it is read, never judged again.
    numbers : mapping of str to str
        The numbers of its tests in the packet, by name.
    sets : tuple of CategorySet
        Its tables by category; empty for presets without.
    """
    asked = _Asked(chosen=chosen, record=record, numbers=numbers, sets=sets)
    return (
        *(_of_parameter(asked, parameter) for parameter in chosen.preset.parameters),
        *(_of_requirement(asked, requirement) for requirement in chosen.preset.requirements),
    )


def _of_parameter(asked: _Asked, parameter: PresetParameter) -> AgreementLine:
    held: dict[tuple[str, str], list[Entry]] = {}
    same = True
    for entry in asked.record.entries:
        if entry.test.analysis in parameter.analyses:
            value = entry.test.parameters()[parameter.name]
            same = same and value == parameter.value
            held.setdefault((_shown(value), entry.test.origin(parameter.name)), []).append(entry)
    if not held:
        agreement, detail = Agreement.NO_TEST, "no test has this parameter"
    else:
        agreement = Agreement.MET if same else Agreement.DIFFERS
        detail = "; ".join(
            f"{value} ({origin}) in {asked.places(entries)}" for (value, origin), entries in held.items()
        )
    return AgreementLine(
        says=f"{parameter.name} {_shown(parameter.value)}",
        source=asked.chosen.preset.fact(parameter.fact).source,
        agreement=agreement,
        detail=said(Name.prose(detail)),
    )


def _shown(value: Any) -> str:
    return formats.alpha(value) if isinstance(value, float) else str(value)


def _of_requirement(asked: _Asked, requirement: Requirement) -> AgreementLine:
    agreement, detail = _ANSWERS[requirement.check](asked, requirement)
    return AgreementLine(
        says=requirement.says,
        source=asked.chosen.preset.fact(requirement.fact).source,
        agreement=agreement,
        detail=detail,
    )


def _no_rates() -> Answer:
    return Agreement.NO_TEST, said("no outcome or score test was computed")


def _tables_made(asked: _Asked, _requirement: Requirement) -> Answer:
    made = sum(len(found.tables) for found in asked.sets)
    wanted = made + sum(len(found.absent) for found in asked.sets)
    if not wanted:
        return _no_rates()
    all_made = made == wanted
    return (
        Agreement.MET if all_made else Agreement.DIFFERS,
        said(f"{made:,} of {wanted:,} tables, in section 12" + ("" if all_made else ", with why the rest are absent")),
    )


def _reference_is_highest(asked: _Asked, _requirement: Requirement) -> Answer:
    if not asked.rates:
        return _no_rates()
    hidden = [entry for entry in asked.rates if (test := asked.unshown(entry)) is not None and test.rereferenced]
    if hidden:
        told = f"the group with the highest rate, or that is named, is withheld in {asked.places(hidden)}: the rates "
        return Agreement.DIFFERS, said(f"{told}shown there are held against another")
    differing = [entry for entry in asked.rates if not _holds_highest(entry)]
    if not differing:
        return Agreement.MET, said(f"of the groups that are judged, in {asked.places(asked.rates)}")
    pieces: list[str | Name] = [f"named by the user in {asked.places(differing)}: "]
    for position, entry in enumerate(differing):
        pieces += ["; " if position else "", *joined(entry.finding.reference or ())]
    return Agreement.DIFFERS, said(*pieces)


def _holds_highest(entry: TestRecord) -> bool:
    best = highest(entry)
    return best is not None and best.group == entry.finding.reference


def _reference_is_named(asked: _Asked, _requirement: Requirement) -> Answer:
    pairs = [entry for entry in asked.record.pairs if entry.finding is not None]
    chosen = [entry for entry in asked.rates if _rate_test(entry).reference_strategy is not ReferenceStrategy.NAMED]
    named = [entry for entry in asked.rates if entry not in chosen]
    if chosen:
        return Agreement.DIFFERS, said(f"chosen as the group with the highest rate in {asked.places(chosen)}")
    if not (named or pairs):
        return Agreement.NO_TEST, said("no test compares groups with a reference")
    return Agreement.MET, said(f"in {asked.places([*named, *pairs])}")


def _rate_test(entry: TestRecord) -> OutcomeDisparity | ScoreDisparity:
    if not isinstance(entry.test, OutcomeDisparity | ScoreDisparity):
        raise TypeError(type(entry.test).__name__)
    return entry.test


def _unknown_counted(asked: _Asked, _requirement: Requirement) -> Answer:
    tables = [table for found in asked.sets for table in found.tables]
    if not tables:
        return _no_rates()
    names = {entry.name for found in asked.sets for entry in found.tests}
    kept = [
        entry
        for entry in asked.record.tests
        if entry.name in names and any(note.code == "level_may_mean_missing" for note in entry.finding.notes)
    ]
    unknown: list[str | Name] = []
    for found in (it for it in asked.sets if it.tables):
        counts = ", ".join(
            f"{table.counts.unknown:,} ({title_of(asked.chosen, table.roles)})" for table in found.tables
        )
        unknown += ["; " if unknown else "", *joined([found.measured.column]), f": {counts}"]
    if kept:
        told = f"a value that may mean unknown is a group in {asked.places(kept)}; counted as unknown, "
        return Agreement.DIFFERS, said(told, *unknown)
    return Agreement.MET, said(*unknown)


def _median_of_all(asked: _Asked, _requirement: Requirement) -> Answer:
    scored = [found for found in asked.sets if found.measured.is_score]
    if not scored:
        return Agreement.NO_TEST, said("no score test has counts")
    below = [found for found in scored if not found.measured.is_above]
    if below:
        return Agreement.DIFFERS, said("lower is favorable for ", *joined([below[0].measured.column]))
    lacking = [table for found in scored for table in found.tables if table.counts.unknown or table.counts.undeclared]
    if lacking:
        left = max(table.counts.unknown + table.counts.undeclared for table in lacking)
        return Agreement.DIFFERS, said(
            f"the median of each table is of the people in it; up to {left:,} without a category have no part in it"
        )
    return Agreement.MET, said("every score has a category")


def _small_categories(asked: _Asked, requirement: Requirement) -> Answer:
    if requirement.key == WHY_LEFT_OUT:
        return _left_out(asked)
    hidden = [entry for entry in asked.rates if (test := asked.unshown(entry)) is not None and test.groups]
    if hidden:
        return Agreement.DIFFERS, said(f"groups are withheld in {asked.places(hidden)}, so that not all are listed")
    counted = [(entry, sum(not row.sufficient for row in entry.finding.groups)) for entry in asked.rates]
    if not counted:
        return _no_rates()
    held = [f"{n:,} in {asked.numbers[entry.name]}" for entry, n in counted if n]
    return Agreement.MET, said("; ".join(held) if held else "every group has the rows to be judged")


def _left_out(asked: _Asked) -> Answer:
    tables = [table for found in asked.sets for table in found.tables]
    if not tables:
        return _no_rates()
    out = sum(len(table.left_out) for table in tables)
    if not out:
        return Agreement.MET, said("none is left out of the tables in section 12")
    listed = f"{formats.plural(out, 'category is', 'categories are')} left out and listed in section 12"
    if WHY_LEFT_OUT not in asked.chosen.profile.texts:
        return Agreement.DIFFERS, said(f"{listed}; why is not stated")
    return Agreement.MET, said(listed)


def _significance_shown(asked: _Asked, _requirement: Requirement) -> Answer:
    pairs = [entry for entry in asked.record.pairs if entry.test.analysis in RATIO_TESTS and entry.finding is not None]
    if not (asked.rates or pairs):
        return Agreement.NO_TEST, said("no test compares rates")
    without = [entry for entry in asked.rates if _rate_test(entry).significance_test is SignificanceTest.NONE]
    if without:
        return Agreement.DIFFERS, said(f"no significance test was asked for in {asked.places(without)}")
    return Agreement.MET, said(f"in {asked.places([*asked.rates, *pairs])}")


def _made_by(analyses: tuple[str, ...]) -> Callable[[_Asked, Requirement], Answer]:
    def answer(asked: _Asked, _requirement: Requirement) -> Answer:
        entries = [entry for entry in asked.record.entries if entry.test.analysis in analyses and _is_computed(entry)]
        if not entries:
            return Agreement.DIFFERS, said("no such test was computed")
        return Agreement.MET, said(f"in {asked.places(entries)}")

    return answer


def _is_computed(entry: Entry) -> bool:
    if isinstance(entry, PairRecord):
        return entry.skip is None and entry.finding is not None
    return entry.finding.skip is None


def _stated(asked: _Asked, requirement: Requirement) -> Answer:
    key = requirement.key or ""
    text = stated_text(asked.chosen, asked.record, key)
    if text is None:
        return Agreement.NOT_STATED, said(f"nothing stands under {where_to_state(key)}")
    return Agreement.MET, text


def _not_in_data(_asked: _Asked, _requirement: Requirement) -> Answer:
    return Agreement.NOT_IN_DATA, said("for whoever signs to state")


_ANSWERS: Mapping[Check, Callable[[_Asked, Requirement], Answer]] = {
    Check.TABLES_MADE: _tables_made,
    Check.REFERENCE_IS_HIGHEST: _reference_is_highest,
    Check.REFERENCE_IS_NAMED: _reference_is_named,
    Check.UNKNOWN_COUNTED: _unknown_counted,
    Check.MEDIAN_OF_ALL: _median_of_all,
    Check.SMALL_CATEGORIES_LISTED: _small_categories,
    Check.SIGNIFICANCE_SHOWN: _significance_shown,
    Check.RATIOS_MADE: _made_by(RATIO_TESTS),
    Check.MEANS_MADE: _made_by(MEAN_TESTS),
    Check.STATED: _stated,
    Check.NOT_IN_DATA: _not_in_data,
}
