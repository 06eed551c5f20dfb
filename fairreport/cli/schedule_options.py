"""What can be typed after ``fairreport schedule``."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from fairreport.cli.window_options import add_window_options

RUN_CODES = """\
exit codes of schedule run, those of the manifest that it writes last:
  0   every test passes
  1   a test fails
  2   a file, the data, the configuration or an output is wrong
  3   no test fails, but one was skipped or has too little evidence; or the window holds no row
  4   no test fails, but one asks for a person's review
  70  the run did not finish: it left no manifest
"""

EXAMPLES = {
    "audit.yaml": "the configuration of a weekly audit",
    "crontab": "a line for cron",
    "github-actions.yml": "a workflow for GitHub Actions",
    "airflow_dag.py": "a DAG for Airflow, with the notebook and papermill",
}
"""The files that ``schedule examples`` prints, with what they are."""


def add_schedule(add_parser: Callable[..., argparse.ArgumentParser], shared: argparse.ArgumentParser) -> None:
    """Add the command to the command line."""
    text = "judge one window of time, keep the result, and write everything into a folder"
    command = add_parser("schedule", help=text, description=f"{text.capitalize()}.", allow_abbrev=False)
    jobs = command.add_subparsers(dest="job", required=True, metavar="JOB")
    run = jobs.add_parser(
        "run",
        help=text,
        description="Judge the window of an audit.yaml, a tests.json or a fairness.yaml that is over, keep the result "
        "in a history, and write the packet, its numbers, summary.md, junit.xml and manifest.json into a "
        "folder. One line of JSON goes to standard output.",
        epilog=RUN_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        parents=[shared],
        allow_abbrev=False,
    )
    run.add_argument("config", metavar="CONFIG", type=Path, help="audit.yaml, tests.json or fairness.yaml")
    run.add_argument("--data", metavar="FILE", type=Path, help="audit this CSV, JSONL or Parquet file instead")
    run.add_argument(
        "--out",
        metavar="FOLDER",
        default="reports/{end}",
        help="where to write; {end} stands for the end of the window (default: %(default)s)",
    )
    run.add_argument("--history", metavar="PLACE", help="keep the result in this DuckDB file or database")
    add_window_options(run)
    run.add_argument("--papermill", action="store_true", help="run the notebook, and keep it in the folder")
    status = jobs.add_parser(
        "status",
        help="say how the run ended that wrote into a folder, and leave with its exit code",
        description="Say how the run ended that wrote into a folder, and leave with the exit code of its manifest; "
        "with 70 where there is none, or where a file is not the one that was written.",
        parents=[shared],
        allow_abbrev=False,
    )
    status.add_argument("folder", metavar="FOLDER", type=Path, help="what --out named")
    examples = jobs.add_parser(
        "examples",
        help="print an example to start from",
        description="Print an example: " + "; ".join(f"{name}, {what}" for name, what in EXAMPLES.items()) + ".",
        parents=[shared],
        allow_abbrev=False,
    )
    examples.add_argument("name", nargs="?", choices=[*EXAMPLES, "notebook"], help="which one (default: list them)")
