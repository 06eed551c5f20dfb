"""What a notebook gets: small, still, escaped, the same bytes every time, and never an exception."""

import html
import os
import re
import subprocess
import sys
import zipfile
from html.parser import HTMLParser

import pytest

import fairreport as fr
from fairreport.render import drawings, environment
from fairreport.render.text import columns_of
from fairreport.resources import resource_dir

KILOBYTE = 1024
BOUNDARIES = re.compile(r"\b(fair|bias[- ]free|violation|certified)\b", re.IGNORECASE)


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


def large(n_groups, n_tests, **parameters):
    rows = {f"attribute {k}": [] for k in range(n_tests)} | {"y": [], "n": [], "c": []}
    for i in range(n_groups):
        for y, n in ((1, 30 + i), (0, 70)):
            for stratum in "pq":
                for k in range(n_tests):
                    rows[f"attribute {k}"].append(f"Group & level {i} of {k}")
                rows["y"].append(y)
                rows["n"].append(n)
                rows["c"].append(stratum)
    audit = fr.Audit(rows, counts="n")
    for k in range(n_tests):
        audit.outcome_disparity(f"attribute {k}", "y", 1, min_group_share=0, **parameters)
    return audit.run()


def test_all_forms_are_there(everything):
    bundle = everything._repr_mimebundle_()
    assert list(bundle) == ["text/plain", "text/html", "text/markdown"]
    assert everything._repr_html_() == bundle["text/html"]
    assert repr(everything) == bundle["text/plain"]


@pytest.mark.parametrize("kind", ["text/html", "text/plain", "text/markdown"])
def test_all_forms_say_the_findings(everything, kind):
    shown = html.unescape(everything._repr_mimebundle_()[kind]).replace("\\", "")
    for words in (
        "▼ below 0.80, significant",
        "▽ below 0.80, may be chance",
        "◆ at or above 0.80, interval reaches below 0.80",
        "● at or above 0.80",
        "– reference",
        "○ not enough data",
        "▼ failing",
    ):
        assert words in shown


@pytest.mark.parametrize("kind", ["text/html", "text/plain", "text/markdown"])
def test_skipping_is_never_silent(several, kind):
    shown = html.unescape(several._repr_mimebundle_()[kind]).replace("\\", "")
    assert "○ skipped" in shown
    assert "the table has no column 'region'" in shown


def test_a_skipped_test_alone_gives_its_reason(several):
    for kind, text in several["by region"]._repr_mimebundle_().items():
        assert "no column" in text, kind


def test_hostile_names_are_text_in_html(hostile, hostile_names):
    text = hostile._repr_mimebundle_()["text/html"]
    elements = Elements(text)
    known = {
        "div",
        "style",
        "p",
        "strong",
        "bdi",
        "span",
        "table",
        "caption",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "svg",
        "title",
        "path",
        "ul",
        "ol",
        "li",
        "details",
        "summary",
        "dl",
        "dt",
        "dd",
        "pre",
        "code",
    }
    assert set(elements.tags) <= known
    assert not [name for name, _ in elements.attributes if name.startswith("on") or name in {"id", "src", "href"}]
    said = "".join(elements.texts)
    for name in hostile_names:
        if name.isprintable() and len(name) < 60:
            assert name in said
    assert "49" not in [value.strip() for value in elements.texts]
    assert "nul[U+0000]nul" in said
    assert "line[U+000A]break" in said
    assert "[U+202E]abc" in said


def test_every_name_stands_in_bdi(everything):
    text = everything._repr_mimebundle_()["text/html"]
    assert re.findall(r'<th scope="row">(.*?)</th>', text) == [f"<bdi>{c}</bdi>" for c in "BDCEAF"]


def test_hostile_names_are_text_in_markdown(hostile):
    text = hostile._repr_mimebundle_()["text/markdown"]
    assert not re.search(r"<(?!br)", text)
    assert "\u202e" not in text
    assert "\x00" not in text
    tables = [line for line in text.split("\n") if line.startswith("|")]
    bars = {len(re.findall(r"(?<!\\)\|", line)) for line in tables}
    assert len(bars) == 1
    assert "a\\|b\\`c\\`\\*d\\*\\_e\\_ \\[l\\]\\(http\\:\\/\\/x.example\\)" in text
    assert "www\\.x.example" in text


def test_hostile_names_cannot_move_the_lines_of_text(hostile):
    text = hostile._repr_mimebundle_()["text/plain"]
    assert "\u202e" not in text
    assert all(character == "\n" or character.isprintable() for character in text)


@pytest.mark.parametrize("name", ["everything", "several", "hostile"])
def test_text_is_a_summary(name, request):
    run = request.getfixturevalue(name)
    for shown in (run, *run.results):
        lines = repr(shown).split("\n")
        assert len(lines) <= 15
        assert max(map(columns_of, lines)) <= 100


@pytest.mark.parametrize(("n_groups", "n_tests"), [(2, 1), (40, 1), (3, 30), (20, 6)])
def test_text_is_a_summary_at_any_size(n_groups, n_tests):
    lines = repr(large(n_groups, n_tests)).split("\n")
    assert len(lines) <= 15
    assert max(map(columns_of, lines)) <= 100


def test_wide_characters_count_twice(outcome_run):
    run = outcome_run({"日本語日本語日本語日本語日本語日本語" * 3: (10, 100), "b": (80, 100)})
    assert max(map(columns_of, repr(run).split("\n"))) <= 100


