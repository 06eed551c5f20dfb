"""The packet of a typical audit and of a large one: CPU time and peak memory of a whole process.

Beside it stands WeasyPrint alone, on the very HTML that became the PDF.
"""

import os
import subprocess
import sys

import duckdb
from measuring import PEAK, RUNS, Row

PEOPLE = """
    SELECT
        printf('Site %04d', (h % {groups})::INT) AS site,
        ((h >> 16) % 100 < 40 + (h % 17))::INT AS hired,
        ((h >> 24) % 1000) / 1e3 AS score,
        ((h >> 34) % 2)::INT AS label,
        ((h >> 40) % 100 < 50 + (h % 13))::INT AS said
    FROM (SELECT hash(i) AS h FROM range({rows}) AS t(i))
"""

PACKET = """
import sys
import fairreport as fr
labels = {"ground_truth_column": "label", "positive_values": 1, "min_group_share": 0}
audit = fr.Audit(sys.argv[1], title="Made up")
audit.outcome_disparity("site", "hired", 1, name="hired", min_group_share=0, p_value_adjustment="holm")
audit.score_disparity("site", "score", name="score", min_group_share=0)
audit.metric_parity("site", "auc", score_column="score", name="area", **labels)
audit.metric_parity("site", "brier", probability_column="score", name="brier", **labels)
audit.outcome_disparity("site", "said", 1, name="said", min_group_share=0)
report = fr.Report(audit.run())
report.save(sys.argv[2])
if len(sys.argv) > 3:
    from fairreport.report.html import Medium, packet_html
    html = packet_html(report._view(report.unprintable), medium=Medium.PDF, paper=report._paper)
    open(sys.argv[3], "w", encoding="utf-8").write(html)
"""

ALONE = """
import sys
import weasyprint
from fairreport.report.sealed import sealed_fetcher
html = open(sys.argv[1], encoding="utf-8").read()
document = weasyprint.HTML(string=html, url_fetcher=sealed_fetcher()).render(pdf_variant="pdf/a-3a")
document.write_pdf(sys.argv[2], pdf_variant="pdf/a-3a", pdf_tags=True)
"""

CPU = "\nimport resource as _u\n_t = _u.getrusage(_u.RUSAGE_SELF)\nsys.stderr.write(f'{_t.ru_utime + _t.ru_stime} ')\n"

COMPILED = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""With modules and templates compiled beforehand, as an installed package has them: by a run that is not measured."""


def measured(code, *arguments):
    """Return the median CPU seconds and megabytes of processes that run `code`."""
    found = []
    for _ in range(RUNS):
        command = [sys.executable, "-c", code + CPU + PEAK, *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, check=True, env=COMPILED)
        seconds, kilobytes = done.stderr.decode().strip().rpartition("\n")[2].split()[-2:]
        found.append((float(seconds), int(kilobytes) / 1024))
    return tuple(sorted(column)[RUNS // 2] for column in zip(*found, strict=True))


def measure(place):
    for what, groups, rows, seconds, megabytes in (
        ("5 tests, 6 groups", 6, 30_000, 5, 350),
        ("5 tests, 1,000 groups", 1_000, 300_000, 25, 350),
    ):
        data, pdf, html = (place.folder / f"packets-{groups}.{kind}" for kind in ("parquet", "pdf", "html"))
        with duckdb.connect() as connection:
            connection.execute(f"COPY ({PEOPLE.format(groups=groups, rows=rows)}) TO '{data}' (FORMAT parquet)")
        subprocess.run([sys.executable, "-c", PACKET, data, pdf, html], check=True, env=COMPILED)
        alone, alone_memory = measured(ALONE, html, pdf)
        cpu, memory = measured(PACKET, data, pdf)
        yield Row(
            what=f"PDF packet, {what}, CPU",
            measured=cpu,
            target=seconds,
            yardstick=alone,
            yardstick_is="WeasyPrint alone",
        )
        yield Row(
            what=f"PDF packet, {what}, peak",
            measured=memory,
            target=megabytes,
            unit="MB",
            yardstick=alone_memory,
            yardstick_is="WeasyPrint alone",
        )
