"""What a preset does in a packet: what it asks and whether the run is so, its tables, and what does not fit."""

import re
from functools import cache
from html import unescape

import pytest

import fairreport as fr
from fairreport.audit.window import Window
from fairreport.report.preset_agreement import Agreement
from fairreport.report.verify import verify


def text_of(html):
    body = re.sub(r"<style>.*?</style>|</?bdi>|</?wbr>", "", html, flags=re.DOTALL)
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", body)))


def section(html, anchor):
    start = html.index(f'<section id="{anchor}"')
    return html[start : html.index("</section>", start)]


@cache
def page_of(report):
    return report.html()


@cache
def profile(report):
    return text_of(section(page_of(report), "profile"))


def rows_of(html, number):
    """Return the texts of the cells of one profile table, row by row."""
    start = html.index(f"Table {number}.")
    table = html[start : html.index("</table>", start)]
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", table[table.index("<tbody>") :], flags=re.DOTALL)
    return [
        [unescape(re.sub(r"<[^>]+>", "", cell)) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)]
        for row in rows
    ]


def agreement_of(report):
    """Return what is asked with whether the run is so, and the numbers."""
    lines = report._view(()).preset.agreement
    return {line.says: (line.agreement, line.detail.whole) for line in lines}


def _columns(groups, **named):
    """Columns of groups: values of each column, favorable, rows."""
    names = list(named)
    columns = {name: [] for name in (*names, "hired")}
    for *values, favorable, n in groups:
        for name, value in zip(names, values, strict=True):
            columns[name] += [value] * n
        columns["hired"] += [1] * favorable + [0] * (n - favorable)
    return columns


PEOPLE = [
    ("F", "A", 40, 100),
    ("M", "A", 60, 120),
    ("F", "B", 30, 90),
    ("M", "B", 45, 100),
    (None, "A", 5, 10),
    ("F", None, 3, 7),
]


@pytest.fixture(scope="module")
def audit():
    made = fr.Audit(_columns(PEOPLE, gender=1, race=2), title="Screen", as_of="2026-11-01")
    made.outcome_disparity("gender", "hired", 1, name="by gender")
    made.outcome_disparity("race", "hired", 1, name="by race")
    made.outcome_disparity(["gender", "race"], "hired", 1, name="by both")
    return made


@pytest.fixture(scope="module")
def run(audit):
    return audit.run()


def test_without_a_preset_nothing_of_one_is_printed(run):
    html = fr.Report(run).html()
    assert "No preset is used, so this packet has no profile tables." in profile(fr.Report(run))
    assert "What the preset" not in html


@pytest.mark.parametrize("name", ["four_fifths", "nyc_ll144", "two_standard_deviations", "ecoa_air"])
def test_a_packet_with_a_preset_verifies_and_says_what_it_is(run, name, tmp_path):
    report = fr.Report(run, preset=name)
    assert report.packet_id == fr.Report(run).packet_id  # what was found does not hang on it
    html = page_of(report)
    assert text_of(html).count("Using a preset does not by itself make an audit.") == 2
    assert html == fr.Report(run, preset=name).html()
    found = verify(report.save(tmp_path / "packet.html"))
    assert found.agrees, found.differences
    assert "manifest: preset" in {item.pointer for item in found.taken_as_stated}
    preset = report._view(()).preset.preset
    for fact in preset.facts:
        assert fact.says in profile(report)
        assert fact.source in profile(report)
    assert all(limit.title in text_of(section(html, "assumptions")) for limit in preset.limits)
    assert f"{name}, facts looked up on {preset.as_of}" in text_of(section(html, "provenance"))


def test_a_manifest_with_another_preset_differs(run, tmp_path):
    path = fr.Report(run, preset="four_fifths").save(tmp_path / "packet.html")
    other = fr.Report(run, preset="two_standard_deviations").save(tmp_path / "other.html")
    page, links = path.read_text(), other.read_text()
    mine, theirs = (re.search(r'href="(data:[^"]*)" download="manifest.json"', text)[1] for text in (page, links))
    path.write_text(page.replace(mine, theirs))
    assert not verify(path).agrees


