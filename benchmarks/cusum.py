"""What the test of change comes to: run lengths achieved against those stated, delays, and what a baseline costs.

``python benchmarks/cusum.py`` throws many charts and prints a line each; it takes a few minutes. The numbers it printed
are quoted in the documentation of `fairreport.stats.cusum`. Nothing of it is a time.
"""

import math
from dataclasses import dataclass

import numpy as np

from fairreport.stats.cusum import GRAIN, reference_steps, tune_chart

CHARTS = 10_000
WEEKS, MONTHS = 104, 24


@dataclass(frozen=True)
class Case:
    """A group: cases a window, its rate, and the windows of two years."""

    n: int
    rate: float
    run_length: int = WEEKS
    odds_ratio: float = 1.5
    baseline: int = 12

    def __str__(self):
        years = f"windows in two years {self.run_length:>3}"
        return f"n {self.n:>6,}  rate {self.rate:<5g} odds x {self.odds_ratio:<4g} {years}"


CASES = (
    Case(30, 0.3),
    Case(50, 0.5),
    Case(100, 0.1),
    Case(100, 0.4),
    Case(300, 0.4),
    Case(1_000, 0.05),
    Case(20, 0.05),
    Case(200, 0.4, MONTHS),
    Case(50, 0.3, odds_ratio=2.0),
    Case(100, 0.4, odds_ratio=2.0),
)


ESTIMATED = (CASES[0], CASES[2], CASES[3], CASES[4])


def throw(chart, true, sizes, rng, charts=CHARTS, most=100_000):
    """Return the windows until the first signal of either side, for many charts; rates and sizes by chart or one."""
    sums = np.zeros((2, charts), dtype=np.int64)
    lengths, alive = np.zeros(charts), np.arange(charts)
    rates = np.broadcast_to(true, charts)
    limits = np.array([[chart.higher.limit], [chart.lower.limit]])
    steps = {
        n: [reference_steps(n, chart.rate, side.odds_ratio) for side in (chart.higher, chart.lower)] for n in set(sizes)
    }
    time = 0
    while len(alive) and time < most:
        n = int(sizes[time % len(sizes)])
        events = GRAIN * rng.binomial(n, rates[alive])
        sums[0] = np.maximum(0, sums[0] + events - steps[n][0])
        sums[1] = np.maximum(0, sums[1] + steps[n][1] - events)
        time += 1
        done = (sums >= limits).any(axis=0)
        lengths[alive[done]] = time
        alive, sums = alive[~done], sums[:, ~done]
    lengths[alive] = most
    return lengths


def told(lengths):
    """Return a mean with its standard error."""
    return f"{lengths.mean():8.1f} +- {lengths.std() / math.sqrt(len(lengths)):.1f}"


def known_baseline():
    """Stated against achieved, where the baseline is the true rate and windows keep their size."""
    print("\nThe true rate known, windows of one size: windows between false alarms (stated: at least), and delays")
    for case in CASES:
        rng = np.random.default_rng(3)
        chart = tune_at(case, case.rate)
        length = throw(chart, case.rate, [case.n], rng)
        delays = []
        for side in (chart.higher, chart.lower):
            found = throw(chart, shifted(case.rate, side.odds_ratio), [case.n], rng, 4000)
            delays.append(f"{side.turn.value} found after {told(found)} (computed {side.delay:.1f})")
        stated = f"stated {chart.average_run_length:7.1f}  achieved {told(length)}"
        print(f"  {case}: {stated}   {', '.join(delays)}")


def tune_at(case, rate):
    """Return a chart whose baseline has a rate as nearly as whole events allow, in windows of the case's size."""
    windows = 2_000 if case.n * rate < 50 else 200
    events = round(case.n * windows * rate)
    hits = [events // windows + (i < events % windows) for i in range(windows)]
    return tune_chart(hits, [case.n] * windows, odds_ratio=case.odds_ratio, run_length=case.run_length)


def shifted(rate, odds_ratio):
    """Return a rate with its odds times some number."""
    return odds_ratio * rate / (1 - rate + odds_ratio * rate)


def estimated_baseline():
    """What a baseline of few windows costs: 100 baselines drawn, a chart tuned on each, and thrown at the true rate."""
    print("\nThe baseline estimated from its windows: windows between false alarms, over 100 baselines")
    for case in ESTIMATED:
        for baseline in (6, 12, 26):
            rng = np.random.default_rng(4)
            means, without = [], 0
            for _ in range(100):
                hits = rng.binomial(case.n, case.rate, baseline).tolist()
                chart = tune_chart(hits, [case.n] * baseline, odds_ratio=case.odds_ratio, run_length=case.run_length)
                if chart is None:
                    without += 1
                    continue
                means.append(throw(chart, case.rate, [case.n], rng, 100, most=20 * case.run_length).mean())
            found = np.array(means)
            low, middle = np.quantile(found, [0.1, 0.5])
            times = 1 / np.mean(1 / found) / case.run_length
            quantiles = f"half of the baselines below {middle:6.1f}, one in ten below {low:6.1f}"
            none = f", {without} without a chart" if without else ""
            print(f"  {case}, baseline {baseline:>2}: {times:4.2f} of two years between them; {quantiles}{none}")


def other_sizes():
    """What changes where later windows are of other sizes than those of the baseline."""
    print("\nLater windows of other sizes than the baseline's: windows between false alarms")
    for case in CASES[:5]:
        chart = tune_at(case, case.rate)
        for name, sizes in (
            ("half", [case.n // 2]),
            ("twice", [2 * case.n]),
            ("half and twice in turn", [case.n // 2, 2 * case.n]),
        ):
            rng = np.random.default_rng(5)
            length = throw(chart, case.rate, sizes, rng, 4000, most=20_000)
            print(f"  {case}: {name:24} stated {chart.average_run_length:7.1f}  achieved {told(length)}")


if __name__ == "__main__":
    known_baseline()
    other_sizes()
    estimated_baseline()
