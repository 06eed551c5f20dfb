"""What the notebook display of an audit costs of one processor, beside pandas' display of as many rows."""

import statistics
import time

import pandas as pd
from measuring import RUNS, Row

from fairreport import Audit

SIZES = {(20, 6): 0.050, (1000, 1): 0.150}
"""Groups and tests, and the seconds after which their display keeps its reader waiting."""


def measure(place):  # noqa: ARG001 - made up in memory
    for (n_groups, n_tests), limit in SIZES.items():
        run = audit(n_groups, n_tests).run()
        frames = [result.groups.reset_index() for result in run.results]
        yardstick = seconds(lambda frames=frames: [shown(frame) for frame in frames])
        what = f"{n_groups} groups x {n_tests} tests"
        beside = {"yardstick": yardstick, "yardstick_is": "pandas' HTML of the same groups"}
        yield Row(what=f"the display of {what}", measured=seconds(run._repr_html_), target=limit, **beside)
        yield Row(what=f"the repr of {what}", measured=seconds(lambda run=run: repr(run)), target=limit, **beside)


def audit(n_groups, n_tests):
    names = [f"group {i}" for i in range(n_groups) for _ in range(2)]
    rows = {f"attribute {k}": names for k in range(n_tests)} | {"hired": [1, 0] * n_groups}
    rows["n"] = [n for i in range(n_groups) for n in (300 + i % 40, 400)]
    made = Audit(rows, counts="n")
    for k in range(n_tests):
        made.outcome_disparity(f"attribute {k}", "hired", 1, min_group_share=0, p_value_adjustment="holm")
    return made


def shown(frame):
    with pd.option_context("display.max_rows", 20, "display.min_rows", 20):
        return frame._repr_html_()


def seconds(function):
    """Return the median seconds of one processor after one run that does not count."""
    function()
    times = []
    for _ in range(RUNS):
        start = time.process_time()
        function()
        times.append(time.process_time() - start)
    return statistics.median(times)