def test_the_fragment_is_small():
    text = large(20, 6, control_columns="c", p_value_adjustment="holm")._repr_html_()
    assert len(text.encode()) <= 80 * KILOBYTE
    assert text.count('<th scope="row">') == 120


@pytest.mark.parametrize(("n_groups", "n_tests"), [(45, 8), (200, 3), (6, 60)])
def test_the_fragment_stays_small_whatever_the_audit_holds(n_groups, n_tests):
    text = large(n_groups, n_tests)._repr_html_()
    assert len(text.encode()) <= 80 * KILOBYTE
    assert "attribute 0" in text
    if n_tests == 60:
        assert re.search(r"\d+ further tests, worst first", text)
        assert "more in the packet and <code>run.results</code>" in text


def test_a_long_name_is_told_once_only_in_full(outcome_run):
    text = outcome_run({"x" * 10_000: (10, 100), "y" * 10_000: (80, 100)})._repr_html_()
    assert len(text.encode()) <= 20 * KILOBYTE


def test_more_than_twenty_rows_are_said_to_be_there():
    text = large(45, 1)._repr_mimebundle_()["text/html"]
    assert text.count('<th scope="row">') == 20
    assert "and 25 more in the packet and <code>run.results[0].groups</code>" in text


def test_the_position_of_a_test_is_that_of_the_audit(several):
    text = large(45, 2)._repr_mimebundle_()["text/html"]
    assert "run.results[0].groups" in text
    assert "run.results[1].groups" in text


def test_no_ids_and_one_prefix(several):
    text = several._repr_mimebundle_()["text/html"]
    assert " id=" not in text
    style = re.search(r"<style>(.*?)</style>", text).group(1)
    for selector in re.findall(r"(?:^|[{}])([^{}@]+)\{", style):
        assert all(part.strip().startswith(".fr") for part in selector.split(","))
    assert not re.search(r"url\(|:root|!important", style)


def test_no_word_passes_judgement(several, everything):
    for run in (several, everything):
        for kind, text in run._repr_mimebundle_().items():
            assert BOUNDARIES.findall(text) == [], kind


PROGRAM = """
import sys
import fairreport as fr
rows = {"b": ["x", "y", "z"] * 60, "a": ["k", "l"] * 90, "y": [1, 0, 1, 1, 0] * 36}
run = fr.Audit(rows).outcome_disparity(["b", "a"], "y", 1, control_columns="b_".strip("_") and None).run()
for kind, text in sorted(run._repr_mimebundle_().items()):
    print(kind, text)
assert "matplotlib" not in sys.modules, "a display must not wait for matplotlib"
if len(sys.argv) > 1:
    from fairreport.render.figures import figure_svg
    print(figure_svg(run.record.tests[0]))
    assert "matplotlib.pyplot" not in sys.modules
"""


@pytest.mark.parametrize("arguments", [[], pytest.param(["figure"], marks=pytest.mark.heavy)])
def test_the_same_bytes_in_every_process(arguments):
    outputs = set()
    for seed in ("1", "77"):
        environ = os.environ | {"PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"}
        done = subprocess.run([sys.executable, "-c", PROGRAM, *arguments], env=environ, capture_output=True, check=True)
        outputs.add(done.stdout)
    assert len(outputs) == 1


def test_a_result_imported_by_itself_displays(everything):
    code = "from fairreport.audit.audit import Audit\n" + PROGRAM.replace("import fairreport as fr", "").replace(
        "fr.Audit", "Audit"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def test_a_damaged_template_takes_only_the_html_away(everything, monkeypatch):
    def broken(name):
        return "{{ run.no_such_thing }}"

    environment.environment.cache_clear()
    try:
        with monkeypatch.context() as patch:
            patch.setattr(environment, "packaged_source", broken)
            bundle = everything._repr_mimebundle_()
    finally:
        environment.environment.cache_clear()
    assert "text/html" not in bundle
    assert bundle["text/plain"].endswith("(no text/html display: UndefinedError)")
    assert "below 0.80, significant" in bundle["text/plain"]
    assert everything._repr_html_()


def test_a_damaged_view_still_gives_a_repr(everything, monkeypatch):
    def broken(record, **_):
        raise ZeroDivisionError("what\nnow")

    monkeypatch.setattr(drawings, "view_run", broken)
    assert "ZeroDivisionError" in repr(everything)


def test_displaying_changes_nothing_and_computes_nothing(everything, monkeypatch):
    def never(*args, **kwargs):
        raise AssertionError("a display must not judge")

    before = everything.to_json()
    monkeypatch.setattr("fairreport.analyses.outcome.judge", never)
    monkeypatch.setattr("fairreport.audit.judging.judge", never)
    assert "▼ failing" in repr(everything)
    assert everything.to_json() == before


def test_a_report_shows_what_it_reports(everything):
    class Report:
        record = everything.record

    bundle = drawings.draw_report(Report())
    assert "save it with .save('packet.pdf')" in html.unescape(bundle["text/html"])
    assert len(bundle["text/plain"].split("\n")) <= 15


def test_templates_come_from_any_traversable(monkeypatch, tmp_path):
    archive = tmp_path / "resources.zip"
    with zipfile.ZipFile(archive, "w") as written:
        written.writestr("templates/deep/one.html", "{{ name }}")
    monkeypatch.setattr(environment, "resource_dir", lambda kind: zipfile.Path(archive) / kind)
    assert environment.packaged_source("deep/one.html") == "{{ name }}"
    assert environment.packaged_source("deep/none.html") is None
    assert environment.packaged_source("../templates/deep/one.html") is None
    assert resource_dir("templates").is_dir()
