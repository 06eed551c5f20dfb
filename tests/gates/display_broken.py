"""Displays that each break one rule: a judge that lets one pass judges nothing."""

_STYLE = ".fr{color:#000;background:#fff}"
_TABLE = '<table><caption>Rates</caption><tr><th scope="col">A</th></tr><tr><th scope="row">b</th></tr></table>'


def display(inside="", style=_STYLE):
    """Return a display that holds this."""
    start = f'<div class="fr" lang="en" role="region" aria-label="it"><style>{style}</style>'
    return f"{start}<p>said</p>{inside}</div>"


BROKEN = {
    "contrast": (display('<p style="color:#999">pale</p>'), "color-contrast"),
    "no-caption": (display(_TABLE.replace("<caption>Rates</caption>", "")), "without a caption"),
    "no-scope": (display(_TABLE.replace(' scope="col"', "")), "without scope"),
    "identifier": (display('<p id="a">it</p>'), "attribute id"),
    "script": (display("<script>1</script>"), "element <script>"),
    "handler": (display('<details open ontoggle="alert(1)"><summary>s</summary></details>'), "not still"),
    "address": (display('<p><img src="http://127.0.0.1:9/x.png" alt="x"></p>'), "request"),
    "drawing": (display('<svg width="9" height="9"><path d="M0 0h9"/></svg>'), "a drawing without a label"),
    "style-out": (display(style="p{color:#000}"), "selector"),
    "style-says": (display(style=f'{_STYLE}.fr p::after{{content:"more"}}'), "words of a style sheet"),
    "style-hides": (display("<p>gone</p>", style=f"{_STYLE}.fr p+p{{display:none}}"), "without style"),
    "not-valid": (display("<p><div>it</div></p>"), "valid"),
    "large": (display(f"<p>{'word ' * 20_000}</p>"), "bytes"),
}
"""HTML of each, and what must be said of it."""

BROKEN_TEXTS = {"long-text": ("line\n" * 16, "17 lines"), "wide-text": ("w" * 101, "longest of 101")}
