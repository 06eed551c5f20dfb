"""``fairreport history``, and ``run --history``."""

from __future__ import annotations

import csv
import json

import pytest


@pytest.fixture(scope="module")
def made():
    """What a history of three dated runs was, once it is made."""
    return {}


@pytest.fixture
def kept(folder, command, monkeypatch, made):
    """A history of three dated runs of one audit."""
    if made:
        monkeypatch.setenv("SOURCE_DATE_EPOCH", "1773619200")
        folder.audit(0.8)
        return folder.write("a.duckdb", made["content"])
    for day, threshold in (("1772409600", 0.6), ("1773014400", 0.6), ("1773619200", 0.8)):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", day)
        done = command("run", folder.audit(threshold), "--history", "a.duckdb")
        assert done.code == (0 if threshold == 0.6 else 1)
        assert "fairreport: a.duckdb: 1 record added" in done.err
    made["content"] = (folder.path / "a.duckdb").read_bytes()
    return folder.path / "a.duckdb"


def test_show_prints_each_test(command, kept):
    done = command("history", "show", kept)
    assert done.code == 0
    assert done.out.startswith(
        "Resume screen over time\n3 windows, from 2026-03-02 to 2026-03-16.\nby gender: ▼ failing\n"
    )
    assert "●●▼" in done.out
    assert "it first changed with 2026-03-16, from passing to failing" in " ".join(done.out.split())


def test_show_as_json(command, kept):
    done = command("history", "show", kept, "--json", "--baseline", "2", "--odds-ratio", "2")
    shown = json.loads(done.out)
    assert shown["evidence"]["audit_id"] == "resume-screen"
    assert (shown["evidence"]["baseline"], shown["evidence"]["odds_ratio"]) == (2, 2.0)
    assert shown["tests"][0]["turned"] == [2]


def test_export_writes_csv_and_json(command, folder, kept):
    done = command("history", "export", kept, "--csv", "out.csv", "--json", "out.json")
    assert done.code == 0
    rows = list(csv.DictReader((folder.path / "out.csv").read_text(encoding="utf-8").splitlines()))
    ratios = [row["value"] for row in rows if row["measurement"] == "minImpactRatio"]
    assert ratios == ["0.64"] * 3
    held = json.loads((folder.path / "out.json").read_text(encoding="utf-8"))
    assert [record["created"][:10] for record in held["records"]] == ["2026-03-02", "2026-03-09", "2026-03-16"]
    assert held["records"][0]["entry"]["evidence"]["groups"][0]["n"] == 50


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_export_to_standard_output(command, folder, kept, kind):
    done = command("history", "export", kept, f"--{kind}", "-")
    assert done.code == 0
    assert not (folder.path / "-").exists()
    command("history", "export", kept, f"--{kind}", f"out.{kind}")
    assert done.out == (folder.path / f"out.{kind}").read_text(encoding="utf-8")
    assert "wrote" not in done.err


def test_show_says_why_there_is_no_test_of_change_and_n(command, kept):
    said = " ".join(command("history", "show", kept).out.split())
    assert "No test of change: the baseline is 12 windows, and there are 3." in said
    assert "minImpactRatio 0.640 (gender = F, n = 50, wanted: at least 0.80)" in said


def test_of_several_audits_the_list_is_shown(command, folder, kept):
    text = (folder.path / "audit.yaml").read_text(encoding="utf-8").replace("  title: Resume screen\n", "  id: pay 2\n")
    command("run", folder.write("pay.yaml", text), "--history", kept)
    done = command("history", "show", kept)
    assert "holds 2 audits; name one with --audit\n  pay 2: 1 tests, 1 windows" in done.out
    assert command("history", "show", kept, "--audit", "pay 2").out.startswith("Fairness audit over time\n")
    assert "Did you mean 'pay 2'?" in command("history", "show", kept, "--audit", "pay2").err


def test_runs_without_windows_are_not_merged(command, kept):
    done = command("history", "show", kept, "--merge", "13w")
    assert done.code == 0
    assert "not added up: its runs have no window" in done.out


def test_a_packet_of_a_run_with_a_history_has_the_windows_before(command, folder, kept):
    assert command("run", folder.audit(0.8), "--history", kept, "--html", "p.html").code == 1
    page = (folder.path / "p.html").read_text(encoding="utf-8")
    assert "3 windows, from 2026-03-02 to 2026-03-16." in page
    assert command("verify", "p.html").code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["history", "show", "none.duckdb"], "there is no history 'none.duckdb', or it holds no record yet"),
        (["history", "show", "audit.yaml"], "'audit.yaml' is no history of audits: it is not a DuckDB file"),
        (["history", "show", "a.duckdb", "--test", "by gendr"], "--test: there is no test 'by gendr' in the history."),
        (["history", "export", "a.duckdb"], "history export: names no output; give --csv FILE or --json FILE"),
        (
            ["history", "export", "a.duckdb", "--csv", "-", "--json", "-"],
            "history export: --csv and --json both name standard output; give one of them another place",
        ),
        (["run", "audit.yaml", "--history", "no/a.duckdb"], "there is no folder 'no' to keep the history in."),
        (["run", "audit.yaml", "--history", "rows.csv"], "'rows.csv' is no history of audits: it is not a DuckDB file"),
    ],
)
def test_what_is_wrong_is_one_line(command, kept, arguments, message):
    done = command(*arguments)
    assert done.code == 2
    (line,) = done.faults
    assert line.startswith(message)
