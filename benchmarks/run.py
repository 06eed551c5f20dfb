"""Measure fairreport against the engines and libraries it stands on.

    python benchmarks/run.py                 # everything but the 100 million rows
    python benchmarks/run.py parquet judge   # by name
    python benchmarks/run.py parquet --large # with 100 million rows (2 GB of disk, some minutes)

Ratios are what counts: medians of five runs inside one process, after a warm-up, of fairreport and of the
yardstick on the same data. Data is made up, the same for every run, in a temporary folder.
"""

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import adverse_impact
import display
import engines
import explorer
import fairlearn_metrics
import fairlearn_models
import frames
import judge
import mixed
import packets
import parquet
import processes
import rate_gaps
import scores
from measuring import Place

BENCHMARKS = {
    "parquet": parquet.measure,
    "frames": frames.measure,
    "scores": scores.measure,
    "mixed": mixed.measure,
    "fairlearn": fairlearn_metrics.measure,
    "models": fairlearn_models.measure,
    "processes": processes.measure,
    "judge": judge.measure,
    "rate_gaps": rate_gaps.measure,
    "adverse_impact": adverse_impact.measure,
    "display": display.measure,
    "explorer": explorer.measure,
    "packets": packets.measure,
    "engines": engines.measure,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which: {', '.join(BENCHMARKS)} (default: all)")
    parser.add_argument("--large", action="store_true", help="also 100 million rows")
    arguments = parser.parse_args()
    unknown = set(arguments.names) - BENCHMARKS.keys()
    if unknown:
        parser.error(f"no benchmark is named {', '.join(sorted(unknown))}; there are {', '.join(BENCHMARKS)}")
    missed = 0
    with tempfile.TemporaryDirectory(prefix="fairreport-bench-") as folder:
        for name in arguments.names or BENCHMARKS:
            print(f"\n{name}")
            for row in BENCHMARKS[name](Place(folder=Path(folder), is_large=arguments.large)):
                missed += not row.is_met
                print(f"  {row}", flush=True)
    print(f"\n{missed} targets missed" if missed else "\nall targets met")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
