"""Score and metric tests in the packet: where they stand, what they say, and that their numbers are those found."""

import io
import re
from html import unescape

import pypdf
import pytest

import fairreport as fr
from fairreport.analyses.result import PValue, Span
from fairreport.render import formats
from fairreport.render.metric_axis import digits_of
from fairreport.report import fonts
from fairreport.report.worked_example import work_rows


def text_of(html):
    return re.sub(r"\s+", " ", unescape(re.sub(r"</?bdi>|<[^>]+>", "", re.sub(r"(?<=>)(?=<)", " ", html))))


def section(html, anchor):
    start = html.index(f'<section id="{anchor}"')
    return html[start : html.index("</section>", start)]


def article(html, name):
    for found in re.findall(r"<article.*?</article>", html, flags=re.DOTALL):
        if f"<bdi>{name}</bdi>" in found.split("</h3>")[0]:
            return found
    raise AssertionError(name)


def cells(html):
    """Rows of cells by the text of their first one; parts of a table that stand below one another are joined."""
    rows = {}
    for row in re.findall(r"<tr[^>]*>(.*?)</tr>", html, flags=re.DOTALL):
        found = re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, flags=re.DOTALL)
        clean = [unescape(re.sub(r"<[^>]+>", "", cell)).strip() for cell in found]
        rows.setdefault(clean[0], []).extend(clean[1:])
    return rows


@pytest.fixture(scope="module")
def mixed_text(mixed_pdf):
    return "\n".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(mixed_pdf)).pages)


def groups_of(run, name):
    entry = run[name].to_dict()
    return {group["group"]["team"]: group for group in entry["groups"]}


def test_tests_that_need_labels_stand_in_section_7(mixed_html):
    numbers = {}
    for anchor in ("results", "labels"):
        for heading in re.findall(r"<h3 data-label.*?</h3>", section(mixed_html, anchor), flags=re.DOTALL):
            number, name = re.search(r'number">([\d.]+)</span> <bdi>(.*?)</bdi>', heading).groups()
            numbers[name] = number
    assert numbers == {
        "low score": "5.1",
        "mean pay": "5.2",
        "high pay": "5.3",
        "all rows": "5.4",
        "area": "7.1",
        "omission": "7.2",
        "explained": "7.3",
        "no such column": "7.4",
    }


def test_the_contents_follow(mixed_html):
    contents = text_of(section(mixed_html, "contents"))
    order = ["5 Results by group", "5.1 low score", "5.4 all rows", "6 Adjusted", "7 Error rates", "7.1 area", "8 Rob"]
    places = [contents.index(words) for words in order]
    assert places == sorted(places)


@pytest.mark.heavy
def test_the_bookmarks_follow(mixed_pdf):
    outline = pypdf.PdfReader(io.BytesIO(mixed_pdf)).outline
    titles = [t.title for item in outline for t in (item if isinstance(item, list) else [item])]
    at = titles.index("7 Error rates, metric parity and calibration")
    assert titles[at + 1 : at + 5] == ["7.1 area", "7.2 omission", "7.3 explained", "7.4 no such column"]


def test_calibration_is_said_not_to_be_part(mixed_html):
    assert "Calibration is not part of this audit." in text_of(section(mixed_html, "labels"))


def test_where_every_test_needs_labels_section_5_says_so(mixed_run):
    html = fr.Report(mixed_run["area"]).html()
    assert "they stand in section 7" in text_of(section(html, "results"))
    assert 'id="test-1"' in section(html, "labels")


def test_a_score_test_has_both_figures_and_names_what_is_informational(mixed_html):
    found = article(mixed_html, "low score")
    assert found.count("<svg") == 2
    assert "Figure 5.1a." in found
    assert "Figure 5.1b." in found
    assert "below it, on the favorable side" in found
    headings = [text_of(it) for it in re.findall(r'<th scope="col"[^>]*>(.*?)</th>', found)]
    told = [it for it in headings if "informational" in it]
    assert [it.split(" (")[0] for it in told] == ["Probability of superiority", "Cliff's delta", "KS distance"]
    assert headings.index("Finding") < headings.index("Mean")


