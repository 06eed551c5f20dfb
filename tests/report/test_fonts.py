import unicodedata
from io import BytesIO

import pytest
from fontTools.ttLib import TTFont

import fairreport as fr
from fairreport.render import words
from fairreport.report import fonts
from fairreport.resources import resource_dir

PACKAGED = resource_dir("assets") / "fonts"


@pytest.fixture
def no_machine_fonts(monkeypatch):
    monkeypatch.setattr(fonts, "machine_code_points", frozenset)


def test_the_packet_prints_its_own_words_with_its_own_fonts(small_html, no_machine_fonts):
    body = small_html[small_html.index("<body>") :]
    assert fonts.unprintable(body) == ()


def test_every_glyph_of_a_state_or_finding_has_a_font():
    glyphs = [glyph for _, glyph in words._STATES.values()] + [item[-1] for item in words._FINDINGS.values()]
    assert {ord(glyph) for glyph in glyphs} <= fonts.packaged_code_points()


@pytest.mark.parametrize(
    "text", ["Ærøskøbing Łódź İzmir Tiếng Việt", "Ελληνικά ᾳ", "Русский Ўзбек Ћирилица", "√Σ≤≥−×±θΦ"]
)
def test_latin_greek_and_cyrillic_are_covered(text, no_machine_fonts):
    assert fonts.unprintable(text) == ()


def test_both_forms_of_a_font_hold_the_same_glyphs():
    for face in fonts.FACES:
        maps = [
            TTFont(BytesIO((PACKAGED / f"{face.stem}.{kind}").read_bytes())).getBestCmap() for kind in ("ttf", "woff2")
        ]
        assert maps[0] == maps[1]


def test_the_fonts_are_renamed_licensed_and_small():
    for face in fonts.FACES:
        names = TTFont(BytesIO((PACKAGED / f"{face.stem}.ttf").read_bytes()))["name"]
        assert names.getDebugName(1) == face.family
        assert "Source" not in names.getDebugName(4)
        assert names.getDebugName(13)
    assert {"OFL-FairreportSans.txt", "OFL-FairreportSerif.txt", "LICENSE-FairreportMono.txt", "README.md"} <= {
        item.name for item in PACKAGED.iterdir()
    }
    assert sum(len(item.read_bytes()) for item in PACKAGED.iterdir()) < 2_000_000


@pytest.mark.heavy
def test_uncovered_characters_are_named_in_the_packet_and_on_the_report(make_rows, no_machine_fonts, words_of):
    rows = make_rows([("日本", 20, 60), ("مرحبا", 40, 60), ("👩 nurse", 30, 60), ("plain", 35, 60)])
    report = fr.Report(fr.Audit(rows, title="Fonts").outcome_disparity("sex", "hired", 1).run())
    assert set("日本مرحبا👩") == set(report.unprintable)
    text = words_of(report.pdf())
    assert "Characterswithoutafont." in text
    assert "[U+65E5][U+672C]" in text
    for package in ("fonts-noto-cjk", "fonts-noto-core", "fonts-noto-color-emoji"):
        assert package in text
    assert "日本" in report.html()
    assert "Characters without a font" not in report.html()


def test_characters_that_the_machine_prints_are_not_named(monkeypatch):
    monkeypatch.setattr(fonts, "machine_code_points", lambda: frozenset({ord("日")}))
    assert fonts.unprintable("日本") == ("本",)


def test_characters_that_are_not_drawn_are_not_named(no_machine_fonts):
    silent = "\u200d\ufe0f\u200c\n\t"
    assert all(unicodedata.category(c) in {"Cf", "Mn", "Cc"} for c in silent)
    assert fonts.unprintable(silent) == ()


def test_fonts_are_found_without_fontconfig_too(monkeypatch, tmp_path):
    (tmp_path / "one.ttf").write_bytes((PACKAGED / "FairreportMono-Regular.ttf").read_bytes())
    (tmp_path / "broken.ttf").write_bytes(b"no font")
    monkeypatch.setattr(fonts.shutil, "which", lambda _: None)
    monkeypatch.setattr(fonts, "_FONT_FOLDERS", (str(tmp_path),))
    fonts.machine_code_points.cache_clear()
    try:
        assert ord("A") in fonts.machine_code_points()
        assert ord("日") not in fonts.machine_code_points()
    finally:
        fonts.machine_code_points.cache_clear()
