"""The explorer as a widget: its controls, what it shows, and how it bears what goes wrong."""

import json
import re
import subprocess
import sys
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import ipywidgets
import pytest

import fairreport as fr

HOSTILE = ('<img src=x onerror="alert(1)">', "</style><script>alert(1)</script>", "\u202egnp.exe", "w" * 300)


@pytest.fixture
def explorer(audit):
    return audit.explore()


@pytest.fixture
def rates():
    """An audit of one test in which B is at 0.775 of A."""
    rows = {"race": ["A", "A", "B", "B", "C", "C"], "y": [1, 0] * 3, "n": [400, 600, 310, 690, 5, 5]}
    return fr.Audit(rows, counts="n").outcome_disparity("race", "y", 1)


def control(explorer, name):
    return explorer.controls.by_name[name]


def shown(explorer):
    """The text of the table, without styles and drawings."""
    html = re.sub(r"<(style|svg).*?</\1>", "", explorer._table.value, flags=re.DOTALL)
    text = re.sub(r"<[^>]+>", " ", re.sub(r"</?bdi[^>]*>", "", html))
    return unescape(re.sub(r"\s+", " ", text))


class Tags(HTMLParser):
    """Every tag of a fragment, with the attributes that could run something."""

    def __init__(self, html):
        super().__init__()
        self.found = set()
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.found.add(tag)
        self.found |= {name for name, _ in attrs if name.startswith("on")}


def every(widget):
    yield widget
    for child in getattr(widget, "children", ()):
        yield from every(child)


def test_a_moved_slider_changes_the_table_the_line_the_code_and_the_yaml(rates):
    explorer = rates.explore()
    assert "As stated" in shown(explorer)
    control(explorer, "threshold").value = 0.77
    assert "Status failing → passing: group race = B now at or above 0.77 (ratio 0.775)." in shown(explorer)
    assert "dashed at 0.77" in shown(explorer)
    assert "impact_ratio_threshold=0.77" in explorer.python
    assert "impact_ratio_threshold: 0.77" in explorer.yaml
    assert explorer.run().status.value == "passing"
    assert explorer.answer.record.test.impact_ratio_threshold == 0.77


def test_a_slider_that_adds_up_its_steps_gives_whole_hundredths(rates):
    explorer = rates.explore()
    control(explorer, "threshold").value = 0.5 + 0.01 * 7 + 0.01 * 3 + 1e-12
    assert "impact_ratio_threshold=0.6)" in explorer.python


MOVES = {
    "reference": -1,
    "threshold": 0.9,
    "significance_test": -1,
    "alpha": 0.2,
    "p_value_adjustment": "holm",
    "min_group_size": 10,
    "min_group_share": 0.05,
    "controls": ("sex",),
    "comparison": -1,
    "max_difference": "0.05",
    "require_significance": True,
    "rate": -1,
    "attribute": -1,
    "is_gap": False,
    "bar": 0.7,
    "max_left_out": 0.5,
    "needs_review": True,
    "confidence_level": 0.9,
    "interval": "pairwise",
    "min_cell": 10,
    "looks": 2,
    "joint": True,
    "calibration_bins": 5,
    "percent_difference_threshold": 0.1,
    "max_for_fishers": 5.0,
    "shortfall_method": "",
    "lower_is_favorable": True,
    "sd": "pooled",
    "welch": True,
    "adjust_over_quantiles": True,
    "ratio_threshold": "0.9",
    "difference_threshold": "0.1",
    "of": -1,
}


def move(moved, value):
    """Set a control; -1 stands for the last other option that it has."""
    others = [option for _, option in getattr(moved, "options", ()) if option != moved.value] if value == -1 else []
    moved.value = others[-1] if others else moved.value if value == -1 else value