def test_the_tables_by_category(run):
    report = fr.Report(run, preset="nyc_ll144")
    html = page_of(report)
    # gender: F (40 + 30 + 3) of (100 + 90 + 7) = 73/197 = 37.056 %; M 105/220 = 47.727 %; 37.056/47.727 = 0.77640
    assert rows_of(html, "12.1") == [
        ["F", "197", "73", "37.1%", "0.776"],
        ["M", "220", "105", "47.7%", "1.000"],
    ]
    # race: A 105/230 = 45.652 %; B 75/190 = 39.474 %; 0.86466
    assert rows_of(html, "12.2") == [
        ["A", "230", "105", "45.7%", "1.000"],
        ["B", "190", "75", "39.5%", "0.865"],
    ]
    # both, race first: A F 40/100, A M 60/120 = 50 %, B F 30/90 = 33.3 %, B M 45/100
    assert rows_of(html, "12.3") == [
        ["A", "F", "100", "40", "40.0%", "0.800"],
        ["A", "M", "120", "60", "50.0%", "1.000"],
        ["B", "F", "90", "30", "33.3%", "0.667"],
        ["B", "M", "100", "45", "45.0%", "0.900"],
    ]
    text = profile(report)
    assert "Sex categories: column gender, taken for it by its name; nobody stated it." in text
    for unknown in (10, 7, 17):
        assert f"People of an unknown category, who stand in none of these figures: {unknown}." in text


def test_the_ratios_are_those_of_the_tests(run):
    entry = run["by gender"].to_dict()
    (ratio,) = [group["ratio"] for group in entry["groups"] if group["group"] == {"gender": "F"}]
    assert f"{ratio:.3f}" == rows_of(fr.Report(run, preset="nyc_ll144").html(), "12.1")[0][-1]


def test_cells_that_do_not_add_up_are_said(run):
    text = profile(fr.Report(run, preset="nyc_ll144"))
    # 197 F in the table by gender, 190 of them with a race; 230 A, 220 of them with a gender
    assert "Sex categories do not add up to the table of both columns: F 197 there and 190 over that table." in text
    assert "A 230 there and 220 over that table." in text
    assert "People of whom only one column is known stand in one table and not in the other: 7." in text


def test_cells_that_add_up_are_not_warned_of(make_rows):
    rows = _columns([row for row in PEOPLE if None not in row], gender=1, race=2)
    audit = fr.Audit(rows).outcome_disparity(["gender", "race"], "hired", 1)
    text = profile(fr.Report(audit.run(), preset="nyc_ll144"))
    assert "does not fit together" not in text
    # The tables of one column are exact sums of the table of both, and said to be.
    assert text.count("summed over its further columns.") == 2
    assert "no table of" not in text


def test_sums_that_would_leave_people_out_are_not_made(run):
    audit = fr.Audit(_columns(PEOPLE, gender=1, race=2)).outcome_disparity(["gender", "race"], "hired", 1, name="both")
    text = profile(fr.Report(audit.run(), preset="nyc_ll144"))
    assert (
        "Sex categories: no table of hired = 1, since no test is by gender alone, and the sums of both would leave out "
        "rows that lack its further columns; add that test." in text
    )
    # The ten people without a gender would be lost to A; those without a race to F.
    assert "Race and ethnicity categories: no table of hired = 1" in text


