"""What can be typed after ``fairreport schedule``."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from fairreport.cli.data_options import add_data_options
from fairreport.cli.window_options import add_window_options
from fairreport.errors import nearest

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

NOTEBOOK = "notebook"
"""The name under which it prints the notebook too."""

_ALSO = {
    "audit": "audit.yaml",
    "audit.yml": "audit.yaml",
    "config": "audit.yaml",
    "yaml": "audit.yaml",
    "cron": "crontab",
    "github": "github-actions.yml",
    "github-actions": "github-actions.yml",
    "github-actions.yaml": "github-actions.yml",
    "workflow": "github-actions.yml",
    "airflow": "airflow_dag.py",
    "airflow-dag": "airflow_dag.py",
    "dag": "airflow_dag.py",
    "papermill": NOTEBOOK,
    "scheduled-audit": NOTEBOOK,
    "scheduled-audit.ipynb": NOTEBOOK,
}
"""What people type instead of these names."""

DEFAULT_OUT = "reports/{end}"
_WITH_VALUE = (
    "--data",
    "--table",
    "--out",
    "--history",
    "--window-end",
    "--window",
    "--delay",
    "--time-column",
    "--timezone",
)
_LIKE_OUT = ("--out", "--output", "--outdir", "--out-dir", "--folder", "-o", "-out")


def example_name(typed: str) -> str:
    """Return the name of an example as it was meant.

    Examples
    --------
    >>> example_name("cron"), example_name("GitHub"), example_name("notebook")
    ('crontab', 'github-actions.yml', 'notebook')
    """
    name = typed.lower()
    return _ALSO.get(name.replace(" ", "-").replace("_", "-"), name)


def stated_anyway(typed: Sequence[str]) -> dict[str, Any]:
    """Return what a command line of ``schedule run`` states of its folder, whatever else is wrong with it.

    Nothing is stated where the option of the folder itself may be the one that is misspelled.

    Examples
    --------
    >>> stated_anyway(["schedule", "run", "audit.yaml", "--out", "monday", "--windw", "7d"])["out"]
    'monday'
    >>> stated_anyway(["schedule", "run", "audit.yaml", "--output", "monday"])
    {}
    """
    stated: dict[str, Any] = {"out": DEFAULT_OUT}
    words = list(typed[2:])
    is_out_stated = False
    while words:
        word = words.pop(0)
        name, equals, value = word.partition("=")
        if name in _WITH_VALUE:
            if not equals and (not words or words[0].startswith("--")):
                if name == "--out":
                    return {}
                continue
            stated[name[2:].replace("-", "_")] = value if equals else words.pop(0)
            is_out_stated = is_out_stated or name == "--out"
        elif not word.startswith("-"):
            stated.setdefault("config", word)
        elif word not in {"--papermill", "--debug"} and not is_out_stated and nearest(name, _LIKE_OUT):
            return {}
    return stated


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
    add_data_options(run)
    run.add_argument(
        "--out",
        metavar="FOLDER",
        default=DEFAULT_OUT,
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
        description="Print an example: "
        + "; ".join(f"{name}, {what}" for name, what in EXAMPLES.items())
        + ". With --out they become files, audit.yaml with its data.",
        parents=[shared],
        allow_abbrev=False,
    )
    examples.add_argument(
        "name",
        nargs="?",
        type=example_name,
        choices=[*EXAMPLES, NOTEBOOK],
        help="which one (default: list them); cron, github and airflow do too",
    )
    examples.add_argument(
        "--out", metavar="FOLDER", type=Path, help="write it into this folder; all of them, without a name"
    )
