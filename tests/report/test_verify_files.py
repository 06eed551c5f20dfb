"""Files that cannot be read are said in one line, never with a traceback."""

import io
import json

import pypdf
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import fairreport as fr
from fairreport.report import packet_files, strict_json


@pytest.fixture
def refused(tmp_path):
    def refuse(content, name="packet"):
        path = tmp_path / name
        path.write_bytes(content)
        with pytest.raises(fr.DataError) as error:
            fr.verify(path)
        with pytest.raises(fr.DataError):
            fr.compare(path, path)
        text = str(error.value)
        assert "\n" not in text
        return text

    return refuse


def in_one_line(call):
    """Return what a call returns, or the one line of its error."""
    try:
        return call()
    except fr.DataError as error:
        text = str(error)
    assert "\n" not in text
    return text


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"sex,hired\nF,1\n", b"\x00" * 100, b"[1]"])
def test_what_is_no_packet_is_said(refused, content):
    assert refused(content) == "'packet' is no packet; wanted a PDF or an HTML packet, or a results.json"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"{", "'results.json' is no JSON document: "),
        (b'{"a": 1}', "holds no audit: it is another kind of JSON"),
        (b'{"evidence": null}', "holds no audit: it holds one test only"),
        (b'{"a": NaN}', "NaN is no number"),
        (b'{"a": 1e999}', "1e999 is too large for a number"),
        (b'{"a": 1, "a": 2}', "an object names 'a' twice"),
        (b'{"a": "\xff"}', "is no text in UTF-8"),
        (b'{"a": ' + b"9" * 5000 + b"}", "is no JSON document: "),
        (b'{"a": ' + b"[" * 100 + b"]" * 100 + b"}", "more than 60 lists and objects inside each other"),
        (b'{"a": ' + b"[" * 200_000, "more than 60 lists and objects inside each other"),
    ],
)
def test_damaged_json_is_said(refused, content, said):
    assert said in refused(content)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"<!doctype html><html></html>", "carries no results.json, so it is no packet of fairreport or was cut"),
        (b"<!DOCTYPE html>\xff", "is no text in UTF-8"),
        (b'<html><a href="data:a/b;base64,e30" download="results.json">', "inside 'packet' is damaged"),
        (b'<html><a href="data:a/b;base64,e30=" download="groups.csv">', "it carries 'groups.csv'"),
        (b"<html>" + b'<a href="data:a/b;base64,e30=" download="results.json">' * 2, "two files named 'results.json'"),
        (b'<html><a href="data:a/b;base64,e30=" download="results.json">', "holds no audit"),
    ],
)
def test_damaged_html_is_said(refused, content, said):
    assert said in refused(content)


@pytest.mark.parametrize("share", [0.0001, 0.01, 0.3, 0.9, 0.999])
def test_a_pdf_that_was_cut_is_said_or_differs(tmp_path, small_pdf, share):
    path = tmp_path / "packet.pdf"
    path.write_bytes(small_pdf[: max(5, int(len(small_pdf) * share))])
    assert "agrees with" not in in_one_line(lambda: repr(fr.verify(path)))


@settings(max_examples=3, deadline=None, suppress_health_check=list(HealthCheck))
@given(places=st.lists(st.integers(0, 10**9), min_size=1, max_size=40), byte=st.integers(0, 255))
def test_a_pdf_with_damaged_bytes_ends_in_one_line(places, byte, tmp_path_factory, small_pdf, monkeypatch):
    monkeypatch.setattr("fairreport.report.verify_pages.pdf_engine", _no_engine)
    content = bytearray(small_pdf)
    for place in places:
        content[place % len(content)] = byte
    path = tmp_path_factory.getbasetemp() / "damaged.pdf"
    path.write_bytes(content)
    in_one_line(lambda: repr(fr.verify(path)))


def _no_engine():
    raise fr.PdfUnavailableError("not here")


def test_another_pdf_is_said(refused):
    writer = pypdf.PdfWriter()
    writer.add_blank_page(100, 100)
    stream = io.BytesIO()
    writer.write(stream)
    assert "carries no results.json" in refused(stream.getvalue())
    writer.add_attachment("results.json", b"{")
    stream = io.BytesIO()
    writer.write(stream)
    assert "is no JSON document" in refused(stream.getvalue())


def test_a_locked_pdf_is_said(refused, small_pdf):
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(small_pdf))
    writer.encrypt("secret", algorithm="RC4-128")
    stream = io.BytesIO()
    writer.write(stream)
    assert "is a damaged PDF" in refused(stream.getvalue())


def test_large_files_are_not_read(refused, monkeypatch):
    monkeypatch.setattr(packet_files, "LARGEST", 1000)
    assert refused(b"{" + b" " * 1000).endswith("has 1,001 bytes; at most 1,000 are read")
    monkeypatch.setattr(strict_json, "LARGEST", 500)
    assert refused(b"{" + b" " * 600) == "'results.json' has 601 bytes; at most 500 are read"


def test_an_absent_file_is_said_with_the_nearest_name(tmp_path):
    (tmp_path / "packet.pdf").write_bytes(b"")
    with pytest.raises(fr.DataError, match=r"there is no file .*Did you mean 'packet.pdf'\?"):
        fr.verify(tmp_path / "paket.pdf")
    with pytest.raises(fr.DataError, match="is a folder"):
        fr.verify(tmp_path)
    with pytest.raises(fr.DataError, match="cannot read"):
        fr.verify("a\0b")
    with pytest.raises(fr.DataError, match="cannot read"):
        fr.verify("a" * 5000)


KINDS = ["small_run", "mixed_run", "gap_run"]
JUNK = [None, True, 0, -1, 10**30, 1e308, "", "x", [], {}, [[]], [None], {"a": 1}]


@pytest.mark.parametrize("name", KINDS)
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(way=st.lists(st.integers(0, 2**32), max_size=6), last=st.integers(0, 2**32), junk=st.sampled_from(JUNK))
def test_junk_anywhere_is_a_difference_or_one_line(name, way, last, junk, tmp_path_factory, request):
    document = json.loads(request.getfixturevalue(name).to_json())
    holder = document
    for step in way:
        inner = [item for item in _items(holder) if isinstance(item, (dict, list)) and item]
        if not inner:
            break
        holder = inner[step % len(inner)]
    keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
    holder[keys[last % len(keys)]] = junk
    path = tmp_path_factory.getbasetemp() / "junk.json"
    path.write_text(json.dumps(document))
    run = request.getfixturevalue(name)
    for call in (
        lambda: repr(fr.verify(path)),
        lambda: repr(fr.compare(run, path)),
        lambda: repr(fr.compare(path, run)),
    ):
        assert "no display" not in in_one_line(call)


def _items(holder):
    return list(holder.values()) if isinstance(holder, dict) else holder
