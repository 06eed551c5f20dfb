"""Templates of the user's own: they take our place, see what ours see, and neither read, change nor fetch anything."""

import io

import pypdf
import pytest

import fairreport as fr
from fairreport.report.verify import verify


@pytest.fixture(scope="module")
def run(make_rows):
    return fr.Audit(make_rows([("F", 20, 60), ("<i>M", 40, 60)])).outcome_disparity("sex", "hired", 1).run()


@pytest.fixture
def put(tmp_path):
    def write(text, name="packet/cover.html"):
        path = tmp_path / "templates" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return tmp_path / "templates"

    return write


def refused(run, folder):
    with pytest.raises(fr.ConfigError) as caught:
        fr.Report(run, templates=folder).html()
    assert "\n" not in str(caught.value)
    assert caught.value.errors[0].path == "templates"
    return str(caught.value)


COVER = """<header class="cover"><h1 data-short="{{ packet.run.title.short }}">Ours: {{ packet.run.title.text }}</h1>
<p>{{ packet.packet_id }} {% for test in packet.results %}{% for row in test.table.rows %}{{ row.group[0].text }} {% endfor %}{% endfor %}</p>
{% include "own/part.html" %}</header>"""


def test_one_of_the_same_name_takes_the_place_of_ours(run, put):
    put("<p>a part of its own, {{ packet.origin }}</p>", "own/part.html")
    report = fr.Report(run, templates=put(COVER))
    page = report.html()
    assert "Ours: Fairness audit" in page
    assert "a part of its own, NOT STATED" in page
    assert "&lt;i&gt;M" in page
    assert "Disparity audit packet" not in page
    assert 'id="robustness"' in page


@pytest.mark.parametrize("name", ["packet.html", pytest.param("packet.pdf", marks=pytest.mark.heavy)])
def test_verify_says_that_the_pages_were_not_compared(run, put, tmp_path, name):
    put("<p>part</p>", "own/part.html")
    report = fr.Report(run, templates=put(COVER))
    found = verify(report.save(tmp_path / name))
    assert (found.agrees, found.exit_code, found.differences) == (False, 3, ())
    (left,) = found.not_judged
    assert (left.what, left.reason) == (
        "the pages",
        "templates of the user's own drew them, and nothing is known of them",
    )
    assert not any("drawn again" in check.text for check in found.checks)


def test_what_was_read_is_what_is_drawn_whatever_becomes_of_the_folder(run, put):
    folder = put("<p>first</p>")
    report = fr.Report(run, templates=folder)
    put("<p>second</p>")
    assert "<p>first</p>" in report.html()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\n{% if %}", "packet/cover.html, line 2:"),
        ("a\n\n{{ packet.nothing }}", "packet/cover.html, line 3:"),
        ("{{ nothing }}", "packet/cover.html, line 1: 'nothing' is undefined"),
        ("a\n{{ 1 / 0 }}", "packet/cover.html, line 2: ZeroDivisionError"),
        ("{% include '../../etc/passwd' %}", "packet/cover.html, line 1:"),
        ("{% include '/etc/passwd' %}", "packet/cover.html, line 1:"),
        ("{{ style('../../../../../../../etc/passwd') }}", "is no style sheet of the package"),
        ("{{ packet.__class__.__mro__ }}", "packet/cover.html, line 1:"),
        ("{{ packet.run.__init__.__globals__ }}", "packet/cover.html, line 1:"),
        ("{{ ''|attr('__class__') }}", "packet/cover.html, line 1:"),
        ("{{ '{0.__class__}'.format(packet) }}", "packet/cover.html, line 1:"),
        ("{{ sections.append(1) }}", "packet/cover.html, line 1:"),
        ("{% set packet.origin = 'PRODUCTION' %}", "packet/cover.html, line 1:"),
        ("{% for i in range(10000000) %}{% endfor %}", "packet/cover.html, line 1:"),
        ("{{ cycler.__init__.__globals__.os.system('true') }}", "packet/cover.html, line 1:"),
        ("{% import 'os' as os %}", "packet/cover.html, line 1:"),
    ],
)
def test_what_goes_wrong_is_one_line_with_file_and_line(run, put, text, message):
    assert message in refused(run, put(text))


def test_a_fault_in_a_part_names_the_part(run, put):
    put("one\ntwo {{ nope }}", "own/part.html")
    assert "own/part.html, line 2: 'nope' is undefined" in refused(run, put(COVER))


