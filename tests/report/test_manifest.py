"""The manifest of a scheduled run: written last, and nothing else is taken for it."""

from __future__ import annotations

import hashlib
import json

import pytest

from fairreport import DataError
from fairreport.report.manifest import (
    MANIFEST,
    UNFINISHED,
    described,
    differing_outputs,
    exit_code_of,
    read_manifest,
    remove_manifest,
    write_manifest,
)

STATED = {"complete": True, "exit_code": 1, "reason": None}


def test_every_output_has_its_hash(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"abc")
    (tmp_path / "csv").mkdir()
    (tmp_path / "csv" / "b.csv").write_bytes(b"")
    written = write_manifest(tmp_path, STATED, {"csv/b.csv": described(b""), "a.txt": described(b"abc")})
    # `printf abc | sha256sum`, `printf '' | sha256sum` (GNU coreutils)
    assert written.document["outputs"] == {
        "a.txt": {"bytes": 3, "sha256": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        "csv/b.csv": {"bytes": 0, "sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    }
    assert read_manifest(tmp_path) == written
    assert exit_code_of(tmp_path) == 1


def test_without_a_manifest_a_run_did_not_happen(tmp_path):
    assert read_manifest(tmp_path) is None
    assert exit_code_of(tmp_path) == UNFINISHED == 70


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"complete": true}',
        '{"manifest": 1, "complete": true, "exit_code": 0, "reason": null}',
        '{"manifest": 1, "complete": true, "exit_code": 0, "reason": null, "outputs": []}',
        '{"manifest": 1, "complete": true, "exit_code": 0, "reason": null, "outputs": {"a": 1}}',
        '{"manifest": 1, "complete": true, "exit_code": 0, "reason": 7, "outputs": {}}',
        '{"manifest": 1, "complete": true, "exit_code": 0, "reason": null, "outputs": {}, "notes": 3}',
        '{"manifest": 1, "complete": true, "exit_code": 0, "reason": null, "outputs": {}, "notes": [3]}',
        '{"manifest": 1, "complete": true, "exit_code": 0, "reason": null, "outputs": {}, "late": [{}]}',
        '{"manifest": 1, "complete": true, "exit_code": 0, "reason": null, "outputs": {}, "history": {}}',
        '{"complete": "yes", "exit_code": 0, "reason": null}',
        '{"complete": true, "exit_code": "0", "reason": null}',
        '{"complete": true, "exit_code": false, "reason": null}',
        "\xff",
        "[" * 100_000,
    ],
)
def test_what_is_no_manifest_is_taken_for_none(tmp_path, text):
    (tmp_path / MANIFEST).write_text(text, encoding="latin-1")
    assert read_manifest(tmp_path) is None
    assert exit_code_of(tmp_path) == UNFINISHED


def test_a_run_that_is_not_complete_never_leaves_with_0(tmp_path):
    write_manifest(tmp_path, STATED | {"complete": False, "exit_code": 0}, {})
    assert exit_code_of(tmp_path) == UNFINISHED


def test_the_manifest_of_the_run_before_goes_first(tmp_path):
    write_manifest(tmp_path, STATED, {})
    for _ in range(2):
        remove_manifest(tmp_path)
        assert not (tmp_path / MANIFEST).exists()


def test_an_output_that_is_gone_leaves_no_manifest(tmp_path):
    with pytest.raises(DataError, match=r"the output 'a\.txt' is gone"):
        write_manifest(tmp_path, STATED, {"a.txt": described("a")})
    assert read_manifest(tmp_path) is None


def test_outputs_that_were_changed_are_named(tmp_path):
    for name in ("a", "b", "c"):
        (tmp_path / name).write_text(name)
    write_manifest(tmp_path, STATED, {name: described(name) for name in ("a", "b", "c")})
    assert differing_outputs(tmp_path) == ()
    (tmp_path / "b").write_text("other")
    (tmp_path / "c").unlink()
    assert differing_outputs(tmp_path) == ("b", "c")
    with pytest.raises(DataError, match=r"there is no manifest\.json"):
        differing_outputs(tmp_path / "elsewhere")


def test_the_file_is_json_with_its_version(tmp_path):
    write_manifest(tmp_path, STATED, {})
    text = (tmp_path / MANIFEST).read_bytes()
    assert json.loads(text)["manifest"] == 1
    write_manifest(tmp_path, STATED, {})
    assert hashlib.sha256((tmp_path / MANIFEST).read_bytes()).digest() == hashlib.sha256(text).digest()
