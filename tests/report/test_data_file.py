"""The hash of the audited file: stated where there is a file, and never in the way where there is none."""

import gzip
import json
from hashlib import sha256

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import fairreport as fr
from fairreport.tables.source import open_table

ROWS = {"sex": ["F"] * 40 + ["M"] * 40, "hired": [1, 0] * 20 + [1, 1, 0, 1] * 10}
TEXT = "sex,hired\n" + "".join(f"{s},{h}\n" for s, h in zip(ROWS["sex"], ROWS["hired"], strict=True))


def write(path):
    if path.suffix == ".csv":
        path.write_text(TEXT)
    elif path.suffix == ".gz":
        path.write_bytes(gzip.compress(TEXT.encode(), mtime=0))
    elif path.suffix == ".jsonl":
        lines = [json.dumps({"sex": s, "hired": h}) for s, h in zip(ROWS["sex"], ROWS["hired"], strict=True)]
        path.write_text("\n".join(lines))
    else:
        pq.write_table(pa.table(ROWS), path)
    return path


def report_of(data):
    return fr.Report(fr.Audit(data).outcome_disparity("sex", "hired", 1).run())


def manifest(report):
    return json.loads(next(file.content for file in report.attachments if file.name == "manifest.json"))["data"]


@pytest.mark.parametrize("name", ["rows.csv", "rows.csv.gz", "rows.jsonl", "rows.parquet"])
def test_the_hash_is_that_of_the_file(tmp_path, name):
    path = write(tmp_path / name)
    report, digest = report_of(path), sha256(path.read_bytes()).hexdigest()
    assert manifest(report)["file_sha256"] == digest
    assert manifest(report)["file_sha256_absent"] is None
    assert digest in report.html()


def test_the_folder_of_a_file_is_never_printed(tmp_path):
    folder = tmp_path / "secret folder"
    folder.mkdir()
    report = report_of(write(folder / "rows.csv"))
    assert "secret folder" not in report.html()
    assert not any(b"secret folder" in file.content for file in report.attachments)
    assert "rows.csv" in report.html()


def test_a_file_that_is_gone_is_said_and_stops_nothing(tmp_path):
    path = write(tmp_path / "rows.csv")
    report = report_of(path)
    path.unlink()
    assert report.save(tmp_path / "packet.html").exists()
    assert "not stated: the file was no longer there when the packet was made" in report.html()
    assert manifest(report)["file_sha256"] is None
    assert "no longer there" in manifest(report)["file_sha256_absent"]


def test_a_relative_path_is_found_from_another_folder(tmp_path, monkeypatch):
    path = write(tmp_path / "rows.csv")
    monkeypatch.chdir(tmp_path)
    report = report_of("rows.csv")
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    assert manifest(report)["file_sha256"] == sha256(path.read_bytes()).hexdigest()


def test_a_folder_of_files_has_no_single_hash(tmp_path):
    folder = tmp_path / "parts"
    folder.mkdir()
    write(folder / "one.parquet")
    report = report_of(folder)
    assert manifest(report)["file_sha256"] is None
    assert "not stated: the rows were read from a folder of files" in report.html()


def test_rows_from_memory_have_no_file(tmp_path):
    report = report_of(ROWS)
    assert "not stated: the rows were not read from a file" in report.html()
    assert manifest(report)["file_sha256_absent"] == "the rows were not read from a file"


def test_a_hash_is_taken_only_when_a_packet_is_made(tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr("fairreport.report.packet.hash_data_file", asked.append)
    report_of(write(tmp_path / "rows.csv"))
    assert asked == []


def test_tables_know_the_file_they_were_opened_from(tmp_path):
    path = write(tmp_path / "rows.csv")
    assert open_table(path).path == path
    assert open_table(ROWS).path is None
    assert open_table(pa.table(ROWS)).path is None