FETCHING = [
    "<img src=file:///etc/passwd>",
    "<style>@import 'http://127.0.0.1:9/x.css';</style>",
    "<style>p{background:u\\72l(http://127.0.0.1:9/x)}</style>",
    "<script>fetch('http://127.0.0.1:9')</script>",
    "<svg><image xlink:href='http://127.0.0.1:9/x'/></svg>",
    "<p onclick=x()>x</p>",
]
FETCHING_OTHERWISE = [
    "<img src='//127.0.0.1:9/x.png'>",
    "<img src='relative.png'>",
    "<img srcset='http://127.0.0.1:9/x 2x'>",
    "<link rel=stylesheet href=http://127.0.0.1:9/x.css>",
    "<p style='background:url(/etc/passwd)'>x</p>",
    "<svg><script>1</script></svg>",
    "<svg><rect fill='url(http://127.0.0.1:9/x#a)'/></svg>",
    "<a href='java\tscript:x()'>x</a>",
    "<iframe src='data:text/html,x'></iframe>",
    "<object data='file:///etc/passwd'></object>",
    "<base href='http://127.0.0.1:9/'>",
    "<meta http-equiv=refresh content='0;url=http://127.0.0.1:9'>",
    "<form action='http://127.0.0.1:9'></form>",
    "<video poster='http://127.0.0.1:9/x'></video>",
]


@pytest.mark.parametrize(
    "text", [*FETCHING, *(pytest.param(text, marks=pytest.mark.heavy) for text in FETCHING_OTHERWISE)]
)
def test_a_page_that_would_fetch_or_run_is_refused(run, put, text):
    assert "a packet fetches and runs nothing" in refused(run, put(text))


def test_links_to_follow_and_pictures_inside_stay(run, put):
    text = "<p><a href='https://example.org/policy'>policy</a> <img alt='' src='data:image/gif;base64,R0lGODlhAQABAAAAACw='></p>"
    assert "https://example.org/policy" in fr.Report(run, templates=put(text)).html()


def test_a_name_that_is_none_has_the_nearest_one(run, put):
    assert (
        "'packet/covr.html' is no template of a packet, nor below 'own/'. Did you mean 'packet/cover.html'?"
        in refused(run, put("x", "packet/covr.html"))
    )


def test_a_template_beside_its_folder_has_the_nearest_one(run, put):
    assert "Did you mean 'packet/cover.html'?" in refused(run, put("x", "cover.html"))


def test_macros_of_the_notebook_are_not_replaced(run, put):
    assert "'macros/words.html' is no template of a packet" in refused(run, put("x", "macros/words.html"))


@pytest.mark.parametrize("kind", ["file", "folder", "loop"])
def test_a_link_that_leads_out_is_not_followed(run, put, tmp_path, kind):
    secret = tmp_path / "secret.html"
    secret.write_text("secret", "utf-8")
    folder = put("x", "own/part.html")
    if kind == "folder":
        (folder / "packet").symlink_to(tmp_path, target_is_directory=True)
    else:
        (folder / "packet").mkdir()
        link = folder / "packet" / "cover.html"
        link.symlink_to(secret if kind == "file" else link)
    assert "secret" not in refused(run, folder).replace("secret.html", "")


def test_a_link_inside_the_folder_is_read(run, put):
    folder = put("<p>linked</p>", "own/part.html")
    (folder / "packet").mkdir()
    (folder / "packet" / "cover.html").symlink_to(folder / "own" / "part.html")
    assert "<p>linked</p>" in fr.Report(run, templates=folder).html()


def test_what_is_no_folder_of_templates_is_one_clear_line(run, put, tmp_path):
    assert "does not exist; wanted a folder" in refused(run, tmp_path / "none")
    assert "holds no template" in refused(run, tmp_path)
    folder = put("x" * 1_000_001)
    assert "has 1,000,001 bytes; a template has at most 1,000,000" in refused(run, folder)
    (folder / "packet" / "cover.html").write_bytes(b"\xff\xfe")
    assert "is no text in UTF-8" in refused(run, folder)
    assert "is a file; wanted a folder" in refused(run, folder / "packet" / "cover.html")
    (tmp_path / "own").mkdir()


@pytest.mark.heavy
def test_characters_without_a_font_in_a_template_are_spelt_out(run, put):
    report = fr.Report(run, templates=put("<header><h1 data-short='x'>Ours: \U000e0041\U0010fff0</h1></header>"))
    assert "\U0010fff0" in report.unprintable
    text = pypdf.PdfReader(io.BytesIO(report.pdf())).pages[0].extract_text()
    assert "Ours: " in text
    assert "[U+10FFF0]" in text
