import re
from html import unescape

import pytest

import fairreport as fr
from fairreport.render.builders import view_run
from fairreport.report.sections import SECTIONS

TITLES = [
    "1 Result",
    "2 Contents",
    "3 Scope and criteria",
    "4 Data",
    "5 Results by group",
    "6 Adjusted results",
    "7 Error rates, metric parity and calibration",
    "8 Robustness",
    "9 Assumptions and limitations",
    "10 Methods",
    "11 Provenance and reproduction",
    "12 Profile tables",
    "13 Glossary, sign-off and attachments",
]


def text_of(html):
    body = re.sub(r"<style>.*?</style>|</?bdi>", "", html, flags=re.DOTALL)
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", body)))


def section(html, anchor):
    start = html.index(f'<section id="{anchor}"')
    return html[start : html.index("</section>", start)]


def parameters_in(provenance):
    """The tests of each value, by the name of the parameter; those that nobody sets stand at the end."""
    table, _, after = provenance[provenance.index("<h3>Parameters</h3>") :].partition("</table>")
    rows = re.findall(r'<tr[^>]*><th scope="row"[^>]*>(.*?)</th>(.*?)</tr>', table, flags=re.DOTALL)
    found = {}
    for key, cells in rows:
        value, origin, tests, _ = re.findall(r"<td[^>]*>(.*?)</td>", cells, flags=re.DOTALL)
        found.setdefault(plain(key), {})[plain(value), origin] = tests
    unset = after.partition("<h3>")[0]
    for key in re.findall(r'<span class="code">(.*?)</span>', unset):
        assert plain(key) not in found
        found[plain(key)] = {("None", "default"): "all"}
    return found


def plain(html):
    return unescape(re.sub(r"<[^>]+>", "", html)).strip()


def test_the_sections_stand_in_their_order_and_bear_their_numbers(small_html):
    found = [" ".join(text_of(item).split()) for item in re.findall(r"<h2>(.*?)</h2>", small_html)]
    assert found == TITLES
    assert [item.number for item in SECTIONS] == [*range(1, 14)]


def test_the_cover_says_what_was_stated_and_what_was_not(small_html, small_run):
    cover = text_of(small_html[: small_html.index("<main>")])
    for words in (
        "Shortlist, third quarter",
        "Origin of the data: TEST",
        "System screen 3.1",
        "Decision shortlist",
        "Period not stated",
        "Prepared by not stated",
        "Prepared for not stated",
        "Issued not stated",
        "Valid until not stated",
        "Note Made for a test.",
        "Status draft",
        "Date of the run 2026-11-01",
        f"Packet id {fr.Report(small_run).packet_id}",
    ):
        assert words in cover


def test_the_result_counts_every_group_and_names_the_skipped_test(small_html, small_run):
    result = text_of(section(small_html, "result"))
    assert "▼ failing" in result
    assert "skipped: by race" in result
    assert "What this does not say" in result
    for heading in ("below the threshold", "of which", "at or above it", "not enough data", "tests skipped"):
        assert heading in result
    assert section(small_html, "result").count("<svg") == 1


def test_the_contents_lead_to_every_section_and_every_test(small_html, small_run):
    contents = section(small_html, "contents")
    anchors = re.findall(r'href="#([^"]+)"', contents)
    assert len(anchors) == len(TITLES) + 2 * len(small_run)  # each test stands in section 8 again
    for anchor in anchors:
        assert small_html.count(f' id="{anchor}"') == 1


def test_no_two_elements_bear_one_identifier(small_html):
    identifiers = re.findall(r'\sid="([^"]+)"', small_html)
    assert len(identifiers) == len(set(identifiers))


def test_scope_and_criteria_of_each_test(small_html):
    criteria = text_of(section(small_html, "criteria"))
    for words in (
        "Attributes age, sex",
        "sex: none declared; every value in the data is a group",
        "Favorable outcome hired = 1",
        "Why this rate and reference what people feel",
        "The test passes where failingGroupCount <= 0",
        "Correction Holm given the reference, level 0.05",
        "Minimum n at least 30 rows and 2% of the evaluated rows",
        "1 group compared with the reference; 1 group has too few rows to be compared",
        "none: the test was not computed",
    ):
        assert words in criteria


def test_rows_in_are_rows_left_out_and_rows_evaluated(small_html):
    data = text_of(section(small_html, "data"))
    assert "by sex 356 0 7 0 349 98.0%" in data
    assert "by race — — — — — —" in data
    assert "by sex sex 7 2.0% 3 0.429" in data


def test_small_groups_stand_apart_with_the_reason(small_html):
    results = text_of(section(small_html, "results"))
    assert "Groups with too few rows to be judged" in results
    assert "X 9 0.222 fewer than 30 rows" in results


def test_single_attributes_come_before_intersections(small_html):
    headings = re.findall(r"<h3 data-label.*?</h3>", section(small_html, "results"))
    kinds = [text_of(item).split()[-2:] for item in headings]
    assert kinds == [["By", "attribute"], ["By", "attribute"], ["sex", "Intersection"]]


