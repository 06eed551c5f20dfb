"""Logo, colours, foot and language: what is taken, what is refused in one clear line, and that verify draws it again."""

import base64
import io
import json
import re
import zlib

import pypdf
import pytest
from PIL import Image, ImageFile, PngImagePlugin

import fairreport as fr
from fairreport.audit.readers.appearance import contrast
from fairreport.report.logo import read_logo
from fairreport.report.verify import verify

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 10">{}</svg>'


@pytest.fixture(scope="module")
def run(make_rows):
    about = {"prepared_by": 'Office "A" & <b>', "status": "final", "notes": ["<script>alert(1)</script>"]}
    audit = fr.Audit(make_rows([("F", 20, 60), ("M", 40, 60)]), title="Shortlist", about=about)
    return audit.outcome_disparity("sex", "hired", 1).run()


@pytest.fixture(scope="module")
def png(tmp_path_factory):
    path = tmp_path_factory.mktemp("logo") / "logo.png"
    comment = PngImagePlugin.PngInfo()
    comment.add_text("Comment", "made at 59.91 N 10.75 E")
    Image.new("RGBA", (300, 80), (106, 13, 43, 200)).save(path, pnginfo=comment)
    return path


def refused(**stated):
    with pytest.raises(fr.ConfigError) as caught:
        fr.Report(stated.pop("run"), **stated)
    assert "\n" not in str(caught.value)
    return caught.value


@pytest.mark.parametrize(
    ("color", "on_white"),
    # https://webaim.org/resources/contrastchecker/, each on #FFFFFF: the grey that just passes, and its neighbour.
    [("#767676", 4.54), ("#777777", 4.48), ("#0000ff", 8.59), ("#ff0000", 4.0), ("#ffffff", 1.0)],
)
def test_contrast_is_that_of_another_program(color, on_white):
    assert contrast(color, "#ffffff") == pytest.approx(on_white, abs=0.006)
    assert contrast("#ffffff", color) == contrast(color, "#ffffff")


def test_colours_take_the_place_of_ours(run):
    page = fr.Report(run, colors={"accent": "#6A0D2B", "link": "#713"}).html()
    assert "color:#6a0d2b" in page
    assert "a{color:#771133;}" in page
    assert "#12303c" not in page
    assert "#12303c" in fr.Report(run).html()


@pytest.mark.parametrize(
    ("colors", "code", "message"),
    [
        ({"accent": "#ffcc00"}, "low_contrast", "contrast of 1.38 on the shade of a table row; wanted at least 4.5"),
        ({"accent": "#777777"}, "low_contrast", "on the shade of a table row; wanted at least 4.5"),
        ({"acent": "#000000"}, "unknown_parameter", "Did you mean 'accent'?"),
        ({"link": "red"}, "bad_type", "must be a colour such as '#12303c'"),
        ({"link": "#000;} body{background:url(http://127.0.0.1:9)}"}, "bad_type", "must be a colour"),
        ({"link": 7}, "bad_type", "must be a colour"),
        ("#000000", "bad_type", "must be a mapping of names to colours"),
    ],
)
def test_a_colour_that_will_not_do_is_refused(run, colors, code, message):
    error = refused(run=run, colors=colors)
    assert (error.code, message in str(error)) == (code, True), str(error)


def test_every_page_bears_the_line_at_the_foot_and_a_final_one_no_mark(run):
    report = fr.Report(run, footer='Office of "A" \\ </style><b>}')
    pages = [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(report.pdf())).pages]
    assert all('Office of "A" \\ </style><b>}' in text for text in pages)
    assert not any("DRAFT" in text for text in pages)
    page = report.html()
    assert page.count("</style>") == 1
    assert "Office of &#34;A&#34; \\ &lt;/style&gt;&lt;b&gt;}" in page


@pytest.mark.heavy
def test_every_page_of_a_draft_says_so(make_rows):
    audit = fr.Audit(make_rows([("F", 20, 60), ("M", 40, 60)])).outcome_disparity("sex", "hired", 1)
    pages = [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(fr.Report(audit.run()).pdf())).pages]
    assert all("DRAFT" in text for text in pages)


def test_a_foot_that_is_too_long_is_refused(run):
    assert "has 81 characters; at most 80" in str(refused(run=run, footer="x" * 81))
    assert fr.Report(run, footer="  one\n line  ").html().count("one line") == 2


def test_another_language_is_refused(run):
    error = refused(run=run, language="no")
    assert "packets are written in English only; wanted en, got 'no'" in str(error)


