"""What a notebook shows of named pairs: HTML, text and Markdown with the same findings, escaped, small and still."""

import html
import os
import re
import subprocess
import sys
from html.parser import HTMLParser

import pytest

import fairreport as fr
from fairreport.analyses.pair_tests import AdverseImpactRatio, SegmentedAdverseImpactRatio
from fairreport.render.builders import view_run
from fairreport.render.drawings import ROWS
from fairreport.render.text import columns_of

KINDS = ["text/html", "text/plain", "text/markdown"]
RUNS = [
    "pair_one",
    "pair_family",
    "pair_segments",
    "pair_quantiles",
    "pair_weighted",
    "pair_hostile",
    "pair_undefined",
    "pair_mixed",
]


class Elements(HTMLParser):
    """The elements and texts of a fragment."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.texts = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        self.texts.append(data)


def shown(run, kind):
    return html.unescape(run._repr_mimebundle_()[kind]).replace("\\", "")


def many(n_groups, n_tests, kind=AdverseImpactRatio, **more):
    """Tests of many groups that are all worse than their reference."""
    names = ["Reference group", *(f"Group & level {i}" for i in range(n_groups - 1))]
    rows = {"race": [], "hired": [], "n": [], "office": []}
    for i, name in enumerate(names):
        for office in range(3):
            for hired in (1, 0):
                count = (50 if hired else 10) if not i else (10 + i % 20 if hired else 40 - i % 20)
                for key, value in zip(rows, (name, hired, count, f"Office {office}"), strict=True):
                    rows[key].append(value)
    own = {"reference_values": {"race": names[0]}, "outcome": "hired", "percent_difference_threshold": 0.05}
    tests = [kind(**own, air_threshold=0.8, name=f"test {i}", **more) for i in range(n_tests)]
    return fr.Audit(rows, counts="n", tests=tests).run()


@pytest.mark.parametrize("kind", KINDS)
def test_all_forms_say_what_every_group_reads(pair_one, kind):
    text = shown(pair_one, kind)
    assert "▼ failing" in text
    assert "practically significant: below 0.80, difference above 0.05, p < 0.05" in text
    for row in view_run(pair_one.record).pairs[0].tables[0].table.rows:
        assert row.finding.terse in text
        assert row.label in text


@pytest.mark.parametrize("kind", ["text/html", "text/markdown"])
def test_all_kinds_are_shown_with_their_findings(pair_family, kind):
    text = shown(pair_family, kind)
    for view in view_run(pair_family.record).pairs:
        assert view.name.text in text
        assert view.rule.text in text
        assert all(row.finding.terse in text for row in view.table.rows)


@pytest.mark.parametrize("kind", KINDS)
def test_a_reversal_is_never_silent(pair_segments, kind):
    assert "the direction reverses" in shown(pair_segments, kind)


@pytest.mark.parametrize("kind", KINDS)
def test_a_skipped_test_gives_its_reason(pair_mixed, kind):
    for run in (pair_mixed, pair_mixed["by region"]):
        text = shown(run, kind)
        assert "○ skipped" in text
        assert "the table has no column 'region'" in text


@pytest.mark.parametrize("kind", KINDS)
def test_undefined_gives_its_reason(pair_undefined, kind):
    assert "not defined: the reference rate is zero" in shown(pair_undefined, kind)


@pytest.mark.parametrize("kind", ["text/html", "text/markdown"])
def test_weights_are_said(pair_weighted, kind):
    text = shown(pair_weighted, kind)
    assert "tests and intervals are linearised" in text
    assert "outcome and membership are independent given the proxy" in text


def test_results_are_named_by_their_place_in_the_audit():
    run = many(40, 1)
    assert "and 20 more in the packet and <code>run.results[0].groups</code>" in run._repr_html_()
    mixed = fr.Audit(
        {"g": ["a"] * 9 + ["b"] * 9, "y": [1, 0, 1] * 6, "race": [f"g{i}" for i in range(18)]}
    ).outcome_disparity("g", "y", 1)
    own = {"outcome": "y", "percent_difference_threshold": 0.05, "air_threshold": 0.8}
    for _ in range(4):
        mixed.add(AdverseImpactRatio(reference_values={"race": "g0"}, **own))
    assert re.findall(r"run\.results\[(\d)\]\.groups", mixed.run()._repr_html_())[0] == "1"


@pytest.mark.parametrize("n", [1, 6])
def test_a_table_shows_at_most_twenty_rows(n):
    shown_rows = [table.count("<tr") - 1 for table in re.findall(r"<table.*?</table>", many(60, n)._repr_html_(), re.S)]
    assert max(shown_rows) <= ROWS
    assert min(shown_rows) >= 5


@pytest.mark.parametrize(
    "run", [many(20, 6), many(20, 6, SegmentedAdverseImpactRatio, segment="office")], ids=["ratios", "segments"]
)
def test_it_is_small(run):
    assert len(run._repr_html_().encode()) <= 80_000


@pytest.mark.parametrize("name", RUNS)
def test_the_text_has_fifteen_lines_of_a_hundred_columns(name, request):
    run = request.getfixturevalue(name)
    for it in (run, *run.results):
        lines = repr(it).split("\n")
        assert len(lines) <= 15
        assert max(map(columns_of, lines)) <= 100


@pytest.mark.parametrize("name", RUNS)
def test_the_fragment_is_whole_and_has_no_id(name, request):
    for it in (run := request.getfixturevalue(name), *run.results):
        text = it._repr_html_()
        found = Elements(text)
        assert {"script", "img", "iframe", "u"}.isdisjoint(found.tags)
        assert not [key for key, _ in found.attributes if key == "id" or key.startswith("on")]
        assert text.count("<table") == text.count("<caption>")
        assert found.tags.count("svg") == found.tags.count("path") == found.tags.count("title")
        assert "None" not in "".join(found.texts).replace("None,", "")


def test_hostile_names_stay_text(pair_hostile, hostile_names):
    bundle = pair_hostile._repr_mimebundle_()
    for name in hostile_names[:2]:
        assert name not in bundle["text/html"]
        assert name in html.unescape(bundle["text/html"])
    assert not re.search(r"(?<!\\)<(script|img|i|b|u)\b", bundle["text/markdown"])
    assert "\u202e" not in "".join(bundle.values())


def test_every_data_string_stands_by_itself(pair_hostile):
    text = pair_hostile._repr_html_()
    for cell in re.findall(r'<th scope="(?:row|col)"[^>]*>(.*?)</th>', text, flags=re.S):
        outside = re.sub(r"<bdi[^>]*>.*?</bdi>", "", cell, flags=re.S)
        assert not re.search(r"&lt;|&amp;|\{\{|xxx|\[U\+", outside)


PROGRAM = """
import fairreport as fr
from fairreport.analyses.pair_tests import AdverseImpactRatio, AdverseImpactRatioByQuantile, SegmentedAdverseImpactRatio
rows = {"race": ["a", "b", "c", None] * 30, "y": [1, 0, 0, 1, 1] * 24, "site": ["n", "s", "w"] * 40}
rows["score"] = [i * 7 % 31 for i in range(120)]
own = dict(reference_values={"race": "a"}, percent_difference_threshold=0.05, air_threshold=0.8)
tests = [AdverseImpactRatio(outcome="y", **own), SegmentedAdverseImpactRatio(outcome="y", segment="site", **own)]
tests.append(AdverseImpactRatioByQuantile(outcome="score", quantiles=[0.25, 0.5], **own))
run = fr.Audit(rows, tests=tests).run()
for shown in (run, *run.results):
    for text in shown._repr_mimebundle_().values():
        print(text)
import sys
assert "matplotlib" not in sys.modules, "a display must not wait for matplotlib"
from fairreport.render.figures import pair_figure_svg
for record in run.record.pairs:
    print(pair_figure_svg(record))
assert "matplotlib.pyplot" not in sys.modules
"""


@pytest.mark.heavy
def test_the_same_bytes_in_every_process():
    outputs = set()
    for seed in ("1", "77"):
        environ = os.environ | {"PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"}
        done = subprocess.run([sys.executable, "-c", PROGRAM], env=environ, capture_output=True, check=True)
        outputs.add(done.stdout)
    assert len(outputs) == 1


def test_displaying_judges_nothing(pair_one, monkeypatch):
    def never(*args, **kwargs):
        raise AssertionError("a display must not judge")

    monkeypatch.setattr("fairreport.analyses.pair_judging.judge_scan", never)
    before = pair_one.to_json()
    assert "▼ failing" in repr(pair_one)
    assert pair_one.to_json() == before
