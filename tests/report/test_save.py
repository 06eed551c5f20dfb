import builtins
import os
import subprocess
import sys

import pytest

import fairreport as fr
from fairreport import writing
from fairreport.report import pdf as pdf_module


@pytest.fixture
def report(make_rows):
    rows = make_rows([("F", 20, 60), ("M", 40, 60)])
    return fr.Report(fr.Audit(rows).outcome_disparity("sex", "hired", 1).run())


def without(monkeypatch, error):
    """Make `import weasyprint` fail as it does on a machine without it, or without its libraries."""
    real = builtins.__import__

    def fake(name, *arguments, **named):
        if name == "weasyprint":
            sys.stdout.write("-----\n\nWeasyPrint could not import some external libraries.\n")
            raise error
        return real(name, *arguments, **named)

    monkeypatch.setattr(builtins, "__import__", fake)


def test_save_returns_the_path_of_a_file_written_whole(report, tmp_path, monkeypatch):
    monkeypatch.setattr(fr.Report, "pdf", lambda _: b"%PDF-1.7\n" * 1000)
    path = report.save(tmp_path / "packet.pdf")
    assert path.read_bytes() == report.pdf()
    assert report.save(str(tmp_path / "packet.HTML")).read_text("utf-8") == report.html()
    assert sorted(item.name for item in tmp_path.iterdir()) == [
        "packet.HTML",
        "packet.HTML.sha256",
        "packet.pdf",
        "packet.pdf.sha256",
    ]


def test_an_unknown_suffix_is_refused_before_anything_is_written(report, tmp_path):
    with pytest.raises(fr.ConfigError, match=r"a packet is a \.pdf or an \.html file") as caught:
        report.save(tmp_path / "packet.docx")
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_a_failed_write_leaves_the_old_file_whole(report, tmp_path, monkeypatch):
    path = tmp_path / "packet.html"
    path.write_text("old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(writing.Path, "replace", full)
    with pytest.raises(fr.DataError, match="No space left"):
        report.save(path)
    assert path.read_text() == "old"
    assert [item.name for item in tmp_path.iterdir()] == ["packet.html"]


def test_a_kill_while_the_packet_is_made_leaves_the_old_file_whole(tmp_path):
    path = tmp_path / "packet.html"
    path.write_text("old")
    program = (
        "import fairreport as fr, os, signal\n"
        "from fairreport.report import packet\n"
        "packet.packet_html = lambda *a, **k: os.kill(os.getpid(), signal.SIGKILL)\n"
        "rows = {'g': ['a'] * 60 + ['b'] * 60, 'o': [0, 1] * 60}\n"
        f"fr.Report(fr.Audit(rows).outcome_disparity('g', 'o', 1).run()).save({str(path)!r})\n"
    )
    done = subprocess.run([sys.executable, "-c", program], env=os.environ, check=False)
    assert done.returncode == -9
    assert path.read_text() == "old"


def test_a_folder_that_is_not_there(report, tmp_path):
    with pytest.raises(fr.DataError, match="cannot write"):
        report.save(tmp_path / "nowhere" / "packet.html")


def test_without_pango_the_html_still_works_and_the_pdf_says_what_to_install(report, tmp_path, monkeypatch, capfd):
    without(monkeypatch, OSError("cannot load library 'libpango-1.0-0': error 2"))
    assert report.save(tmp_path / "packet.html").exists()
    for call in (report.pdf, lambda: report.save(tmp_path / "packet.pdf"), pdf_module.pdf_engine):
        with pytest.raises(fr.PdfUnavailableError) as caught:
            call()
        for name in ("libpango-1.0-0", "libpangoft2-1.0-0", "libharfbuzz-subset0"):
            assert name in str(caught.value)
    assert not (tmp_path / "packet.pdf").exists()
    assert capfd.readouterr() == ("", "")


def test_without_weasyprint_the_pdf_names_the_extra(report, monkeypatch, capfd):
    without(monkeypatch, ModuleNotFoundError("No module named 'weasyprint'", name="weasyprint"))
    with pytest.raises(fr.PdfUnavailableError, match=r'pip install "fairreport\[pdf\]"'):
        report.pdf()
    assert "<!doctype html>" in report.html()
    assert capfd.readouterr() == ("", "")


def test_a_report_shows_itself(report):
    assert report.display_kind == "report"
    assert "no display" not in repr(report)


def test_importing_the_report_pulls_in_no_weasyprint():
    program = "import sys, fairreport.report.packet; sys.exit('weasyprint' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