def test_small_categories_are_left_out_on_request_only(make_rows):
    groups = [("F", 100, 500), ("M", 240, 480), ("X", 9, 15)]
    audit = fr.Audit(_columns(groups, sex=1)).outcome_disparity("sex", "hired", 1)
    run = audit.run()
    whole = fr.Report(run, preset="nyc_ll144")
    # X has 15 of 995, 1.5 %, and the highest rate, 60 %; M 50 % of it: 0.83333
    assert rows_of(whole.html(), "12.1")[1] == ["M", "480", "240", "50.0%", "0.833"]
    assert "the highest rate, which all others are held against, is that of X, with 15 people of 995." in profile(whole)
    settings = {"leave_out_below": 0.02, "justification": "Too few."}
    report = fr.Report(run, preset="nyc_ll144", profile=settings)
    assert rows_of(page_of(report), "12.1") == [
        ["F", "500", "100", "20.0%", "0.400"],
        ["M", "480", "240", "50.0%", "1.000"],
        ["X", "15", "9", "60.0%", "left out"],
    ]
    text = profile(report)
    assert (
        "Left out of the impact ratios, each with less than 2.0% of 995: X (15 people, rate 60.0%). Reason: Too few."
        in text
    )
    # A ratio above 1 is what leaving out the best would print: 0.6 / 0.5
    assert "X is left out, and its rate is above the highest of those kept: a ratio of 1.200." in text
    line = "A category that is left out has less than 2 percent, and is listed with its count, rate and reason"
    assert agreement_of(report)[line] == (Agreement.MET, "1 category is left out and listed in section 12")
    silent = fr.Report(run, preset="nyc_ll144", profile={"leave_out_below": 0.02})
    assert agreement_of(silent)[line][0] is Agreement.DIFFERS
    assert "Reason: not stated." in profile(silent)


def test_exactly_two_percent_is_not_left_out(make_rows):
    groups = [("F", 100, 490), ("M", 240, 490), ("X", 9, 20)]
    run = fr.Audit(_columns(groups, sex=1)).outcome_disparity("sex", "hired", 1).run()
    report = fr.Report(run, preset="nyc_ll144", profile={"leave_out_below": 0.02})
    assert "left out" not in " ".join(rows_of(page_of(report), "12.1")[2])


def test_names_of_categories_map_and_join(make_rows):
    groups = [("f", 10, 40), ("F", 20, 60), ("m", 30, 60), ("x", 12, 40)]
    run = fr.Audit(_columns(groups, sex=1)).outcome_disparity("sex", "hired", 1, min_group_share=0).run()
    labels = {"sex": {"m": "Male", "f": "Female", "F": "Female"}}
    report = fr.Report(run, preset="nyc_ll144", profile={"labels": labels})
    assert rows_of(page_of(report), "12.1") == [
        ["Male", "60", "30", "50.0%", "1.000"],
        ["Female", "100", "30", "30.0%", "0.600"],
        ["x", "40", "12", "30.0%", "0.600"],
    ]
    assert "Under the names that were stated, 2 groups of the data count with others." in profile(report)


def test_a_reference_with_another_than_the_highest_rate_is_said(make_rows):
    rows = _columns([("F", 30, 100), ("M", 50, 100)], sex=1)
    audit = fr.Audit(rows).outcome_disparity(
        "sex", "hired", 1, reference_strategy="named", reference_value="F", name="against F"
    )
    report = fr.Report(audit.run(), preset="nyc_ll144")
    assert rows_of(page_of(report), "12.1")[0] == ["F", "100", "30", "30.0%", "0.600"]
    assert "The test against F has 1 ratio above 1, since its reference F has not the highest rate" in profile(report)
    found = agreement_of(report)
    assert found["reference_strategy highest"] == (Agreement.DIFFERS, "named (user) in 5.1")
    asked = "Rates are held against the category with the highest rate"
    assert found[asked] == (Agreement.DIFFERS, "named by the user in 5.1: F")


def test_scores_are_held_against_the_median_and_counted_strictly_above_it(make_rows):
    # Scores 1 to 9, median 5: above it 6, 7 and 8 of M and 9 of F.
    rows = {"sex": list("FFFMMMMMF"), "score": [1, 2, 3, 4, 5, 6, 7, 8, 9]}
    audit = fr.Audit(rows).score_disparity("sex", "score", min_group_size=1)
    report = fr.Report(audit.run(), preset="nyc_ll144")
    html = page_of(report)
    assert rows_of(html, "12.1") == [["F", "4", "1", "25.0%", "0.417"], ["M", "5", "3", "60.0%", "1.000"]]
    assert "Scored above the median" in html
    assert "The median is 5.000, of the 9 people in this table; a score counts strictly above it." in profile(report)
    asked = "Scores are held against the median of the full sample, and count strictly above it"
    assert agreement_of(report)[asked] == (Agreement.MET, "every score has a category")


