"""What pdftotext reads from a packet is what its HTML says, in the same order: headings, then each row cell by cell.

python pdf_reading.py NAME.pdf...   each with its NAME.html beside it
"""

import re
import subprocess
import sys
from html import unescape
from pathlib import Path

SHAPED = re.compile("[\u0590-\u08ff\u0900-\u097f\u200d]")
"""Scripts whose letters stand in another order or form on the page than in the text."""
INVISIBLE = re.compile("[\\s\u200b-\u200f\u2060-\u2069\ufe0f\u00ad]+")


def squeezed(text):
    """Return text without blanks and marks that no page shows, and with one kind of hyphen."""
    return INVISIBLE.sub("", text).replace("\u2010", "-")


def plain(markup):
    """Return the text of HTML."""
    return squeezed(unescape(re.sub(r"<[^>]+>", "", re.sub(r"<svg.*?</svg>", "", markup, flags=re.DOTALL))))


def headings(html):
    """Return the headings of the sections, in order."""
    return [plain(found) for found in re.findall(r"<h2[^>]*>(.*?)</h2>", html, flags=re.DOTALL)]


def rows(html):
    """Return the text of every row of every table with column heads, heads aside."""
    for table in re.findall(r"<table.*?</table>", html, flags=re.DOTALL):
        for row in (
            re.findall(r"<tr.*?</tr>", table.split("</thead>")[-1], flags=re.DOTALL) if "<thead" in table else ()
        ):
            text = plain(row)
            if text and not SHAPED.search(row):
                yield text


def out_of_order(html, read):
    """Yield what a reader does not find after what stands before it."""
    for kind, wanted in (("heading", headings(html)), ("row", list(rows(html)))):
        position = 0
        for text in wanted:
            found = read.find(text, position)
            if found < 0:
                yield f"{kind} {text[:90]!r}"
            else:
                position = found + len(text)


def main():
    wrong = 0
    for path in map(Path, sys.argv[1:]):
        html = path.with_suffix(".html").read_text(encoding="utf-8")
        read = squeezed(
            subprocess.run(["pdftotext", "-raw", path, "-"], capture_output=True, check=True).stdout.decode()
        )
        faults = list(out_of_order(html, read))
        wrong += len(faults)
        print(f"{'OUT OF ORDER' if faults else 'in order'}  {path.name}: {len(list(rows(html)))} rows")
        for fault in faults[:20]:
            print(f"    {fault}")
    return 1 if wrong or len(sys.argv) < 2 else 0


if __name__ == "__main__":
    sys.exit(main())
