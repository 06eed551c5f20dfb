"""The data files of presets: every fact has its source and its day, and a broken file is refused."""

import re
from datetime import date
from pathlib import Path

import pytest
import yaml

import fairreport as fr
from fairreport.audit.readers.preset import find_preset, parse_preset, preset_names, preset_text

NAMES = ("ecoa_air", "four_fifths", "nyc_ll144", "two_standard_deviations")

LAW = re.compile(
    r"\bC\.?F\.?R\b|\bRCNY\b|\bLocal Law\b|\bTitle VII\b|\bECOA\b|Equal Credit|\bEEOC\b|Castaneda|Hazelwood"
    r"|\bRegulation B\b|\bFR \d|\bU\.S\. \d|\bstatut|\bcourt\b|\blegal dut|disparate impact",
    re.IGNORECASE,
)
VERDICTS = re.compile(
    r"\b(fair|unfair|unbiased|certif\w*|compliant|proves?|proof)\b|bias[- ]free|violat", re.IGNORECASE
)


def test_these_are_the_presets():
    assert preset_names() == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_fact_has_its_source_and_its_day(name):
    content = yaml.safe_load(preset_text(name))
    facts = content["facts"]
    assert facts
    for fact in facts:
        assert fact["source"].strip()
        assert date(2020, 1, 1) < date.fromisoformat(str(fact["as_of"]))
    preset = find_preset(name)
    assert preset.as_of == min(str(fact["as_of"]) for fact in facts)
    # Everything that a preset asks, gives or takes as given leads to one of its facts.
    keys = {fact.key for fact in preset.facts}
    parts = [*preset.parameters, *preset.requirements, *preset.limits]
    assert {part.fact for part in parts} <= keys
    assert preset.limits


@pytest.mark.parametrize("name", NAMES)
def test_a_preset_passes_no_judgement(name):
    assert VERDICTS.findall(preset_text(name)) == []


def test_words_of_law_stand_in_the_data_files_only(root_of_project):
    assert all(LAW.search(preset_text(name)) for name in NAMES)
    for folder in ("templates", "fairreport/cli", "fairreport/report", "fairreport/audit/readers"):
        for path in sorted((root_of_project / folder).rglob("*")):
            if path.suffix in {".py", ".html"}:
                assert LAW.findall(path.read_text(encoding="utf-8")) == [], path.name


@pytest.fixture(scope="session")
def root_of_project():
    return Path(__file__).parents[2]


def test_the_four_fifths_are_as_the_paragraph_has_them():
    # 29 CFR 1607.4(D): "less than four-fifths (4/5) (or eighty percent) of the rate for the group with the highest rate"
    preset = find_preset("four_fifths")
    values = {item.name: item.value for item in preset.parameters}
    assert values["impact_ratio_threshold"] == 0.8
    assert values["reference_strategy"] == "highest"
    assert "Exactly 0.80 is not below it" in preset.fact("ratio").says


def test_two_standard_deviations_are_their_probability():
    # scipy 1.17: 2 * norm.sf(2) = 0.04550026389635839
    preset = find_preset("two_standard_deviations")
    assert {item.name: item.value for item in preset.parameters} == {"significance_test": "z_test", "alpha": 0.0455}


def test_no_preset_of_lending_states_a_parameter():
    assert find_preset("ecoa_air").parameters == ()


SOUND = """\
name: sample
title: A sample
kind: practice
source: Nobody
summary: Says nothing.
tables: deviations
facts:
  - {key: one, says: Something., source: Somewhere, as_of: 2026-01-31}
"""


def test_a_sound_file_is_read():
    assert parse_preset(SOUND, "sample").fact("one").source == "Somewhere"


@pytest.mark.parametrize(
    ("found", "instead", "words"),
    [
        (", source: Somewhere", "", "facts.0.source: is required"),
        (", as_of: 2026-01-31", "", "facts.0.as_of: is required"),
        ("source: Somewhere", 'source: ""', "facts.0.source: must be text"),
        ("2026-01-31", "2026-02-30", "facts.0.as_of: must be a day such as 2026-11-29"),
        ("2026-01-31", "last year", "facts.0.as_of: must be a day such as 2026-11-29"),
        ("2026-01-31", "20260131", "facts.0.as_of: must be a day such as 2026-11-29"),
        ("kind: practice", "kind: law", "kind: must be one of regulation, practice"),
        ("tables: deviations", "tables: deviation", "Did you mean 'deviations'?"),
        ("title: A sample", "titel: A sample", "titel: is no known parameter. Did you mean 'title'?"),
        ("title: A sample\n", "", "title: is required"),
        ("name: sample", "name: other", "must be the name of the file, 'sample'"),
        ("name: sample", "name: Sample", "must be a word of a to z"),
        ("facts:", "facts: []\nlimits:", "facts"),
        ("title: A sample", "title: A sample\ntitle: again", "is stated twice"),
        ("title: A sample", "title: !!python/object/apply:os.system [ls]", "makes no plain value"),
        ("title: A sample", "title: [A sample", "is no YAML"),
        ("title: A sample", "title: {a: b}", "title: must be text"),
        ("facts:", "limits: [{title: a, text: b, consequence: c, fact: on}]\nfacts:", "refers to no fact, got 'on'"),
        (
            "facts:",
            "parameters: [{name: alfa, value: 1, analyses: [outcome_disparity], fact: one}]\nfacts:",
            "outcome_disparity has no parameter 'alfa'. Did you mean 'alpha'?",
        ),
        (
            "facts:",
            "parameters: [{name: alpha, value: [1], analyses: [outcome_disparity], fact: one}]\nfacts:",
            "parameters.0.value: must be text or a number",
        ),
        (
            "facts:",
            "parameters: [{name: alpha, value: 1, analyses: [outcome], fact: one}]\nfacts:",
            "is no kind of test: 'outcome'",
        ),
        (
            "facts:",
            "requirements: [{check: tables_mode, says: a, fact: one}]\nfacts:",
            "Did you mean 'tables_made'?",
        ),
        (
            "facts:",
            "requirements: [{check: stated, says: a, fact: one, key: day}]\nfacts:",
            "must be a key of the profile, got 'day'",
        ),
        ("  - {key: one", "  - {key: one, says: b, source: c, as_of: 2026-01-31}\n  - {key: one", "states 'one' twice"),
    ],
)
def test_a_broken_file_is_refused_with_its_place(found, instead, words):
    assert SOUND.count(found) == 1
    with pytest.raises(fr.ConfigError, match=re.escape(words)) as caught:
        parse_preset(SOUND.replace(found, instead), "sample")
    assert str(caught.value).startswith("sample.yaml: ")
    assert "\n" not in str(caught.value)


def test_a_file_that_swells_is_refused():
    lines = ["a: &a [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"{name}: &{name} [{', '.join([f'*{before}'] * 10)}]" for before, name in ("ab", "bc", "cd", "de", "ef")]
    with pytest.raises(fr.ConfigError, match="repeats or nests its values too often"):
        parse_preset("\n".join(lines), "sample")


@pytest.mark.parametrize("text", ["", "- 1", "nothing"])
def test_what_is_no_mapping_is_no_preset(text):
    with pytest.raises(fr.ConfigError, match="is no preset; wanted a mapping"):
        parse_preset(text, "sample")


@pytest.mark.parametrize("name", ["nyc_ll145", "../four_fifths", "four_fifths.yaml", "", "FOUR_FIFTHS"])
def test_a_name_that_no_preset_has_is_refused(name):
    with pytest.raises(fr.ConfigError, match="unknown preset"):
        find_preset(name)