def test_other_tests_have_one_figure(mixed_html):
    assert article(mixed_html, "mean pay").count("<svg") == 1
    assert "Figure 5.2." in article(mixed_html, "mean pay")


def test_the_table_of_a_score_test_says_what_the_results_say(mixed_html, mixed_run):
    printed = cells(article(mixed_html, "low score"))
    for name, group in groups_of(mixed_run, "low score").items():
        if not group["sufficient"]:
            assert printed[name][:2] == [formats.count(group["n"]), formats.fixed(group["scoring_rate"])]
            continue
        expected = {
            formats.count(group["scoring"]),
            formats.fixed(group["scoring_rate"]),
            formats.fixed(group["ratio"], against=[0.8]),
            formats.fixed(group["mean"]),
            formats.fixed(group["standardized_mean_difference"]),
        }
        if group["cliffs_delta"] is not None:
            expected.add(formats.fixed(group["cliffs_delta"]))
            expected.add(formats.p_value(PValue(p=group["adjusted_p"], log10=0.0), alpha=0.05))
        assert expected <= set(printed[name])


@pytest.mark.parametrize("test", ["area", "omission", "mean pay", "high pay", "all rows", "explained"])
def test_the_table_of_a_metric_test_says_what_the_results_say(mixed_html, mixed_run, test):
    printed = cells(article(mixed_html, test))
    digits = digits_of(mixed_run[test].record.finding)
    for name, group in groups_of(mixed_run, test).items():
        assert printed[name][0] == formats.count(group["n"])
        expected = {formats.fixed(group["value"], digits)}
        if group["sufficient"] and group["value"] is not None:
            expected.add(formats.fixed(group["ratio"], against=[0.8]))
            expected.add(formats.fixed(group["difference"], digits))
            p = None if group["p_value"] is None else PValue(p=group["p_value"], log10=0.0)
            expected.add(formats.p_value(p, alpha=0.05))
        assert test == "explained" or expected <= set(printed[name])
        assert formats.fixed(group["value"], digits) in printed[name]


def test_a_group_without_a_value_is_listed_and_not_compared(mixed_html, mixed_run):
    group = groups_of(mixed_run, "omission")["cedar"]
    assert group["value"] is None
    assert group["sufficient"]
    assert formats.UNDEFINED in cells(article(mixed_html, "omission"))["cedar"]
    assert "not defined" in article(mixed_html, "omission")


def test_a_skipped_test_says_why(mixed_html):
    assert "the table has no column 'chance'" in text_of(article(mixed_html, "no such column"))
    assert "skipped: no such column" in text_of(section(mixed_html, "result"))


def test_scope_and_criteria_speak_of_scores_and_metrics(mixed_html):
    criteria = text_of(section(mixed_html, "criteria"))
    for words in (
        "a score strictly below the overall median, ",
        "since lower is favorable",
        "Metric false omission rate: truly positive rows among those predicted negative",
        "Prediction said",
        "Ground truth label",
        "Positive class 1",
        "chosen as the sufficient group with the best value",
        "none: each group is compared with all evaluated rows, and tested against the rest of them",
        "3 groups compared with all evaluated rows; 1 group has too few rows to be compared",
        "none, since the metric has no test",
        "worse, with a ratio below 0.80 or a gap above 0.25",
    ):
        assert words in criteria
    assert "highest rate" in criteria
    assert "Why this metric and reference" in criteria


