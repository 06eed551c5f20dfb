"""Whatever is changed in a document is found, with the hashes set right again or not."""

import base64
import copy
import io
import json
import math
import re
from dataclasses import replace
from hashlib import sha256

import pytest
from hypothesis import HealthCheck, Phase, assume, example, given, settings
from hypothesis import strategies as st
from pypdf import PdfWriter
from pypdf.generic import ArrayObject, DecodedStreamObject, NameObject, StreamObject

import fairreport as fr
from fairreport.audit.document import to_text
from fairreport.report import packet_files
from fairreport.report.attachments import Attachment, seal_of, software_versions
from fairreport.report.html import Medium, Paper, packet_html
from fairreport.report.packet_id import packet_id_of
from fairreport.report.packet_view import view_packet
from fairreport.report.pdf import write_pdf
from fairreport.report.verify_drawing import verification_text
from fairreport.report.verify_otherwise import Shown, judge_printed
from fairreport.report.verify_versions import Alike

STATED = re.compile(
    r"/(title|created|about)\b|/data/(counts|missing_values)\b"
    r"|/results/\d+/(name|description|rationale|threshold_source|ignored|parameters|default_threshold)\b"
    r"|/results/\d+/thresholds/\d+/value"
)
"""What a results.json by itself leaves to its author."""

VERSIONS = [
    *("fairreport", "numpy", "matplotlib"),
    *(pytest.param(name, marks=pytest.mark.heavy) for name in ("python", "scipy", "duckdb", "weasyprint")),
]
"""What a manifest names: what words the page, what computes and what draws, and others of the last two kinds."""

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


NO_SHRINKING = (Phase.explicit, Phase.reuse, Phase.generate)
"""Every example verifies a packet; the leaf that was found tells enough."""

PICKS = st.integers(0, 2**32)
"""Which of some things, counted around: what is drawn does not hang on the document."""


def picked(among, pick):
    return among[pick % len(among)]


def tampered(document, among, leaf, other):
    """Return the path of a leaf, and the document with another value there."""
    found = copy.deepcopy(document)
    path = picked(among, leaf)
    put(found, path, picked(others(put(found, path, None)), other))
    return path, found


def tampered_digit(text, places, place, other):
    """Return a text with another digit at one of some places."""
    at = picked(places, place)
    return text[:at] + picked([it for it in "0123456789" if it != text[at]], other) + text[at + 1 :]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("tampered")


@pytest.mark.parametrize("name", ["small_run", "mixed_run", "gap_run"])
@settings(max_examples=12, deadline=None, phases=NO_SHRINKING, suppress_health_check=list(HealthCheck))
@given(leaf=PICKS, other=PICKS)
def test_a_changed_leaf_of_the_results_is_found_by_itself(name, leaf, other, folder, request):
    document = json.loads(request.getfixturevalue(name).to_json())
    among = [path for path in leaves(document) if not STATED.match("".join(f"/{key}" for key in path))]
    place, found = tampered(document, among, leaf, other)
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


@settings(max_examples=6, deadline=None, phases=NO_SHRINKING, suppress_health_check=list(HealthCheck))
@given(leaf=PICKS, other=PICKS, hashes=st.booleans(), identifier=st.booleans())
def test_a_changed_leaf_of_a_packet_is_found_whatever_else_is_set_right(
    leaf, other, hashes, identifier, folder, small_run, small_html
):
    document = json.loads(small_run.to_json())
    place, found = tampered(document, list(leaves(document)), leaf, other)
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


@settings(max_examples=4, deadline=None, phases=NO_SHRINKING, suppress_health_check=list(HealthCheck))
@given(place=PICKS, other=PICKS)
def test_a_changed_digit_of_the_page_is_found(place, other, folder, small_html):
    body = small_html.index("<body>")
    hidden = [range(*match.span()) for match in LINK.finditer(small_html)]
    digits = [body + match.start() for match in re.finditer(r"[0-9]", small_html[body:])]
    places = [it for it in digits if not any(it in span for span in hidden)]
    path = folder / "packet.html"
    path.write_text(tampered_digit(small_html, places, place, other), encoding="utf-8")
    found = fr.verify(path)
    assert not found.agrees
    assert found.differences[-1].file == "packet.html"
    assert "one line differs" in found.differences[-1].message


