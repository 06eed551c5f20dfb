"""Rules with very many pairs of groups: a document lists the widest, says how many it leaves out, and is verified."""

import json

import openpyxl
import pytest

import fairreport as fr
from fairreport.audit.gap_document import MOST_GAPS
from fairreport.report.history_series import values_of

CASES = 200


def run_of(n_groups, *, bar=0.05, wrong=lambda i: 20 + 7 * i % 11, undeclared=0, rule=None, **more):
    """Return a run over groups of 200 cases, of which so many each are predicted wrongly."""
    groups = [f"g{i:04d}" for i in range(n_groups)]
    more.setdefault("name", "errors")
    columns = {"g": [], "label": [], "said": []}
    for i, group in enumerate([*groups, *["other"] * undeclared]):
        columns["g"] += [group] * CASES
        columns["label"] += [1] * CASES
        columns["said"] += [0] * wrong(i) + [1] * (CASES - wrong(i))
    rule = {"id": "r", "rate": "error", "attribute": "g", **(rule or {"max_group_gap": bar})}
    return fr.Audit(columns).rate_gaps({"g": groups}, "label", "said", [rule], **more).run()


def found_and_stated(run):
    return run.record.rate_gaps[0].finding.rules[0], run[0].to_dict()["rules"][0]


def pairs(rows):
    return [(row["a"], row["b"]) for row in rows]


def test_sixty_three_groups_are_listed_whole():
    found, stated = found_and_stated(run_of(63))
    assert len(found.gaps) == 63 * 62 // 2 == 1953 <= MOST_GAPS
    assert pairs(stated["gaps"]) == [(gap.a, gap.b) for gap in found.gaps]
    assert "gaps_left_out" not in stated


def test_of_more_the_widest_are_listed_in_the_order_of_the_groups():
    found, stated = found_and_stated(run_of(70))
    assert found.state == "INSUFFICIENT_EVIDENCE"
    by_width = sorted(range(len(found.gaps)), key=lambda i: (-found.gaps[i].gap_upper, -found.gaps[i].gap_lower, i))
    assert pairs(stated["gaps"]) == [(found.gaps[i].a, found.gaps[i].b) for i in sorted(by_width[:MOST_GAPS])]
    assert stated["gaps_left_out"] == {
        "count": 70 * 69 // 2 - MOST_GAPS,
        "beyond_bar": 0,
        "reason": "the 2,000 pairs with the highest upper ends of their gaps are listed; all others follow from the "
        "counts in the evidence",
    }


def test_pairs_beyond_the_bar_come_first():
    def wrong(i):
        return 150 if i == 69 else 20 + 7 * i % 11

    found, stated = found_and_stated(run_of(70, wrong=wrong))
    beyond = {(gap.a, gap.b) for gap in found.gaps if gap.gap_lower > 0.05}
    assert found.state == "FAIL"
    assert len(beyond) == 69
    assert beyond <= set(pairs(stated["gaps"]))
    assert stated["gaps_left_out"]["beyond_bar"] == 0


def test_pairs_beyond_the_bar_that_do_not_fit_are_counted():
    found, stated = found_and_stated(run_of(110, wrong=lambda i: 170 if i % 2 else 20))
    beyond = [gap for gap in found.gaps if gap.gap_lower > 0.05]
    assert len(beyond) == 55 * 55 > MOST_GAPS
    assert stated["gaps_left_out"]["beyond_bar"] == 55 * 55 - MOST_GAPS
    assert {(gap["gap_lower"] > 0.05) for gap in stated["gaps"]} == {True}


def test_no_pair_lies_beyond_a_bar_on_each_group():
    entry = run_of(70, rule={"worst_group": 0.5})[0].to_dict()
    assert entry["rules"][0]["gaps_left_out"]["beyond_bar"] is None
    assert entry["reasons"]["/rules/0/gaps_left_out/beyond_bar"] == "other_bar_stated"


