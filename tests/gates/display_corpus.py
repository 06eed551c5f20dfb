"""Every kind of result, small and large, empty, skipped and hostile: what the display is judged by.

python display_corpus.py FOLDER   writes NAME.html, NAME.txt and NAME.md of each, and what is made of hostile data
"""

import sys
import tempfile
from pathlib import Path

import fairreport as fr
from fairreport.analyses import pair_tests as pairs
from fairreport.render.figures import figure_svg, gap_figure_svg, pair_figure_svg
from fairreport.render.phrases import Sentence
from fairreport.widgets.answer_html import answer_html, note_html
from fairreport.widgets.exploration import Exploration

HOSTILE = (
    "<script>alert('group')</script>",
    '"><img src=x onerror=alert(1)>',
    "</style><script>confirm(2)</script>",
    "</title></svg><svg onload=prompt(3)>",
    "{{ 7*7 }}{% include 'x' %}${7*7}",
    "javascript:alert(4)",
    "[link](javascript:alert(5)) ![](http://127.0.0.1:9/x.png)",
    "<a href='javascript:alert(6)'>a</a><iframe srcdoc='<script>alert(7)</script>'>",
    "\u202eesrever\u2066isolate",
    "zero\u200bwidth\u200d\ufeffjoin",
    "line\nbreak\r\tand tab",
    "nul\x00nul\x07\x1b[31mred",
    "half \ud800 pair",
    "x" * 10_000,
    "a|b`c`*d*_e_ <b>#1 ~~s~~ $x$ & &lt;i&gt;",
    "' onmouseover='alert(8)' x='",
    "--> ]]> <!-- <![CDATA[",
    "日本語 / العربية / עברית",
    "e\u0301" * 60,
    " ",
)
"""Names that must come out as text, whatever shows them."""

COLUMNS = ("group", "sex", "hired", "score", "label", "prediction", "chance", "grade", "office", "n")
GRADES = ("poor", "mid", "good")
SIZES = {"1": 1, "5": 5, "40": 40, "1000": 1000}
DISPARITIES = ("outcome", "score", "metric")
FAMILY = tuple(kind.analysis for kind in pairs.PAIR_TESTS)
KINDS = (*DISPARITIES, "rate_gaps", *FAMILY)


