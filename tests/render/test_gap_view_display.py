"""What a notebook shows of rate gaps: HTML, text and Markdown with the same findings, escaped, small and still."""

import html
import os
import re
import subprocess
import sys
from html.parser import HTMLParser

import pytest

import fairreport as fr
from fairreport.render.builders import view_run
from fairreport.render.drawings import ROWS
from fairreport.render.text import columns_of

KINDS = ["text/html", "text/plain", "text/markdown"]
RUNS = ["every_state", "gap_mixed", "gap_hostile"]


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


def many(n_groups, n_rules, n_tests=1):
    groups = [f"Group & level {i}" for i in range(n_groups)]
    rows = {"a": groups * 20, "label": [1] * 20 * n_groups, "prediction": [1] * 10 * n_groups + [0] * 10 * n_groups}
    audit = fr.Audit(rows | {"score": [0.5] * 20 * n_groups})
    rules = [{"id": f"r{i}", "rate": "error", "attribute": "a", "max_group_gap": 0.1} for i in range(n_rules)]
    for i in range(n_tests):
        audit.rate_gaps({"a": groups}, "label", "prediction", rules, probability="score", name=f"test {i}")
    return audit.run()


@pytest.mark.parametrize("kind", KINDS)
def test_all_forms_say_what_every_rule_reads(every_state, kind):
    text = shown(every_state, kind)
    for rule in view_run(every_state.record).gaps[0].rules:
        assert rule.state.text in text
        assert rule.id.text in text
        assert rule.bounds in text
    assert "▼ failing" in text
    assert "4 rules: 1 PASS, 1 FAIL, 1 INSUFFICIENT_EVIDENCE, 1 MANUAL_REVIEW" in text


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_left_out_is_never_silent(every_state, kind):
    assert "left out: 50 cases (1.2%): 30 without the attribute, 20 with an undeclared value" in shown(
        every_state, kind
    )


@pytest.mark.parametrize("kind", KINDS)
def test_a_skipped_test_gives_its_reason(gap_mixed, kind):
    for run in (gap_mixed, gap_mixed["by region"]):
        text = shown(run, kind)
        assert "○ skipped" in text
        assert "the table has no column 'region'" in text


def test_the_row_of_a_rule(every_state):
    text = every_state._repr_html_()
    (row,) = re.findall(r'<tr class="fr-below"><th scope="row"><bdi>missed</bdi>.*?</tr>', text, flags=re.DOTALL)
    view = next(rule for rule in view_run(every_state.record).gaps[0].rules if rule.id.text == "missed")
    assert "gap ≤ 0.05" in row
    assert "<bdi>female</bdi> and <bdi>male</bdi>" in row
    assert f"<td>{view.observed}</td><td>{view.bounds}</td>" in row
    assert f'aria-label="gap {view.observed}, within {view.bounds}, bar 0.05"' in row
    assert "▼ FAIL: a whole interval is beyond the bar" in row


def test_calibration_stands_in_details(every_state):
    text = every_state._repr_html_()
    (details,) = re.findall(r"<details><summary>Calibration by group.*?</details>", text, flags=re.DOTALL)
    assert "never decides a rule" in details
    assert details.count('<th scope="row">') == 8


def test_method_and_what_it_cannot_tell_stand_in_details(every_state):
    text = shown(every_state, "text/html")
    assert "looks: 1; joint: false" in text
    assert "An answer cannot tell which rate ought to be equal between groups" in text
    assert ".rate_gaps({'sex': ['female', 'male'], 'age': ['young', 'old']}, 'label', 'prediction', [" in text


def test_positions_are_those_of_the_audit():
    rows = {"a": [f"g{i}" for i in range(45)] * 4, "label": [1] * 180, "prediction": [1, 0] * 90}
    rule = {"id": "r", "rate": "error", "attribute": "a", "max_group_gap": 0.1}
    audit = fr.Audit(rows).outcome_disparity("a", "prediction", 1, min_group_size=1, min_group_share=0)
    run = audit.rate_gaps({"a": [f"g{i}" for i in range(45)]}, "label", "prediction", [rule]).run()
    for kind in ("text/html", "text/markdown"):
        text = shown(run, kind)
        assert "and 25 more in the packet and" in text, kind
        assert "run.results[0].groups" in text, kind
    assert "run.results[1].groups" in shown(run, "text/html")
    assert "All 990 pairs: <code>run.results[1].gaps</code>" in shown(run, "text/html")


