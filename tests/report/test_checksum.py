"""The hash beside a packet: coreutils reads it, and so does verify."""

import subprocess
from hashlib import sha256

import pytest

import fairreport as fr
from fairreport import writing
from fairreport.report.verify import verify


@pytest.fixture(scope="module")
def report(make_rows):
    return fr.Report(fr.Audit(make_rows([("F", 20, 60), ("M", 40, 60)])).outcome_disparity("sex", "hired", 1).run())


@pytest.mark.parametrize("name", ["packet.html", "a packet.html", "-x.html", "back\\slash.html", "né\nw.html"])
def test_sha256sum_of_coreutils_holds_the_packet_against_it(report, tmp_path, name):
    packet = report.save(tmp_path / name)
    beside = f"{name}.sha256"
    done = subprocess.run(
        ["sha256sum", "--strict", "--check", "--", beside], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    packet.write_bytes(packet.read_bytes() + b" ")
    done = subprocess.run(["sha256sum", "--check", "--", beside], cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 1


def test_it_states_the_packet_id_and_what_sha256sum_prints(report, tmp_path):
    packet = report.save(tmp_path / "packet.html")
    first, second = (tmp_path / "packet.html.sha256").read_text("utf-8").splitlines()
    assert first == f"# fairreport packet {report.packet_id}"
    printed = subprocess.run(["sha256sum", packet.name], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert second == printed.stdout.rstrip("\n")


def test_verify_holds_the_packet_against_the_hash_beside_it(report, tmp_path):
    packet = report.save(tmp_path / "packet.html")
    assert [check.text for check in verify(packet).checks][-1] == "sha256 of the file, in packet.html.sha256 beside it"
    beside = tmp_path / "packet.html.sha256"
    beside.write_text(beside.read_text("utf-8").replace(report.packet_id, "0123456789ab"), "utf-8")
    (found,) = verify(packet).differences
    assert (found.file, found.pointer, found.stated) == (beside.name, "packet id", "0123456789ab")
    beside.write_text(f"{sha256(b'another').hexdigest()}  packet.html\n", "utf-8")
    (found,) = verify(packet).differences
    assert (found.file, found.pointer) == (beside.name, "sha256")


def test_a_hash_of_other_files_says_nothing(report, tmp_path):
    packet = report.save(tmp_path / "packet.html", checksum=False)
    (tmp_path / "packet.html.sha256").write_text(f"{'0' * 64}  other.html\nno hash at all\n", "utf-8")
    found = verify(packet)
    assert found.agrees
    assert not [check for check in found.checks if "beside" in check.text]


def test_it_can_be_left_out_and_an_older_one_goes(report, tmp_path):
    report.save(tmp_path / "packet.html")
    report.save(tmp_path / "packet.html", checksum=False)
    assert [item.name for item in tmp_path.iterdir()] == ["packet.html"]


def test_a_list_of_hashes_that_is_not_ours_stays(report, tmp_path):
    (tmp_path / "packet.html.sha256").write_text("mine", "utf-8")
    report.save(tmp_path / "packet.html", checksum=False)
    assert (tmp_path / "packet.html.sha256").read_text("utf-8") == "mine"


def test_where_the_packet_cannot_be_written_the_older_pair_stays(report, tmp_path, monkeypatch):
    report.save(tmp_path / "packet.html")
    before = {item.name: item.read_bytes() for item in tmp_path.iterdir()}
    replace = writing.Path.replace

    def full(self, target):
        if target.name == "packet.html":
            raise OSError(28, "No space left on device")
        return replace(self, target)

    monkeypatch.setattr(writing.Path, "replace", full)
    with pytest.raises(fr.DataError, match="No space left"):
        report.save(tmp_path / "packet.html")
    assert {item.name: item.read_bytes() for item in tmp_path.iterdir()} == before
