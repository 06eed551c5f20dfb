"""What a changed parameter costs: the judgement of a tally, and its two slow statistics."""

import numpy as np
from measuring import Row, median_seconds

from fairreport import Audit
from fairreport.analyses.outcome import judge, needs
from fairreport.analyses.remembering import forget
from fairreport.stats.contrast import koopman_ratio
from fairreport.stats.fisher import fisher_exact
from fairreport.tables.build import build
from fairreport.tables.source import open_table


def measure(_place):
    rng = np.random.default_rng(11)
    n = rng.integers(50, 1_000, 1_000)
    a = rng.binomial(n, 0.4)
    b, m = np.full(1_000, 400), np.full(1_000, 900)
    yield Row(
        what="Fisher, 1,000 groups of up to 1,000 rows",
        measured=median_seconds(lambda: fisher_exact(a, n, b, m)),
        target=0.010,
    )
    large_b, large_m = b * 10_000, m * 10_000
    yield Row(
        what="Fisher, 1,000 groups against 9 M rows",
        measured=median_seconds(lambda: fisher_exact(a, n, large_b, large_m)),
        target=0.100,
    )
    yield Row(
        what="Koopman, 1,000 groups",
        measured=median_seconds(lambda: koopman_ratio(a, n, b, m, level=0.95)),
        target=0.017,
    )
    for groups, target in ((12, 0.006), (1_000, 0.017)):
        labels = [f"g{i}" for i in range(groups)]
        counts = np.concatenate([a[:groups], n[:groups] - a[:groups]])
        data = {"g": labels * 2, "o": [1] * groups + [0] * groups, "n": counts.tolist()}
        audit = Audit(data, counts="n").outcome_disparity("g", "o", 1, min_group_share=0)
        test = audit.tests[0]
        (scan,) = build(open_table(data), [needs(test)], audit.reading)

        def afresh(scan=scan, test=test):
            forget()
            judge(test, scan)

        yield Row(what=f"judge, {groups:,} groups", measured=median_seconds(afresh), target=target)
