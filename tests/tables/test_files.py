"""Files: what is read, and what is refused in one line."""

import gzip
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from fairreport import Audit, DataError

COLUMNS = {"g": ["F", "M", "F", "M"], "o": [1, 0, 1, 1]}
EXPECTED = {"F": (2, 2), "M": (2, 1)}


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("name", ["table.csv", "table.tsv", "table.txt", "TABLE.CSV", "table.csv.gz"])
def test_delimiters(write_csv, counts, delimiter, name):
    assert counts(write_csv(COLUMNS, name, delimiter=delimiter)) == EXPECTED


def test_other_delimiters_inside_quotes(write_csv, counts):
    assert counts(write_csv('g;"a,b,c|d";o\nF;"1,2,3";1\nM;"x|y";0\n')) == {"F": (1, 1), "M": (1, 0)}


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_newlines(write_csv, counts, newline):
    assert counts(write_csv(newline.join(["g,o", "F,1", "M,0", "F,0", ""]))) == {"F": (2, 1), "M": (1, 0)}


def test_no_newline_at_the_end(write_csv, counts):
    assert counts(write_csv("g,o\nF,1\nM,0")) == {"F": (1, 1), "M": (1, 0)}


def test_quoted_newlines_and_quotes(write_csv, counts):
    text = 'g,o\n"F\nemale",1\n"M ""x""",0\n"F\nemale",0\n'
    assert counts(write_csv(text)) == {"F\nemale": (2, 1), 'M "x"': (1, 0)}


def test_a_quoted_newline_in_the_header(write_csv, counts):
    assert counts(write_csv('"the\ngroup",o\nF,1\nM,0\n'), "the\ngroup") == {"F": (1, 1), "M": (1, 0)}


@pytest.mark.parametrize("name", ["table.csv", "table.csv.gz"])
def test_a_byte_order_mark(write_csv, counts, name):
    assert counts(write_csv("\ufeffg,o\nF,1\nM,0\n", name)) == {"F": (1, 1), "M": (1, 0)}


def test_a_byte_order_mark_in_jsonl(tmp_path, counts):
    path = tmp_path / "table.jsonl"
    path.write_bytes('\ufeff{"g": "F", "o": 1}\n'.encode())
    assert counts(path) == {"F": (1, 1)}


def test_cells_stay_as_they_are_written(write_csv, counts):
    text = "g,o\n01,1\n1e3,1\n1_000,1\n0x1F,1\nNaN,1\nnull,1\n2024-01-01,1\n12:00,1\n1.10,1\n"
    kept = ["01", "1e3", "1_000", "0x1F", "NaN", "null", "2024-01-01", "12:00", "1.10"]
    assert counts(write_csv(text)) == dict.fromkeys(kept, (1, 1))


@pytest.mark.parametrize(
    "name",
    [
        "a[1].csv",
        "a*b.csv",
        "what?.csv",
        "it's.csv",
        "with space.csv",
        "ünïcode 漢.csv",
        "a#b%20{c}.csv",
        "~x.csv",
        'a"b.csv',
    ],
)
def test_any_file_name(write_csv, counts, name):
    (
        write_csv("g,o\nX,1\n", "a1.csv"),
        write_csv("g,o\nX,1\n", "acb.csv"),
    )  # what a pattern would find as well
    path = write_csv(COLUMNS, name)
    assert counts(path) == EXPECTED
    assert counts(str(path)) == EXPECTED


@pytest.mark.parametrize("name", ["a[1].parquet", "a*b.parquet", "it's.parquet", "sex=F.parquet"])
def test_any_parquet_name(tmp_path, counts, name):
    pq.write_table(pa.table(COLUMNS), tmp_path / name)
    assert counts(tmp_path / name) == EXPECTED


def test_a_folder_that_looks_like_a_pattern_or_a_partition(tmp_path, counts):
    for name in ("p[q] *'s", "g=X"):
        folder = tmp_path / name
        folder.mkdir()
        pq.write_table(pa.table(COLUMNS), folder / "one.parquet")
        assert counts(folder / "one.parquet") == EXPECTED
    assert counts(tmp_path / "p[q] *'s") == EXPECTED


def test_a_folder_of_parquet_with_columns_in_another_order(tmp_path, counts):
    pq.write_table(pa.table(COLUMNS), tmp_path / "1.parquet")
    pq.write_table(pa.table({"o": [0], "g": ["F"]}), tmp_path / "2.parquet")
    assert counts(tmp_path) == {"F": (3, 2), "M": (2, 1)}


def test_nested_columns_beside_the_others(tmp_path, counts, measure):
    table = pa.table({"tags": [["x"], ["y"]], "g": ["F", "M"], "at": [{"a": 1}, {"a": 2}], "o": [1, 0]})
    pq.write_table(table, tmp_path / "table.parquet")
    assert counts(tmp_path / "table.parquet") == {"F": (1, 1), "M": (1, 0)}
    for name in ("tags", "at"):
        assert measure(tmp_path / "table.parquet", name)["skip_code"] == "nested_column"