def test_a_median_that_people_without_a_category_have_no_part_in_differs(make_rows):
    rows = {"sex": [*"FFFMMMMMF", None], "score": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}
    report = fr.Report(fr.Audit(rows).score_disparity("sex", "score", min_group_size=1).run(), preset="nyc_ll144")
    asked = "Scores are held against the median of the full sample, and count strictly above it"
    agreement, detail = agreement_of(report)[asked]
    assert agreement is Agreement.DIFFERS
    assert "up to 1 without a category" in detail


def test_lower_scores_that_are_favorable_are_said(make_rows):
    rows = {"sex": list("FFFMMMMMF"), "score": [1, 2, 3, 4, 5, 6, 7, 8, 9]}
    audit = fr.Audit(rows).score_disparity("sex", "score", higher_is_favorable=False, min_group_size=1)
    report = fr.Report(audit.run(), preset="nyc_ll144")
    assert "Scored below the median" in page_of(report)
    asked = "Scores are held against the median of the full sample, and count strictly above it"
    assert agreement_of(report)[asked][0] is Agreement.DIFFERS


def test_a_word_for_unknown_that_is_a_group_is_said(make_rows):
    rows = _columns([("F", 30, 100), ("M", 50, 100), ("unknown", 20, 60)], sex=1)
    report = fr.Report(fr.Audit(rows).outcome_disparity("sex", "hired", 1).run(), preset="nyc_ll144")
    asked = "People of an unknown category are counted, and stand in no rate"
    assert agreement_of(report)[asked][0] is Agreement.DIFFERS
    assert "'unknown'" in profile(report)


def test_dates_and_words_are_printed_as_stated_or_not_stated(run):
    stated = {"audit_date": "2026-10-31", "data_source": "Applications <i>2026</i>, \u202eevil"}
    report = fr.Report(run, preset="nyc_ll144", profile=stated)
    found = agreement_of(report)
    assert found["Date of the audit"] == (Agreement.MET, "2026-10-31")
    assert found["Source and explanation of the data"] == (Agreement.MET, "Applications <i>2026</i>, [U+202E]evil")
    dated = "Date on which use of the tool began, or will begin (distribution date)"
    assert found[dated][0] is Agreement.NOT_STATED
    assert "<i>2026" not in page_of(report)
    assert "Applications &lt;i&gt;2026&lt;/i&gt;" in page_of(report)


def test_what_the_audit_states_of_its_date_and_data_is_taken(make_rows, tmp_path):
    rows = _columns([("F", 30, 100), ("M", 50, 100)], sex=1)
    about = {"origin": "production", "period": "2026 <i>Q1"}
    audit = fr.Audit(rows, about=about, as_of="2026-04-02").outcome_disparity("sex", "hired", 1)
    report = fr.Report(audit.run(), preset="nyc_ll144")
    found = agreement_of(report)
    assert found["Date of the audit"] == (Agreement.MET, "2026-04-02 (the date of the run)")
    source = "production, 2026 <i>Q1 (origin and period of the data as stated on the first page)"
    assert found["Source and explanation of the data"] == (Agreement.MET, source)
    assert f"Date of the audit {found['Date of the audit'][1]}" in profile(report)
    own = {"audit_date": "2026-03-31", "data_source": "Applications"}
    found = agreement_of(fr.Report(audit.run(), preset="nyc_ll144", profile=own))
    assert found["Date of the audit"][1] == "2026-03-31"
    assert found["Source and explanation of the data"][1] == "Applications"
    assert verify(report.save(tmp_path / "packet.html")).agrees


