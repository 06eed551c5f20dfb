"""A kill at any moment leaves every output as it was or as it is to be, and a folder of tables of one run or the other."""

import json
import resource
import signal
import subprocess
import sys

import pytest

PROGRAM = """
import json, os, pathlib, signal, sys
import fairreport as fr
from fairreport.report.checksum import write_packet

base = pathlib.Path(sys.argv[1])
EVENTS = {"open", "os.rename", "os.chmod", "os.mkdir", "os.remove", "os.rmdir", "tempfile.mkstemp", "tempfile.mkdtemp"}

def run(hired):
    cells = [(group, int(i < n)) for group, n in (("F", hired), ("M", 40)) for i in range(60)]
    audit = fr.Audit({"sex": [c[0] for c in cells], "hired": [c[1] for c in cells]})
    return audit.outcome_disparity("sex", "hired", 1, name="one").outcome_disparity("sex", "hired", 1, name="two").run()

runs = {"old": run(20), "new": run(30)}
pages = {name: fr.Report(it).html().encode() for name, it in runs.items()}
ids = {name: fr.Report(it).packet_id for name, it in runs.items()}
writers = {
    "packet": lambda which, place: write_packet(place / "packet.html", pages[which], packet_id=ids[which]),
    "json": lambda which, place: runs[which].to_json(place / "results.json"),
    "excel": lambda which, place: runs[which].to_excel(place / "tables.xlsx"),
    "tables": lambda which, place: runs[which].to_csv(place / "tables"),
}

def contents(place):
    visible = [p for p in place.rglob("*") if p.is_file() and not any(n.startswith(".") for n in p.relative_to(place).parts)]
    return {str(path.relative_to(place)): path.read_bytes() for path in visible}

def killed(write, place, moment):
    '''Write in a child that kills itself at so many events below the place; tell whether it got to the end.'''
    child = os.fork()
    if not child:
        seen = 0
        def listen(name, arguments):
            nonlocal seen
            if name in EVENTS and any(str(it).startswith(str(place)) for it in arguments):
                seen += 1
                if seen == moment:
                    os.kill(os.getpid(), signal.SIGKILL)
        sys.addaudithook(listen)
        write("new", place)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFEXITED(status)

found = []
for kind, write in writers.items():
    whole = {}
    for which in ("old", "new"):
        place = base / f"{kind}-{which}"
        place.mkdir()
        write(which, place)
        whole[which] = contents(place)
    for is_there in (False, True):
        for moment in range(1, 60):
            place = base / f"{kind}-{is_there}-{moment}"
            place.mkdir()
            if is_there:
                write("old", place)
            ended = killed(write, place, moment)
            held = contents(place)
            told = {
                name: next((which for which in whole if whole[which].get(name) == content), "torn")
                for name, content in held.items()
            }
            found.append([kind, is_there, moment, ended, told])
            if ended:
                break
print(json.dumps(found))
"""

FILES = {
    "packet": ["packet.html", "packet.html.sha256"],
    "json": ["results.json"],
    "excel": ["tables.xlsx"],
    "tables": ["tables/01-one.csv", "tables/02-two.csv", "tables/measurements.csv"],
}


@pytest.fixture(scope="module")
def cases(tmp_path_factory):
    place = tmp_path_factory.mktemp("kills")
    done = subprocess.run([sys.executable, "-c", PROGRAM, str(place)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("is_there", [False, True], ids=["new", "over"])
def test_a_kill_at_any_moment_leaves_every_file_whole(cases, kind, is_there):
    mine = [(moment, ended, told) for k, there, moment, ended, told in cases if (k, there) == (kind, is_there)]
    assert len(mine) > 3  # so many moments were tried
    assert [ended for _, ended, _ in mine] == [False] * (len(mine) - 1) + [True]
    assert mine[-1][2] == dict.fromkeys(FILES[kind], "new")
    for moment, _, told in mine:
        assert "torn" not in told.values(), moment
        if is_there:
            assert set(FILES[kind]) - set(told) <= {"packet.html.sha256"}, moment
        else:
            assert "old" not in told.values(), moment


def test_a_folder_of_tables_appears_whole(cases):
    for kind, is_there, moment, _, told in cases:
        if kind == "tables" and not is_there:
            assert sorted(told) in ([], FILES["tables"]), moment


def test_no_hash_stands_beside_a_packet_that_is_not_its(cases):
    for kind, _, moment, _, told in cases:
        if kind == "packet" and "packet.html.sha256" in told:
            assert told["packet.html.sha256"] == told["packet.html"], moment


def test_a_kill_in_the_middle_of_the_bytes_leaves_the_old_file(tmp_path):
    place = tmp_path / "packet.html"
    place.write_bytes(b"old")
    code = (
        "import resource, signal, sys; from fairreport.writing import write_whole; "
        "signal.signal(signal.SIGXFSZ, signal.SIG_DFL); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000)); "
        "write_whole(sys.argv[1], b'n' * 5_000_000)"
    )
    core = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, core[1]))
    try:
        done = subprocess.run([sys.executable, "-c", code, str(place)], cwd=tmp_path, capture_output=True, check=False)
    finally:
        resource.setrlimit(resource.RLIMIT_CORE, core)
    assert done.returncode == -signal.SIGXFSZ
    assert place.read_bytes() == b"old"
    (part,) = [item for item in tmp_path.iterdir() if item != place]
    assert (part.name.startswith("."), part.suffix, part.stat().st_size) == (True, ".part", 1_000_000)
