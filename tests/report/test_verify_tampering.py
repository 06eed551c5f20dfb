"""Whatever is changed in a document is found, with the hashes set right again or not."""

import base64
import copy
import json
import math
import re
from hashlib import sha256

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import fairreport as fr
from fairreport.audit.document import to_text
from fairreport.report.attachments import Attachment
from fairreport.report.html import Medium, Paper, packet_html
from fairreport.report.packet_id import packet_id_of
from fairreport.report.pdf import write_pdf

STATED = re.compile(
    r"/(title|created|about)\b|/data/(counts|missing_values)\b"
    r"|/results/\d+/(name|description|rationale|threshold_source|ignored|parameters|default_threshold)\b"
    r"|/results/\d+/thresholds/\d+/value"
)
"""What a results.json by itself leaves to its author."""

LINK = re.compile(r'href="data:([a-z/]+);base64,([A-Za-z0-9+/=]*)" download="([^"]+)"')


def leaves(value, path=()):
    """Yield the path of every number, text, true, false and null."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if items is None:
        yield path
        return
    for key, item in items:
        yield from leaves(item, (*path, key))


def others(value):
    """Values of the same look that are not this one, and values of other types."""
    if isinstance(value, bool):
        return [not value, int(value), None]
    if isinstance(value, int):
        return [value + 1, value - 1, value * 10 + 7, -value - 1, float(value), str(value), None]
    if isinstance(value, float):
        near = [math.nextafter(value, math.inf), math.nextafter(value, -math.inf), value + 0.001, 1 - value]
        return [*(it for it in near if it != value), str(value), None]
    if isinstance(value, str):
        return [f"{value}1", f" {value}", value[:-1] if value else "a", 0, None]
    return [0, 0.5, "", "x", False]


def put(document, path, value):
    """Set a leaf and return what stood there."""
    *above, last = path
    for key in above:
        document = document[key]
    before, document[last] = document[last], value
    return before


def tampered(document, among, data):
    """Return the path of a leaf, and the document with another value there."""
    found = copy.deepcopy(document)
    path = among[data.draw(st.integers(0, len(among) - 1))]
    choices = others(put(found, path, None))
    put(found, path, choices[data.draw(st.integers(0, len(choices) - 1))])
    return path, found


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("tampered")


@pytest.mark.parametrize("name", ["small_run", "mixed_run", "gap_run"])
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_changed_leaf_of_the_results_is_found_by_itself(name, data, folder, request):
    document = json.loads(request.getfixturevalue(name).to_json())
    among = [path for path in leaves(document) if not STATED.match("".join(f"/{key}" for key in path))]
    place, found = tampered(document, among, data)
    path = folder / "results.json"
    path.write_text(to_text(found), encoding="utf-8")
    assert not fr.verify(path).agrees, place


def files_of(html):
    return {name: base64.b64decode(data) for _, data, name in LINK.findall(html)}


def with_files(html, files):
    def link(match):
        return f'href="data:{match[1]};base64,{base64.b64encode(files[match[3]]).decode()}" download="{match[3]}"'

    return LINK.sub(link, html)


def with_results(html, document, *, hashes, identifier):
    """An HTML packet with other results inside, and with hashes and packet id in the manifest set right or not."""
    files = files_of(html)
    files["results.json"] = to_text(document).encode()
    manifest = json.loads(files["manifest.json"])
    if hashes:
        for item in manifest["files"]:
            content = files[item["name"]]
            item |= {"sha256": sha256(content).hexdigest(), "size": len(content)}
    if identifier:
        manifest["packet_id"] = packet_id_of(document)
    files["manifest.json"] = (json.dumps(manifest, ensure_ascii=False, indent=1) + "\n").encode()
    return with_files(html, files)


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data(), hashes=st.booleans(), identifier=st.booleans())
def test_a_changed_leaf_of_a_packet_is_found_whatever_else_is_set_right(
    data, hashes, identifier, folder, small_run, small_html
):
    document = json.loads(small_run.to_json())
    place, found = tampered(document, list(leaves(document)), data)
    path = folder / "packet.html"
    path.write_text(with_results(small_html, found, hashes=hashes, identifier=identifier), encoding="utf-8")
    assert not fr.verify(path).agrees, place


@pytest.mark.parametrize("name", ["groups.csv", "audit.yaml"])
def test_a_changed_byte_of_another_file_is_found_with_its_hash_set_right(name, folder, small_html):
    files = files_of(small_html)
    files[name] = files[name].replace(b"0", b"1", 1)
    manifest = json.loads(files["manifest.json"])
    next(item for item in manifest["files"] if item["name"] == name)["sha256"] = sha256(files[name]).hexdigest()
    files["manifest.json"] = (json.dumps(manifest, ensure_ascii=False, indent=1) + "\n").encode()
    path = folder / "packet.html"
    path.write_text(with_files(small_html, files), encoding="utf-8")
    found = fr.verify(path)
    assert found.differences[0].file == name
    assert found.differences[0].pointer.startswith("line ")


def test_a_changed_manifest_is_found(folder, small_html):
    for old, new in (
        (b'"size": ', b'"size": 1'),
        (b'"title": "', b'"title": "x'),
        (b'"packet_id": "', b'"packet_id": "0'),
    ):
        files = files_of(small_html)
        files["manifest.json"] = files["manifest.json"].replace(old, new, 1)
        path = folder / "packet.html"
        path.write_text(with_files(small_html, files), encoding="utf-8")
        assert "manifest.json" in {item.file for item in fr.verify(path).differences}


@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_changed_digit_of_the_page_is_found(data, folder, small_html):
    body = small_html.index("<body>")
    hidden = [range(*match.span()) for match in LINK.finditer(small_html)]
    places = [
        match.start()
        for match in re.finditer(r"[0-9]", small_html[body:])
        if not any(body + match.start() in span for span in hidden)
    ]
    place = body + data.draw(st.sampled_from(places))
    other = data.draw(st.sampled_from("0123456789").filter(lambda it: it != small_html[place]))
    path = folder / "packet.html"
    path.write_text(small_html[:place] + other + small_html[place + 1 :], encoding="utf-8")
    found = fr.verify(path)
    assert not found.agrees
    assert found.differences[-1].file == "packet.html"
    assert "one line differs" in found.differences[-1].message


def test_a_pdf_that_shows_another_number_is_found(folder, small_run):
    report = fr.Report(small_run)
    text = packet_html(report._view(()), medium=Medium.PDF, paper=Paper.A4)
    shown = text.index(">0.222<") + 1
    path = folder / "packet.pdf"
    changed = text[:shown] + "0.922" + text[shown + 5 :]
    path.write_bytes(write_pdf(changed, report.attachments, created=small_run.record.created))
    found = fr.verify(path)
    assert not found.agrees
    assert [check.passed for check in found.checks] == [True, True, True, False]
    assert found.differences[0].pointer.startswith("page ")
    assert "0.922" in found.differences[0].stated


def test_a_pdf_with_other_results_inside_is_found(folder, small_run):
    report = fr.Report(small_run)
    text = packet_html(report._view(()), medium=Medium.PDF, paper=Paper.A4)
    files = [
        Attachment(
            name=file.name,
            media_type=file.media_type,
            description=file.description,
            content=file.content.replace(b'"favorable": 31', b'"favorable": 32'),
        )
        for file in report.attachments
    ]
    assert files != list(report.attachments)
    path = folder / "packet.pdf"
    path.write_bytes(write_pdf(text, files, created=small_run.record.created))
    found = fr.verify(path)
    assert {"results.json", "manifest.json"} <= {item.file for item in found.differences}


def test_evidence_of_other_columns_is_found(folder, small_run):
    document = json.loads(small_run.to_json())
    document["results"][1]["parameters"]["favorable_values"]["value"] = ["0"]
    path = folder / "results.json"
    path.write_text(to_text(document))
    found = fr.verify(path)
    assert found.differences[0].pointer == "/results/1/evidence/favorable_values"
    assert "where the parameters say ('0',)" in found.differences[0].message


def test_the_other_tests_are_recomputed_where_one_cannot_be(folder, small_run):
    document = json.loads(small_run.to_json())
    document["results"][0]["evidence"]["groups"][0]["n"] = "many"
    document["results"][1]["groups"][0]["ratio"] = 0.99
    path = folder / "results.json"
    path.write_text(to_text(document))
    pointers = [item.pointer for item in fr.verify(path).differences]
    assert pointers == ["/results/1/groups/0/ratio", "/results/0/evidence/groups/0/n"]


def test_a_wrong_parameter_is_named(folder, small_run):
    document = json.loads(small_run.to_json())
    document["results"][1]["parameters"]["alpha"]["value"] = 2
    document["results"][0]["analysis"] = "no_such_disparity"
    path = folder / "results.json"
    path.write_text(to_text(document))
    found = {item.pointer: item.message for item in fr.verify(path).differences}
    assert "strictly between 0 and 1" in found["/results/1/parameters/alpha"]
    assert "no kind of test" in found["/results/0/analysis"]


def with_versions(html, **other):
    files = files_of(html)
    manifest = json.loads(files["manifest.json"])
    manifest["versions"] |= other
    files["manifest.json"] = (json.dumps(manifest, ensure_ascii=False, indent=1) + "\n").encode()
    return with_files(html, files)


def test_numbers_of_other_versions_may_differ_in_the_last_digits(folder, small_run, small_html):
    document = json.loads(small_run.to_json())
    place = ("results", 1, "groups", 0, "ratio_ci_low")
    before = put(document, place, None)
    put(document, place, math.nextafter(before, 1))
    document["assumptions"][0]["text"] = "Worded otherwise."
    path = folder / "packet.html"
    page = with_versions(small_html, scipy="0.1").replace(fr.Report(small_run).packet_id, packet_id_of(document))
    path.write_text(with_results(page, document, hashes=True, identifier=True))
    found = fr.verify(path)
    assert found.differences == ()
    said = " ".join(found.remarks)
    assert "scipy 0.1 (here " in said
    assert "Sentences that this version words otherwise: 1." in said
    assert "not drawn again, because other versions drew them" in said
    put(document, place, before * (1 + 1e-6))
    path.write_text(with_results(page, document, hashes=True, identifier=True))
    assert "/results/1/groups/0/ratio_ci_low" in [item.pointer for item in fr.verify(path).differences]


def test_pages_of_other_versions_still_bear_the_packet_id(folder, small_html):
    path = folder / "packet.html"
    path.write_text(with_versions(small_html, matplotlib="0.1"))
    found = fr.verify(path)
    assert found.agrees
    assert found.checks[-1].text == "pages bear the packet id"
    without = with_versions(small_html, matplotlib="0.1").replace(found.packet_id, "0" * 12)
    path.write_text(without)
    assert "page" in [item.pointer for item in fr.verify(path).differences]
