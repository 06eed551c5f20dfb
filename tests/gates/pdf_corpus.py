"""Packets of every kind: few groups and a thousand, wide tables, other scripts, each setting of the packet.

python pdf_corpus.py FOLDER   writes NAME.pdf and, beside it, NAME.html of each
"""

import sys
from pathlib import Path

import fairreport as fr
from fairreport.audit.readers.preset import preset_names
from fairreport.report.fonts import spell_out

SCRIPTS = (
    "Ελληνική",
    "Кириллица",
    "العربية",
    "עברית",
    "日本語",
    "한국어",
    "中文名稱",
    "हिन्दी",
    "🙂 emoji",
    "Tiếng Việt",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
)
LOGO = '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><rect width="120" height="40" fill="#12303c"/></svg>'
LABELS = {"ground_truth_column": "label", "positive_values": 1}


def rows_of(names, each):
    """Return cases of groups that differ a little, as {column: values}."""
    rows = {name: [] for name in ("team", "sex", "office", "hired", "score", "chance", "label", "said")}
    for i, name in enumerate(names):
        for s in range(each):
            score = (s * 37 + i * 11) % 101
            values = (name, "FM"[s % 2], "NSW"[s % 3], int(score > 40 + i % 17), score, score / 101)
            for column, value in zip(rows, (*values, int(score + s % 60 > 70), int(score > 55)), strict=True):
                rows[column].append(value)
    return rows


def audit_of(names, each, **about):
    """Return an audit of five disparity tests."""
    audit = fr.Audit(rows_of(names, each), as_of="2026-11-01", **about)
    audit.outcome_disparity("team", "hired", 1, name="hired", min_group_share=0, p_value_adjustment="holm")
    audit.score_disparity("team", "score", name="score", min_group_share=0)
    audit.metric_parity("team", "auc", score_column="score", name="area", min_group_share=0, **LABELS)
    audit.metric_parity("team", "brier", probability_column="chance", name="brier", min_group_share=0, **LABELS)
    return audit.outcome_disparity("team", "said", 1, name="said", min_group_share=0)


def packets(folder):
    """Yield name and report of each packet."""
    two = audit_of(["alder", "birch"], 200, title="Two groups").run()
    yield "two", fr.Report(two)
    yield "letter", fr.Report(two, paper="letter", about={"status": "final", "notes": ["<b>bold</b>", "second"]})
    yield "thousand", fr.Report(audit_of([f"Site {i:04d}" for i in range(1_000)], 60, title="A thousand").run())
    yield "scripts", fr.Report(audit_of(SCRIPTS, 120, title=" ".join(SCRIPTS)).run())
    long = [f"Department {i:02d} of {'a very long name ' * 4}{'x' * 60}" for i in range(45)]
    wide = audit_of(long, 60, title="Wide tables and long names")
    wide.outcome_disparity(["team", "sex"], "hired", 1, name="crossed", min_group_share=0, control_columns="office")
    yield "wide", fr.Report(wide.run())
    absent = fr.Audit(rows_of(["alder"], 40), title="Nothing to judge").outcome_disparity("race", "hired", 1)
    yield "skipped", fr.Report(absent.run())

    gaps = fr.Audit(rows_of(["alder", "birch", "cedar"], 400), title="Rate gaps")
    rule = {"id": "missed", "rate": "false_negative", "attribute": "team", "max_group_gap": 0.2}
    gaps.rate_gaps({"team": ["alder", "birch", "cedar"]}, "label", "said", [rule], probability="chance")
    yield "gaps", fr.Report(gaps.run())
    pairs = fr.Audit(rows_of(["alder", "birch", "cedar"], 200), title="Named pairs")
    pairs.adverse_impact_ratio(
        outcome="hired", reference_values={"team": "alder"}, air_threshold=0.8, percent_difference_threshold=0.01
    )
    yield "pairs", fr.Report(pairs.run())

    logo = folder / "logo.svg"
    logo.write_text(LOGO)
    yield "branded", fr.Report(two, logo=logo, colors={"accent": "#5a1e46"}, footer="Internal")
    small = audit_of(["alder", "birch", "cedar", "dogwood"], 60, title="Some withheld").run()
    yield "withheld", fr.Report(small, suppress_below=80)
    yield "compared", fr.Report(small, previous=two)
    for preset in preset_names():
        yield f"preset-{preset}", fr.Report(two, preset=preset)


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True)
    for name, report in packets(folder):
        (folder / f"{name}.pdf").write_bytes(report.pdf())
        (folder / f"{name}.html").write_text(spell_out(report.html(), report.unprintable), encoding="utf-8")
        print(f"made {name}", flush=True)


if __name__ == "__main__":
    main()
