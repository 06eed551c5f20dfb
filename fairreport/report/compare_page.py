"""What changed between two packets, as a document by itself."""

from __future__ import annotations

import fairreport
from fairreport.render import formats
from fairreport.render.environment import render
from fairreport.report.compare_record import Comparison
from fairreport.report.earlier import changes_of
from fairreport.report.fonts import spell_out, unprintable
from fairreport.report.html import Medium, Paper, styles_of
from fairreport.report.pdf import pdf_engine, write_pdf


def comparison_html(found: Comparison, *, medium: Medium = Medium.SCREEN, paper: Paper = Paper.A4) -> str:
    """Return a comparison as one self-contained HTML file, or what its PDF is drawn from.

    Parameters
    ----------
    found : Comparison
        What changed.
    medium : Medium
        SCREEN carries its fonts inside.
    paper : Paper
        What it prints on.
    """
    return render(
        "packet/comparison.html",
        old=formats.printable(found.old),
        new=formats.printable(found.new),
        changes=changes_of(found),
        version=fairreport.__version__,
        medium=medium.value,
        paper=paper.value,
        styles=styles_of(medium),
    )


def comparison_pdf(found: Comparison, *, paper: Paper = Paper.A4) -> bytes:
    """Return a comparison as PDF, conforming to PDF/A-3a and PDF/UA-1.

    Raises
    ------
    PdfUnavailableError
        If this machine cannot write PDF; the message says what to install.
    """
    pdf_engine()
    text = comparison_html(found, medium=Medium.PDF, paper=paper)
    missing = unprintable("".join((found.old, found.new, *changes_of(found).texts)))
    return write_pdf(spell_out(text, missing), (), created=None, is_well_formed=True)
