"""Packets with named pairs as PDF: nothing clipped, names of every kind escaped and lettered, the same bytes twice."""

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
    "{{ 7 * 7 }} 日本",
]
GROUP, OUTCOME = "</style><script>alert(1)</script>", '"><img src=x>'

MAKE = """
import fairreport as fr, hashlib
rows = {"sex": ["f", "m", "m"] * 40, "site": ["a", "b"] * 60, "hired": [1, 0, 1, 0, 1] * 24, "w": [0.5, 1.25] * 60}
audit = fr.Audit(rows, title="Same bytes")
named = {"reference_values": {"sex": "m"}, "outcome": "hired", "air_threshold": 0.8, "percent_difference_threshold": 0}
audit.adverse_impact_ratio(**named).segmented_adverse_impact_ratio(**named, segment="site", sample_weight="w")
report = fr.Report(audit.run())
print(hashlib.sha256(report.pdf()).hexdigest(), hashlib.sha256(report.html().encode()).hexdigest())
"""


def in_a_process(seed):
    environment = os.environ | {"PYTHONHASHSEED": seed, "SOURCE_DATE_EPOCH": "1767225600"}
    return subprocess.run(
        [sys.executable, "-c", MAKE], env=environment, capture_output=True, text=True, check=True
    ).stdout


@pytest.fixture(scope="module")
def hostile_run():
    rows = {GROUP: [], OUTCOME: [], "seg": []}
    for i, name in enumerate(NAMES):
        for j in range(50):
            rows[GROUP].append(name)
            rows[OUTCOME].append(int(j < 10 + 5 * i))
            rows["seg"].append(("<i>one</i>", "שתיים", "S" * 90)[j % 3])
    named = {
        "reference_values": {GROUP: NAMES[-1]},
        "outcome": OUTCOME,
        "air_threshold": 0.8,
        "percent_difference_threshold": 0,
    }
    audit = fr.Audit(rows, title="Hostile</title>")
    audit.adverse_impact_ratio(
        **named, name="T" * 130, description="<u>d</u>", rationale="{% include 'x' %}", threshold_source="</td>"
    )
    audit.segmented_adverse_impact_ratio(**named, segment="seg", name="قاعدة")
    return audit.run()


def pages_of(run):
    return pypdf.PdfReader(io.BytesIO(fr.Report(run).pdf())).pages


@pytest.mark.heavy
def test_the_same_bytes_in_two_processes():
    assert in_a_process("1") == in_a_process("2")


def test_every_data_string_is_escaped(hostile_run):
    html = fr.Report(hostile_run).html()
    for tag in ("<script", "<img", "<i>one", "<u>", "<b>bold"):
        assert tag not in html
    assert html.count("<style>") == html.count("</style>") == 1
    assert "{{ 7 * 7 }}" in html
    assert "line[U+000A]break[U+202E]" in html


@pytest.mark.heavy
def test_names_of_every_kind_are_in_the_pdf(hostile_run, words_of):
    words = words_of(fr.Report(hostile_run).pdf())
    for name in ("<b>bold</b> & co |x", "A" * 150, "line[U+000A]break[U+202E]", "<i>one</i>"):
        assert re.sub(r"\s+", "", name) in words


def test_characters_that_only_the_data_holds_are_looked_up(hostile_run, monkeypatch):
    monkeypatch.setattr(fonts, "machine_code_points", frozenset)
    assert {"日", "本", "ע", "ש", "م", "ق"} <= set(fr.Report(hostile_run).unprintable)


def cells(html, pattern):
    for cell in re.findall(pattern, html, flags=re.DOTALL):
        yield re.sub(r"[\s\u200b\u00ad]+", "", unescape(re.sub(r"<[^>]+>", "", cell)))


@pytest.mark.heavy
def test_no_heading_and_no_number_is_clipped(pair_html, pair_pdf, words_of):
    words = re.sub(r"[\u200b\u00ad\u2010-]", "", words_of(pair_pdf))
    for text in (
        *cells(pair_html, r'<th scope="col"[^>]*>(.*?)</th>'),
        *cells(pair_html, r'<td class="num">(.*?)</td>'),
    ):
        assert text.replace("-", "") in words


@pytest.mark.heavy
def test_wide_tables_stand_on_landscape_pages(pair_pdf):
    seen = 0
    for page in pypdf.PdfReader(io.BytesIO(pair_pdf)).pages:
        if re.search(r"^Table (5\.1|6\.1\.1)[.a]", page.extract_text(), flags=re.MULTILINE):
            assert page.mediabox.width > page.mediabox.height
            seen += 1
    assert seen >= 2


@pytest.mark.heavy
def test_the_contents_name_the_tests_of_every_section(pair_pdf):
    reader = pypdf.PdfReader(io.BytesIO(pair_pdf))
    items = [entry for item in reader.outline for entry in (item if isinstance(item, list) else [item])]
    titles = [item.title for item in items]
    for title in ("5.1 Hiring", "5.5 Quantiles", "6.1 Within sites", "7.2 Found"):
        assert title in titles
    pages = [reader.get_destination_page_number(item) + 1 for item in items]
    assert pages == sorted(pages)


@pytest.mark.heavy
def test_a_tall_forest_stands_whole_on_one_upright_page():
    rows = {"race": [], "site": [], "hired": []}
    for i in range(900):
        rows["race"].append(("White", "Black", "Asian", "Hispanic", "White")[i % 5])
        rows["site"].append(f"site {(i * 7) % 180 % 12:02d}")
        rows["hired"].append(int((i * 11) % 7 < 3 + (i % 5 == 0)))
    audit = fr.Audit(rows).segmented_adverse_impact_ratio(
        reference_values={"race": "White"}, outcome="hired", segment="site", air_threshold=0.8,
        percent_difference_threshold=0,
    )  # fmt: skip
    (page,) = (page for page in pages_of(audit.run()) if "Figure 6.1." in page.extract_text())
    assert page.mediabox.width < page.mediabox.height
    text = page.extract_text()
    assert "Pooled, 12 segments" in text
    assert "Adverse impact ratio (AIR)" in text


@pytest.mark.heavy
@pytest.mark.parametrize("kinds", ["", "og"])
def test_the_result_stands_on_one_page(pair_rows, make_pair_audit, kinds):
    audit = make_pair_audit(pair_rows)
    if "o" in kinds:
        audit.outcome_disparity(["race", "sex"], "hired", 1, name="By race and sex")
    if "g" in kinds:
        rules = [
            {"id": f"rule {i}", "rate": "error", "attribute": "sex", "max_group_gap": 0.01 * i} for i in range(1, 5)
        ]
        audit.rate_gaps({"sex": ["F", "M"]}, "hired", "said", rules, name="Error rates")
    pages = pages_of(audit.run())
    assert "What this does not say" in pages[1].extract_text()
    assert "2 Contents" in pages[2].extract_text()


def test_figures_have_an_alternative_text(pair_run, pair_html):
    titles = re.findall(r'<svg role="img" aria-label="([^"]+)"', pair_html)
    assert len(titles) == 1 + len(pair_run.record.pairs)
    assert all("practically significant" in title for title in titles)
