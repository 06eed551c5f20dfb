"""``fairreport verify``: what is printed, and the exit code."""

import json

import pytest


@pytest.fixture
def packets(folder, command):
    assert command("run", folder.audit(), "--html", "p.html", "--json", "r.json").code == 1
    return folder


@pytest.mark.parametrize("name", ["p.html", pytest.param("p.pdf", marks=pytest.mark.heavy), "r.json"])
def test_a_document_that_agrees_leaves_with_0(packets, command, name):
    if name == "p.pdf":
        command("run", "audit.yaml", "--pdf", name)
    found = command("verify", name)
    assert (found.code, found.err) == (0, "")
    assert "The document agrees with its evidence: " in found.out
    assert "does not show who made it" in " ".join(found.out.split())
    assert max(map(len, found.out.splitlines())) <= 100


def test_a_document_that_differs_leaves_with_1_and_names_the_places(packets, command):
    text = (packets.path / "r.json").read_text()
    packets.write("r.json", text.replace('"favorable": 24', '"favorable": 25'))
    found = command("verify", "r.json")
    assert found.code == 1
    assert "The document does not agree with its evidence" in found.out
    assert "differs  figures, verdicts, notes and reasons, recomputed from the evidence" in found.out
    assert "results.json /results/0/evidence/unmatched: have 36 rows where 35" in found.out


def test_json_is_one_object(packets, command):
    document = json.loads(command("verify", "p.html", "--json").out)
    assert (document["agrees"], document["exit_code"], document["differences"]) == (True, 0, [])
    assert document["kind"] == "HTML packet"
    assert document["recomputed"]["numbers"] > 30


def test_data_is_counted_again(packets, command):
    assert command("verify", "p.html", "--data", "rows.csv").code == 0
    text = (packets.path / "rows.csv").read_text()
    packets.write("more.csv", text + "F,1\n")
    found = command("verify", "p.html", "--data", "more.csv")
    assert found.code == 1
    assert "differs  rows counted again: fingerprint and counts" in found.out
    assert "The file is not the audited one to the byte" in " ".join(found.out.split())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["verify", "none.pdf"], "there is no file 'none.pdf'."),
        (["verify", "rows.csv"], "'rows.csv' is no packet; wanted a PDF or an HTML packet, or a results.json"),
        (["verify", "p.html", "--data", "none.csv"], "there is no file 'none.csv'"),
    ],
)
def test_what_cannot_be_read_leaves_with_2(packets, command, arguments, said):
    found = command(*arguments)
    assert (found.code, found.out) == (2, "")
    assert len(found.faults) == 1
    assert found.faults[0].startswith(said)


def test_a_packet_that_was_cut_leaves_with_2(packets, command):
    packets.write("cut.html", (packets.path / "p.html").read_bytes()[:5000])
    found = command("verify", "cut.html")
    assert found.code == 2
    assert found.faults == ["'cut.html' carries no results.json, so it is no packet of fairreport or was cut"]


def test_the_exit_codes_are_in_the_help(command, folder):
    text = command("verify", "--help").out
    for line in (
        "0   the document agrees with its evidence",
        "1   something differs",
        "2   a file cannot be read",
        "3   nothing differs, but not all was judged",
    ):
        assert line in text


def test_pages_that_cannot_be_judged_leave_with_3_and_are_said_first(packets, command):
    (packets.path / "own" / "packet").mkdir(parents=True)
    packets.write("own/packet/cover.html", "<p>Our cover</p>")
    text = (packets.path / "audit.yaml").read_text().replace("  data:", "  report: {templates: own}\n  data:")
    packets.write("own.yaml", text)
    command("run", "own.yaml", "--html", "own.html")
    found = command("verify", "own.html")
    assert (found.code, found.err) == (3, "")
    first = found.out.splitlines()[1]
    assert first.startswith(
        "Not all was judged: the figures agree with the evidence, but the pages could not be compared"
    )
    assert "not judged:\n  the pages: templates of the user's own drew them" in found.out
    document = json.loads(command("verify", "own.html", "--json").out)
    assert (document["agrees"], document["exit_code"], document["differences"]) == (False, 3, [])
    assert [item["what"] for item in document["not_judged"]] == ["the pages"]


def test_a_packet_whose_results_cannot_be_read_leaves_with_1(packets, command):
    page = (packets.path / "p.html").read_text()
    start = page.rindex("base64,", 0, page.index('" download="results.json"')) + len("base64,")
    packets.write("p.html", page[:start] + "e30=" + page[page.index('" download="results.json"') :])
    found = command("verify", "p.html")
    assert (found.code, found.err) == (1, "")
    assert "holds no audit" in " ".join(found.out.split())
