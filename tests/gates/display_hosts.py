"""Seven places in which a notebook display may stand, imitated by their style sheets: none of them is run here."""

from dataclasses import dataclass

LAB_DARK = """
:root { --jp-layout-color0: #111; --jp-content-font-color0: #fff; --jp-content-font-color1: rgb(255 255 255 / 87%);
  --jp-border-color1: #616161; --jp-layout-color2: #424242 }
body { background: #111; color: rgb(255 255 255 / 87%) }
.jp-RenderedHTMLCommon { color: rgb(255 255 255 / 87%); font-size: 14px; line-height: 1.5 }
.jp-RenderedHTMLCommon table { border-collapse: collapse; table-layout: fixed; font-size: 12px; margin: 0 auto 1em }
.jp-RenderedHTMLCommon td, .jp-RenderedHTMLCommon th { text-align: right; padding: .5em; max-width: none }
.jp-RenderedHTMLCommon tbody tr:nth-child(odd) { background: #111 }
.jp-RenderedHTMLCommon tbody tr:nth-child(even) { background: #424242 }
.jp-RenderedHTMLCommon dt { font-weight: bold; opacity: .5 }
.jp-RenderedHTMLCommon pre, .jp-RenderedHTMLCommon code { background: #212121; color: #eee }
"""
CODE_DARK = """
:root { --vscode-editor-background: #1e1e1e; --vscode-editor-foreground: #d4d4d4 }
body { background: #1e1e1e; color: #d4d4d4; font-size: 14px }
table { border-collapse: collapse } td, th { padding: 4px 8px; border: 1px solid #444 }
"""
COLAB = """
body { background: #fff; color: #1f1f1f; font-family: Roboto, sans-serif; font-size: 14px }
table { border-spacing: 0 } .output th { background: #f5f5f5 } .output td { vertical-align: top }
"""
QUARTO_DARK = """
:root { --pst-color-text-base: #ced6dd; --pst-color-background: #14181e }
body { background: #222; color: #fff; font-size: 17px }
table { width: 100%; border-collapse: collapse } caption { color: #6c757d; caption-side: bottom }
th, td { border-top: 1px solid #434343 } code { color: #e685b5; background: #1b1b1b }
"""


@dataclass(frozen=True)
class Host:
    """A place: the colours that the system asks for, its style sheet, and what holds the display."""

    scheme: str
    style: str
    holder: str = "div"
    is_stripped: bool = False


HOSTS = {
    "jupyter-light": Host("light", "body { background: #fff; color: #000 }", 'div class="jp-RenderedHTMLCommon"'),
    "jupyter-dark": Host("light", LAB_DARK, 'div class="jp-RenderedHTMLCommon"'),
    "vscode-dark": Host("light", CODE_DARK),
    "colab-in-dark-system": Host("dark", COLAB, 'div class="output" style="background: #fff; color: #1f1f1f"'),
    "quarto-dark": Host("light", QUARTO_DARK, 'div class="cell-output-display"'),
    "dark-system": Host("dark", ":root { color-scheme: dark } body { background: #111; color: #eee }"),
    "stripped": Host("light", "body { background: #fff; color: #000 }", is_stripped=True),
}


def page_of(host, fragments):
    """Return a page with displays, each in a section of its own."""
    place = HOSTS[host]
    held = "".join(
        f"<section aria-label='display {i}' data-display='{i}'><{place.holder}>\n{fragment}\n</div></section>"
        for i, fragment in enumerate(fragments)
    )
    head = f"<meta charset='utf-8'><title>Notebook</title><style>{place.style}</style>"
    return f"<!DOCTYPE html><html lang='en'><head>{head}</head><body><main><h1>Notebook</h1>{held}</main></body></html>"
