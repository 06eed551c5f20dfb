"""``fairreport demo``: one command, a packet of real data."""

from __future__ import annotations

import json

from fairreport.errors import PdfUnavailableError
from fairreport.report.packet import Report


def test_the_demo_writes_its_packet_and_says_where(command, folder):
    done = command("demo", "--out", "packets/demo")
    place = folder.path / "packets" / "demo"
    assert done.code == 0
    assert done.out.endswith("".join(f"  {place / name}\n" for name in ("packet.html", "packet.pdf", "results.json")))
    assert (place / "packet.pdf").read_bytes().startswith(b"%PDF-")
    document = json.loads((place / "results.json").read_text(encoding="utf-8"))
    assert document["about"]["origin"] == "TEST"
    assert document["about"]["prepared_by"] is None
    assert [entry["rows_evaluated"] for entry in document["results"]] == [64_000] * 3
    html = (place / "packet.html").read_text(encoding="utf-8")
    assert "Resume ranking by two language models" in html


def test_the_demo_goes_on_without_pdf(command, folder, monkeypatch):
    def unavailable(*_, **__):
        raise PdfUnavailableError("PDF needs Pango")

    monkeypatch.setattr(Report, "save", unavailable)
    done = command("demo", "--out", "d")
    assert done.code == 0
    assert "no PDF was written: PDF needs Pango" in done.faults
    assert done.out.endswith(f"packet.html\n  {folder.path / 'd' / 'results.json'}\n")
    assert (folder.path / "d" / "packet.html").exists()


def test_a_folder_that_cannot_be_made(command, folder):
    done = command("demo", "--out", "rows.csv/demo")
    assert done.code == 2
    assert done.faults == ["cannot make the folder 'rows.csv/demo': Not a directory"]
