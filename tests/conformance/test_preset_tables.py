"""The tables that the rule on automated employment decision tools prints, from the printed page of a packet.

6 RCNY 5-301(b), worked example (DCWP, Notice of Adoption, 2023). Its three tables are not of the same people, so that
each is run by itself. Figures stand as published: percent without a decimal in the first two tables and with one in
the third; ratios with two or three.
"""

import io
import json
import lzma
import re
from html import unescape
from pathlib import Path

import pandas as pd
import pypdf
import pytest

import fairreport as fr

UNKNOWN = 250
"""The example has 250 further applicants of an unknown category, who stand in no calculation."""

COLUMNS = {
    "sex": ["sex"],
    "race_ethnicity": ["race_ethnicity"],
    "intersectional": ["race_ethnicity", "sex"],
}
FIGURES = {"sex": 4, "race_ethnicity": 14, "intersectional": 28}
"""How many figures each table publishes: a rate and a ratio of every category."""


@pytest.fixture(scope="module")
def rule():
    archive = lzma.decompress((Path(__file__).parent / "tables.jsonl.xz").read_bytes()).decode("utf-8")
    records = (json.loads(line) for line in archive.splitlines())
    return next(record for record in records if record["id"] == "dcwp_rule_selection")


@pytest.fixture(scope="module")
def report_of(rule):
    """Return the report of one of the rule's tables, with the applicants of an unknown category added."""
    made = {}

    def report(name):
        if name not in made:
            frame = pd.read_csv(io.StringIO(rule["data"]), dtype=str, keep_default_na=False)
            rows = frame[frame["table"] == name]
            unknown = pd.DataFrame(
                {"table": [name], "race_ethnicity": [""], "sex": [""], "selected": ["0"], "n": [str(UNKNOWN)]}
            )
            audit = fr.Audit(pd.concat([rows, unknown]), counts="n")
            audit.outcome_disparity(COLUMNS[name], "selected", 1)
            made[name] = fr.Report(audit.run(), preset="nyc_ll144")
        return made[name]

    return report


def published(rule, name):
    """Yield category, metric, the figure as published, and how far off it may be, in units of the last digit."""
    wanted = {" / ".join(COLUMNS[name])} if name == "intersectional" else set(COLUMNS[name])
    for value in rule["truth"]["values"]:
        keys = set(value["at"]) - {"reference"}
        if "published" in value and keys == wanted:
            yield value["at"][keys.pop()], value["metric"], value["published"], value["published_tol"]


def printed_rows(html):
    """Return the cells of the one table in the section on profile tables, by category."""
    section = html[html.index('<section id="profile"') :]
    table = section[: section.index("</table>")]
    found = {}
    for row in re.findall(r"<tr[^>]*>(<th scope=\"row\">.*?)</tr>", table, flags=re.DOTALL):
        names = [unescape(re.sub(r"<[^>]+>", "", cell)) for cell in re.findall(r"<th[^>]*>(.*?)</th>", row)]
        cells = [unescape(re.sub(r"<[^>]+>", "", cell)) for cell in re.findall(r"<td[^>]*>(.*?)</td>", row)]
        found[" / ".join(names)] = cells
    return found


@pytest.mark.parametrize("name", COLUMNS)
def test_every_published_figure_is_printed(rule, report_of, name):
    rows = printed_rows(report_of(name).html())
    checked = 0
    for category, metric, figure, tolerance in published(rule, name):
        applicants, selected, rate, ratio = rows[category]
        text = rate if metric == "selection_rate" else ratio
        # Printed with one decimal of a percent, and three of a ratio.
        assert re.fullmatch(r"\d+\.\d%" if metric == "selection_rate" else r"\d\.\d{3}", text), (category, text)
        assert abs(float(text.rstrip("%")) - float(figure)) <= tolerance + 1e-9, (category, metric, figure, text)
        assert int(selected.replace(",", "")) <= int(applicants.replace(",", ""))
        checked += 1
    assert checked == FIGURES[name]


def test_the_counts_and_the_ratios_of_the_first_table_in_full(report_of):
    # Male 1,390 applicants, 667 selected, 48 %, 1.00; Female 1,181, 555, 47 %, 0.979.
    assert printed_rows(report_of("sex").html()) == {
        "Female": ["1,181", "555", "47.0%", "0.979"],
        "Male": ["1,390", "667", "48.0%", "1.000"],
    }


@pytest.mark.parametrize("name", COLUMNS)
def test_the_unknown_are_counted_beside_the_table(report_of, name):
    assert f"unknown category, who stand in none of these figures: {UNKNOWN}." in report_of(name).html()


@pytest.mark.heavy
def test_the_pdf_prints_the_same(report_of):
    pages = pypdf.PdfReader(io.BytesIO(report_of("intersectional").pdf())).pages
    text = " ".join(" ".join(page.extract_text() for page in pages).split())
    for words in (
        # Hispanic or Latino, Male: 205 applicants, 90 selected, 43.9 %, 0.841.
        "Hispanic or Latino Male 205 90 43.9% 0.841",
        # Native American or Alaska Native, Female: 17, 7, 41.2 %, 0.789.
        "Native American or Alaska Native Female 17 7 41.2% 0.789",
        # White, Male: 412, 215, 52.2 %, 1.000.
        "White Male 412 215 52.2% 1.000",
    ):
        assert words in text
