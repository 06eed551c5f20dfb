"""How a PDF is made: what is left out on the way changes no byte, and what is put right is in the file."""

import base64
import io
import re
import subprocess
import sys
import zlib
from xml.etree import ElementTree as ET

import pypdf
import pytest
import tinyhtml5
import weasyprint.css
from PIL import Image

import fairreport as fr
from fairreport.report import pdf as pdf_module
from fairreport.report import pdf_finisher
from fairreport.report.figure_lines import without_bare_groups
from fairreport.report.html import Medium, Paper, packet_html
from fairreport.report.pdf import pdf_engine, write_pdf
from fairreport.report.pdf_styles import lean_document
from fairreport.report.pdf_tree import tree_of

PAGE = """<!doctype html><html lang="en"><head><title>t</title><style>{style}</style></head><body>
<h1>Head</h1><p>Text <b>bold</b> &amp; <i>slanted</i>.<span class="note">At the foot.</span></p>
<ul><li>one<ol><li>two</ol><li>three</ul><div class="item">four</div>
<table><thead><tr><th scope="col">a</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table></body></html>"""
STYLES = ("", ".note{float:footnote}", ".item{display:list-item;margin-left:2em}", "i::before{content:'x'}")


def whole(_engine, html, *, tree=None, **settings):
    return _engine.HTML(string=html, **settings)


@pytest.mark.parametrize("style", [STYLES[0], *(pytest.param(style, marks=pytest.mark.heavy) for style in STYLES[1:])])
def test_rules_that_no_packet_uses_change_no_byte(style, monkeypatch):
    html = PAGE.format(style=style)
    lean = write_pdf(html, [], created=None)
    monkeypatch.setattr(pdf_module, "lean_document", whole)
    assert write_pdf(html, [], created=None) == lean


def test_no_element_has_styles_of_notes(monkeypatch):
    made = []

    class Spy(weasyprint.css.ComputedStyle):
        def __init__(self, parent_style, cascaded, pseudo_type, *arguments):
            made.append(pseudo_type)
            super().__init__(parent_style, cascaded, pseudo_type, *arguments)

    monkeypatch.setattr(weasyprint.css, "ComputedStyle", Spy)
    lean_document(pdf_engine(), PAGE.format(style="")).render()
    pseudo = [kind for kind in made if isinstance(kind, str) and not kind.startswith(("@", ":"))]
    assert pseudo.count("marker") == 3
    assert not [kind for kind in pseudo if "note" in kind]


def test_folded_pages_change_no_byte(monkeypatch):
    html = PAGE.format(style="")
    folded = write_pdf(html, [], created=None)
    monkeypatch.setattr(pdf_module, "fold_painted_pages", lambda _: None)
    assert write_pdf(html, [], created=None) == folded


def test_painted_pages_are_one_piece_of_bytes(monkeypatch):
    pieces = []
    finish = pdf_module.finish_pdf

    def look(document, pdf):
        pieces.extend(len(item.stream) for item in pdf.objects if type(item).__module__ == "weasyprint.pdf.stream")
        finish(document, pdf)

    monkeypatch.setattr(pdf_module, "finish_pdf", look)
    write_pdf(PAGE.format(style=""), [], created=None)
    assert pieces == [1]


def test_no_image_asks_for_smoothing():
    """As PDF/A wants it: ISO 19005-3, 6.2.8. Pictures of an emoji font are such images too."""
    drawn = io.BytesIO()
    Image.new("RGBA", (3, 2), (200, 10, 10, 120)).save(drawn, "PNG")
    address = f"data:image/png;base64,{base64.b64encode(drawn.getvalue()).decode()}"
    html = PAGE.format(style="").replace("<h1>", f'<img alt="red" src="{address}"><h1>')
    images, pending = [], list(pypdf.PdfReader(io.BytesIO(write_pdf(html, [], created=None))).pages)
    for page in pending:
        for found in page["/Resources"]["/XObject"].values():
            images += [found.get_object(), found.get_object()["/SMask"].get_object()]
    assert len(images) == 2
    assert all(str(image["/Interpolate"]) == "False" for image in images)


def test_a_figure_without_bare_groups_draws_the_same(make_rows):
    run = fr.Audit(make_rows([("F", 20, 60), ("M", 40, 60)])).outcome_disparity("sex", "hired", 1).run()
    svg = re.search(r"<svg.*?</svg>", fr.Report(run).html(), flags=re.DOTALL)[0]

    def drawn(text):
        return [
            (item.tag, {name: value for name, value in item.attrib.items() if "rotate(-0" not in value}, item.text)
            for item in ET.fromstring(text).iter()
            if item.tag != "{http://www.w3.org/2000/svg}g"
        ]

    lean = without_bare_groups(svg)
    assert drawn(lean) == drawn(svg)
    assert lean.count("<g") < svg.count("<g") / 4


