"""Where a file is written: through links, into pipes, with the mode it had; and a standard output that cannot take it."""

import os
import stat
import subprocess
import sys
import threading

import pytest

from fairreport.errors import DataError
from fairreport.writing import write_whole


def test_a_link_is_followed_and_stays_a_link(tmp_path):
    target, link = tmp_path / "target.json", tmp_path / "link.json"
    target.write_text("old", "utf-8")
    link.symlink_to(target)
    assert write_whole(link, "new") == link
    assert link.is_symlink()
    assert target.read_text("utf-8") == "new"


def test_a_file_keeps_its_mode(tmp_path):
    place = tmp_path / "secret.json"
    place.write_text("old", "utf-8")
    place.chmod(0o600)
    write_whole(place, "new")
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert [entry.name for entry in tmp_path.iterdir()] == ["secret.json"]


def test_a_pipe_is_written_to_and_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_whole(pipe, "through")
    reader.join(timeout=30)
    assert read == [b"through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_loop_of_links_is_one_line(tmp_path, command, folder):
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    with pytest.raises(DataError, match="cannot write"):
        write_whole(loop, "x")
    done = command("run", folder.audit(), "--json", loop)
    assert (done.code, len(done.faults)) == (2, 1)


def test_a_folder_in_the_place_is_one_line(tmp_path):
    with pytest.raises(DataError, match="cannot write"):
        write_whole(tmp_path, "x")


@pytest.mark.parametrize("option", [[], ["--json", "-"]])
def test_a_closed_standard_output_is_one_line(folder, option):
    closing = (
        "import os, sys; os.close(1); os.execv(sys.executable, [sys.executable, '-m', 'fairreport', *sys.argv[1:]])"
    )
    done = subprocess.run(
        [sys.executable, "-c", closing, "run", str(folder.audit()), *option],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == "fairreport: standard output is closed\n"


@pytest.mark.parametrize("option", [[], ["--json", "-"]])
def test_a_full_standard_output_is_one_line(command, folder, monkeypatch, option):
    class Full:
        def write(self, _):
            raise OSError(28, "No space left on device")

        def flush(self):
            pass

    monkeypatch.setattr(sys, "stdout", Full())
    done = command("run", folder.audit(), *option)
    assert done.code == 2
    assert done.faults[-1] == "cannot write to standard output: No space left on device"


def test_control_characters_of_a_configuration_do_not_reach_the_terminal(command, folder):
    config = folder.write("audit.yaml", folder.audit().read_text("utf-8") + '"a\\e[31mb\\nc": 1\n')
    done = command("run", config)
    assert done.code == 2
    assert "\x1b" not in done.err
    assert "a[U+001B][31mb[U+000A]c" in done.err
    assert len(done.faults) == 1