def test_methods_explain_what_was_used_and_nothing_else(mixed_html, mixed_run):
    methods = text_of(section(mixed_html, "methods"))
    for words in (
        "Scoring rate",
        "Cohen (1988)",
        "Cliff (1993)",
        "Hanley and McNeil (1982), Radiology 143",
        "DeLong",
        "Student (1908)",
        "Welch (1947)",
        "Interval of a quantile",
        "pooled quantile",
        "test: group against the rest",
        "Altman and Bland (1994)",
        "Kvalseth (1985)",
        "within 1e-12",
        "neither a negative predictive value nor a false omission rate",
        "the standard error is 0",
        "Neither side varies".lower(),
        "Holm’s adjustment",
        "equal to the overall median",
    ):
        assert words in methods
    for words in ("Mantel", "Pearson", "clipped", "Brier", "Benjamini", "Pooled z", "root mean squared"):
        assert words not in methods
    only = text_of(section(fr.Report(mixed_run["explained"]).html(), "methods"))
    for words in ("Wilson", "Fisher’s", "Welch’s", "Student", "overall median", "p-value below"):
        assert words not in only
    assert "It has neither interval nor test." in only


def test_one_row_of_each_kind_is_worked_and_comes_out_at_the_numbers_of_the_results(mixed_run):
    rows = {row.kind.split(",")[0]: row for row in work_rows(mixed_run.record)}
    assert list(rows) == ["scoring rates", "share of rows", "average per row", "quantile", "ranks", "residuals"]
    for kind, row in rows.items():
        group = groups_of(mixed_run, row.test.text)[row.group.text]
        steps = {step.term: step.result for step in row.steps}
        value = group.get("value", group.get("scoring_rate"))
        first = next(step for step in row.steps if step.term.endswith("of the group"))
        assert first.result == formats.fixed(value, 6), kind
        ratio = steps["Impact ratio"] if kind == "scoring rates" else steps["Ratio"]
        assert ratio == formats.fixed(group["ratio"], 6)
        below = group["ratio"] < 0.8 and group.get("worse", True)
        assert steps["Below the threshold?"] == ("below" if below else "not below")
        if group["p_value"] is not None:
            p = formats.p_value(PValue(p=group["p_value"], log10=0.0))
            assert p in steps.values()
        if kind not in {"scoring rates", "residuals"}:
            ends = formats.span(Span(low=group["ci_low"], high=group["ci_high"]), 6, signed=True)
            assert ends in steps.values()


def test_the_standardized_difference_follows_from_the_numbers_beside_it(mixed_run):
    row = next(row for row in work_rows(mixed_run.record) if row.kind == "scoring rates")
    step = next(step for step in row.steps if step.term == "Standardized difference")
    top, bottom = (float(x.replace("−", "-")) for x in step.numbers.split(" / "))
    assert abs(top / bottom - float(step.result.replace("−", "-"))) < 2e-6


def test_a_hanley_mcneil_error_follows_from_the_numbers_beside_it(mixed_run):
    """Equations 1 and 2 of Hanley and McNeil (1982), with A, P and N as printed."""
    row = next(row for row in work_rows(mixed_run.record) if row.kind.startswith("ranks"))
    steps = {step.term: step for step in row.steps}
    counts = dict(re.findall(r"([gePN]) = ([\d,]+)", steps["AUC of the group"].numbers))
    g, e, p, n = (int(counts[letter].replace(",", "")) for letter in "gePN")
    a = (g + e / 2) / (p * n)
    assert formats.fixed(a, 6) == steps["AUC of the group"].result
    q1, q2 = a / (2 - a), 2 * a * a / (1 + a)
    error = ((a * (1 - a) + (p - 1) * (q1 - a * a) + (n - 1) * (q2 - a * a)) / (p * n)) ** 0.5
    assert formats.fixed(error, 6) == steps["Hanley-McNeil standard error of the group"].result


