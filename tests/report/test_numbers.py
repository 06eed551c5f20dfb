"""Every number of a packet is a number of the results, in the one format."""

import math
import re
from html import unescape
from types import SimpleNamespace

from hypothesis import assume, given, settings
from hypothesis import strategies as st

import fairreport as fr
from fairreport.analyses.parameters import PValueAdjustment
from fairreport.analyses.result import PValue, Span
from fairreport.render import formats
from fairreport.report.worked_row import adjusted_steps


def cells(html):
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", html, flags=re.DOTALL)
    clean = [
        [
            unescape(re.sub(r"<[^>]+>", "", cell)).strip()
            for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, flags=re.DOTALL)
        ]
        for row in rows
    ]
    return [row for row in clean if row]


def test_the_table_of_a_test_says_what_the_results_say(small_html, small_run):
    entry = small_run["by sex"].to_dict()
    start = small_html.index('<article id="test-1"')
    printed = {row[0]: row for row in cells(small_html[start : small_html.index("</article>", start)])}
    for group in entry["groups"]:
        row = printed[group["group"]["sex"]]
        if not group["sufficient"]:
            assert row[1:3] == [formats.count(group["n"]), formats.fixed(group["rate"])]
            continue
        mark = [0.8]
        assert row[1:6] == [
            formats.count(group["n"]),
            formats.count(group["favorable"]),
            formats.fixed(group["rate"]),
            formats.span(Span(low=group["ci_low"], high=group["ci_high"])),
            formats.fixed(group["difference"]),
        ]
        assert row[7] == formats.fixed(group["ratio"], against=mark)
        if not group["is_reference"]:
            p = PValue(p=group["p_value"], log10=0.0)
            assert row[6] == formats.span(
                Span(low=group["difference_ci_low"], high=group["difference_ci_high"]), signed=True
            )
            assert row[8] == formats.span(Span(low=group["ratio_ci_low"], high=group["ratio_ci_high"]), against=mark)
            assert row[9] == formats.p_value(p, alpha=0.05)


def test_the_row_worked_by_hand_comes_out_at_the_numbers_of_the_results(small_html, small_run):
    worst = min(
        (
            group
            for entry in small_run.to_dict()["results"]
            for group in entry["groups"]
            if group["sufficient"] and not group["is_reference"]
        ),
        key=lambda group: group["ratio"],
    )
    start = small_html.index('aria-label="The row, step by step: outcome rates"')
    steps = {row[0]: row[-1] for row in cells(small_html[start : small_html.index("</table>", start)])}
    assert steps["Rate of the group"] == formats.fixed(worst["rate"], 6)
    assert steps["Impact ratio"] == formats.fixed(worst["ratio"], 6)
    assert steps["Difference"] == formats.fixed(worst["difference"], 6)
    ends = formats.span(Span(low=worst["ci_low"], high=worst["ci_high"]), 6, signed=True)
    assert steps["Wilson interval of the group"] == ends
    assert steps["Below the threshold?"] == "below"


def test_a_wilson_interval_follows_from_the_numbers_printed_beside_it(small_html):
    """(left ± root) / bottom, with the three numbers as printed."""
    start = small_html.index('aria-label="The row, step by step: outcome rates"')
    for row in cells(small_html[start : small_html.index("</table>", start)]):
        if row[0].startswith("Wilson"):
            left, root, bottom = (float(x.replace(",", "")) for x in re.findall(r"[\d.,]+", row[2]))
            low, high = (float(x) for x in row[3].split(" to "))
            assert abs((left - root) / bottom - low) < 2e-6
            assert abs((left + root) / bottom - high) < 2e-6


def test_each_significance_test_and_adjustment_is_worked(make_rows):
    rows = make_rows([("F", 20, 60), ("M", 40, 60), ("X", 31, 60)])
    for test, term in (
        ("z_test", "Pooled z test, two-sided"),
        ("chi_square", "Chi-square test with Yates’s correction"),
    ):
        run = (
            fr.Audit(rows)
            .outcome_disparity("sex", "hired", 1, significance_test=test, p_value_adjustment="benjamini_hochberg")
            .run()
        )
        html = fr.Report(run).html().replace("&#39;", "’")
        assert term in html
        assert "Benjamini-Hochberg, rank 1 of 2" in html
    none = fr.Audit(rows).outcome_disparity("sex", "hired", 1, significance_test="none").run()
    assert "Koopman" in fr.Report(none).html()


def test_a_group_without_a_favorable_outcome_prints_no_zero_for_what_is_undefined(make_rows):
    run = fr.Audit(make_rows([("F", 0, 60), ("M", 40, 60)])).outcome_disparity("sex", "hired", 1).run()
    html = fr.Report(run).html()
    assert "no logarithm of a rate of 0" in html
    assert "n.d." in html


def test_the_adjusted_ratio_is_the_quotient_of_its_printed_sums(small_html):
    found = re.search(r"<p>([\d.]+) / ([\d.]+) = ([\d.]+)</p>", small_html)
    top, bottom, ratio = map(float, found.groups())
    assert abs(top / bottom - ratio) < 1e-4


@settings(deadline=None)
@given(
    ps=st.lists(st.floats(1e-250, 1), min_size=1, max_size=40),
    adjustment=st.sampled_from([PValueAdjustment.HOLM, PValueAdjustment.BENJAMINI_HOCHBERG]),
    data=st.data(),
)
def test_a_reader_who_multiplies_a_printed_p_value_gets_the_printed_result(ps, adjustment, data):
    least = data.draw(st.sampled_from(sorted(ps)))
    rank, size = sorted(ps).index(least) + 1, len(ps)
    factor = size - rank + 1 if adjustment is PValueAdjustment.HOLM else size / rank
    assume(least * factor < 1)

    def row(p, adjusted=None):
        value = PValue(p=p, log10=math.log10(p))
        return SimpleNamespace(p_value=value, adjusted_p=None if adjusted is None else PValue(p=adjusted, log10=None))

    worked = row(least, least * factor)
    others = sorted(ps)
    others.remove(least)
    (step,) = adjusted_steps(adjustment, [worked, *map(row, others)], worked)
    shown = float(step.numbers.rpartition("× ")[2]) * factor
    mantissa, _, exponent = step.result.partition("e")
    half = 0.5 * 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
    assert abs(shown - float(step.result)) <= 1.01 * half, (step.numbers, step.result)