@pytest.mark.parametrize("folder", [False, True])
def test_parquet_columns_that_differ_in_letter_case(tmp_path, counts, folder):
    path = tmp_path / "table.parquet"
    pq.write_table(pa.table({"n": ["a", "b"], "N": ["x", "x"], "o": [1, 0]}), path)
    assert counts(tmp_path if folder else path, "N") == {"x": (2, 1)}
    assert counts(tmp_path if folder else path, "n") == {"a": (1, 1), "b": (1, 0)}


def test_header_only(write_csv, measure):
    for text in ("g,o\n", "g,o"):
        entry = measure(write_csv(text))
        assert (entry["skip_code"], entry["rows_total"]) == ("empty_column", None)


def test_keys_that_come_late_in_jsonl(tmp_path, counts):
    path = tmp_path / "table.jsonl"
    path.write_text('{"g": "F"}\n' * 1500 + '\n{"g": "M", "o": 1}\n{"o": 0}\n{"g": "M", "o": null}\n')
    assert counts(path) == {"M": (1, 1)}


def test_json_keeps_its_types(tmp_path, counts):
    path = tmp_path / "table.jsonl"
    cells = [1, 1.0, True, "1", "true", None, "", "\u00e5", "\\", 'a"b']
    path.write_text("".join(json.dumps({"g": cell, "o": 1}) + "\n" for cell in cells))
    assert counts(path) == {"1": (3, 3), '"'.join("ab"): (1, 1), "\\": (1, 1), "true": (2, 2), "å": (1, 1)}
    result = Audit(path).outcome_disparity("g", "o", 1, min_group_size=1).run()[0]
    assert result.records({"g": 1})["g"].tolist() == [1, 1.0, "1"]
    assert result.records({"g": "å"})["g"].tolist() == ["å"]
    assert len(result.records(include_left_out=True)) == len(cells)


def test_one_number_in_several_json_spellings(tmp_path, counts):
    path = tmp_path / "table.jsonl"
    path.write_text('{"g": 1e0, "o": 1}\n{"g": 1.00, "o": 1}\n{"g": 1E-5, "o": 1}\n{"g": 0.00001, "o": 0}\n')
    assert counts(path) == {"1": (2, 2), "1e-05": (2, 1)}
    result = Audit(path).outcome_disparity("g", "o", 1, min_group_size=1).run()[0]
    assert len(result.records({"g": 1e-05})) == 2


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("ragged.csv", "g,o\nF,1,9\nM,0\n", "Line: 2"),
        ("short.csv", "g,x,o\nF,2,1\nM,0\n", "Line: 3"),
        ("open.csv", 'g,o\n"F,1\nM,0\n', "Line: 2"),
        ("latin.csv", "g,o\nKjønn,1\n".encode("latin-1"), "is not UTF-8 text"),
        ("latin-header.csv", "kjønn,o\nF,1\n".encode("latin-1"), "is not UTF-8 text"),
        ("wide.csv", "g,o\nF,1\n".encode("utf-16"), "is not UTF-8 text"),
        ("latin.jsonl", '{"g": "ø", "o": 1}\n'.encode("latin-1"), "is not UTF-8 text"),
        ("empty.csv", "", "is empty; wanted a header line"),
        ("blank.csv", "\n\n", "is empty; wanted a header line"),
        ("fake.csv.gz", "g,o\nF,1\n", "cannot be read: Not a gzipped file"),
        ("cut.csv.gz", gzip.compress(b"g,o\n" + b"F,1\n" * 9, mtime=0)[:-9], "cannot be read"),
        ("long.csv", "g,o,x\nF,1," + "x" * 3_000_000 + "\n", "cannot be read"),
        ("broken.jsonl", '{"g": "F", "o": 1}\n{"g": "M"\n', "line 2 is no JSON"),
        ("late.jsonl", '{"g": "F", "o": 1}\n' * 1500 + '{"g": "M"\n', "Malformed JSON"),
        ("list.jsonl", "[1, 2]\n", "line 1 is no JSON object"),
        ("fake.parquet", "g,o\nF,1\n", "cannot be read"),
        ("twice.csv", "sex,o,sex\nF,1,M\n", "two columns named 'sex'"),
    ],
)
def test_unreadable_files_are_refused_in_one_line(tmp_path, measure, name, content, message):
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(DataError, match=message) as caught:
        measure(path)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 1000


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("absent.csv", "there is no file"),
        ("folder", "the folder 'folder' holds no .parquet file"),
        ("table.xlsx", r"cannot tell the format of 'table\.xlsx'; wanted an ending among \.csv"),
        ("table.csv.zip", r"is compressed as zip; wanted \.gz"),
        ("table", "cannot tell the format of 'table'"),
    ],
)
def test_paths_that_are_no_table(tmp_path, measure, name, message):
    (tmp_path / "folder").mkdir()
    for made in ("table.xlsx", "table.csv.zip", "table"):
        (tmp_path / made).write_text("g,o\n")
    with pytest.raises(DataError, match=message):
        measure(tmp_path / name)


def test_folders_of_parquet_that_do_not_fit_together(tmp_path, measure):
    pq.write_table(pa.table(COLUMNS), tmp_path / "1.parquet")
    pq.write_table(pa.table({"g": ["F"]}), tmp_path / "2.parquet")
    with pytest.raises(DataError, match="schema mismatch") as caught:
        measure(tmp_path)
    assert "\n" not in str(caught.value)