@pytest.mark.parametrize("form", ["PNG", "JPEG"])
def test_a_raster_becomes_a_png_without_anything_else(run, png, tmp_path, form):
    path = tmp_path / "logo.bin"
    picture = Image.open(png)
    exif = Image.Exif()
    exif[0x010E] = "made at 59.91 N 10.75 E"
    (picture if form == "PNG" else picture.convert("CMYK")).save(path, form, exif=exif)
    page = fr.Report(run, logo=path).html()
    found = re.search(r'<img src="data:image/png;base64,([^"]+)" alt="([^"]+)">', page)
    content = base64.b64decode(found[1])
    assert b"59.91" not in content
    assert Image.open(io.BytesIO(content)).size == (300, 80)
    assert found[2] == "Logo of Office &#34;A&#34; &amp; &lt;b&gt;"


def test_a_large_picture_is_made_smaller(tmp_path):
    path = tmp_path / "large.png"
    Image.new("RGB", (5000, 400)).save(path)
    assert Image.open(io.BytesIO(read_logo(path).content)).size == (1600, 128)


def test_an_svg_keeps_its_drawing_and_loses_what_programs_note(run, tmp_path):
    path = tmp_path / "logo.svg"
    inside = (
        '<metadata>secret</metadata><x:view xmlns:x="http://x.example" x:a="secret"/><defs><linearGradient id="g" gradientUnits="userSpaceOnUse">'
        '<stop offset="0" stop-color="red"/></linearGradient></defs><rect width="9" height="9" fill="url(#g)"/>'
    )
    path.write_text("<?xml version='1.0'?>\n<!-- secret -->" + SVG.format(inside), "utf-8")
    page = fr.Report(run, logo=path).html()
    found = re.search(r'<img src="data:image/svg\+xml;base64,([^"]+)"', page)
    content = base64.b64decode(found[1]).decode()
    assert "secret" not in content
    assert 'fill="url(#g)"' in content


@pytest.mark.parametrize(
    ("inside", "message"),
    [
        ("<script>alert(1)</script>", "holds <script>"),
        ('<rect onclick="x()"/>', "<rect onclick>"),
        ('<image href="http://127.0.0.1:9/a.png"/>', "holds <image>"),
        ('<use xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="/etc/passwd#x"/>', "use"),
        ('<rect fill="url(http://127.0.0.1:9/a.svg#g)"/>', "url('http://127.0.0.1:9/a.svg#g')"),
        ('<rect style="fill:u\\72l(file:///etc/passwd)"/>', "url("),
        ("<style>@import 'http://127.0.0.1:9';</style>", "@import"),
        ("<style>@\\69mport 'http://127.0.0.1:9';</style>", "@import"),
        ('<a href="javascript:x()"><rect/></a>', "holds <a>"),
        ("<foreignObject><p xmlns='http://www.w3.org/1999/xhtml'>x</p></foreignObject>", "foreignObject"),
        ('<animate attributeName="href" values="javascript:x()"/>', "holds <animate>"),
        ('<defs><linearGradient id="g"/></defs><rect fill="url(#g)"/>', "a gradient in the units of its shapes"),
        ("<rect", "is no SVG"),
    ],
)
def test_an_svg_that_runs_or_fetches_is_refused(run, tmp_path, inside, message):
    path = tmp_path / "logo.svg"
    path.write_text(SVG.format(inside), "utf-8")
    error = refused(run=run, logo=path)
    assert error.errors[0].path == "logo"
    assert message in str(error), str(error)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\x89PNG\r\n\x1a\nrubbish", "damaged picture"),
        (b"GIF89a", "no picture that can be embedded; wanted a PNG, a JPEG or an SVG"),
        (b"", "no picture"),
        (b"%PDF-1.7", "no picture"),
        (b'<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;</svg>', "document type"),
        (b"<?xml version='1.0'?><html/>", "XML but no SVG"),
        (b"\x89PNG" + b"0" * 1_000_001, "1,000,005 bytes; at most 1,000,000"),
    ],
)
def test_a_wrong_file_is_one_clear_line(run, tmp_path, content, message):
    path = tmp_path / "logo.png"
    path.write_bytes(content)
    assert message in str(refused(run=run, logo=path))


def test_no_file_a_folder_and_a_huge_picture_are_one_clear_line(run, tmp_path):
    assert "there is no file" in str(refused(run=run, logo=tmp_path / "none.png"))
    assert "is a folder" in str(refused(run=run, logo=tmp_path))
    assert "cannot read" in str(refused(run=run, logo="a\x00b.png"))
    path = tmp_path / "wide.png"
    Image.new("1", (7000, 10)).save(path)
    assert "7,000 by 10 pixels; at most 6,000" in str(refused(run=run, logo=path))


def test_all_faults_are_told_at_once(run, tmp_path):
    error = refused(run=run, logo=tmp_path, footer="x" * 99, colors={"link": "red"}, templates=tmp_path / "none")
    assert [fault.path for fault in error.errors] == ["footer", "colors.link", "logo", "templates"]