def test_hostile_names_are_text(gap_hostile, hostile_names):
    elements = Elements(gap_hostile._repr_html_())
    assert not {"script", "img", "i", "u", "b"} & set(elements.tags)
    assert not [name for name, _ in elements.attributes if name.startswith("on") or name in {"id", "src", "href"}]
    said = "".join(elements.texts)
    for name in hostile_names:
        if name.isprintable() and len(name) < 60:
            assert name in said
    assert "[U+202E]abc" in said
    text = gap_hostile._repr_mimebundle_()["text/markdown"]
    assert not re.search(r"<(?!br)", text)
    assert "\u202e" not in text + gap_hostile._repr_mimebundle_()["text/plain"]
    bars = {len(re.findall(r"(?<!\\)\|", line)) for line in text.split("\n") if line.startswith("|")}
    assert bars == {7}


def test_every_name_stands_in_bdi(gap_hostile):
    text = gap_hostile._repr_html_()
    for row in re.findall(r'<th scope="row">(.*?)</th>', text):
        assert row.startswith("<bdi")


@pytest.mark.parametrize("fixture", RUNS)
def test_text_is_a_summary(fixture, request):
    run = request.getfixturevalue(fixture)
    for one in (run, *run.results):
        lines = repr(one).split("\n")
        assert len(lines) <= 15
        assert max(map(columns_of, lines)) <= 100
        assert all(character == "\n" or character.isprintable() for character in repr(one))


@pytest.mark.parametrize(("n_groups", "n_rules", "n_tests"), [(40, 2, 1), (3, 30, 1), (3, 3, 20), (20, 6, 6)])
def test_displays_are_small_at_any_size(n_groups, n_rules, n_tests):
    run = many(n_groups, n_rules, n_tests)
    lines = repr(run).split("\n")
    assert len(lines) <= 15
    assert max(map(columns_of, lines)) <= 100
    text = run._repr_html_()
    if n_tests <= 6:
        assert len(text.encode()) <= 80 * 1024
    for table in re.findall(r"<tbody>(.*?)</tbody>", text, flags=re.DOTALL):
        assert table.count('<th scope="row">') <= ROWS


def test_what_is_not_shown_is_said():
    text = shown(many(40, 5), "text/html")
    assert "and 20 more in the packet and <code>run.results[0].groups</code>" in text
    assert "and 2 more rules in the packet" in text
    assert "and 20 more in the packet and <code>run.results[0].calibration</code>" in text
    assert re.search(r"too few cases in (\d+) of 40 groups", text)
    assert "more remarks in the packet and <code>run.results[0].to_dict()</code>" in shown(many(3, 30), "text/html")
    assert "and 30 more rules" not in repr(many(3, 30))
    assert re.search(r"and \d+ more rules$", repr(many(3, 30)))


@pytest.mark.parametrize("fixture", RUNS)
def test_no_ids_and_no_word_of_judgement(fixture, request):
    for kind, text in request.getfixturevalue(fixture)._repr_mimebundle_().items():
        assert " id=" not in text
        assert not re.search(r"\b(un)?fair\b|bias[- ]free|violat|certif", text, re.IGNORECASE), kind


PROGRAM = """
import fairreport as fr
rows = {"s": ["f", "m"] * 400, "y": [1] * 800, "d": [1] * 700 + [0] * 100, "p": [0.25, 0.5, 0.75, 1.0] * 200}
rule = {"id": "r", "rate": "error", "attribute": "s", "max_group_gap": 0.05}
run = fr.Audit(rows).rate_gaps({"s": ["f", "m"]}, "y", "d", [rule], probability="p").run()
for kind, text in sorted(run._repr_mimebundle_().items()):
    print(kind, text)
import sys
assert "matplotlib" not in sys.modules, "a display must not wait for matplotlib"
from fairreport.render.figures import gap_figure_svg
print(gap_figure_svg(run.record.rate_gaps[0], 0))
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


def test_displaying_judges_nothing(every_state, monkeypatch):
    def never(*args, **kwargs):
        raise AssertionError("a display must not judge")

    monkeypatch.setattr("fairreport.analyses.gap_finding.judge_rules", never)
    before = every_state.to_json()
    assert "▼ FAIL" in repr(every_state)
    assert every_state.to_json() == before