def test_a_date_and_source_that_nobody_states_name_both_places(make_rows):
    rows = _columns([("F", 30, 100), ("M", 50, 100)], sex=1)
    audit = fr.Audit(rows, about={"period": "2026"}).outcome_disparity("sex", "hired", 1)
    found = agreement_of(fr.Report(audit.run(), preset="nyc_ll144"))
    wanted = (Agreement.NOT_STATED, "nothing stands under profile: audit_date or as_of")
    assert found["Date of the audit"] == wanted
    assert found["Source and explanation of the data"][0] is Agreement.NOT_STATED


def test_columns_that_nothing_names_are_asked_for(make_rows):
    rows = _columns([("F", 30, 100), ("M", 50, 100)], geschlecht=1)
    run = fr.Audit(rows).outcome_disparity("geschlecht", "hired", 1).run()
    text = profile(fr.Report(run, preset="nyc_ll144"))
    assert "no column of the tests is named sex or gender; state profile sex." in text
    stated = profile(fr.Report(run, preset="nyc_ll144", profile={"sex": "geschlecht"}))
    assert "Sex categories: column geschlecht, stated by the user." in stated
    assert "no column of the tests is named race_ethnicity or race; state profile race_ethnicity." in stated


def test_two_columns_that_could_be_meant_are_not_chosen_between(make_rows):
    rows = _columns([("F", "f", 30, 100), ("M", "m", 50, 100)], sex=1, gender=2)
    audit = fr.Audit(rows).outcome_disparity("sex", "hired", 1).outcome_disparity("gender", "hired", 1)
    text = profile(fr.Report(audit.run(), preset="nyc_ll144"))
    assert "it is not clear which column is meant: sex or gender; state profile sex." in text


@pytest.mark.parametrize(
    ("profile", "words"),
    [
        ({"sex": "gendr"}, "profile.sex: no outcome or score test is by 'gendr'; they are by 'gender', 'race'."),
        ({"sexx": "gender"}, "profile.sexx: is no known key; known: sex, race_ethnicity,"),
        ({"sex": 5.5}, "profile.sex: must be a column name, got 5.5"),
        ({"sex": "gender", "race_ethnicity": "gender"}, "profile: names the column 'gender' twice"),
        ({"leave_out_below": 0.05}, "profile.leave_out_below: must be a number above 0 and at most 0.02, got 0.05"),
        ({"leave_out_below": "2%"}, "must be a number above 0 and at most 0.02, got '2%'"),
        ({"audit_date": "October"}, "profile.audit_date: must be a day such as 2026-11-29, got 'October'"),
        ({"labels": {"sx": {}}}, "profile.labels.sx: is no known key; known: sex, race_ethnicity. Did you mean 'sex'?"),
        ({"labels": ["F"]}, "profile.labels: must map sex or race_ethnicity"),
        ({"labels": {"sex": {"F": 1}}}, "profile.labels.sex: must map a value to text, got 'F': 1"),
        ("sex", "profile: must be a mapping, got 'sex'"),
    ],
)
def test_a_profile_that_is_wrong_is_refused(run, profile, words):
    with pytest.raises(fr.ConfigError, match=re.escape(words)) as caught:
        fr.Report(run, preset="nyc_ll144", profile=profile)
    assert "\n" not in str(caught.value)


def test_a_profile_needs_a_preset_that_takes_one(run):
    with pytest.raises(fr.ConfigError, match="name the preset beside it"):
        fr.Report(run, profile={"sex": "gender"})
    with pytest.raises(fr.ConfigError, match="the preset four_fifths takes no profile"):
        fr.Report(run, preset="four_fifths", profile={"sex": "gender"})