@pytest.mark.parametrize("comparison", ["reference", "overall"])
@pytest.mark.parametrize("metric", ["mean", "median", "rate"])
def test_each_kind_is_worked_against_a_group_and_against_all_rows(comparison, metric):
    rows = {"g": ["a"] * 40 + ["b"] * 50 + ["c"] * 60, "x": [(i * 31) % 17 for i in range(150)]}
    given = {"positive_values": [1, 2, 3]} if metric == "rate" else {}
    run = (
        fr.Audit(rows)
        .metric_parity("g", metric, value_column="x", higher_is_better=False, comparison=comparison, **given)
        .run()
    )
    (row,) = work_rows(run.record)
    terms = " ".join(step.term for step in row.steps)
    assert ("against the rest" in terms or "rest of the rows" in " ".join(s.formula for s in row.steps)) == (
        comparison == "overall"
    )
    assert (row.against is None) == (comparison == "overall")
    found = {group["group"]["g"]: group for group in run.results[0].to_dict()["groups"]}[row.group.text]
    p = formats.p_value(PValue(p=found["p_value"], log10=0.0))
    assert p in [step.result for step in row.steps]


def test_losses_and_roots_are_worked():
    rows = {"g": ["a", "b"] * 50, "y": [i % 7 for i in range(100)], "f": [i * 3 % 8 for i in range(100)]}
    audit = fr.Audit(rows)
    for metric in ("mae", "rmse"):
        audit.metric_parity("g", metric, prediction_column="f", ground_truth_column="y")
    run = audit.run()
    methods = text_of(section(fr.Report(run[1]).html(), "methods"))
    assert "√(sum / rows)" in methods
    assert "root mean squared error is the root" in methods


@pytest.mark.heavy
def test_no_header_word_is_clipped(mixed_html, mixed_text):
    words = re.sub(r"\s+", "", mixed_text)
    for heading in re.findall(r'<th scope="col"[^>]*>(.*?)</th>', mixed_html, flags=re.DOTALL):
        assert re.sub(r"\s+", "", unescape(re.sub(r"<[^>]+>", "", heading))) in words


@pytest.mark.heavy
def test_no_number_is_broken_inside(mixed_html, mixed_text):
    whole = set(mixed_text.split())
    for cell in re.findall(r'<td class="num">(.*?)</td>', mixed_html, flags=re.DOTALL):
        for number in unescape(re.sub(r"<[^>]+>", "", cell)).replace("–", " ").split():
            assert any(number in word for word in whole), number


def test_the_packet_prints_its_own_words_with_its_own_fonts(mixed_html, monkeypatch):
    monkeypatch.setattr(fonts, "machine_code_points", frozenset)
    assert fonts.unprintable(mixed_html[mixed_html.index("<body>") :]) == ()


def test_calm_words(mixed_html):
    assert not re.search(r"\bfair\b|bias.free|certif|violation|unlawful", text_of(mixed_html), flags=re.IGNORECASE)


@pytest.fixture(scope="module")
def hostile():
    evil = "</td><script>alert(1)</script>"
    rows = {evil: ["<b>a</b>", "{{ 7 * 7 }}"] * 60, "<i>s</i>": [i % 13 for i in range(120)], "y": [0, 1, 1] * 40}
    audit = fr.Audit(rows)
    audit.score_disparity(evil, "<i>s</i>", name=evil)
    audit.metric_parity(evil, "mean", value_column="<i>s</i>", higher_is_better=True)
    audit.metric_parity(evil, "auc", score_column="<i>s</i>", ground_truth_column="y", positive_values=1)
    return fr.Report(audit.run())


def test_hostile_names_are_escaped_in_scores_and_metrics(hostile):
    html = hostile.html()
    assert "<script" not in html
    assert "<i>" not in html
    assert "<b>a" not in html
    assert "49" not in text_of(section(html, "criteria"))


@pytest.mark.heavy
def test_hostile_names_are_printed(hostile):
    assert hostile.pdf().startswith(b"%PDF")


def test_glossary_explains_scores_and_metrics_where_there_are_any(mixed_html, small_html):
    for words in ("Scoring rate", "Standardized difference", "Support", "Gap"):
        assert words in text_of(section(mixed_html, "closing"))
        assert words not in text_of(section(small_html, "closing"))
