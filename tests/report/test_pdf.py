import io
import os
import re
import subprocess
import sys
from html import unescape

import pypdf
import pytest
from pypdf.generic import ContentStream

import fairreport as fr
from fairreport.report.pdf import write_pdf

MARGIN = 18
"""Points of every edge that no text may reach."""

MAKE = """
import fairreport as fr, hashlib, sys
rows = {"sex": ["F"] * 60 + ["M"] * 60, "site": ["a", "b"] * 60, "hired": ([1] * 20 + [0] * 40) + ([1] * 35 + [0] * 25)}
rows["score"] = [(i * 37) % 101 / 4 for i in range(120)]
audit = fr.Audit(rows, title="Same bytes", about={"system": "x"})
audit.outcome_disparity("sex", "hired", 1, control_columns="site").outcome_disparity("site", "hired", 1)
audit.score_disparity("sex", "score").metric_parity("sex", "mean", value_column="score", higher_is_better=True)
audit.metric_parity("sex", "auc", score_column="score", ground_truth_column="hired", positive_values=1)
report = fr.Report(audit.run())
print(hashlib.sha256(report.pdf()).hexdigest(), hashlib.sha256(report.html().encode()).hexdigest())
"""


def in_a_process(seed):
    environment = os.environ | {"PYTHONHASHSEED": seed, "SOURCE_DATE_EPOCH": "1767225600"}
    return subprocess.run(
        [sys.executable, "-c", MAKE], env=environment, capture_output=True, text=True, check=True
    ).stdout


def headings(html):
    return [
        re.sub(r"<[^>]+>", "", cell) for cell in re.findall(r'<th scope="col"[^>]*>(.*?)</th>', html, flags=re.DOTALL)
    ]


def structure(pdf):
    """Yield every element of the tag tree."""
    reader = pypdf.PdfReader(io.BytesIO(pdf))
    pending = [reader.trailer["/Root"]["/StructTreeRoot"]]
    while pending:
        node = pending.pop().get_object()
        if not isinstance(node, dict):
            continue
        yield node
        children = node.get("/K", [])
        children = children.get_object() if hasattr(children, "get_object") else children
        pending += children if isinstance(children, list) else [children]


def product(inner, outer):
    a, b, c, d, e, f = inner
    g, h, i, j, k, m = outer
    return (
        a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m,
    )  # fmt: skip


def text_places(page):
    """Yield where each run of text begins, in points from the lower left."""
    matrix, text, stack = (1, 0, 0, 1, 0, 0), (1, 0, 0, 1, 0, 0), []
    for operands, operator in ContentStream(page.get_contents(), page.pdf).operations:
        if operator == b"q":
            stack.append(matrix)
        elif operator == b"Q":
            matrix = stack.pop()
        elif operator == b"cm":
            matrix = product([float(x) for x in operands], matrix)
        elif operator == b"Tm":
            text = tuple(float(x) for x in operands)
        elif operator in {b"TJ", b"Tj"}:
            yield product(text, matrix)[4:]


@pytest.mark.heavy
def test_the_same_bytes_in_two_processes():
    assert in_a_process("1") == in_a_process("2")


@pytest.fixture(params=["small", pytest.param("many", marks=pytest.mark.heavy)])
def printed(request):
    """A run and its packet."""
    return [request.getfixturevalue(f"{request.param}_{made}") for made in ("run", "pdf")]


def test_no_header_word_is_clipped(printed, words_of):
    run, pdf = printed
    words = words_of(pdf)
    for heading in headings(fr.Report(run).html()):
        assert re.sub(r"\s+", "", unescape(heading)) in words


def test_no_text_stands_outside_its_page(printed):
    _, pdf = printed
    for page in pypdf.PdfReader(io.BytesIO(pdf)).pages:
        right, top = float(page.mediabox.width) - MARGIN, float(page.mediabox.height) - MARGIN
        for x, y in text_places(page):
            assert MARGIN <= x <= right
            assert MARGIN <= y <= top


def test_every_header_cell_has_a_scope(small_pdf):
    scopes = [node["/A"].get("/Scope") for node in structure(small_pdf) if node.get("/S") == "/TH"]
    assert set(scopes) == {"/Column", "/Row"}
    assert len(scopes) > 100


def test_every_figure_has_an_alternative_text(small_pdf):
    texts = [node.get("/Alt") for node in structure(small_pdf) if node.get("/S") == "/Figure"]
    assert len(texts) == 3  # the page of the result, and two tests that were computed
    assert all("Ratio to the reference rate by" in text for text in texts)


def test_wide_tables_stand_on_landscape_pages(small_pdf):
    pages = pypdf.PdfReader(io.BytesIO(small_pdf)).pages
    wide = [page for page in pages if page.mediabox.width > page.mediabox.height]
    assert wide
    assert all("Favorable" in page.extract_text() for page in wide[:2])
    assert pages[0].mediabox.width < pages[0].mediabox.height


def test_tables_of_few_columns_stay_upright(make_rows):
    rows = make_rows([("F", 20, 60), ("M", 40, 60)])
    run = fr.Audit(rows).outcome_disparity("sex", "hired", 1, significance_test="none").run()
    html = fr.Report(run).html()
    columns = html[html.index('<article id="test-1"') :].split("</thead>")[0].count("<th scope")
    assert ('class="part wide' in html) == (columns > 8)


def test_bookmarks_are_the_contents(small_pdf):
    reader = pypdf.PdfReader(io.BytesIO(small_pdf))

    def titles(outline):
        return [t for item in outline for t in (titles(item) if isinstance(item, list) else [item.title])]

    found = titles(reader.outline)
    assert found[0] == "1 Result"
    assert "5.2 by race" in found
    assert "8.2 by race" in found
    assert len(found) == 13 + 2 * 3


