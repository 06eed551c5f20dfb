"""Runs the packaged notebook through papermill with every kind of parameter, and looks at the manifests."""

from __future__ import annotations

import datetime as dt
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import papermill

from fairreport.report.manifest import MANIFEST, differing_outputs, exit_code_of, read_manifest
from fairreport.report.schedule_notebook import execute_notebook
from fairreport.report.schedule_parameters import schedule_parameters
from fairreport.resources import resource_dir, scheduled_notebook

BIN = Path(sys.executable).parent
ENVIRONMENT = os.environ | {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}


def check(what, held):
    sys.stdout.write(f"{'ok  ' if held else 'FAIL'} {what}\n")
    sys.stdout.flush()
    if not held:
        sys.exit(1)


def run(*command, code=0):
    done = subprocess.run([str(it) for it in command], env=ENVIRONMENT, capture_output=True, text=True, check=False)
    if done.returncode != code:
        sys.stdout.write(f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}\n")
    check(f"{command[0]} {' '.join(map(str, command[1:8]))} ... leaves with {code}", done.returncode == code)
    return done


def window(out):
    return read_manifest(out).document["window"]


def main(place):
    place.mkdir()
    os.chdir(place)
    assets = Path(str(resource_dir("assets")))
    shutil.copy(assets / "data" / "weekly_decisions.csv.gz", place)
    text = (assets / "schedule" / "audit.yaml").read_text(encoding="utf-8").replace("../data/", "")
    Path("audit.yaml").write_text(text, encoding="utf-8")
    Path("book.ipynb").write_text(scheduled_notebook().read_text(encoding="utf-8"), encoding="utf-8")

    # papermill's command line: -p turns 604800 into a number and None into nothing, -r leaves words as they are.
    typed = ["-p", "config", "audit.yaml", "-r", "out", "007", "-p", "window_end", "2026-03-02"]
    more = ["-p", "window", "604800", "-p", "delay", "nan", "-p", "history", "None", "-p", "data", "None"]
    run("papermill", "book.ipynb", "done.ipynb", *typed, *more, "--no-progress-bar")
    check("the run is complete", read_manifest(Path("007")).complete and exit_code_of(Path("007")) == 1)
    check("the window is the stated one", window(Path("007"))["end"] == "2026-03-02T00:00:00Z")
    check("the outputs are as stated", differing_outputs(Path("007")) == ())
    check("the packet is there, as PDF too", Path("007/packet.pdf").read_bytes().startswith(b"%PDF-"))

    # A word that -p made a number of is refused: nobody knows how the folder was to be called.
    run("papermill", "book.ipynb", "done.ipynb", "-p", "config", "audit.yaml", "-p", "out", "008", code=1)
    check("no folder was guessed", not Path("8").exists() and not Path("008").exists())

    # A misspelled name is refused, and an old manifest does not survive.
    run("papermill", "book.ipynb", "done.ipynb", *typed, "-p", "windows", "1d", code=1)
    cells = json.loads(Path("done.ipynb").read_text(encoding="utf-8"))["cells"]
    check("the nearest name is said", "Did you mean 'window'?" in json.dumps(cells))
    check("the manifest says so", exit_code_of(Path("007")) == 2 and not read_manifest(Path("007")).complete)

    # So are names that every notebook has, whatever they hide.
    for name in ("In", "Out", "open", "dt", "_x", "get_ipython", "globals", "scheduled"):
        run("papermill", "book.ipynb", "done.ipynb", *typed, "-p", name, "x", code=1)
        check(f"{name} is refused", f"{name}: is no parameter" in read_manifest(Path("007")).reason)

    # No file is called no.
    run("papermill", "book.ipynb", "done.ipynb", *typed, "-p", "history", "no", "--no-progress-bar")
    check("a history of no is none", read_manifest(Path("007")).document["history"] is None and not Path("no").exists())

    # YAML makes false of no, and numbers of words.
    stated = "{config: audit.yaml, out: yaml, window_end: '2026-02-16', window: 7d, history: no, delay: 3600.0}"
    run("papermill", "book.ipynb", "done.ipynb", "-y", stated, "--no-progress-bar")
    check("a YAML no is no history", read_manifest(Path("yaml")).document["history"] is None)
    check("a week that passes leaves 0", exit_code_of(Path("yaml")) == 0)

    # Python: a whole configuration, with groups called anything. papermill itself stores no date and no numpy number.
    groups = ["no", "None", "nan", "007", "True", "woman", "man"]
    parameters = {"protected_attribute_columns": ["gender"], "outcome_column": "approved", "favorable_values": ["yes"]}
    config = {
        "audit": {"data": "weekly_decisions.csv.gz", "time": {"column": "decided_at"}, "groups": {"gender": groups}},
        "tests": [{"outcome_disparity": parameters}],
    }
    stated = {"config": config, "out": "python", "window_end": "2026-02-16", "window": "7d", "delay": 3600}
    papermill.execute_notebook("book.ipynb", "done.ipynb", parameters=stated, progress_bar=False)
    results = json.loads(Path("python/results.json").read_text(encoding="utf-8"))
    kept = ["no", "None", "nan", "007", "true", "woman", "man"]  # True and true are one text everywhere
    check("groups keep their names", results["data"]["declared_groups"]["gender"] == kept)

    # The same through fairreport, which hands papermill what it can store.
    stated |= {
        "out": place / "typed",
        "window_end": dt.date(2026, 2, 16),
        "window": dt.timedelta(days=7),
        "delay": np.int64(3600),
        "history": place / "h.duckdb",
    }
    done = execute_notebook(schedule_parameters(stated), now=dt.datetime.now(dt.UTC))
    check("the notebook came to its end", done.failure is None)
    check("dates, lengths and numpy numbers arrive", window(Path("typed"))["delay_seconds"] == 3600)

    # The command: the exit code is the manifest's, and the notebook is kept.
    for end, code in (("2026-02-16", 0), ("2026-03-09", 1), ("2026-03-16", 3)):
        typed = ["schedule", "run", "audit.yaml", "--window-end", end, "--history", "h2.duckdb", "--papermill"]
        done = run("fairreport", *typed, code=code)
        out = Path("reports") / end
        check("one line of JSON", json.loads(done.stdout)["exit_code"] == code)
        check("the notebook is kept", "scheduled_audit.ipynb" in read_manifest(out).document["outputs"])
        run("fairreport", "schedule", "status", out, code=code)
    (Path("reports/2026-02-16") / MANIFEST).unlink()
    run("fairreport", "schedule", "status", "reports/2026-02-16", code=70)

    # The example, as the notebook stands.
    run("papermill", "book.ipynb", "example.ipynb", "--no-progress-bar")
    cells = json.loads(Path("example.ipynb").read_text(encoding="utf-8"))["cells"]
    check("the example comes to its end", "Run complete" in json.dumps(cells))


main(Path(sys.argv[1]))
