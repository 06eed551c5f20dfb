"""``fairreport compare``: what is printed, and the exit code."""

import json

import pytest


@pytest.fixture
def packets(folder, command):
    command("run", folder.audit(threshold=0.5), "--html", "old.html")
    rows = (folder.path / "rows.csv").read_text()
    folder.write("rows.csv", rows.replace("F,1\n", "F,0\n", 14))
    command("run", folder.audit(threshold=0.5), "--json", "new.json")
    return folder


def test_what_changed_is_printed_and_the_exit_code_is_0(packets, command):
    found = command("compare", "old.html", "new.json")
    assert (found.code, found.err) == (0, "")
    assert found.out.splitlines()[:2] == [
        "old.html -> new.json",
        "Status passing -> failing (graver); other counts. 1 test compared and 1 test with a graver status.",
    ]
    assert "gender = F: 0.480 -> 0.200 (change −0.280, 95% interval" in found.out
    assert max(map(len, found.out.splitlines())) <= 100


def test_the_exit_code_can_tell_that_a_status_got_worse(packets, command):
    assert command("compare", "old.html", "new.json", "--exit-code").code == 1
    assert command("compare", "new.json", "old.html", "--exit-code").code == 0
    assert command("compare", "old.html", "old.html", "--exit-code").code == 0


def test_json_is_one_object(packets, command):
    document = json.loads(command("compare", "old.html", "new.json", "--json").out)
    assert document["got_worse"] is True
    assert document["tests"][0]["groups"][0]["group"] == "gender = F"


def test_what_cannot_be_read_leaves_with_2(packets, command):
    found = command("compare", "old.html", "rows.csv")
    assert (found.code, found.out) == (2, "")
    assert found.faults == ["'rows.csv' is no packet; wanted a PDF or an HTML packet, or a results.json"]
