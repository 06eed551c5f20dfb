"""How a PDF is made: what is left out on the way changes no byte, and what is put right is in the file."""

import base64
import io
import re
from xml.etree import ElementTree as ET

import pypdf
import pytest
import weasyprint.css
from PIL import Image

import fairreport as fr
from fairreport.report import pdf as pdf_module
from fairreport.report.figure_lines import without_bare_groups
from fairreport.report.pdf import pdf_engine, write_pdf
from fairreport.report.pdf_styles import lean_document

PAGE = """<!doctype html><html lang="en"><head><title>t</title><style>{style}</style></head><body>
<h1>Head</h1><p>Text <b>bold</b> &amp; <i>slanted</i>.<span class="note">At the foot.</span></p>
<ul><li>one<ol><li>two</ol><li>three</ul><div class="item">four</div>
<table><thead><tr><th scope="col">a</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table></body></html>"""
STYLES = ("", ".note{float:footnote}", ".item{display:list-item;margin-left:2em}", "i::before{content:'x'}")


def whole(_engine, html, **settings):
    return _engine.HTML(string=html, **settings)


@pytest.mark.parametrize("style", STYLES)
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