def test_ratios_to_the_highest_rate(make_rows):
    # 24/50 = 0.48 against 30/50 = 0.6: exactly 0.8 is not below; one person less is (23/50, 31/50).
    # 44 FR 11996, question 21, in miniature: small numbers flip by one person.
    rows = make_rows([("A", 24, 50), ("B", 30, 50), ("C", 40, 100), ("D", 5, 9)])
    report = fr.Report(fr.Audit(rows).outcome_disparity("sex", "hired", 1).run(), preset="four_fifths")
    rows = {row[0]: row[1:] for row in rows_of(page_of(report), "12.1")}
    assert rows["A"][3] == "0.800"
    assert rows["A"][-2:] == ["changes the side", "● at or above 0.80"]
    assert rows["C"][3] == "0.667"
    assert rows["C"][-2:] == ["same side", "▼ below 0.80"]
    assert rows["B"][-1] == "highest rate"
    assert rows["D"] == ["9", "5", "0.556", "—", "—", "—", "not enough data"]
    found = agreement_of(report)
    assert found["impact_ratio_threshold 0.8"] == (Agreement.MET, "0.8 (default) in 5.1")
    assert found["Groups with few rows are listed, not judged"] == (Agreement.MET, "1 in 5.1")


def test_another_threshold_stays_and_is_said_to_differ(make_rows):
    rows = make_rows([("A", 24, 50), ("B", 30, 50)])
    audit = fr.Audit(rows).outcome_disparity("sex", "hired", 1, impact_ratio_threshold=0.9, significance_test="none")
    report = fr.Report(audit.run(), preset="four_fifths")
    found = agreement_of(report)
    assert found["impact_ratio_threshold 0.8"] == (Agreement.DIFFERS, "0.9 (user) in 5.1")
    assert found["Significance stands beside every ratio"][0] is Agreement.DIFFERS
    assert found["air_threshold 0.8"][0] is Agreement.NO_TEST
    assert report.record.status.value == "failing"


def test_gaps_in_standard_deviations(make_rows):
    # scipy 1.17: chi2_contingency([[12, 28], [48, 32]], correction=False).statistic = 9.6, its root 3.0984; expected
    # of 40 at the rate of both, 60/120: 20
    rows = make_rows([("A", 12, 40), ("B", 48, 80), ("C", 40, 80)])
    report = fr.Report(fr.Audit(rows).outcome_disparity("sex", "hired", 1).run(), preset="two_standard_deviations")
    rows = {row[0]: row[1:] for row in rows_of(page_of(report), "12.1")}
    assert rows["A"] == ["40", "12", "20.0", "0.300", "−3.10", "▼ more than 3"]
    # scipy 1.17: chi2_contingency([[40, 40], [48, 32]], correction=False).statistic = 1.61616, its root 1.2713
    assert rows["C"] == ["80", "40", "44.0", "0.500", "−1.27", "● at most 2"]
    assert rows["B"][-1] == "reference"
    found = agreement_of(report)
    assert found["significance_test z_test"] == (Agreement.DIFFERS, "fisher_exact (default) in 5.1")
    assert found["alpha 0.0455"] == (Agreement.DIFFERS, "0.05 (default) in 5.1")


def test_exactly_two_standard_deviations_are_at_most_two(make_rows):
    # scipy 1.17: chi2_contingency([[12, 20], [20, 12]], correction=False).statistic = 4.0, its root 2
    rows = make_rows([("A", 12, 32), ("B", 20, 32)])
    report = fr.Report(fr.Audit(rows).outcome_disparity("sex", "hired", 1).run(), preset="two_standard_deviations")
    assert rows_of(page_of(report), "12.1")[0][-2:] == ["−2.00", "● at most 2"]


def test_ratios_and_means_of_lending_are_those_of_section_5(pair_run):
    report = fr.Report(pair_run, preset="ecoa_air")
    html = page_of(report)
    text = profile(report)
    for test in ("Hiring", "Weighted", "Counted"):
        assert f"Ratio of rates: {test}, test 5." in text
    for test in ("Scores", "Residuals"):
        assert f"Standardized difference of means: {test}, test" in text
    shown = text_of(section(html, "results"))
    for row in rows_of(html, "12.1"):
        assert row[0] in shown
        assert all(cell in shown for cell in row[2:])
    found = agreement_of(report)
    assert found["Approval rates are compared as ratios"][0] is Agreement.MET
    assert found["The control group is named beforehand, not chosen as the best"][0] is Agreement.MET