def test_every_control_of_every_kind_of_test_answers(explorer):
    seen = set()
    for _, position in control(explorer, "test").options:
        control(explorer, "test").value = position
        for name, moved in list(explorer.controls.by_name.items()):
            if name not in {"test", "rule", "attributes"} and not moved.disabled:
                before = explorer.answer.settings
                move(moved, MOVES[name])
                seen.add(name)
                assert re.search("Status|As stated|not counted yet|not at hand|do not stand together", shown(explorer))
                assert "No answer" not in shown(explorer)
                is_choice = name in {"of", "comparison"} or len(getattr(moved, "options", "**")) == 1
                assert is_choice or explorer.answer.settings != before, name
        explorer._reset.click()
        assert explorer.answer.is_stated
    assert {"threshold", "bar", "calibration_bins", "percent_difference_threshold", "max_for_fishers"} <= seen


def test_each_test_keeps_its_settings(explorer):
    control(explorer, "threshold").value = 0.9
    control(explorer, "test").value = 2
    assert control(explorer, "threshold").value == 0.8
    assert "As stated" in shown(explorer)
    control(explorer, "alpha").value = 0.01
    control(explorer, "test").value = 0
    assert control(explorer, "threshold").value == 0.9
    assert "Status: " in shown(explorer)
    assert "impact_ratio_threshold=0.9" in explorer.python
    assert "'score', alpha=0.01" in explorer.python


def test_the_controls_show_what_belongs_to_the_test(explorer):
    hidden = {
        name
        for position, name in ((0, "comparison"), (2, "controls"), (2, "comparison"), (3, "controls"))
        if choose(explorer, position) and control(explorer, name).layout.display == "none"
    }
    assert hidden == {"comparison", "controls"}
    choose(explorer, 3)
    assert control(explorer, "comparison").layout.display is None
    assert [value for _, value in control(explorer, "significance_test").options] == ["auto", "none"]


def choose(explorer, position):
    control(explorer, "test").value = position
    return True


def test_other_attributes_ask_for_a_scan_once(explorer):
    assert explorer._scan.disabled
    control(explorer, "attributes").value = ("sex",)
    assert "not counted yet" in shown(explorer)
    assert not explorer._scan.disabled
    explorer._scan.click()
    assert "the groups are now by sex, 2 groups" in shown(explorer)
    assert explorer._scan.disabled
    control(explorer, "attributes").value = ("race",)
    assert "the groups are now by race, 4 groups" in shown(explorer)


def test_a_named_reference_goes_with_its_attribute(explorer):
    control(explorer, "test").value = 1
    control(explorer, "reference").value = "B"
    assert "reference_strategy='named', reference_value='B'" in explorer.python
    control(explorer, "attributes").value = ("race", "sex")
    assert [label for label, _ in control(explorer, "reference").options] == ["the best group"]
    assert "reference_value=" not in explorer.python


def test_a_reference_without_enough_rows_shows_the_reason(rates):
    explorer = rates.explore()
    control(explorer, "reference").value = "C"
    assert "the reference group 'C' has 10 rows, too few" in shown(explorer)
    assert "○ skipped" in shown(explorer)
    assert "Traceback" not in explorer._table.value


def test_settings_that_do_not_stand_together_are_said(rates):
    explorer = rates.explore()
    control(explorer, "require_significance").value = True
    control(explorer, "significance_test").value = "none"
    assert "These settings do not stand together" in shown(explorer)
    assert explorer.python.startswith("# ")
    with pytest.raises(fr.ConfigError):
        explorer.run()
    control(explorer, "significance_test").value = "z_test"
    assert "significance_test='z_test'" in explorer.python


def test_whatever_goes_wrong_is_said(rates, monkeypatch):
    explorer = rates.explore()
    monkeypatch.setattr(explorer._exploration, "answer", lambda *_: 1 / 0)
    control(explorer, "alpha").value = 0.1
    assert "No answer: ZeroDivisionError" in shown(explorer)
    monkeypatch.setattr(explorer._exploration, "gather", lambda *_: Path("/nowhere/at/all").read_text())
    explorer._scan.click()
    assert "The table could not be read: FileNotFoundError" in shown(explorer)


def test_a_threshold_off_the_grid_is_kept_until_the_slider_moves():
    rows = {"g": ["A", "B"] * 50, "y": [1, 0, 1, 1] * 25}
    explorer = fr.Audit(rows).outcome_disparity("g", "y", 1, impact_ratio_threshold=0.4375, alpha=1e-6).explore()
    slider = control(explorer, "threshold")
    assert (slider.value, slider.step, slider.min, slider.readout_format) == (0.4375, 0.001, 0.43, ".3f")
    control(explorer, "p_value_adjustment").value = "holm"
    assert "impact_ratio_threshold=0.4375" in explorer.python
    assert "alpha=1e-06" in explorer.python