def test_a_pair_is_listed_once_with_both_bounds(result_checker):
    run = run_of(70, undeclared=1)
    found, stated = found_and_stated(run)
    places = {(gap.a, gap.b): i for i, gap in enumerate(found.gaps)}
    for gap in stated["gaps"][::97]:
        wide = found.left_out.gaps[places[gap["a"], gap["b"]]]
        assert gap["with_left_out_anywhere"] == {
            name: getattr(wide, name) for name in ("diff_lower", "diff_upper", "gap_lower", "gap_upper")
        }
    assert stated["gaps"][0]["with_left_out_anywhere"]["gap_upper"] > stated["gaps"][0]["gap_upper"]
    result_checker.validate(json.loads(run.to_json()))


@pytest.mark.parametrize("interval", ["simultaneous", "pairwise"])
def test_a_packet_of_very_many_pairs_is_verified(tmp_path, interval):
    run = run_of(80, interval=interval)
    page = fr.Report(run).save(tmp_path / "packet.html")
    assert fr.verify(page).agrees
    path = tmp_path / "results.json"
    document = json.loads(run.to_json())
    del document["results"][0]["rules"][0]["gaps"][17]
    path.write_text(json.dumps(document), encoding="utf-8")
    assert not fr.verify(path).agrees
    document = json.loads(run.to_json())
    document["results"][0]["rules"][0]["gaps_left_out"]["count"] = 0
    path.write_text(json.dumps(document), encoding="utf-8")
    assert not fr.verify(path).agrees


def test_a_document_of_a_thousand_groups_can_be_read_back(tmp_path):
    run = run_of(1000)
    path = tmp_path / "results.json"
    path.write_text(run.to_json(), encoding="utf-8")
    assert path.stat().st_size < 4_000_000
    assert fr.verify(path).agrees


def test_what_is_left_out_is_said_in_every_display():
    run = run_of(70)
    said = "results.json lists 2,000 of 2,415 pairs, the widest, and leaves out the rest"
    assert said in run._repr_html_()
    html = fr.Report(run).html()
    assert said[1:] in html
    assert "1,960 further pairs in the attachment results.json" in html
    beyond = run_of(110, wrong=lambda i: 170 if i % 2 else 20)._repr_html_()
    assert "leaves out the rest, of which 1,025 lie wholly beyond the bar" in beyond
    assert "results.json lists" not in run_of(63)._repr_html_()


@pytest.mark.parametrize("interval", ["simultaneous", "pairwise"])
def test_a_history_knows_the_widest_gap_though_no_list_holds_it(interval):
    """Fifty small groups have wide intervals; the widest gap that was observed lies between two large groups."""
    groups = [f"g{i:03d}" for i in range(200)]
    columns = {"g": [], "label": [], "said": []}
    for i, group in enumerate(groups):
        n, wrong = (400, 220 if i == 7 else 120 if i == 8 else 170) if i < 150 else (20, 8)
        columns["g"] += [group] * n
        columns["label"] += [1] * n
        columns["said"] += [0] * wrong + [1] * (n - wrong)
    rule = {"id": "r", "rate": "error", "attribute": "g", "max_group_gap": 0.9}
    run = fr.Audit(columns).rate_gaps({"g": groups}, "label", "said", [rule], interval=interval).run()
    found, stated = found_and_stated(run)
    assert ("g007", "g008") not in pairs(stated["gaps"])
    gap = next(gap for gap in found.gaps if (gap.a, gap.b) == ("g007", "g008"))
    point = values_of(run[0].to_dict())["r"].point
    assert point.value == 220 / 400 - 120 / 400
    assert (point.low, point.high) == ((gap.gap_lower, gap.gap_upper) if interval == "simultaneous" else (None, None))


def test_the_frame_of_a_run_holds_every_pair():
    assert len(run_of(70)[0].gaps) == 2415


def test_a_workbook_lists_the_same_pairs_and_says_what_it_leaves_out(tmp_path):
    run = run_of(70)
    book = openpyxl.load_workbook(run.to_excel(tmp_path / "book.xlsx"))
    name = next(name for name in book.sheetnames if name.endswith("gaps") and "left out" not in name)
    rows = list(book[name].iter_rows(min_row=2, values_only=True))
    assert [row[1:3] for row in rows] == pairs(found_and_stated(run)[1]["gaps"])
    (heads, row) = book[next(name for name in book.sheetnames if "left out" in name)].iter_rows(values_only=True)
    assert dict(zip(heads, row, strict=True))["count"] == 415