def rows_of(names, columns=COLUMNS, worse=0, few=()):
    """Return cases of groups, with everything that any kind of test asks for, as {column: values}.

    Every fourth group does worse than the others, every seventh has next to no rows.
    """
    rows = {column: [] for column in columns}
    for i, name in enumerate(names):
        lag = (4 if i % 4 == 1 else i % 3 - 1) + worse
        times = 1 if i % 7 == 3 or i in few else 9 + i % 5
        for s in range(20):
            score = s - lag
            values = (name, "FM"[s % 2], int(score > 7), score, int(s % 5 > 1), int(score > 8), 0.3 + s / 40)
            values += (GRADES[min(2, max(0, score // 6))], "NSW"[s % 3], times)
            for column, value in zip(columns, values, strict=True):
                rows[column].append(value)
    return rows


def share_right(labels, predictions):
    """Share of rows whose prediction is the label."""
    return float((labels == predictions).mean())


def adder_of(kind, names, columns=COLUMNS, **common):
    """Return what adds one test of a kind to an audit."""
    group, _, hired, score, label, prediction, chance, *_ = columns
    if kind == "outcome":
        own = {"min_group_share": 0, "p_value_adjustment": "holm", **common}
        return lambda audit: audit.outcome_disparity(group, hired, 1, **own)
    if kind == "score":
        return lambda audit: audit.score_disparity(group, score, min_group_share=0, **common)
    if kind == "metric":
        own = {"score_column": score, "ground_truth_column": label, "positive_values": 1, **common}
        return lambda audit: audit.metric_parity(group, "auc", min_group_share=0, **own)
    if kind == "rate_gaps":
        rules = [
            {"id": "missed", "rate": "false_negative", "attribute": group, "max_group_gap": 0.05},
            {"id": "served", "rate": "selection", "attribute": group, "worst_group": 0.8},
        ]
        gaps = {"probability": chance, **common}
        declared = [name for name in names if name.strip()]
        declared += ["nobody"] * (len(declared) < 2)
        return lambda audit: audit.rate_gaps({group: declared}, label, prediction, rules, **gaps)
    return lambda audit: audit.add(pair_test(kind, names[0], columns, **common))


def pair_test(analysis, reference, columns=COLUMNS, **common):
    """Return a test of named pairs of the family, each group against one."""
    group, _, hired, score, label, _, chance, grade, office, _ = columns
    kind = next(kind for kind in pairs.PAIR_TESTS if kind.analysis == analysis)
    own = {"reference_values": {group: reference}, "outcome": hired, **common}
    if issubclass(kind, pairs.RateTest):
        own["percent_difference_threshold"] = 0.02
    if issubclass(kind, pairs.ImpactRatioTest):
        own["air_threshold"] = 0.8
    if issubclass(kind, pairs.ConfusionRateTest):
        own |= {"label": label, "ratio_threshold": 0.8}
    if kind is pairs.ResidualStandardizedMeanDifference:
        del own["outcome"]
    own |= {
        pairs.RelativeRate: {"relative_rate_threshold": 1.25},
        pairs.OddsRatio: {"odds_ratio_threshold": 0.8},
        pairs.StandardizedMeanDifference: {"outcome": score, "smd_threshold": -0.3},
        pairs.ResidualStandardizedMeanDifference: {"label": label, "prediction": chance, "smd_threshold": 0.3},
        pairs.AdverseImpactRatioByQuantile: {"outcome": score, "quantiles": [0.25, 0.5, 0.75]},
        pairs.CategoricalAdverseImpactRatio: {"outcome": grade, "category_order": list(GRADES)},
        pairs.SegmentedAdverseImpactRatio: {"segment": office},
        pairs.CustomDisparityMetric: {"label": label, "metric": share_right, "ratio_threshold": 0.9, "draws": 19},
    }.get(kind, {})
    return kind(**own)


def audit_of(kinds, names, columns=COLUMNS, worse=0, few=(), about=None, title="Shortlist", texts=None):
    """Return an audit of some kinds of tests of groups; `texts` go to every test."""
    audit = fr.Audit(rows_of(names, columns, worse, few), counts=columns[-1], title=title, about=about)
    for i, kind in enumerate(kinds):
        own = {key: f"{value}{i}" if key == "name" else value for key, value in (texts or {"name": kind}).items()}
        if kind == "rate_gaps":
            own.pop("rationale", None)
        adder_of(kind, names, columns, **own)(audit)
    return audit


def names_of(n):
    """Return names of groups."""
    return [("White", "Black", "Asian", "Native", "Two or more")[i] if i < 5 else f"Group {i}" for i in range(n)]


def results():
    """Yield (name, whatever shows itself) of every kind of result in every variant."""
    for label, n in SIZES.items():
        for kind in KINDS:
            yield f"{kind}-{label}", audit_of([kind], names_of(n)).run().results[0]
    for kind in KINDS:
        names = names_of(4)
        yield f"{kind}-too_few", audit_of([kind], names, few=range(4)).run().results[0]
        yield f"{kind}-empty", empty_of(kind, names)
        yield f"{kind}-skipped", skipped_of(kind, names)
    yield from wholes()


def empty_of(kind, names):
    """Return the result of a kind of test of a table without rows."""
    audit = fr.Audit({column: [] for column in COLUMNS}, counts="n")
    adder_of(kind, names, name=kind)(audit)
    return audit.run().results[0]


def skipped_of(kind, names):
    """Return the result of a kind of test whose column is not there."""
    rows = rows_of(names)
    del rows["group"]
    audit = fr.Audit(rows, counts="n")
    adder_of(kind, names, name=kind)(audit)
    return audit.run().results[0]


def wholes():
    """Yield audits, reports, comparisons and verifications."""
    for label, n in SIZES.items():
        names = names_of(n)
        kinds = ("outcome", "score", "rate_gaps", "adverse_impact_ratio", "segmented_adverse_impact_ratio")
        kinds = [kind for kind in kinds if n < 1000 or kind != "rate_gaps"]  # half a million pairs are judged alone
        run = audit_of(kinds, names).run()
        later = audit_of(kinds, names, worse=2).run()
        yield f"audit-{label}", run
        yield f"report-{label}", fr.Report(run, about={"system": "ranker 3.1", "decision": "shortlist"})
        yield f"comparison-{label}", fr.compare(run, later)
        with tempfile.TemporaryDirectory() as folder:
            yield f"verification-{label}", verified(run, Path(folder) / "results.json")
    run = audit_of(("outcome", "score"), names_of(5)).run()
    yield "comparison-empty", fr.compare(run, run)
    yield "comparison-skipped", fr.compare(run, skipped_of("outcome", names_of(4)))
    yield "audit-six_of_twenty", audit_of(["outcome"] * 6, names_of(20), texts={"name": "test "}).run()
    yield "audit-everything", audit_of(KINDS, names_of(6)).run()
    skipped = audit_of(["outcome"], names_of(3))
    skipped.outcome_disparity("region", "hired", 1, name="by region")
    yield "audit-skipped", skipped.run()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "results.json"
        text = run.to_json()
        path.write_text(text.replace('"n": 1', '"n": 2').replace('"ratio": 0', '"ratio": 1'), encoding="utf-8")
        yield "verification-differs", fr.verify(path)


def verified(run, path):
    """Return what verifying the results of a run finds."""
    run.to_json(path)
    return fr.verify(path)


def hostile():
    """Yield results whose every name and text is hostile, by every way that names come in."""
    names = list(HOSTILE)
    columns = [*HOSTILE[:9], "n<script>alert(9)</script>"]
    about = {"system": HOSTILE[0], "decision": HOSTILE[3], "notes": list(HOSTILE[:8])}
    texts = {"name": HOSTILE[1], "description": HOSTILE[2], "threshold_source": HOSTILE[4], "rationale": HOSTILE[0]}
    for kind in KINDS:
        audit = audit_of([kind], names, columns, about=about, title=HOSTILE[2], texts=texts)
        yield f"{kind}-hostile", audit.run().results[0]
    run = audit_of(KINDS[:5], names, columns, about=about, title=HOSTILE[0], texts=texts).run()
    later = audit_of(KINDS[:5], names, columns, worse=2, about=about, title=HOSTILE[13], texts=texts).run()
    yield "audit-hostile", run
    yield "report-hostile", fr.Report(run, about=about)
    yield "comparison-hostile", fr.compare(run, later)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "'\"><img src=x onerror=alert(10)>{{ 7*7 }}\u202e.json"
        yield "verification-hostile", verified(run, path)
    missing = fr.Audit(rows_of(names), counts="n", title=HOSTILE[1])
    for name in HOSTILE:
        missing.outcome_disparity(name, "hired", 1, name=f"by {name}")
    yield "audit-hostile_skipped", missing.run()


def hostile_pages():
    """Yield (name, HTML) of what else is made of hostile data: explorer, figures, packet."""
    names, columns = list(HOSTILE), [*HOSTILE[:9], "n"]
    texts = {"name": HOSTILE[1], "description": HOSTILE[2]}
    run = audit_of(KINDS[:5], names, columns, title=HOSTILE[0], texts=texts, about={"notes": list(HOSTILE)}).run()
    exploration = Exploration(run)
    for place in exploration.tests:
        answer = exploration.answer(place, exploration.settings(place))
        yield f"explorer_{place}-hostile", answer_html(answer, Sentence((HOSTILE[0],)), name=HOSTILE[3])
    yield "explorer_note-hostile", note_html(Sentence((HOSTILE[5], HOSTILE[1])))
    for place, record in enumerate(run.record.tests):
        yield f"figure_{place}-hostile", figure_svg(record)
    for record in run.record.rate_gaps:
        yield "figure_gaps-hostile", gap_figure_svg(record, 0)
    for record in run.record.pairs:
        yield "figure_pairs-hostile", pair_figure_svg(record)
    yield "packet-hostile", fr.Report(run).html()


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for produced in (results(), hostile()):
        for name, shown in produced:
            bundle = shown._repr_mimebundle_()
            write(folder / f"{name}.html", bundle["text/html"])
            write(folder / f"{name}.txt", bundle["text/plain"])
            write(folder / f"{name}.md", bundle.get("text/markdown", ""))
    for name, page in hostile_pages():
        write(folder / f"{name}.page", page)


def write(path, text):
    """Write text that a page can hold; half a surrogate pair cannot get so far."""
    path.write_bytes(text.encode("utf-8"))


if __name__ == "__main__":
    main()