def test_the_packet_is_saved_under_the_present_settings(rates, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    explorer = rates.explore()
    control(explorer, "threshold").value = 0.77
    explorer._save.click()
    assert str(tmp_path / "packet.html") in explorer._saved.value
    assert "0.77" in (tmp_path / "packet.html").read_text()
    assert not explorer._save.disabled
    explorer._file.value = "packet.docx"
    explorer._save.click()
    assert "Not saved: " in explorer._saved.value
    assert "a .pdf or an .html file" in explorer._saved.value
    explorer._file.value = str(tmp_path / "nowhere" / "packet.html")
    explorer._save.click()
    assert "Not saved: " in explorer._saved.value


def test_a_packet_reads_the_table_for_what_is_lacking(audit, tmp_path):
    explorer = audit.explore()
    control(explorer, "test").value = 2
    control(explorer, "attributes").value = ("race",)
    explorer._file.value = str(tmp_path / "packet.html")
    explorer._save.click()
    assert "Saved as" in explorer._saved.value
    assert "score by race" in (tmp_path / "packet.html").read_text()


def test_the_figure_is_drawn_on_request(rates):
    explorer = rates.explore()
    assert explorer._figure.value == ""
    explorer._with_figure.value = True
    before = explorer._figure.value
    assert "<svg" in before
    control(explorer, "threshold").value = 0.7
    assert explorer._figure.value != before
    control(explorer, "attributes").value = ()
    assert explorer._figure.value == ""


def test_every_control_has_a_label_and_a_meaning(explorer):
    controls = [
        it for it in every(explorer.widget) if hasattr(it, "description") and not isinstance(it, ipywidgets.HTML)
    ]
    assert {control(explorer, "test").value for _ in controls} == {0}
    for it in controls:
        assert it.description, it
        assert it.tooltip, it
        assert not it.description_allow_html if hasattr(it, "description_allow_html") else True
        assert getattr(it, "tabbable", None) is not False
    order = [it.description for it in controls]
    assert order[:5] == ["Test", "Attributes", "Reference", "Compared with", "Ratio threshold"]
    assert order[-4:] == ["Copy as code", "Copy as YAML", "Packet file", "Save packet"]


def reached(explorer):
    """The descriptions of what a reader can reach, in the order of the tabulator."""

    def walk(widget):
        if widget.layout.display == "none":
            return
        if hasattr(widget, "description") and not isinstance(widget, ipywidgets.HTML) and not widget.disabled:
            yield widget.description
        for child in getattr(widget, "children", ()):
            yield from walk(child)

    return list(walk(explorer.widget))


def test_only_the_controls_of_the_kind_at_hand_are_reached(explorer):
    seen = {}
    for _, position in control(explorer, "test").options:
        control(explorer, "test").value = position
        seen[position] = reached(explorer)
    assert seen[0][:4] == ["Test", "Attributes", "Reference", "Ratio threshold"]
    assert seen[5][:6] == ["Test", "Rule", "Rate", "Groups by", "Bar on", "Bar"]
    assert seen[6][:4] == ["Test", "Reference of", "Reference", "AIR threshold"]
    assert "SMD threshold" in seen[7]
    assert "Shortfall" not in seen[7]
    assert "Lower is favorable" in seen[8]
    assert "Largest gap" in seen[3]
    assert "Largest gap" not in seen[0]
    assert all("Add a threshold" in it for i, it in seen.items() if i != 5)


def test_hostile_names_are_escaped_everywhere(tmp_path):
    names = [name for name in HOSTILE for _ in range(2)]
    rows = {HOSTILE[0]: names, "y": [1, 0] * 4, "n": [400, 600, 310, 690, 350, 650, 380, 620]}
    audit = fr.Audit(rows, title=HOSTILE[1], counts="n").outcome_disparity(HOSTILE[0], "y", 1, name=HOSTILE[1])
    explorer = audit.outcome_disparity(HOSTILE[0], "y", 1, name="<b>two</b>").explore()
    control(explorer, "threshold").value = 0.7
    explorer._with_figure.value = True
    control(explorer, "reference").value = HOSTILE[0]
    explorer._file.value = str(tmp_path / "<script>" / "packet.html")
    explorer._save.click()
    allowed = {
        *("div", "style", "p", "strong", "bdi", "span", "table", "caption", "thead", "tbody", "tr", "th", "td"),
        *("svg", "title", "path", "ul", "li", "g", "defs", "use", "clippath", "rect", "text", "code"),
    }
    for it in every(explorer.widget):
        if isinstance(it, ipywidgets.HTML):
            assert Tags(it.value).found <= allowed, it.value
    assert "\u202e" not in explorer._table.value
    labels = [label for label, _ in control(explorer, "reference").options]
    assert all(len(label) <= 80 and "\u202e" not in label for label in labels)
    made = {"data": rows}
    exec(explorer.python, made)
    assert made["run"].to_json() == explorer.run().to_json()


def test_a_thousand_groups_show_twenty_rows_and_the_reference():
    groups = [f"g{i:03}" for i in range(1000) for _ in range(2)]
    counts = [n for i in range(1000) for n in (400 + (37 * i) % 100, 500)]
    explorer = (
        fr.Audit({"g": groups, "y": [1, 0] * 1000, "n": counts}, counts="n")
        .outcome_disparity("g", "y", 1, min_group_share=0)
        .explore()
    )
    assert explorer._table.value.count("<tr") == 21
    assert "– reference" in shown(explorer)
    assert "980 more are judged alike" in shown(explorer)
    assert "999 compared groups" in shown(explorer)
    assert len(explorer._table.value) < 40_000


def test_it_shows_the_run_first_and_then_the_controls(rates, monkeypatch):
    displayed = []
    monkeypatch.setattr("IPython.display.display", displayed.append)
    run = rates.run()
    explorer = run.explore()
    explorer._ipython_display_()
    assert displayed == [run, explorer.widget]
    assert "show it as the last line" in repr(explorer)


def test_one_result_is_explored_by_itself(audit, monkeypatch):
    displayed = []
    monkeypatch.setattr("IPython.display.display", displayed.append)
    explorer = audit.run()["within sites"].explore()
    explorer._ipython_display_()
    assert displayed[0].name == "within sites"
    assert control(explorer, "test").options == (("within sites", 0),)
    assert "score_disparity" not in explorer.python
    rows = {"g": ["A", "B"] * 50, "y": [1, 0, 1, 1] * 25}
    assert "outcome_disparity" in fr.outcome_disparity(rows, "g", "y", 1).explore().python


def test_settings_kept_for_the_kernel_hold_no_data_but_names(explorer):
    state = json.dumps([it.get_state(drop_defaults=True) for it in every(explorer.controls.box)], default=str)
    assert len(state) < 60_000


def test_what_is_sent_to_the_browser_is_strict_json(explorer):
    sent = []
    for it in every(explorer.widget):
        it.send_state = lambda key=None, it=it: sent.append((it, key))
    for _, position in control(explorer, "test").options:
        control(explorer, "test").value = position
    assert sent
    for it in every(explorer.widget):
        json.dumps(it.get_state(), default=str, allow_nan=False)


CODE = """
import sys
sys.modules["ipywidgets"] = None
import fairreport as fr
audit = fr.Audit({"g": ["A", "B"] * 50, "y": [1, 0, 1, 1] * 25}).outcome_disparity("g", "y", 1)
run = audit.run()
for start in (audit.explore, run.explore, run.results[0].explore):
    try:
        start()
    except fr.FairreportError as error:
        assert isinstance(error, ImportError)
        print(error)
"""


def test_without_ipywidgets_one_error_says_what_to_install():
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    assert done.stdout == 3 * "the explorer needs ipywidgets; install it with: pip install fairreport[notebook]\n"


def test_an_audit_does_not_wait_for_ipywidgets():
    code = "import sys, fairreport as fr; fr.Audit; fr.AuditRun; print('ipywidgets' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
