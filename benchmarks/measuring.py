"""Medians, peak memory, and one line for each finding."""

import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

RUNS = 5


@dataclass(frozen=True, kw_only=True)
class Row:
    """One finding: what was measured, beside what, and what was aimed at."""

    what: str
    measured: float
    target: float
    unit: str = "s"
    yardstick: float | None = None
    yardstick_is: str = ""

    @property
    def is_met(self):
        return self.measured <= self.target

    def __str__(self):
        beside = ""
        if self.yardstick is not None:
            times = self.measured / self.yardstick
            ratio = f"{times:.2f}x" if times > 0.1 else f"1/{1 / times:.0f}"
            beside = f"{ratio:>8} of {self.yardstick_is} ({self.yardstick:.3f} {self.unit})"
        verdict = "met" if self.is_met else "MISSED"
        return f"{self.what:58} {self.measured:8.3f} {self.unit:2}  target {self.target:7.3f}  {verdict:6} {beside}"


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where data is made up, and whether the 100 million rows are too."""

    folder: Path
    is_large: bool


def median_seconds(function, *, runs=RUNS):
    """Return the median time of some runs after one that does not count."""
    function()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def median_process_seconds(*arguments, runs=RUNS, allowed=(0,)):
    """Return the median time of a whole Python process."""

    def run():
        done = subprocess.run([sys.executable, *map(str, arguments)], capture_output=True, check=False)
        if done.returncode not in allowed:
            raise RuntimeError(done.stderr.decode())

    return median_seconds(run, runs=runs)


PEAK = """
import pathlib as _p, resource as _r, sys as _s
_status = _p.Path("/proc/self/status")
if _status.exists():  # ru_maxrss would start from the peak of the process that started this one
    _s.stderr.write(next(line for line in _status.read_text().splitlines() if line.startswith("VmHWM")).split()[1])
else:
    _s.stderr.write(str(_r.getrusage(_r.RUSAGE_SELF).ru_maxrss // (1024 if _s.platform == "darwin" else 1)))
"""


def peak_megabytes(code, *arguments):
    """Return the largest resident memory of a Python process that runs `code`."""
    command = [sys.executable, "-c", code + PEAK, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, check=True)
    return int(done.stderr.decode().strip().rpartition("\n")[2]) / 1024
