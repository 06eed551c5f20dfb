"""Names, titles and notes are data: they read no file, reach no network and break no page."""

import json
import re
import socket

import pytest

import fairreport as fr
from fairreport.report.sealed import sealed_fetcher

HOSTILE = [
    "<img src=file:///etc/passwd>",
    '"><script>alert(1)</script>',
    "</style><link rel=attachment href=file:///etc/passwd>",
    "url(http://127.0.0.1:9/x)",
    "'); @import 'http://127.0.0.1:9'; /*",
    "{{ 7 * 7 }}{% include 'x' %}",
    "a\nb\x00c\u202ed\ud800",
    "\\22 \\0000",
    "&lt;b&gt; ]]> -->",
]


@pytest.fixture(scope="module")
def report():
    columns = {HOSTILE[0]: [], "out": []}
    for position, name in enumerate(HOSTILE[:6]):
        columns[HOSTILE[0]] += [name] * 60
        columns["out"] += [1] * (20 + position) + [0] * (40 - position)
    audit = fr.Audit(
        columns,
        title=HOSTILE[2] + HOSTILE[3],
        about={"system": HOSTILE[1], "notes": HOSTILE[:6] + HOSTILE[7:]},
    )
    audit.outcome_disparity(
        HOSTILE[0], "out", 1, name=HOSTILE[1], description=HOSTILE[4], rationale=HOSTILE[5], threshold_source=HOSTILE[3]
    )
    return fr.Report(audit.run())


def test_everything_is_escaped(report):
    html = report.html()
    assert "<script" not in html
    assert "<img" not in html
    assert "<link" not in html
    assert html.count("<style>") == html.count("</style>") == 1
    assert "49{%" not in html
    assert "{{ 7 * 7 }}" in html


def test_nothing_is_fetched(report, monkeypatch):
    asked = []

    def refuse(*arguments, **_):
        asked.append(arguments)
        raise OSError("no network here")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    pdf = report.pdf()
    assert asked == []
    assert b"root:" not in pdf


def test_the_html_file_names_no_address_outside_itself(report):
    addresses = re.findall(r'<\w[^<>]*\s(?:xlink:)?(?:src|href|action|poster)="([^"]*)"', report.html())
    assert [address for address in addresses if not address.startswith(("data:", "#"))] == []
    style = report.html().split("<style>")[1].split("</style>")[0]
    assert all(found.startswith('"data:font/') for found in re.findall(r"url\(([^)]*)", style))
    assert "@import" not in style


@pytest.mark.parametrize(
    "address",
    [
        "file:///etc/passwd",
        "http://127.0.0.1:9/",
        "https://example.org/",
        "ftp://127.0.0.1/",
        "fairreport-asset:fonts/../../pyproject.toml",
        "fairreport-asset:css/packet.css",
        "fairreport-asset:fonts/FairreportSans-Regular.ttf?x",
        "FILE:///etc/passwd",
        "relative.png",
    ],
)
def test_the_fetcher_refuses(address):
    with pytest.raises(ValueError, match="reads nothing from outside"):
        sealed_fetcher().fetch(address)


def test_the_fetcher_serves_data_and_packaged_fonts():
    assert sealed_fetcher().fetch("data:text/plain,hello").read() == b"hello"
    font = sealed_fetcher().fetch("fairreport-asset:fonts/FairreportSans-Regular.ttf").read()
    assert font[:4] == b"\x00\x01\x00\x00"


def test_half_a_surrogate_pair_stops_nothing(make_rows):
    rows = make_rows([("F", 20, 60), ("M", 40, 60)])
    run = fr.Audit(rows, title="half \ud800").outcome_disparity("sex", "hired", 1).run()
    report = fr.Report(run)
    assert "half [U+D800]" in report.html()
    assert json.loads(report.attachments[-1].content)["title"] == "half \ud800"


def test_control_characters_are_made_visible(make_rows):
    run = fr.Audit(make_rows([("a\u202eb\x07", 20, 60), ("M", 40, 60)])).outcome_disparity("sex", "hired", 1).run()
    html = fr.Report(run).html()
    assert "a[U+202E]b[U+0007]" in html
    body = html[html.index("<body>") :]
    assert "\x07" not in body
    assert "\u202e" not in body
