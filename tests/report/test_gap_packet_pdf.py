"""Packets with rate gaps as PDF: nothing clipped, names of every kind escaped and lettered, the same bytes twice."""

import io
import os
import re
import subprocess
import sys
from html import unescape

import pypdf
import pytest

import fairreport as fr
from fairreport.report import fonts

NAMES = [
    "עברית",
    "مجموعة طويلة الاسم",
    "<b>bold</b> & co |x",
    "A" * 150,
    "water_treatment_and_environmental_protection_division",
    "line\nbreak\u202e",
]
COLUMN = "</style><script>alert(1)</script>"

MAKE = """
import fairreport as fr, hashlib
rows = {"sex": ["f", "m"] * 60, "label": [1, 0, 0, 1] * 30, "said": ([1] * 50 + [0] * 70), "p": [0.3, 0.7, 0.6] * 40}
audit = fr.Audit(rows, title="Same bytes")
rules = [{"id": "a", "rate": "error", "attribute": "sex", "max_group_gap": 0.1}]
audit.rate_gaps({"sex": ["f", "m"]}, "label", "said", rules, probability="p").outcome_disparity("sex", "said", 1)
report = fr.Report(audit.run())
print(hashlib.sha256(report.pdf()).hexdigest(), hashlib.sha256(report.html().encode()).hexdigest())
"""


def in_a_process(seed):
    environment = os.environ | {"PYTHONHASHSEED": seed, "SOURCE_DATE_EPOCH": "1767225600"}
    return subprocess.run(
        [sys.executable, "-c", MAKE], env=environment, capture_output=True, text=True, check=True
    ).stdout


@pytest.fixture(scope="module")
def hostile_run(make_cases):
    groups = [((name,), 60 + i, 9 + 8 * i, 50, 5, i) for i, name in enumerate(NAMES)]
    rows = make_cases([*groups, (("{{ 7 * 7 }} 日本",), 5, 1, 5, 1, 0)], columns=(COLUMN,))
    rules = [
        {"id": '"><img src=x>' + "r" * 80, "rate": "false_negative", "attribute": COLUMN, "max_group_gap": 0.2},
        {"id": "قاعدة", "rate": "error", "attribute": COLUMN, "worst_group": 0.9, "manual_review": "<i>why</i> Ω"},
    ]
    audit = fr.Audit(rows, title="Hostile</title>").rate_gaps(
        {COLUMN: NAMES}, "label", "said", rules, probability="chance", name="T" * 130, description="<u>d</u>",
        rationale="{% include 'x' %}", threshold_source="</td>",
    )  # fmt: skip
    return audit.run()


@pytest.mark.heavy
def test_the_same_bytes_in_two_processes():
    assert in_a_process("1") == in_a_process("2")


def test_every_data_string_is_escaped(hostile_run):
    html = fr.Report(hostile_run).html()
    for tag in ("<script", "<img", "<i>why", "<u>", "<b>bold"):
        assert tag not in html
    assert html.count("<style>") == html.count("</style>") == 1
    assert "{{ 7 * 7 }}" in html
    assert "line[U+000A]break[U+202E]" in html


@pytest.mark.heavy
def test_names_of_every_kind_are_in_the_pdf(hostile_run, words_of):
    words = words_of(fr.Report(hostile_run).pdf())
    for name in ("<b>bold</b> & co |x", "A" * 150, "line[U+000A]break[U+202E]"):
        assert re.sub(r"\s+", "", name) in words


def test_characters_that_only_rate_gaps_hold_are_looked_up(hostile_run, monkeypatch):
    monkeypatch.setattr(fonts, "machine_code_points", frozenset)
    missing = fr.Report(hostile_run).unprintable
    assert {"日", "本", "ע", "م", "ق"} <= set(missing)
    assert "Ω" not in missing


@pytest.mark.heavy
def test_no_heading_is_clipped(gap_run, gap_pdf, words_of):
    words = words_of(gap_pdf)
    for cell in re.findall(r'<th scope="col"[^>]*>(.*?)</th>', fr.Report(gap_run).html(), flags=re.DOTALL):
        assert re.sub(r"[\s\u200b]+", "", unescape(re.sub(r"<[^>]+>", "", cell))) in words.replace("\u200b", "")


@pytest.mark.heavy
def test_every_number_of_a_table_is_in_the_pdf(gap_run, gap_pdf, words_of):
    words = words_of(gap_pdf)
    for cell in re.findall(r'<td class="num">(.*?)</td>', fr.Report(gap_run).html(), flags=re.DOTALL):
        assert re.sub(r"\s+", "", unescape(re.sub(r"<[^>]+>", "", cell))) in words


@pytest.mark.heavy
def test_pages_stay_upright_and_the_contents_name_them(gap_pdf):
    reader = pypdf.PdfReader(io.BytesIO(gap_pdf))
    assert all(page.mediabox.width < page.mediabox.height for page in reader.pages)
    items = [entry for item in reader.outline for entry in (item if isinstance(item, list) else [item])]
    assert [item.title for item in items if item.title.startswith("7")] == [
        "7 Error rates, metric parity and calibration",
        "7.1 Error rates",
    ]
    pages = [reader.get_destination_page_number(item) + 1 for item in items]
    assert [int(n) for n in re.findall(r"^\d+$", reader.pages[2].extract_text(), flags=re.MULTILINE)] == pages


@pytest.mark.heavy
def test_the_result_stands_on_one_page(gap_pdf, gap_rows, make_gap_audit):
    mixed = make_gap_audit(gap_rows).outcome_disparity("sex", "said", 1, name="Approval")
    mixed.metric_parity("sex", "npv", prediction_column="said", ground_truth_column="label", positive_values=1)
    for pdf in (gap_pdf, fr.Report(mixed.run()).pdf()):
        pages = pypdf.PdfReader(io.BytesIO(pdf)).pages
        assert "What this does not say" in pages[1].extract_text()
        assert pages[2].extract_text().splitlines()[1].endswith("Contents") or "2 Contents" in pages[2].extract_text()


@pytest.mark.heavy
def test_rate_gaps_stand_upright_beside_wide_tables(gap_rows, make_gap_audit):
    audit = make_gap_audit(gap_rows)
    audit.metric_parity("sex", "npv", prediction_column="said", ground_truth_column="label", positive_values=1)
    pages = pypdf.PdfReader(io.BytesIO(fr.Report(audit.run()).pdf())).pages
    for page in pages:
        text = page.extract_text()
        if re.search(r"^Table 7\.2\.\d", text, flags=re.MULTILINE):
            assert page.mediabox.width < page.mediabox.height
    assert any(page.mediabox.width > page.mediabox.height for page in pages)


def test_figures_have_an_alternative_text(gap_run, gap_html):
    titles = re.findall(r'<svg role="img" aria-label="([^"]+)"', gap_html)
    assert len(titles) == 1 + len(gap_run.record.rate_gaps[0].test.rules)
    assert all("reads" in title for title in titles)