def test_the_contents_name_the_page_of_each_section(small_pdf):
    reader = pypdf.PdfReader(io.BytesIO(small_pdf))
    items = [entry for item in reader.outline for entry in (item if isinstance(item, list) else [item])]
    expected = [reader.get_destination_page_number(item) + 1 for item in items]
    assert [
        int(number) for number in re.findall(r"^\d+$", reader.pages[2].extract_text(), flags=re.MULTILINE)
    ] == expected


def test_running_heads_carry_the_packet_id_and_the_page(small_pdf, small_run):
    reader = pypdf.PdfReader(io.BytesIO(small_pdf))
    for number, page in enumerate(reader.pages, start=1):
        text = page.extract_text()
        assert f"Packet {fr.Report(small_run).packet_id}" in text
        assert f"Page {number} of {len(reader.pages)}" in text
        assert "DRAFT" in text


def test_a_final_document_bears_no_draft_mark(make_rows):
    rows = make_rows([("F", 20, 60), ("M", 40, 60)])
    run = fr.Audit(rows, about={"status": "final"}).outcome_disparity("sex", "hired", 1).run()
    assert "DRAFT" not in fr.Report(run).html()


def test_the_document_says_what_it_is(small_pdf, small_run):
    reader = pypdf.PdfReader(io.BytesIO(small_pdf))
    assert reader.metadata.title == "Shortlist, third quarter"
    assert reader.metadata.creation_date.isoformat() == "2026-11-01T00:00:00+00:00"
    metadata = reader.trailer["/Root"]["/Metadata"].get_object().get_data().decode()
    assert re.search(r'pdfaid:part="3"', metadata)
    assert re.search(r'pdfaid:conformance="A"', metadata)
    assert "<pdfuaid:part>1</pdfuaid:part>" in metadata
    assert reader.trailer["/Root"]["/Lang"] == "en"


@pytest.mark.heavy
def test_an_undated_run_gives_an_undated_document(many_pdf):
    metadata = pypdf.PdfReader(io.BytesIO(many_pdf)).metadata
    assert metadata.creation_date is None


def test_at_most_forty_rows_and_the_rest_is_said(many_run):
    html = fr.Report(many_run).html()
    table = html[html.index('<article id="test-1"') :].split("</table>")[0]
    assert table.count("<tr") == 41
    assert "5 further groups in the attachment groups.csv." in html


@pytest.mark.heavy
def test_names_in_other_scripts_are_in_the_pdf(many_pdf, words_of):
    words = words_of(many_pdf)
    assert "5furthergroupsintheattachmentgroups.csv." in words
    for name in (
        "Группа с очень длинным названием",
        "Ελληνική ομάδα",
        "Tiếng Việt có dấu",
        "<b>bold</b> & co",
        "A" * 120,
    ):
        assert re.sub(r"\s+", "", name) in words


@pytest.mark.parametrize(
    ("created", "told"),
    [
        ("2026-11-01", "2026-11-01T00:00:00+00:00"),
        ("2026-11-01T01:30:00+02:00", "2026-10-31T23:30:00+00:00"),
        ("2026-11-01T12:00:00", "2026-11-01T12:00:00+00:00"),
    ],
)
def test_dates_of_every_form(created, told):
    page = '<!DOCTYPE html><html lang="en"><head><title>T</title></head><body><p>one</p></body></html>'
    pdf = write_pdf(page, [], created=created)
    assert pdf.startswith(b"%PDF-1.7")
    assert pypdf.PdfReader(io.BytesIO(pdf)).metadata.creation_date.isoformat() == told


@pytest.mark.heavy
def test_long_names_break_at_their_joints_before_they_break_inside_words(make_rows):
    name = "water_treatment_and_environmental_protection_division"
    run = fr.Audit(make_rows([(name, 20, 60), ("M", 40, 60)])).outcome_disparity("sex", "hired", 1).run()
    text = "\n".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(fr.Report(run).pdf())).pages)
    pieces = set(re.split(r"[\s\u200b]+", text.replace("_", "_ ")))
    assert {"water_", "treatment_", "environmental_", "protection_", "division"} <= pieces
    assert not any(piece in pieces for piece in ("protectio", "protecti", "environmenta", "divisio"))


@pytest.mark.heavy
@pytest.mark.parametrize("n", [7, 17])
def test_the_end_of_a_page_leaves_no_few_rows_of_a_table(make_rows, n):
    """Short tables stand on one page; of longer ones, four rows or more stand on either side."""
    rows = make_rows([(f"group{i:02d}", 40 + i, 100) for i in range(n)])
    rows["site"] = ["a", "b"] * (len(rows["sex"]) // 2)
    audit = fr.Audit(rows)
    for name in ("one", "two", "three"):
        audit.outcome_disparity("sex", "hired", 1, control_columns="site", min_group_share=0, name=name)
    reader = pypdf.PdfReader(io.BytesIO(fr.Report(audit.run()).pdf()))
    tables, table = {}, ""
    for number, page in enumerate(reader.pages[3:], start=3):
        for line in page.extract_text().splitlines():
            if begun := re.match(r"Table (\d\.\d)[a-f]?\.|Figure|7 Error rates", line):
                table = begun[1]
            if table and re.match(r"group\d\d 100 ", line):
                tables.setdefault(table, {}).setdefault(number, []).append(line)
    adjusted = {key: parts for key, parts in tables.items() if key.startswith("6.")}
    assert len(adjusted) == 3
    for parts in adjusted.values():
        assert sum(map(len, parts.values())) == n - 1
        assert len(parts) == 1 if n <= 14 else all(len(rows) >= 4 for rows in parts.values())
