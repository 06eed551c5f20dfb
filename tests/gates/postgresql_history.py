"""What the gate `postgresql.sh` holds: a history in a database is the history in a file."""

import json
import signal
import subprocess
import sys
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import fairreport as fr
from fairreport.audit.window import WindowRecord

FIRST = datetime(2026, 3, 2, tzinfo=UTC)
SECRET = "s3cret-of-the-gate"


def run_of(week, favorable=30):
    start = FIRST + timedelta(days=7 * week)
    ends = [moment.strftime("%Y-%m-%dT%H:%M:%SZ") for moment in (start, start + timedelta(days=7))]
    rows = {"sex": ["F"] * 50 + ["M"] * 40, "hired": [1] * favorable + [0] * (50 - favorable) + [1] * 30 + [0] * 10}
    run = fr.Audit(rows, title="Hiring").outcome_disparity("sex", "hired", 1, name="by sex: 日本 'x' %s :y $1").run()
    window = WindowRecord(
        start=ends[0],
        end=ends[1],
        length_seconds=604_800,
        delay_seconds=0,
        column="decided",
        timezone="UTC",
        rows_within=90,
        rows_before=0,
        rows_after=0,
        rows_without_time=0,
    )
    return replace(run.record, data=replace(run.record.data, window=window))


def fill(place):
    history = fr.History(place)
    for week in range(16):
        history.append(run_of(week, 30 if week < 13 else 18), "hiring")
    assert history.append(run_of(0), "hiring").unchanged
    assert history.append(run_of(1, 25), "hiring").replaced
    return history


def write(place, first, n):
    for week in range(first, first + n):
        fr.History(place).append(run_of(week), "many")
        print(week, flush=True)


def start(place, first, n):
    command = [sys.executable, __file__, "write", place, str(first), str(n)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def refusal(url):
    try:
        fr.History(url, wait=2).append(run_of(0), "hiring")
    except fr.DataError as error:
        return str(error)
    raise AssertionError("a wrong URL was taken")


def main(url, path):
    database, file = fill(url), fill(path)
    for superseded in (False, True):
        both = [[entry.document() for entry in it.entries(superseded=superseded)] for it in (database, file)]
        assert both[0] == both[1]
    assert json.dumps(database.trends("hiring").to_dict()) == json.dumps(file.trends("hiring").to_dict())
    assert [it.document() for it in database.merged(length="8w")] == [it.document() for it in file.merged(length="8w")]
    print("records, re-runs, trends and sums: the same as in a file")

    writers = [start(url, first, 8) for first in (0, 4)]
    assert [writer.wait(120) for writer in writers] == [0, 0]
    entries = database.entries("many", superseded=True)
    assert [entry.revision for entry in entries] == [1] * 12, [entry.revision for entry in entries]
    print("two writers: every window once")

    killed = start(url, 100, 1000)
    killed.stdout.readline()
    time.sleep(0.7)
    killed.send_signal(signal.SIGKILL)
    told = 1 + len(killed.communicate()[0].split())
    kept = len(database.entries("many")) - 12
    assert kept in {told, told + 1}, (kept, told)
    assert database.append(run_of(5000), "many").added
    print("a writer that is killed: whole runs only")

    assert SECRET not in repr(database)
    for wrong in (url.replace(SECRET, f"{SECRET}x"), url.replace("/postgres", "/nowhere")):
        said = refusal(wrong)
        assert SECRET not in said, "a message holds the password"
        assert "auditor" not in said, "a message holds the user"
        assert "\n" not in said
    print("no message holds a secret")


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    else:
        main(*sys.argv[1:])
