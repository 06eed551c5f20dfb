"""``fairreport schedule``: exit codes, what is printed where, and the examples to start from."""

from __future__ import annotations

import ast
import gzip
import hashlib
import json
import re
import shlex
import shutil
import subprocess
import sys
import types
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml

from fairreport.cli import window_options
from fairreport.cli.main import main, make_parser
from fairreport.cli.schedule_options import EXAMPLES
from fairreport.report import schedule_notebook
from fairreport.report.manifest import MANIFEST, read_manifest
from fairreport.report.packet import Report
from fairreport.report.schedule_parameters import NAMES
from fairreport.resources import resource_dir, scheduled_notebook


@pytest.fixture(autouse=True)
def quick_pdf(monkeypatch):
    monkeypatch.setattr(Report, "pdf", lambda _: b"%PDF-1.7\n")


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Return a folder with the example, in which the command is typed."""
    assets = Path(str(resource_dir("assets")))
    shutil.copy(assets / "data" / "weekly_decisions.csv.gz", tmp_path)
    text = (assets / "schedule" / "audit.yaml").read_text(encoding="utf-8").replace("../data/", "")
    (tmp_path / "audit.yaml").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("end", "code"), [("2026-02-16", 0), ("2026-03-02", 1), ("2026-03-16", 3)])
def test_the_exit_code_is_that_of_the_manifest(place, capsys, end, code):
    assert main(["schedule", "run", "audit.yaml", "--window-end", end, "--history", "h.duckdb"]) == code
    folder = place / "reports" / end
    assert read_manifest(folder).exit_code == code
    printed = capsys.readouterr()
    assert json.loads(printed.out)["exit_code"] == code
    assert "fairreport: history: 2 records added\n" in printed.err
    assert f"fairreport: wrote reports/{end}\n" in printed.err
    assert main(["schedule", "status", str(folder)]) == code
    assert capsys.readouterr().out == printed.out


def test_without_an_end_the_window_is_the_last_one_that_is_over(place, capsys, monkeypatch):
    asked = []

    class Clock:
        @classmethod
        def now(cls, zone):
            asked.append(zone)
            return real(2026, 3, 4, 12, 30, 5, 999, tzinfo=zone)

    real = window_options.datetime
    monkeypatch.setattr(window_options, "datetime", Clock)
    assert main(["schedule", "run", "audit.yaml"]) == 1
    assert len(asked) == 1
    document = json.loads((place / "reports" / "2026-03-02" / MANIFEST).read_text())
    assert document["now"] == "2026-03-04T12:30:05Z"
    assert json.loads(capsys.readouterr().out)["window_end"] == "2026-03-02T00:00:00Z"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["audit.yml"], "there is no file 'audit.yml'. Did you mean 'audit.yaml'?"),
        (["audit.yaml", "--data", "none.csv"], "there is no file 'none.csv'"),
        (["audit.yaml", "--window-end", "yesterday"], "window_end: must be a time such as 2026-03-02"),
        (["audit.yaml", "--window", "7 ds"], "window: must be a length of time such as 7d"),
        (["audit.yaml", "--delay", "-1h"], "delay: must be a length of time"),
        (["audit.yaml", "--timezone", "Oslo/Europe"], "timezone: is no time zone"),
        (["audit.yaml", "--time-column", "decided", "--window-end", "2026-03-02"], "no column 'decided'"),
        (["audit.yaml", "--history", "nowhere/h.duckdb", "--window-end", "2026-03-02"], "nowhere"),
    ],
)
def test_what_is_wrong_is_one_line_and_leaves_with_2(place, capsys, arguments, message):
    typed = [f"--delay={arguments[2]}" if word == "--delay" else word for word in arguments]
    typed = [word for word in typed if word != "-1h"]
    assert main(["schedule", "run", *typed]) == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert printed.out == ""
    assert "Traceback" not in printed.err


def test_late_rows_are_said(place, capsys):
    main(["schedule", "run", "audit.yaml", "--window-end", "2026-02-09", "--history", "h.duckdb"])
    with gzip.open(place / "weekly_decisions.csv.gz", "at", encoding="utf-8") as stream:
        stream.write("2026-02-05T12:00:00,woman,under 30,yes\n")
    capsys.readouterr()
    main(["schedule", "run", "audit.yaml", "--window-end", "2026-02-16", "--history", "h.duckdb"])
    err = capsys.readouterr().err
    assert "was judged with 895 rows and holds 896 now; to judge it again: --window-end 2026-02-09T00:00:00Z" in err


def test_status_without_a_finished_run(place, capsys):
    assert main(["schedule", "status", "."]) == 70
    assert "no run came to its end there" in capsys.readouterr().err
    main(["schedule", "run", "audit.yaml", "--window-end", "2026-02-09", "--out", "out"])
    (place / "out" / "summary.md").write_text("all is well")
    capsys.readouterr()
    assert main(["schedule", "status", "out"]) == 70
    assert "not the files that the run wrote: summary.md" in capsys.readouterr().err


def test_tests_json_brings_windows_of_its_own(place, capsys):
    entry = {
        "name": "by gender",
        "subtype": "groupOutcomeDisparity",
        "mode": "monitoring",
        "evaluationWindow": 1_209_600,
        "delayWindow": 3600,
        "thresholds": [
            {
                "measurement": "failingGroupCount",
                "operator": "<=",
                "value": 0,
                "insightParameters": [
                    {"name": "protected_attribute_columns", "value": ["gender"]},
                    {"name": "outcome_column", "value": "approved"},
                    {"name": "favorable_values", "value": ["yes"]},
                ],
            }
        ],
    }
    (place / "tests.json").write_text(json.dumps([entry]), encoding="utf-8")
    typed = ["tests.json", "--data", "weekly_decisions.csv.gz", "--time-column", "decided_at"]
    assert main(["schedule", "run", *typed, "--window-end", "2026-03-09", "--out", "out"]) == 1
    window = json.loads((place / "out" / MANIFEST).read_text())["window"]
    assert (window["length_seconds"], window["delay_seconds"]) == (1_209_600, 3600)
    assert main(["schedule", "run", "tests.json", "--data", "weekly_decisions.csv.gz", "--out", "out"]) == 2
    assert "which column holds the times" in capsys.readouterr().err


# fairreport run


def test_run_judges_a_window_only_where_it_is_asked_for(place, capsys):
    assert main(["run", "audit.yaml", "--json", "-"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["data"]["window"] is None
    assert "no window is asked for: rows of any time are judged" in printed.err
    assert main(["run", "audit.yaml", "--window-end", "2026-02-16", "--json", "-"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["data"]["window"]["rows_within"] == 855
    assert "no window is asked for" not in printed.err
    main(["run", "audit.yaml", "--window-end", "2026-03-02", "--window", "1d", "--json", "-"])
    assert json.loads(capsys.readouterr().out)["data"]["window"]["length_seconds"] == 86_400


def test_run_with_a_window_and_no_time_column(place, capsys):
    text = (place / "audit.yaml").read_text(encoding="utf-8")
    (place / "audit.yaml").write_text(re.sub(r"  time:\n(    .*\n)+", "", text), encoding="utf-8")
    assert main(["run", "audit.yaml", "--window", "7d", "--window-end", "2026-03-02"]) == 2
    assert "the audit has no time column" in capsys.readouterr().err


# The notebook


def test_the_notebook_is_executed_and_kept(place, capsys):
    assert main(["schedule", "run", "audit.yaml", "--window-end", "2026-03-02", "--out", "out", "--papermill"]) == 1
    book = json.loads((place / "out" / "scheduled_audit.ipynb").read_text(encoding="utf-8"))
    text = json.dumps(book)
    assert "injected-parameters" in text
    assert "Approval by gender" in text
    assert read_manifest(place / "out").complete
    assert json.loads(capsys.readouterr().out)["window_end"] == "2026-03-02T00:00:00Z"
    (place / "out" / "scheduled_audit.ipynb").write_text("{}")
    assert main(["schedule", "status", "out"]) == 70
    assert "not the files that the run wrote: scheduled_audit.ipynb" in capsys.readouterr().err


@pytest.mark.heavy
def test_a_notebook_whose_last_cells_did_not_run_is_a_failed_run(place, capsys, monkeypatch, tmp_path):
    book = json.loads(scheduled_notebook().read_text(encoding="utf-8"))
    code = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
    code[-2]["source"] = ["import os\n", "os._exit(0)"]  # a kernel that is gone says nothing
    cut = tmp_path / "cut.ipynb"
    cut.write_text(json.dumps(book), encoding="utf-8")
    monkeypatch.setattr(schedule_notebook, "scheduled_notebook", lambda: cut)
    assert main(["schedule", "run", "audit.yaml", "--window-end", "2026-02-16", "--out", "out"]) == 0
    assert main(["schedule", "run", "audit.yaml", "--window-end", "2026-02-16", "--out", "out", "--papermill"]) == 70
    assert "the run did not finish" in capsys.readouterr().err
    assert not (place / "out" / MANIFEST).exists()


@pytest.mark.heavy
def test_a_wrong_column_in_the_notebook_leaves_with_2(place, capsys):
    typed = ["schedule", "run", "audit.yaml", "--window-end", "2026-02-16", "--out", "out", "--papermill"]
    assert main([*typed, "--time-column", "decided"]) == 2
    assert "no column 'decided'" in capsys.readouterr().err
    assert (place / "out" / "scheduled_audit.ipynb").is_file()


def test_without_papermill_the_extra_is_named(place, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "papermill", None)
    assert main(["schedule", "run", "audit.yaml", "--window-end", "2026-02-16", "--papermill"]) == 2
    assert "fairreport[schedule]" in capsys.readouterr().err


def test_the_notebook_has_one_cell_of_parameters():
    book = json.loads(scheduled_notebook().read_text(encoding="utf-8"))
    tagged = [cell for cell in book["cells"] if "parameters" in cell["metadata"].get("tags", [])]
    assert len(tagged) == 1
    tree = ast.parse("".join(tagged[0]["source"]))
    stated = {node.targets[0].id: node.value.value for node in tree.body}
    assert stated == dict.fromkeys(NAMES)
    code = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
    assert "scheduled.finish()" in "".join(code[-1]["source"])


# The examples


def example(capsys, name):
    assert main(["schedule", "examples", name]) == 0
    return capsys.readouterr().out


def test_examples_are_listed_and_whole(capsys):
    assert main(["schedule", "examples"]) == 0
    listed = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert listed == [*EXAMPLES, "notebook"]
    folder = Path(str(resource_dir("assets"))) / "schedule"
    assert sorted(path.name for path in folder.iterdir() if path.is_file()) == sorted(EXAMPLES)
    for name in listed:
        assert example(capsys, name)


def command_lines(text):
    """Return the fairreport commands that a text holds, as argument lists."""
    joined = text.replace("\\%", "%")
    return [shlex.split(match)[1:] for match in re.findall(r"fairreport schedule run [^\n]*", joined)]


def test_the_crontab(capsys):
    lines = [line for line in example(capsys, "crontab").splitlines() if line and not line.startswith("#")]
    settings, jobs = [line for line in lines if re.match(r"[A-Z_]+=", line)], lines[-1:]
    assert len(settings) + 1 == len(lines)
    fields = jobs[0].split(maxsplit=5)
    assert [bool(re.fullmatch(r"[0-9*/,-]+", field)) for field in fields[:5]] == [True] * 5
    assert re.search(r"(?<!\\)%", fields[5]) is None  # cron makes a line end of a bare one
    (arguments,) = command_lines(fields[5])
    assert subprocess.run(["bash", "-n", "-c", fields[5].replace("\\%", "%")], check=False).returncode == 0
    asked = parsed(arguments)
    assert asked.window_end is None, "an end by the clock of the machine may lie in a week that is not over"
    assert any(line.startswith("PATH=") for line in settings), "cron knows no virtual environment"


def parsed(arguments):
    return make_parser().parse_args(arguments)


def test_the_workflow(capsys):
    flow = yaml.safe_load(example(capsys, "github-actions.yml"))
    assert set(flow) == {"name", True, "permissions", "concurrency", "jobs"}  # YAML 1.1 reads `on` as true
    # A cache that nobody used for seven days goes, so that once a week is too seldom.
    assert [it["cron"].split() for it in flow[True]["schedule"]] == [["0", "6", "*", "*", day] for day in "14"]
    (job,) = flow["jobs"].values()
    caches = {it["uses"].split("@")[0]: it for it in job["steps"] if "cache" in it.get("uses", "")}
    assert list(caches) == ["actions/cache/restore", "actions/cache/save"]  # the whole one saves after a success only
    assert caches["actions/cache/save"]["if"] == "always()"
    assert len({(it["with"]["path"], it["with"]["key"]) for it in caches.values()}) == 1
    assert "github.run_attempt" in caches["actions/cache/save"]["with"]["key"]  # a key is written once
    names = [it.get("name", it.get("uses")) for it in job["steps"]]
    assert (
        names.index("Fetch the history")
        < names.index("Judge the window")
        < names.index("Keep the history, whatever was found")
    )
    assert job["runs-on"]
    for step in job["steps"]:
        assert ("uses" in step) != ("run" in step)
        if "uses" in step:
            assert re.fullmatch(r"[\w-]+(/[\w-]+){1,2}@v[0-9]+", step["uses"])
        else:
            script = re.sub(r"\$\{WINDOW_END:\+(.*?)\}", r"\1", step["run"])
            assert "${{" not in step["run"], "an expression in a script is a way in"
            assert subprocess.run(["bash", "-n", "-c", script], check=False).returncode == 0
            for arguments in command_lines(script):
                assert parsed(arguments).history == "history.duckdb"


class Recorded:
    """Stands for an Airflow class and keeps how it was called."""

    made: list = []  # noqa: RUF012 - shared on purpose

    def __init__(self, **arguments):
        self.arguments = arguments
        self.after = []
        Recorded.made.append(self)

    def __rshift__(self, other):
        self.after.append(other)
        return other

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None


class Dag(Recorded):
    known = {"dag_id", "schedule", "start_date", "catchup", "max_active_runs"}  # noqa: RUF012


class Papermill(Recorded):
    # PapermillOperator of apache-airflow-providers-papermill, and what every operator takes
    known = {"task_id", "input_nb", "output_nb", "parameters", "kernel_name", "retries", "retry_delay"}  # noqa: RUF012


class Bash(Recorded):
    known = {"task_id", "bash_command", "trigger_rule"}  # noqa: RUF012


def test_the_dag(capsys, monkeypatch):
    modules = {
        "airflow": {"DAG": Dag},
        "airflow.operators": {},
        "airflow.operators.bash": {"BashOperator": Bash},
        "airflow.providers": {},
        "airflow.providers.papermill": {},
        "airflow.providers.papermill.operators": {},
        "airflow.providers.papermill.operators.papermill": {"PapermillOperator": Papermill},
    }
    for name, members in modules.items():
        module = types.ModuleType(name)
        vars(module).update(members)
        monkeypatch.setitem(sys.modules, name, module)
    Recorded.made.clear()
    exec(compile(example(capsys, "airflow_dag.py"), "airflow_dag.py", "exec"), {"__name__": "airflow_dag"})
    dag, prepare, audit, verdict = Recorded.made
    for made in (dag, prepare, audit, verdict):
        assert set(made.arguments) <= made.known
    assert set(audit.arguments["parameters"]) <= set(NAMES)
    assert (prepare.after, audit.after) == ([audit], [verdict])
    assert verdict.arguments["trigger_rule"] == "all_done", "else it would not run after a notebook that failed"
    made, removed = prepare.arguments["bash_command"].split(" && ")
    assert made == f"mkdir -p {Path(audit.arguments['output_nb']).parent}"
    assert removed == f"rm -f {audit.arguments['parameters']['out']}/{MANIFEST}"
    words = shlex.split(re.sub(r"\{\{.*?\}\}", "x", verdict.arguments["bash_command"]))
    assert str(parsed(words[1:]).folder) == re.sub(r"\{\{.*?\}\}", "x", audit.arguments["parameters"]["out"])


def test_the_configuration(capsys, config_checker):
    config_checker.validate(yaml.safe_load(example(capsys, "audit.yaml")))


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("cron", "crontab"),
        ("CRON", "crontab"),
        ("github", "github-actions.yml"),
        ("github-actions", "github-actions.yml"),
        ("github_actions", "github-actions.yml"),
        ("GitHub Actions", "github-actions.yml"),
        ("airflow", "airflow_dag.py"),
        ("airflow-dag", "airflow_dag.py"),
        ("audit", "audit.yaml"),
        ("scheduled_audit.ipynb", "notebook"),
    ],
)
def test_an_example_under_the_name_that_people_type(capsys, typed, name):
    assert example(capsys, typed) == example(capsys, name)


def test_a_name_of_no_example(capsys):
    with pytest.raises(SystemExit):
        main(["schedule", "examples", "crontb"])
    assert "Did you mean 'crontab'?" in capsys.readouterr().err


def test_the_configuration_runs_where_it_is_saved(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("weekly.yaml").write_text(example(capsys, "audit.yaml"), encoding="utf-8")
    assert main(["schedule", "run", "weekly.yaml", "--window-end", "2026-03-02", "--out", "out"]) == 1


def test_the_examples_as_files(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["schedule", "examples", "--out", "weekly"]) == 0
    written = [Path(line).name for line in capsys.readouterr().out.splitlines()]
    assert set(written) == {*EXAMPLES, "weekly_decisions.csv.gz", "scheduled_audit.ipynb"}
    assert {path.name for path in Path("weekly").iterdir()} == set(written)
    assert 'data: "weekly_decisions.csv.gz"' in Path("weekly/audit.yaml").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path / "weekly")
    (arguments,) = command_lines(Path("crontab").read_text(encoding="utf-8"))
    monkeypatch.setattr("fairreport.cli.schedule.clock", lambda: datetime(2026, 3, 2, 6, tzinfo=UTC))
    assert main(arguments) == 1
    assert read_manifest(Path("reports/2026-03-02")).document["notes"] == []
    assert main(["schedule", "examples", "cron", "--out", "."]) == 2
    assert "'crontab' exists already" in capsys.readouterr().err
    assert main(["schedule", "examples", "cron", "--out", "audit.yaml/x"]) == 2
    assert "cannot make the folder" in capsys.readouterr().err


# What is said of the time


@pytest.mark.parametrize(
    ("now", "said", "way"),
    [
        (datetime(2026, 3, 1, 23, tzinfo=UTC), "The window is not over: it ends 2026-03-02 00:00 UTC", []),
        pytest.param(
            datetime(2026, 3, 1, 23, tzinfo=UTC),
            "The window is not over: it ends 2026-03-02 00:00 UTC",
            ["--papermill"],
            marks=pytest.mark.heavy,
        ),
        (datetime(2026, 3, 2, 0, 59, tzinfo=UTC), "its delay of 1 hour has not passed", []),
        (datetime(2026, 3, 2, 1, tzinfo=UTC), None, []),
    ],
)
def test_a_window_that_is_not_over(place, capsys, monkeypatch, now, said, way):
    monkeypatch.setattr("fairreport.cli.schedule.clock", lambda: now)
    monkeypatch.setattr(
        schedule_notebook, "scheduled_notebook", lambda: notebook_at(place, "dt.datetime.now(dt.UTC)", repr(now))
    )
    assert main(["schedule", "run", "audit.yaml", "--window-end", "2026-03-02", "--out", "out", *way]) == 1
    summary = (place / "out" / "summary.md").read_text(encoding="utf-8")
    document = read_manifest(place / "out").document
    for text in (capsys.readouterr().err, summary, " ".join(document["notes"])):
        assert ("rows of it may still arrive" in text) == (said is not None)
        assert said is None or said in text
    assert (document["now"] is None) == (said is None)


def notebook_at(place, clock, now):
    """Return a copy of the notebook whose clock stands still."""
    text = scheduled_notebook().read_text(encoding="utf-8")
    assert clock in text
    now = now.replace("datetime.datetime(", "dt.datetime(").replace("datetime.timezone.utc", "dt.UTC")
    (place / "still.ipynb").write_text(text.replace(clock, now), encoding="utf-8")
    return place / "still.ipynb"


def test_run_says_that_a_window_is_not_over(place, capsys, monkeypatch):
    monkeypatch.setattr(window_options, "clock", lambda: datetime(2026, 3, 1, tzinfo=UTC))
    main(["run", "audit.yaml", "--window-end", "2026-03-02"])
    assert "The window is not over" in capsys.readouterr().err
    main(["run", "audit.yaml", "--window-end", "2026-02-23"])
    assert "The window is not over" not in capsys.readouterr().err


@pytest.mark.parametrize("rows", [1, 2])
def test_rows_without_a_time_are_said(place, capsys, rows):
    with gzip.open(place / "weekly_decisions.csv.gz", "at", encoding="utf-8") as stream:
        stream.write("soon,woman,under 30,yes\n,woman,under 30,yes\n" if rows == 2 else "soon,man,under 30,no\n")
    said = [
        "1 row has no usable time in 'decided_at' and is in no window.",
        "2 rows have no usable time in 'decided_at'",
    ]
    main(["schedule", "run", "audit.yaml", "--window-end", "2026-03-02", "--out", "out"])
    assert said[rows - 1] in capsys.readouterr().err
    assert said[rows - 1].split(" in ")[0] in (place / "out" / "summary.md").read_text(encoding="utf-8")
    assert read_manifest(place / "out").document["notes"][0].startswith(said[rows - 1])
    main(["run", "audit.yaml", "--window-end", "2026-03-02"])
    assert said[rows - 1] in capsys.readouterr().err


def test_a_misspelled_column_of_times_without_a_window(place, capsys):
    assert main(["run", "audit.yaml", "--time-column", "decidet_at", "--json", "-"]) == 0
    said = (
        "the table has no column 'decidet_at', the column of times: no window can be judged. Did you mean 'decided_at'?"
    )
    assert said in capsys.readouterr().err
    main(["run", "audit.yaml", "--json", "-"])
    assert "has no column" not in capsys.readouterr().err


@pytest.mark.parametrize("more", [[], ["--time-column", "decided_at"]])
def test_run_says_that_the_windows_of_a_tests_json_were_not_applied(place, capsys, more):
    parameters = {"protected_attribute_columns": ["gender"], "outcome_column": "approved", "favorable_values": ["yes"]}
    listed = [{"name": name, "value": value} for name, value in parameters.items()]
    threshold = {"measurement": "failingGroupCount", "operator": "<=", "value": 0, "insightParameters": listed}
    entry = {"name": "by gender", "subtype": "groupOutcomeDisparity", "mode": "monitoring", "thresholds": [threshold]}
    for window, is_said in (({"evaluationWindow": 604_800}, True), ({}, False)):
        (place / "tests.json").write_text(json.dumps([entry | window]), encoding="utf-8")
        main(["run", "tests.json", "--data", "weekly_decisions.csv.gz", *more])
        said = "the windows of 'by gender' (evaluationWindow) were not applied: rows of any time are judged"
        assert (said in capsys.readouterr().err) == is_said


def test_where_nothing_was_counted_there_is_no_hash_of_data(place, capsys):
    main(["schedule", "run", "audit.yaml", "--window-end", "2026-03-16", "--out", "out"])
    assert read_manifest(place / "out").document["fingerprint"] is None
    main(["schedule", "run", "audit.yaml", "--window-end", "2026-03-09", "--out", "out"])
    assert re.fullmatch("[0-9a-f]{64}", read_manifest(place / "out").document["fingerprint"])
    capsys.readouterr()
    main(["run", "audit.yaml", "--window-end", "2026-03-16"])
    printed = capsys.readouterr().out
    assert "no data counted" in printed
    assert "sha256" not in printed


# The secrets of a database


@pytest.mark.heavy
def test_the_password_of_a_history_is_shown_nowhere(place, capfd):
    typed = ["schedule", "run", "audit.yaml", "--window-end", "2026-02-16", "--out", "out"]
    secret = "sqlite:///h.sqlite?password=gehxxx%20eim"
    assert main([*typed, "--history", secret, "--papermill"]) == 0
    assert main(["history", "show", secret]) == 0
    printed = capfd.readouterr()
    assert "Warning" not in printed.err
    kept = [path.read_bytes() for path in (place / "out").rglob("*") if path.is_file()]
    assert [text for text in (printed.err.encode(), printed.out.encode(), *kept) if b"gehxxx" in text] == []
    assert b"sqlite:///h.sqlite" in (place / "out" / "scheduled_audit.ipynb").read_bytes()
    notebook = read_manifest(place / "out").document["outputs"]["scheduled_audit.ipynb"]
    content = (place / "out" / "scheduled_audit.ipynb").read_bytes()
    assert notebook == {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    assert main([*typed]) == 0
    assert not (place / "out" / "scheduled_audit.ipynb").exists(), "this run has executed none"
