"""What changed between two packets, as a document by itself."""

import io

import pypdf
import pytest

import fairreport as fr
from fairreport.cli.main import main
from fairreport.report.compare_page import comparison_html, comparison_pdf
from fairreport.report.self_contained import outside_references

HOSTILE = '<img src="http://127.0.0.1:9/x">'


@pytest.fixture(scope="module")
def files(make_rows, tmp_path_factory):
    place = tmp_path_factory.mktemp("compared")
    found = []
    for name, hired in (("old.json", 39), ("new.json", 20)):
        audit = fr.Audit(make_rows([(HOSTILE, hired, 60), ("日本", 40, 60)]), title=HOSTILE)
        audit.outcome_disparity("sex", "hired", 1, name=f"by {HOSTILE}").run().to_json(place / name)
        found.append(place / name)
    return found


def test_the_page_says_what_the_text_says_and_is_sealed(files):
    page = comparison_html(fr.compare(*files))
    assert "passing -&gt; failing (graver)" in page
    assert "0.650 -&gt; 0.333" in page  # 39 and 20 of 60
    assert "<img" not in page
    assert outside_references(page) == []
    assert page == comparison_html(fr.compare(*files))


def test_the_pdf_has_the_same_words_and_bytes(files):
    content = comparison_pdf(fr.compare(*files))
    text = " ".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(content)).pages)
    assert "0.650 -> 0.333" in text
    assert content == comparison_pdf(fr.compare(*files))


def test_the_command_writes_both_and_prints_nothing(files, tmp_path, capsys):
    code = main(["compare", *map(str, files), "--html", str(tmp_path / "a.html"), "--pdf", str(tmp_path / "a.pdf")])
    out, err = capsys.readouterr()
    assert (code, out) == (0, "")
    assert err.count("wrote") == 2
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF-")
    assert "What changed" in (tmp_path / "a.html").read_text("utf-8")


def test_an_output_that_is_an_input_is_refused(files, capsys):
    before = files[0].read_bytes()
    assert main(["compare", *map(str, files), "--html", str(files[0])]) == 2
    assert "is what is read already" in capsys.readouterr().err
    assert files[0].read_bytes() == before
