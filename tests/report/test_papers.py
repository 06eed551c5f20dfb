"""Both papers: every section stands on them, and no table is wider than its page."""

import io
import re

import pypdf
import pytest

import fairreport as fr
from fairreport.report.sections import SECTIONS

SIZES = {"A4": (595.28, 841.89), "letter": (612.0, 792.0)}  # ISO 216 in points; 8.5 by 11 inches of 72 points


@pytest.fixture(scope="module", params=["A4", "letter"])
def printed(request, small_run):
    content = fr.Report(small_run, paper=request.param, previous=small_run).pdf()
    return request.param, pypdf.PdfReader(io.BytesIO(content))


@pytest.mark.heavy
def test_every_page_has_the_size_of_its_paper(printed):
    paper, reader = printed
    sizes = {tuple(sorted((float(page.mediabox.width), float(page.mediabox.height)))) for page in reader.pages}
    assert len(sizes) == 1
    assert sizes.pop() == pytest.approx(SIZES[paper], abs=0.6)
    upright = {page.mediabox.width < page.mediabox.height for page in reader.pages}
    assert upright == {True, False}  # wide tables stand on landscape pages


@pytest.mark.heavy
def test_every_section_is_printed(printed):
    _, reader = printed
    text = "\n".join(page.extract_text() for page in reader.pages)
    for section in SECTIONS:
        assert re.search(rf"^{section.number}\s+{re.escape(section.title)}", text, re.MULTILINE), section.title


@pytest.mark.heavy
def test_no_word_stands_outside_the_margins(printed):
    """Text is placed with its left end; what would be cut at the right ends beyond the page."""
    _, reader = printed
    for number, page in enumerate(reader.pages, start=1):
        width = float(page.mediabox.width)
        lefts = []

        def note(text, user, matrix, font, size, lefts=lefts):
            if text.strip():
                lefts.append(user[4] + matrix[4] * user[0])

        page.extract_text(visitor_text=note)
        assert lefts
        assert min(lefts) > 18, number
        assert max(lefts) < width - 40, number


@pytest.mark.heavy
def test_the_words_of_every_table_head_are_on_the_page(printed, small_run):
    paper, reader = printed
    page = fr.Report(small_run, paper=paper, previous=small_run).html()
    text = " ".join(" ".join(page.extract_text() for page in reader.pages).split()).replace("\u00ad", "")
    heads = {
        re.sub(r"<[^>]+>|&#173;|\u00ad", "", head) for head in re.findall(r"<th scope=\"col\"[^>]*>(.*?)</th>", page)
    }
    for head in heads:
        for word in head.split():
            assert word in text, word


def test_the_two_print_the_same_words(small_run):
    pages = [fr.Report(small_run, paper=paper).html() for paper in ("A4", "Letter")]
    assert pages[0].replace("size: A4", "") == pages[1].replace("size: letter", "")