def test_a_pdf_that_shows_another_number_is_found(folder, make_rows):
    run = fr.Audit(make_rows([("F", 8, 60), ("M", 36, 60)])).outcome_disparity("sex", "hired", 1).run()
    report = fr.Report(run)
    text = packet_html(report._view(()), medium=Medium.PDF, paper=Paper.A4)
    shown = text.index(">0.222<") + 1
    path = folder / "packet.pdf"
    changed = text[:shown] + "0.922" + text[shown + 5 :]
    path.write_bytes(write_pdf(changed, report.attachments, created=None))
    found = fr.verify(path)
    assert not found.agrees
    assert [check.passed for check in found.checks] == [True, True, True, False]
    assert found.differences[0].pointer.startswith("page ")
    assert "0.922" in found.differences[0].stated


def painted(pdf, number, drawing):
    """Return a PDF with something drawn over one of its pages."""
    writer = PdfWriter(clone_from=io.BytesIO(pdf))
    stream = DecodedStreamObject()
    stream.set_data(drawing)
    page = writer.pages[number]
    before = page[NameObject("/Contents")]
    listed = list(before) if isinstance(before, ArrayObject) else [page.raw_get("/Contents")]
    page[NameObject("/Contents")] = ArrayObject([*listed, writer._add_object(stream)])
    return saved(writer)


def saved(writer):
    stream = io.BytesIO()
    writer.write(stream)
    return stream.getvalue()


@pytest.mark.heavy
def test_a_pdf_that_is_drawn_over_does_not_agree(folder, small_run, small_pdf):
    path = folder / "packet.pdf"
    path.write_bytes(painted(small_pdf, 1, b"q 1 1 1 rg 0 0 600 850 re f Q"))
    found = fr.verify(path)
    assert not found.agrees
    assert (found.exit_code, found.not_judged[0].what) == (3, "how the pages look")


