"""A repr is text and nothing more is drawn for it; it never raises, whatever the data and whatever breaks."""

import os
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fairreport as fr
from fairreport import display
from fairreport.render import drawings
from fairreport.render.text_layout import columns_of
from fairreport.report import compare_display, verify_display

NAMES = st.text(st.characters(codec=None), min_size=1, max_size=40)


def shown_of(run, tmp_path):
    """Everything that shows itself, of one run."""
    run.to_json(tmp_path / "results.json")
    return (run, *run.results, fr.Report(run), fr.compare(run, run), fr.verify(tmp_path / "results.json"))


def test_a_repr_is_the_text_of_the_display(everything, gap_mixed, pair_mixed, tmp_path):
    for run in (everything, gap_mixed, pair_mixed):
        for shown in shown_of(run, tmp_path):
            bundle = shown._repr_mimebundle_()
            assert list(bundle) == ["text/plain", "text/html", "text/markdown"]
            assert repr(shown) == bundle["text/plain"]
            assert shown._repr_markdown_() == bundle["text/markdown"]


def test_a_repr_draws_text_only(everything, tmp_path, monkeypatch):
    def never(*arguments, **context):
        raise AssertionError("a repr needs no HTML and no Markdown")

    known = shown_of(everything, tmp_path)
    for module in (drawings, compare_display, verify_display):
        monkeypatch.setattr(module, "render", never)
    monkeypatch.setattr(drawings, "markdown_of_run", never)
    for shown in known:
        assert "no display" not in repr(shown)
        assert shown._repr_mimebundle_(include={"text/plain"}) == {"text/plain": repr(shown)}


def test_a_front_end_gets_what_it_asks_for(everything):
    assert list(everything._repr_mimebundle_(include=["text/html"])) == ["text/html"]
    assert list(everything._repr_mimebundle_(exclude=["text/html"])) == ["text/plain", "text/markdown"]


@settings(max_examples=25, deadline=None)
@given(names=st.lists(NAMES, min_size=2, max_size=4, unique=True), title=NAMES, column=NAMES)
def test_no_name_makes_a_repr_raise_or_long(names, title, column):
    rows = {column: [name for name in names for _ in range(4)], "": [1, 0, 1, 1] * len(names)}
    rows["n"] = [9 + i for i in range(len(rows[""]))]
    if len(rows) < 3:
        return
    try:
        audit = fr.Audit(rows, title=title, counts="n").outcome_disparity(column, "", 1, min_group_share=0)
        run = audit.run()
    except fr.FairreportError:
        return  # a name that is refused is shown nowhere
    for shown in (run, run.results[0], fr.compare(run, run)):
        lines = repr(shown).split("\n")
        assert "no display" not in lines[0]
        assert len(lines) <= 15
        assert max(map(columns_of, lines)) <= 100


class SilentError(Exception):
    def __str__(self):
        raise RuntimeError("not even this")


@pytest.mark.parametrize("error", [ZeroDivisionError("what\nnow\u202e"), RecursionError(), SilentError()])
@pytest.mark.parametrize("kind", sorted(display.DRAWINGS))
def test_what_cannot_be_drawn_has_a_line(kind, error, monkeypatch):
    class Shown(display.Displayable):
        display_kind = kind

    def broken(_):
        raise error

    class Module:
        def __getattr__(self, name):
            return broken

    monkeypatch.setattr(display, "import_module", lambda _: Module())
    line = repr(Shown())
    assert line.startswith(f"<Shown: no display ({type(error).__name__}: ")
    assert line.isprintable()
    assert Shown()._repr_mimebundle_() == {"text/plain": line}
    assert Shown()._repr_html_() == Shown()._repr_markdown_() == ""


def test_a_record_that_is_damaged_has_a_line(everything):
    class Damaged(display.Displayable):
        display_kind = "run"
        record = None

    assert repr(Damaged()).startswith("<Damaged: no display (AttributeError: ")


EVERY_KIND = """
import sys
import fairreport as fr
rows = {"b": ["x", "y", "z"] * 60, "a": ["k", "l"] * 90, "y": [1, 0, 1, 1, 0] * 36, "s": [i * 7 % 11 for i in range(180)]}
audit = fr.Audit(rows).outcome_disparity("b", "y", 1).score_disparity("a", "s").metric_parity(
    "b", "auc", score_column="s", ground_truth_column="y", positive_values=1)
rule = {"id": "r", "rate": "selection", "attribute": "b", "worst_group": 0.1}
audit.rate_gaps({"b": ["x", "y", "z"]}, "y", "y", [rule])
audit.segmented_adverse_impact_ratio(reference_values={"b": "x"}, outcome="y", segment="a", air_threshold=0.8,
    percent_difference_threshold=0.0)
run = audit.run()
run.to_json(sys.argv[1])
for shown in (run, *run.results, fr.Report(run), fr.compare(run, run), fr.verify(sys.argv[1])):
    for kind, text in shown._repr_mimebundle_().items():
        print(kind, text)
"""


def test_every_kind_of_result_has_the_same_bytes_in_every_process(tmp_path):
    outputs = set()
    for seed in ("1", "4242"):
        environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"}
        command = [sys.executable, "-c", EVERY_KIND, str(tmp_path / "results.json")]
        outputs.add(subprocess.run(command, env=environment, capture_output=True, check=True).stdout)
    assert len(outputs) == 1