def test_what_an_audit_has_no_test_of_is_said_in_a_sentence(mixed_run, make_rows):
    assert "no adverse impact ratio and no outcome test was computed" in profile(
        fr.Report(mixed_run, preset="ecoa_air")
    )
    only_rates = fr.Audit(make_rows([("A", 24, 50), ("B", 30, 50)])).outcome_disparity("sex", "hired", 1).run()
    assert "no test of means or of scores was computed" in profile(fr.Report(only_rates, preset="ecoa_air"))
    metric = fr.Audit({"sex": ["F", "M"] * 40, "pay": [*range(80)]}).metric_parity(
        "sex", "mean", value_column="pay", higher_is_better=True
    )
    for name, words in (
        ("nyc_ll144", "No outcome or score test has counts, so that there are no tables by category."),
        ("four_fifths", "No outcome or score test is part of this audit"),
        ("two_standard_deviations", "No outcome or score test is part of this audit"),
    ):
        assert words in profile(fr.Report(metric.run(), preset=name))


def test_a_test_that_was_not_computed_has_no_table(small_run):
    text = profile(fr.Report(small_run, preset="four_fifths"))
    assert "No table of by race, which was not computed." in text


def test_hundreds_of_categories_are_cut_and_counted(many_run):
    text = profile(fr.Report(many_run, preset="four_fifths"))
    assert "5 further groups in the attachment groups.csv." in text


def test_the_contents_lead_to_the_tables(run):
    html = fr.Report(run, preset="nyc_ll144").html()
    contents = section(html, "contents")
    for number in (1, 2, 3):
        assert f'<a href="#profile-{number}">' in contents
        assert html.count(f'id="profile-{number}"') == 1


def test_tests_of_different_windows_have_tables_of_their_own():
    columns = {
        "sex": ["F"] * 50 + ["M"] * 50,
        "hired": [*[1] * 20, *[0] * 5, *[0] * 25, *[1] * 15, *[0] * 10, *[0] * 25],
        "day": (["2026-01-05"] * 25 + ["2026-01-15"] * 25) * 2,
    }
    audit = fr.Audit(columns, time_column="day", timezone="UTC")
    audit.outcome_disparity("sex", "hired", 1, name="early", min_group_size=1)
    audit.outcome_disparity("sex", "hired", 1, name="late", min_group_size=1)
    ten_days = 10 * 24 * 3600
    windows = {
        "early": Window(length=ten_days, end="2026-01-11T00:00:00Z"),
        "late": Window(length=ten_days, end="2026-01-21T00:00:00Z"),
    }
    report = fr.Report(audit.run(windows), preset="nyc_ll144")
    html = page_of(report)
    assert rows_of(html, "12.1") == [["F", "25", "20", "80.0%", "1.000"], ["M", "25", "15", "60.0%", "0.750"]]
    assert rows_of(html, "12.2") == [["F", "25", "0", "0.0%", "n.d."], ["M", "25", "0", "0.0%", "n.d."]]
    text = profile(report)
    assert "hired = 1, from 2026-01-11T00:00:00Z to before 2026-01-21T00:00:00Z" in text
    assert "No category has a rate above 0, so that nothing can be divided by the highest." in text


def test_long_names_and_paper_change_no_figure(many_run):
    # 45 names, some of 120 characters and in scripts that the fonts do not print: every row is there, on both papers.
    rows = [fr.Report(many_run, preset="four_fifths", paper=paper).html() for paper in ("A4", "letter")]
    first, second = (rows_of(html, "12.1") for html in rows)
    assert first == second
    assert len(first) == 40


def test_every_header_cell_of_a_profile_table_has_its_scope(run):
    for name in ("nyc_ll144", "four_fifths", "two_standard_deviations", "ecoa_air"):
        part = section(fr.Report(run, preset=name).html(), "profile")
        assert part.count("<th ") == part.count('<th scope="col"') + part.count('<th scope="row"')
        assert part.count("<table") == part.count("<caption>Table 12.") + part.count(' aria-label="Facts') + part.count(
            ' aria-label="What the user states'
        )