@pytest.mark.heavy
def test_a_pdf_with_another_font_inside_does_not_agree(folder, small_pdf):
    writer = PdfWriter(clone_from=io.BytesIO(small_pdf))
    fonts = [it for it in writer._objects if isinstance(it, StreamObject) and "/Length1" in it]
    data = bytearray(fonts[0].get_data())
    data[len(data) // 2] ^= 1
    fonts[0].set_data(bytes(data))
    path = folder / "packet.pdf"
    path.write_bytes(saved(writer))
    assert not fr.verify(path).agrees


@pytest.mark.heavy
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


def manifest_of(html):
    return files_of(html)["manifest.json"]


def with_manifest(html, manifest, *, sealed=True, shown=True):
    """An HTML packet with another manifest inside, its seal and its hash on the page set right or not."""
    if sealed:
        manifest = manifest | {"sealed": seal_of(manifest)}
    text = (json.dumps(manifest, ensure_ascii=False, indent=1) + "\n").encode()
    page = with_files(html, files_of(html) | {"manifest.json": text})
    return listing(page, files_of(html)) if shown else page


def listing(page, before):
    """A page whose list of attachments has the sizes and hashes of those inside, and no longer those of before."""
    for name, content in files_of(page).items():
        old, new = (
            f'<td class="num">{len(it):,}</td><td class="code hash">{sha256(it).hexdigest()}</td>'
            for it in (before[name], content)
        )
        assert old in page
        page = page.replace(old, new)
    return page


def with_versions(html, *, told=True, **other):
    """An HTML packet of other versions, as these would have made it; `told` on the page as well."""
    manifest = json.loads(manifest_of(html))
    page = with_manifest(html, manifest | {"versions": manifest["versions"] | other})
    for name, text in other.items() if told else ():
        page = page.replace(f"<td>{manifest['versions'][name]}</td>", f"<td>{text}</td>", 1)
        if name == "fairreport":
            page = page.replace(f"fairreport {manifest['versions'][name]}", f"fairreport {text}", 1)
    return page


@settings(max_examples=4, deadline=None, phases=NO_SHRINKING, suppress_health_check=list(HealthCheck))
@given(place=PICKS, other=PICKS)
def test_a_changed_digit_of_the_manifest_is_found(place, other, folder, small_html):
    text = manifest_of(small_html).decode()
    digits = [match.start() for match in re.finditer("[0-9]", text)]
    changed = tampered_digit(text, digits, place, other).encode()
    path = folder / "packet.html"
    path.write_text(with_files(small_html, files_of(small_html) | {"manifest.json": changed}), encoding="utf-8")
    found = fr.verify(path)
    assert found.exit_code == 1
    assert "manifest.json" in {item.file for item in found.differences}


@settings(max_examples=4, deadline=None, phases=NO_SHRINKING, suppress_health_check=list(HealthCheck))
@given(leaf=PICKS, other=PICKS, shown=st.booleans())
@example(leaf=("data", "file_sha256"), other=0, shown=True)
@example(leaf=("data", "file_sha256"), other="", shown=True)
@example(leaf=("data", "file_sha256_absent"), other="", shown=True)
@example(leaf=("versions", "numpy"), other=" 1.2.3", shown=True)
def test_a_changed_leaf_of_the_manifest_is_found_with_its_seal_set_right(leaf, other, shown, folder, small_html):
    manifest = json.loads(manifest_of(small_html))
    among = [path for path in leaves(manifest) if path != ("sealed",)]
    if isinstance(leaf, tuple):
        place, found = leaf, copy.deepcopy(manifest)
        put(found, leaf, other)
    else:
        place, found = tampered(manifest, among, leaf, other)
    path = folder / "packet.html"
    path.write_text(with_manifest(small_html, found, shown=shown), encoding="utf-8")
    assert not fr.verify(path).agrees, place


@pytest.mark.parametrize("name", VERSIONS)
def test_an_edited_page_beside_an_edited_version_is_found(name, folder, small_html):
    path = folder / "packet.html"
    page = with_versions(small_html, **{name: "9.9.1"})
    assert page.count("9.9.1") == (2 if name == "fairreport" else 1)
    path.write_text(page.replace(">0.222<", ">0.922<"), encoding="utf-8")
    found = fr.verify(path)
    assert (found.agrees, found.exit_code) == (False, 1)
    assert "0.922" in " ".join(str(item.stated) for item in found.differences)
    path.write_text(with_versions(small_html, told=False, **{name: "9.9.1"}), encoding="utf-8")
    assert fr.verify(path).exit_code == 1


@pytest.mark.parametrize("name", VERSIONS)
def test_a_page_of_other_versions_that_is_drawn_alike_agrees(name, folder, small_html):
    path = folder / "packet.html"
    path.write_text(with_versions(small_html, **{name: "9.9.1"}), encoding="utf-8")
    found = fr.verify(path)
    assert (found.differences, found.not_judged) == ((), ())
    assert found.checks[-1].text == "the page, drawn again: the same bytes"


@pytest.mark.parametrize(
    "old",
    [
        "below 0.80, significant",
        *(pytest.param(it, marks=pytest.mark.heavy) for it in ("<bdi>north</bdi>", "not one finding")),
    ],
)
def test_other_words_of_another_fairreport_are_not_judged_and_said_first(old, folder, small_html):
    path = folder / "packet.html"
    page = with_versions(small_html, fairreport="9.9.1")
    path.write_text(page.replace(old, "worded otherwise").replace("<h2>", "<h2>Part "), encoding="utf-8")
    found = fr.verify(path)
    assert (found.agrees, found.exit_code, found.differences) == (False, 3, ())
    assert (
        verification_text(found).splitlines()[1].startswith("Not all was judged: the figures agree with the evidence,")
    )
    assert "fairreport==9.9.1" in found.not_judged[0].reason
    path.write_text(page.replace("<style>", "<style>td { color: red }"), encoding="utf-8")
    found = fr.verify(path)
    assert [item.what for item in found.not_judged] == ["how the page looks"]
    assert found.exit_code == 3


def test_other_words_beside_another_numpy_differ(folder, small_html):
    path = folder / "packet.html"
    page = with_versions(small_html, numpy="9.9.1")
    path.write_text(page.replace("below 0.80, significant", "at or above 0.80", 1), encoding="utf-8")
    assert fr.verify(path).exit_code == 1
    path.write_text(page.replace("<style>", "<style>td { color: red }"), encoding="utf-8")
    assert fr.verify(path).exit_code == 1


def test_figures_of_another_matplotlib_agree_where_they_lie_alike(folder, small_html):
    path = folder / "packet.html"
    page = with_versions(small_html, matplotlib="9.9.1")
    figure = page.index('<svg role="img"')
    x, after = re.compile(r' x="(\d+\.\d+)"').search(page, figure), page.index("</svg>", figure)
    assert x.end() < after
    for moved, code in ((0.25, 0), (25.0, 3)):
        number = f"{float(x[1]) + moved:.6f}".rstrip("0")
        path.write_text(f"{page[: x.start(1)]}{number}{page[x.end(1) :]}", encoding="utf-8")
        found = fr.verify(path)
        assert found.exit_code == code, found
        assert [item.what for item in found.not_judged] == (["the drawing of figures"] if code else [])


def test_the_table_of_groups_is_held_against_the_evidence_whatever_the_versions(folder, small_html):
    path = folder / "packet.html"
    files = files_of(small_html)
    old = re.search(rb"0\.\d{8,}", files["groups.csv"])[0]
    for new, code in ((old[:-1] + bytes([old[-1] ^ 1]), 0), (old[:4] + bytes([old[4] ^ 1]) + old[5:], 1)):
        changed = files["groups.csv"].replace(old, new, 1)
        page = with_files(small_html, files | {"groups.csv": changed})
        before, after = (sha256(it).hexdigest().encode() for it in (files["groups.csv"], changed))
        manifest = json.loads(files["manifest.json"].replace(before, after))
        page = with_versions(with_manifest(listing(page, files), manifest), scipy="9.9.1")
        path.write_text(page, encoding="utf-8")
        found = fr.verify(path)
        assert found.exit_code == code, found
        assert ["groups.csv"] * code == [item.file for item in found.differences]


def test_numbers_of_other_versions_may_differ_in_the_last_digits(folder, small_run, small_html):
    document = json.loads(small_run.to_json())
    place = ("results", 1, "groups", 0, "ratio_ci_low")
    before = put(document, place, None)
    put(document, place, math.nextafter(before, 1))
    path = folder / "packet.html"

    def verified(**versions):
        page = with_results(small_html, document, hashes=True, identifier=True)
        page = page.replace(fr.Report(small_run).packet_id, packet_id_of(document))
        page = listing(page, files_of(small_html))
        path.write_text(with_versions(page, **versions), encoding="utf-8")
        return fr.verify(path)

    found = verified(scipy="0.1")
    assert (found.differences, found.not_judged) == ((), ())
    assert "scipy 0.1 (here " in " ".join(found.remarks)
    assert verified().exit_code == 1
    document["assumptions"][0]["text"] = "Worded otherwise."
    assert "/assumptions/0/text" in [item.pointer for item in verified(scipy="0.1").differences]
    found = verified(fairreport="0.0.1")
    assert "sentences of the results" in [item.what for item in found.not_judged]
    assert found.exit_code == 3
    put(document, place, before * (1 + 1e-6))
    assert "/results/1/groups/0/ratio_ci_low" in [item.pointer for item in verified(scipy="0.1").differences]


def test_pages_that_bear_another_packet_id_differ_whatever_drew_them(folder, small_html):
    path = folder / "packet.html"
    identifier = json.loads(manifest_of(small_html))["packet_id"]
    page = with_versions(small_html, matplotlib="0.1")
    path.write_text(page.replace(f"Packet {identifier}", f"Packet {'0' * 12}"), encoding="utf-8")
    assert fr.verify(path).exit_code == 1


@pytest.fixture
def printed(small_run, folder):
    """Write a PDF of other versions, with words of its page replaced or not, and verify it."""

    def write(old="", new="", **versions):
        report = fr.Report(small_run)
        inside = {file.name: file for file in report.attachments}
        manifest = json.loads(inside["manifest.json"].content)
        manifest["versions"] |= versions
        manifest["sealed"] = seal_of(manifest)
        content = (json.dumps(manifest, ensure_ascii=False, indent=1) + "\n").encode()
        files = tuple(
            replace(file, content=content) if file.name == "manifest.json" else file for file in inside.values()
        )
        view = view_packet(
            small_run.record,
            packet_id=report.packet_id,
            attachments=files,
            data_file=report._data_file,
            unprintable=(),
            versions=manifest["versions"],
        )
        text = packet_html(view, medium=Medium.PDF, paper=Paper.A4)
        assert old in text
        path = folder / "packet.pdf"
        path.write_bytes(write_pdf(text.replace(old, new), files, created=small_run.record.created))
        return fr.verify(path)

    return write


@pytest.mark.heavy
def test_a_pdf_of_other_versions_is_judged_by_its_numbers(printed):
    found = printed(scipy="9.9.1")
    assert (found.exit_code, found.differences) == (0, ())
    found = printed(">0.222<", ">0.922<", fairreport="9.9.1")
    assert (found.exit_code, found.checks[-1].text) == (1, "the text of the pages, drawn again")
    assert {item.stated for item in found.differences} == {"'0.922'"}


@pytest.fixture(scope="module")
def pages(small_pdf):
    return packet_files.pages_of(small_pdf)


@pytest.mark.parametrize("name", ["fairreport", "scipy"])
def test_a_pdf_of_other_versions_is_judged_by_its_words(name, pages):
    changed = tuple(page.replace("Population: the rows", "Population: all of the rows") for page in pages)
    assert changed != pages
    ours = software_versions()
    shown = Shown(name="a.pdf", alike=Alike(stated=ours | {name: "9.9.1"}, ours=ours))
    found = judge_printed(shown, changed, pages, is_covered=True)
    if name == "fairreport":
        assert (found.differences, "all of" in found.not_judged[0].reason) == ((), True)
    else:
        assert (found.not_judged, "all of" in found.differences[0].stated) == ((), True)


def test_a_pdf_whose_pages_break_elsewhere_agrees_by_its_words(pages):
    feet = [page.rpartition("\n")[2] for page in pages]
    assert all(re.fullmatch(r"Packet \w{12} Page \d+ of \d+", foot) for foot in feet)
    shown = Shown(name="a.pdf", alike=Alike(stated={"weasyprint": "1"}, ours={"weasyprint": "2"}))
    moved = (*pages[:3], pages[3] + "\n" + pages[4], *pages[5:])
    found = judge_printed(shown, pages, moved, is_covered=True)
    assert not found.differences
    other = tuple(page.replace("0.222", "0.922") for page in moved)
    assert judge_printed(shown, pages, other, is_covered=True).differences


@pytest.mark.heavy
def test_a_number_beside_a_name_that_no_packaged_font_prints_is_judged(folder, make_rows):
    run = fr.Audit(make_rows([("日本語", 8, 60), ("Größe", 30, 60)])).outcome_disparity("sex", "hired", 1).run()
    report = fr.Report(run)
    path = folder / "packet.pdf"
    text = report._printed()
    assert ">0.133<" in text
    path.write_bytes(write_pdf(text.replace(">0.133<", ">0.433<"), report.attachments, created=None))
    found = fr.verify(path)
    assert found.exit_code == 1
    assert "'0.433'" in {item.stated for item in found.differences}
    path.write_bytes(write_pdf(text.replace("below 0.80", "above 0.80"), report.attachments, created=None))
    assert fr.verify(path).exit_code == 3


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b'{"a": NaN}', b'{"results": []}', b'{"schema_version": 1, "results": 3}', b"\xff"]
)
@pytest.mark.parametrize("name", ["results.json", "manifest.json"])
def test_a_file_of_a_packet_that_cannot_be_read_is_a_difference(name, content, folder, small_html):
    path = folder / "packet.html"
    path.write_text(with_files(small_html, files_of(small_html) | {name: content}), encoding="utf-8")
    found = fr.verify(path)
    assert found.exit_code == 1
    assert name in {item.file for item in found.differences}
    json.dumps(found.to_dict(), allow_nan=False)
    assert repr(found)


@settings(max_examples=4, deadline=None, phases=NO_SHRINKING, suppress_health_check=list(HealthCheck))
@given(
    way=st.lists(PICKS, min_size=1, max_size=6),
    junk=st.sampled_from([None, True, 0, -1, 10**30, "x", [], {}, [None], {"a": 1}, "absent"]),
)
def test_junk_in_the_results_of_a_packet_is_a_difference(way, junk, folder, small_run, small_html):
    document = json.loads(small_run.to_json())
    holder, key = document, picked(sorted(document), way[0])
    for step in way[1:]:
        if not (isinstance(holder[key], (dict, list)) and holder[key]):
            break
        holder = holder[key]
        key = picked(sorted(holder) if isinstance(holder, dict) else range(len(holder)), step)
    assume(holder[key] != junk or type(holder[key]) is not type(junk))
    if junk == "absent":
        del holder[key]
    else:
        holder[key] = junk
    path = folder / "packet.html"
    path.write_text(with_results(small_html, document, hashes=True, identifier=True), encoding="utf-8")
    found = fr.verify(path)
    assert found.exit_code == 1
    assert repr(found)
