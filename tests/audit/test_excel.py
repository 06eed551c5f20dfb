"""A workbook: a sheet a table, group names kept, nothing that a spreadsheet would run, the same bytes twice."""

import builtins
import io

import openpyxl
import pytest

import fairreport as fr
from fairreport.audit.excel import sheet_name

COLUMNS = {
    "race": ["=1+1", "White", "Black"] * 40,
    "hired": [0, 1, 1] * 20 + [1, 1, 0] * 20,
    "site": ["x", "x", "x", "y", "y", "y"] * 20,
    "p": [0.2, 0.9, 0.4] * 40,
}
SEGMENTS = {
    "outcome": "hired",
    "segment": "site",
    "air_threshold": 0.8,
    "percent_difference_threshold": 0,
    "reference_values": {"race": "White"},
}
RULE = {"id": "r", "rate": "selection", "attribute": "race", "max_group_gap": 0.5}


def run():
    audit = fr.Audit(COLUMNS).outcome_disparity("race", "hired", 1, name="rates: [all]")
    audit.segmented_adverse_impact_ratio(**SEGMENTS, name="by site")
    audit.rate_gaps({"race": ["White", "Black"]}, "hired", "hired", RULE, probability="p", name="gaps")
    return audit.run()


def read(path):
    return openpyxl.load_workbook(path)


def test_a_sheet_a_table(tmp_path):
    book = read(run().to_excel(tmp_path / "all.xlsx"))
    assert book.sheetnames == [
        "measurements",
        "rates all",
        "by site pooled",
        "x by site",
        "y by site",
        "gaps",
        "gaps gaps",
        "gaps calibration",
    ]


def test_cells_are_the_numbers_of_the_result(tmp_path):
    found = run()
    book = read(found.to_excel(tmp_path / "all.xlsx"))
    rows = list(book["rates all"].iter_rows(values_only=True))
    frame = found[0].groups.reset_index()
    assert rows[0][:3] == ("race", "n", "share")
    assert [row[0] for row in rows[1:]] == frame["race"].tolist()
    assert [row[rows[0].index("rate")] for row in rows[1:]] == frame["rate"].tolist()
    pooled = list(book["by site pooled"].iter_rows(values_only=True))
    assert dict(zip(pooled[0], pooled[1], strict=True))["segments_used"] == "x; y"


def test_text_never_becomes_a_formula(tmp_path):
    book = read(run().to_excel(tmp_path / "all.xlsx"))
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row if cell.value == "=1+1"]
    assert cells
    assert {cell.data_type for cell in cells} == {"s"}


def test_the_same_bytes_twice(tmp_path):
    one, other = run().to_excel(tmp_path / "1.xlsx"), run().to_excel(tmp_path / "2.xlsx")
    assert one.read_bytes() == other.read_bytes()


def test_one_result_alone(tmp_path):
    book = read(run()[2].to_excel(tmp_path / "gaps.xlsx"))
    assert book.sheetnames == ["measurements", "gaps", "gaps gaps", "gaps calibration"]


def test_a_skipped_test_keeps_its_sheet(tmp_path):
    found = fr.Audit({"a": [1]}).segmented_adverse_impact_ratio(**SEGMENTS, name="by site").run()
    assert read(found.to_excel(tmp_path / "all.xlsx")).sheetnames == ["measurements", "by site"]


@pytest.mark.parametrize(
    ("title", "taken", "name"),
    [
        ("a" * 40, [], "a" * 31),
        ("a" * 40, ["A" * 31], "a" * 29 + " 2"),
        ("a/b\\c?*[d]:'e'", [], "abcde"),
        ("History", [], "History 2"),
        ("//", [], "test"),
        ("日本語", ["日本語"], "日本語 2"),
    ],
)
def test_names_of_sheets(title, taken, name):
    assert sheet_name(title, taken) == name


def test_without_the_package_the_message_says_what_to_install(tmp_path, monkeypatch):
    found, plain = run(), builtins.__import__

    def without(name, *arguments, **more):
        if name == "xlsxwriter":
            raise ImportError(name)
        return plain(name, *arguments, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(fr.FairreportError, match=r"pip install 'fairreport\[excel\]'"):
        found.to_excel(tmp_path / "all.xlsx")
    assert not (tmp_path / "all.xlsx").exists()


def test_what_does_not_fit_a_sheet_is_refused(tmp_path):
    found = fr.Audit({"g": ["a", "b" * 40_000] * 40, "hired": [0, 1] * 40}).outcome_disparity("g", "hired", 1).run()
    with pytest.raises(fr.DataError, match="does not fit an Excel sheet; write CSV instead"):
        found.to_excel(tmp_path / "all.xlsx")
    assert not (tmp_path / "all.xlsx").exists()


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(fr.DataError, match="cannot write"):
        run().to_excel(tmp_path / "none" / "all.xlsx")


def test_an_open_stream_is_not_left(tmp_path):
    path = run().to_excel(tmp_path / "all.xlsx")
    assert openpyxl.load_workbook(io.BytesIO(path.read_bytes()), read_only=True).sheetnames[0] == "measurements"