def test_adjusted_figures_stand_beside_those_over_all_rows(small_html):
    adjusted = text_of(section(small_html, "adjusted"))
    assert "Adjusted ratio" in adjusted
    assert "Strata used" in adjusted


def test_a_reversed_direction_is_said():
    """Berkeley in small: in each department women are admitted more often, over both less often."""
    cells = [("F", "hard", 24, 80), ("M", "hard", 5, 20), ("F", "easy", 18, 20), ("M", "easy", 64, 80)]
    columns = {"sex": [], "dept": [], "in": []}
    for sex, department, favorable, n in cells:
        columns["sex"] += [sex] * n
        columns["dept"] += [department] * n
        columns["in"] += [1] * favorable + [0] * (n - favorable)
    run = fr.Audit(columns).outcome_disparity("sex", "in", 1, control_columns="dept").run()
    assert "The direction reverses." in text_of(section(fr.Report(run).html(), "adjusted"))


def test_without_controls_and_labels_one_sentence_says_so(many_run):
    html = fr.Report(many_run).html()
    assert "No test names control columns" in section(html, "adjusted")
    labels = text_of(section(html, "labels"))
    assert "No test names a column of true labels" in labels
    assert "Calibration is not part of this audit." in labels


def test_without_a_preset_there_are_no_profile_tables(small_html):
    assert "No preset is used, so this packet has no profile tables." in text_of(section(small_html, "profile"))
    assert "<table" not in section(small_html, "profile")


def test_assumptions_name_their_consequence_and_their_tests(small_html, small_run):
    assumptions = text_of(section(small_html, "assumptions"))
    for item in small_run.record.assumptions:
        assert item.title in assumptions
        assert item.consequence in assumptions


def test_methods_explain_what_was_used_and_nothing_else(small_html, many_run):
    methods = text_of(section(small_html, "methods"))
    for words in ("Wilson", "Koopman", "Katz", "Newcombe", "Fisher’s exact", "Holm’s", "Mantel-Haenszel", "by hand"):
        assert words in methods
    assert "Benjamini" not in methods
    assert "Mantel" not in text_of(section(fr.Report(many_run).html(), "methods"))


def test_every_parameter_has_its_origin(small_html, small_run):
    stated = parameters_in(section(small_html, "provenance"))
    numbers = {"hired by age and sex": "5.3", "by sex": "5.1", "by race": "5.2"}
    for test in view_run(small_run.record).tests:
        for item in test.settings:
            tests = stated[item.name][item.value.text, item.origin]
            assert tests == "all" or numbers[test.name.text] in tests
    words = text_of(section(small_html, "provenance"))
    assert "p_ value_ adjustment 'none' default 5.1, 5.2" in words
    assert "p_ value_ adjustment 'holm' user 5.3" in words
    assert "min_ group_ size 30 default all" in words
    assert words.count("min_ group_ size") == 1


def test_parameters_of_tests_of_several_kinds(mixed_html, mixed_run):
    """Every parameter of every test stands in one table, or is named as not set by any test that has it."""
    provenance = section(mixed_html, "provenance")
    stated = parameters_in(provenance)
    assert provenance.count('<table class="figures prose parameters"') == 1
    for test in view_run(mixed_run.record).tests:
        for item in test.settings:
            assert (item.value.text, item.origin) in stated[item.name]
    assert "'auc' user 7.1" in text_of(provenance)


def test_one_test_alone_needs_no_numbers(small_run):
    provenance = text_of(section(fr.Report(small_run["by sex"]).html(), "provenance"))
    assert "min_ group_ size 30 default Rows that a group needs" in provenance
    assert "Tests" not in provenance.split("Software and fonts")[0]


def test_the_first_sentence_states_the_n_of_the_reference(small_html, mixed_html):
    for html in (small_html, mixed_html):
        lead = re.search(r'<p class="lead">(.*?)</p>', html, flags=re.DOTALL)
        assert re.search(r"\((reference, )?n \d+", text_of(lead.group(1)))


@pytest.mark.parametrize(
    "word", [r"\bfair\b", "bias free", "bias-free", "certif", "violation(?!Count)", "unlawful", "illegal"]
)
def test_calm_words(small_html, word):
    text = text_of(small_html).replace("fourFifthsViolationCount", "")
    assert not re.search(word, text, flags=re.IGNORECASE)


def test_a_run_in_which_nothing_could_be_computed(make_rows):
    run = fr.Audit(make_rows([("F", 20, 60)])).outcome_disparity("race", "hired", 1).run()
    html = fr.Report(run).html()
    assert "No test could be computed." in text_of(section(html, "result"))
    assert "the table has no column 'race'" in text_of(section(html, "results"))
    assert "by hand" not in text_of(section(html, "methods"))


def test_one_test_by_itself(small_run):
    alone = fr.Report(small_run["by sex"])
    assert [test.name for test in alone.record.tests] == ["by sex"]
    assert alone.record.data.columns == ("hired", "sex")
    assert alone.record.data.fingerprint != small_run.record.data.fingerprint
    assert "by race" not in alone.html()