CLOSED = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>t</title><style>b > i {color:red}</style></head>
<body><h1 data-short="a &amp; b">Head</h1><p>Text <b>bold <i>x</i></b> &lt;a&gt; &amp;<br>next.</p><hr>
<table><colgroup><col style="width:40%"><col></colgroup><tbody><tr><th scope="row">a</th><td>1</td></tr></tbody></table>
<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" viewBox="0 0 9 9"><title>s</title><path d="M0 0L9 9"/></svg>
</body></html>"""


def page_of(run):
    report = fr.Report(run)
    return packet_html(report._view(()), medium=Medium.PDF, paper=Paper.A4)


def same_elements(one, other):
    def shown(root):
        for item in root.iter():
            if isinstance(item.tag, str):
                stated = {name: " ".join(value.split()) for name, value in item.attrib.items() if "xmlns" not in name}
                yield item.tag, stated, (item.text or "").strip(), (item.tail or "").strip()

    assert list(shown(one)) == list(shown(other))


@pytest.mark.parametrize("kind", ["small", "mixed", "gap", "pair"])
def test_pages_of_our_templates_are_well_formed(kind, request):
    page = page_of(request.getfixturevalue(f"{kind}_run"))
    tree = tree_of(page)
    assert tree is not None
    same_elements(tree, tinyhtml5.parse(page, namespace_html_elements=False))


def test_data_strings_leave_a_page_well_formed(make_rows):
    rows = make_rows([("F\x0b\x01", 20, 60), ("M <&'\"]]>", 40, 60), ("\u05d0\u05d1\n\r\n", 30, 60)])
    page = page_of(fr.Audit(rows, title='a < b & "c"\t\n\u0645</style>').outcome_disparity("sex", "hired", 1).run())
    tree = tree_of(page)
    assert tree is not None
    same_elements(tree, tinyhtml5.parse(page, namespace_html_elements=False))


def test_a_well_formed_page_is_the_same_to_the_byte():
    assert tree_of(CLOSED) is not None
    assert write_pdf(CLOSED, [], created=None, is_well_formed=True) == write_pdf(CLOSED, [], created=None)


def test_what_is_not_well_formed_is_left_to_the_parser_of_html():
    html = PAGE.format(style="")
    assert tree_of(html) is None
    assert write_pdf(html, [], created=None, is_well_formed=True) == write_pdf(html, [], created=None)


def test_streams_are_compressed_once_and_hold_the_same(monkeypatch):
    lean = write_pdf(CLOSED, [], created=None)
    monkeypatch.setattr(pdf_finisher, "_write_once", lambda _: None)
    twice = write_pdf(CLOSED, [], created=None)
    readers = [pypdf.PdfReader(io.BytesIO(content)) for content in (lean, twice)]
    size = readers[0].trailer["/Size"]
    assert size == readers[1].trailer["/Size"]
    one, other = ({n: reader.get_object(n) for n in range(1, size - 1)} for reader in readers)
    streams = [n for n, item in one.items() if hasattr(item, "get_data")]
    assert any(one[n].get("/Type") == "/ObjStm" for n in streams)  # it holds all that are no streams
    for n in streams:
        assert one[n].get_data() == other[n].get_data()
        assert one[n]._data == zlib.compress(one[n].get_data(), 6)
        assert other[n]._data == zlib.compress(one[n].get_data(), 9)


def test_plain_names_are_text_in_the_pdf_and_others_keep_their_element(make_rows):
    rows = make_rows([("Adult women", 20, 60), ("\u05d0\u05d1", 40, 60)])
    run = fr.Audit(rows).outcome_disparity("sex", "hired", 1).run()
    page = page_of(run)
    assert "<bdi>\u05d0\u05d1</bdi>" in page
    assert "<bdi>Adult women</bdi>" not in page
    assert '<th scope="row">Adult women</th>' in page
    assert "<bdi>Adult women</bdi>" in fr.Report(run).html()


LOADED = """
import subprocess
def started(*arguments, **named):
    raise AssertionError(f"a process is started: {arguments}")
subprocess.Popen = started
from fairreport.report.pdf import pdf_engine
import ctypes.util
find = ctypes.util.find_library
assert pdf_engine().HTML
assert ctypes.util.find_library is find
"""


def test_libraries_are_loaded_without_starting_a_process():
    done = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