@pytest.mark.parametrize("name", ["packet.html", pytest.param("packet.pdf", marks=pytest.mark.heavy)])
@pytest.mark.parametrize("paper", ["A4", "letter"])
def test_a_packet_with_looks_of_its_own_agrees(run, png, tmp_path, paper, name):
    looks = {"logo": png, "colors": {"accent": "#6a0d2b"}, "footer": "Office A · ελ"}
    report = fr.Report(run, paper=paper, **looks)
    assert report.packet_id == fr.Report(run).packet_id
    found = verify(report.save(tmp_path / name))
    assert found.agrees, found
    assert any("drawn again" in check.text for check in found.checks)


def test_looks_that_were_changed_are_found(run, png, tmp_path):
    report = fr.Report(run, logo=png, footer="Office A")
    (inside,) = (file.content for file in report.attachments if file.name == "presentation.json")
    forged = json.loads(inside) | {"footer": "Office B"}
    text = json.dumps(forged, ensure_ascii=False, indent=1).encode() + b"\n"
    path = tmp_path / "packet.html"
    page = report.html().replace(base64.b64encode(inside).decode(), base64.b64encode(text).decode())
    path.write_text(page, "utf-8")
    assert {"manifest.json", "packet.html"} <= {item.file for item in verify(path).differences}
    forged = json.loads(inside) | {"colors": {"accent": "red;}"}}
    page = report.html().replace(
        base64.b64encode(inside).decode(), base64.b64encode(json.dumps(forged).encode()).decode()
    )
    path.write_text(page, "utf-8")
    assert "presentation.json" in {item.file for item in verify(path).differences}


def test_a_packet_as_it_comes_has_no_file_on_its_looks(run):
    assert "presentation.json" not in [file.name for file in fr.Report(run).attachments]


@pytest.fixture
def filling_up():
    """Pillow as WeasyPrint leaves it for the whole process: what is missing of a picture is filled up with grey."""
    before = ImageFile.LOAD_TRUNCATED_IMAGES
    ImageFile.LOAD_TRUNCATED_IMAGES = True
    yield
    ImageFile.LOAD_TRUNCATED_IMAGES = before


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
@pytest.mark.parametrize("share", [0.3, 0.7, 0.95])
def test_a_picture_that_was_cut_is_refused_whatever_was_drawn_before(run, tmp_path, filling_up, kind, share):
    stream = io.BytesIO()
    Image.effect_noise((300, 80), 60).convert("RGB").save(stream, kind)
    whole = tmp_path / "whole"
    whole.write_bytes(stream.getvalue())
    assert read_logo(whole).media_type == "image/png"
    path = tmp_path / "cut"
    path.write_bytes(stream.getvalue()[: int(len(stream.getvalue()) * share)])
    assert "is a damaged picture" in str(refused(run=run, logo=path))
    assert ImageFile.LOAD_TRUNCATED_IMAGES is True


@pytest.mark.parametrize("size", [(6001, 1), (1, 6001), (6000, 6000), (4001, 4000), (60_000, 60_000)])
def test_a_picture_that_unpacks_to_far_too_much_is_refused(run, tmp_path, filling_up, size):
    def chunk(kind, body):
        return len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")

    wide, high = size
    head = chunk(b"IHDR", wide.to_bytes(4, "big") + high.to_bytes(4, "big") + bytes([1, 0, 0, 0, 0]))
    packed = zlib.compress(bytes((wide + 7) // 8 + 1) * min(high, 6001), 9)
    path = tmp_path / "large.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", packed) + chunk(b"IEND", b""))
    assert path.stat().st_size < 100_000
    said = str(refused(run=run, logo=path))
    assert "pixels; at most 6,000 either way, and 16,000,000 in all" in said or "is a damaged picture" in said


JUNK = [3, 2.5, True, b"x", object(), ["a"], {1: 2}]
ARGUMENTS = ("about", "preset", "paper", "profile", "suppress_below", "previous", "trends", "logo", "colors", "footer")


@pytest.mark.parametrize("name", [*ARGUMENTS, "templates", "language"])
@pytest.mark.parametrize("junk", JUNK, ids=lambda it: type(it).__name__)
def test_an_argument_of_another_type_is_named_in_one_line(run, name, junk):
    if name == "suppress_below" and junk == 3:
        junk = "3"
    error = refused(run=run, **{name: junk})
    assert {fault.path.partition(".")[0] for fault in error.errors} == {name}


def test_a_place_that_is_no_path_is_one_line(run):
    for junk in (3, None, b"x.pdf", []):
        with pytest.raises(fr.ConfigError, match="path: must be a path, got"):
            fr.Report(run).save(junk)