def test_the_fingerprint_of_one_test_is_that_of_an_audit_of_it_alone(make_rows):
    rows = make_rows([("F", 20, 60), ("M", 30, 60)])
    both = fr.Audit(rows).outcome_disparity("sex", "hired", 1).outcome_disparity("sex", "hired", 0).run()
    one = fr.Audit(rows).outcome_disparity("sex", "hired", 1).run()
    assert fr.Report(both[0]).record.data.fingerprint == one.record.data.fingerprint


def test_about_overrides_what_the_run_carries(small_run):
    report = fr.Report(small_run, about={"system": "another"})
    assert "another" in report.html()
    assert "screen 3.1" not in report.html()
    assert report.packet_id != fr.Report(small_run).packet_id


def test_the_packet_id_leaves_the_date_out(make_rows):
    rows = make_rows([("F", 20, 60), ("M", 30, 60)])
    first, second = (
        fr.Report(fr.Audit(rows, as_of=day).outcome_disparity("sex", "hired", 1).run()).packet_id
        for day in ("2026-01-01", "2026-02-01")
    )
    assert first == second
    assert re.fullmatch(r"[0-9a-f]{12}", first)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"paper": "A5"}, "must be A4 or letter, got 'A5'"),
        ({"preset": "nyc_ll145"}, "Did you mean 'nyc_ll144'?"),
        ({"about": {"sytem": "x"}}, "Did you mean 'system'?"),
    ],
)
def test_wrong_arguments_are_one_line(small_run, arguments, message):
    with pytest.raises(fr.ConfigError, match=re.escape(message)) as caught:
        fr.Report(small_run, **arguments)
    assert "\n" not in str(caught.value)


def test_only_runs_and_their_results_are_reported():
    with pytest.raises(fr.ConfigError, match="got a dict"):
        fr.Report({})


def test_the_big_numbers_agree_with_the_findings_and_the_measurement(make_rows):
    rows = make_rows([("A", 6, 40), ("B", 7, 40), ("C", 50, 300), ("D", 100, 400)])
    run = fr.Audit(rows).outcome_disparity("sex", "hired", 1, min_group_share=0).run()
    result = section(fr.Report(run).html(), "result")
    (row,) = re.findall(r"<tbody>(<tr><td>.*?)</tbody>", result, flags=re.DOTALL)[:1]
    words = text_of(row).strip()
    assert run[0].measurements["failingGroupCount"] == 3
    assert words.startswith("3 of which 1 significant, 2 may be chance 0 0 0")


def test_the_big_numbers_without_a_significance_test(make_rows):
    run = fr.Audit(make_rows([("A", 6, 40), ("D", 100, 400)])).outcome_disparity(
        "sex", "hired", 1, significance_test="none"
    )
    result = text_of(section(fr.Report(run.run()).html(), "result"))
    assert "1 not tested" in result
    assert "of which" not in result


@pytest.fixture(scope="module")
def sourced_rows(make_rows):
    return make_rows([("A", 60, 100), ("B", 40, 100)])


def test_a_stated_source_is_printed_where_no_thresholds_are_stated(sourced_rows):
    def packet_and_run(**more):
        run = fr.Audit(sourced_rows).outcome_disparity("sex", "hired", 1, impact_ratio_threshold=0.9, **more).run()
        return fr.Report(run).html(), view_run(run.record), run

    html, view, run = packet_and_run(threshold_source="POLICY 4.2")
    said = "the test's own threshold, source stated by the user: POLICY 4.2"
    assert said in text_of(section(html, "criteria"))
    assert said[1:] in text_of(section(html, "results"))
    assert "since none was stated" not in text_of(html)
    assert said in {line.text.text for line in view.tests[0].method}
    assert said in text_of(run._repr_html_())
    html, view, _ = packet_and_run()
    assert "the test's own threshold, since none was stated" in text_of(section(html, "criteria"))
    assert "Source of the threshold" not in {line.term for line in view.tests[0].method}


def result_text(rows, *tests):
    audit = fr.Audit(rows)
    for i, parameters in enumerate(tests):
        audit.outcome_disparity("sex", "hired", 1, name=f"test {i}", **parameters)
    return text_of(section(fr.Report(audit.run()).html(), "result"))


def test_the_page_of_the_result_says_which_stated_thresholds_decide(make_rows):
    rows = make_rows([("A", 90, 100), ("B", 60, 100)])
    failing = {"impact_ratio_threshold": 0.5, "thresholds": [("chiSquarePValue", ">=", 0.05)]}
    said = "▼ failing: test 0. chiSquarePValue >= 0.05 does not hold (is"
    text = result_text(rows, failing)
    assert text.index("▼ failing ▼ failing: test 0.") == text.index(said) - len("▼ failing ")
    text = result_text(rows, {"thresholds": [("failingGroupCount", "<=", 5)]})
    assert "● passing: test 0. failingGroupCount <= 5 holds (is 1)" in text
    assert " holds " not in result_text(rows, {})
    own = {"impact_ratio_threshold": 0.5, "thresholds": [("failingGroupCount", "<=", 0)]}
    assert " holds " not in result_text(rows, own)
    text = result_text(rows, *[failing] * 5)
    assert text.count("does not hold") == 3
    assert "and 2 more, in section 5" in text
