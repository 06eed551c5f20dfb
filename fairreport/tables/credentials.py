"""URLs with credentials in them: how to tell, and how to show a text without them."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, unquote, urlsplit

KEYWORDS = re.compile(r"\b(?:password|pwd)\s*=", re.IGNORECASE)
"""A connection string in words, as drivers take it, with a password."""

_SECRET = (
    "pass", "pwd", "secret", "token", "credential", "signature", "private_key", "access_key", "api_key", "apikey",
    "odbc_connect",
)  # fmt: skip
_USERINFO = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+:/{1,3})[^\s'\"@/:]*:(?:[^\s'\"]*|[^'\"@/\n]*|[^\s/]*)@")
_BARE_USERINFO = re.compile(r"(?<![\w/.:%*-])[\w.%+-]+:[^\s'\"@/]+@(?=[\w\[.-])")
"""Of a place that lacks its scheme."""

_VALUE = r"[^&\s'\"]*(?:[^&'\"\n]*(?=['\"]))?"
"""The value of a query: to the next blank, or with blanks to the end of a quotation."""

_QUERY_SECRET = re.compile(rf"([?&](?:sig|key|[^=&\s]*(?:{'|'.join(_SECRET)})[^=&\s]*)=){_VALUE}", re.IGNORECASE)
_WORDS_SECRET = re.compile(
    r"((?<![^\W_])(?:password|passwd|pwd|secret|token)\s*=\s*)(?!=)(?:\{[^}\n]*\}|[^\s;&'\"]+)", re.IGNORECASE
)


def holds_password(url: str) -> bool:
    """Tell whether a URL holds a password, a token or the like.

    Examples
    --------
    >>> holds_password("postgresql://auditor@db.example/hiring?sslmode=require")
    False
    >>> holds_password("postgresql://auditor:secret@db.example/hiring")
    True
    """
    try:
        parsed = urlsplit(url)
    except ValueError:
        return ":" in url.partition("//")[2].rpartition("@")[0]
    userinfo = parsed.netloc.rpartition("@")[0] or url.partition("//")[2].rpartition("@")[0]
    named = [name.lower() for name, _ in parse_qsl(parsed.query)]
    return (
        bool(userinfo.partition(":")[2])
        or any(word in name for name in named for word in _SECRET)
        or bool(KEYWORDS.search(url))
    )


def without_credentials(text: str) -> str:
    """Return a text in which no URL shows its password (nor whose it is), nor what its query names a secret.

    Examples
    --------
    >>> without_credentials("no such option: --dta postgresql://auditor:secret@db.example/hiring")
    'no such option: --dta postgresql://***@db.example/hiring'
    """
    text = _BARE_USERINFO.sub("***@", _USERINFO.sub(r"\1***@", text))
    return _WORDS_SECRET.sub(r"\1***", _QUERY_SECRET.sub(r"\1***", text))


def shown_url(url: str) -> str:
    """Return a URL as it may be shown: without user, password, host and query.

    Examples
    --------
    >>> shown_url("postgresql://auditor:secret@db.example/hiring?sslmode=require")
    'postgresql://***/hiring'
    """
    parsed = urlsplit(url)
    return f"{parsed.scheme}://***{parsed.path}"


def secrets_of(url: str) -> list[str]:
    """Return what of a URL is not to be shown: its user, its password, and the values of its query; longest first."""
    parsed = urlsplit(url)
    user, _, password = parsed.netloc.rpartition("@")[0].partition(":")
    found = {user, password, *(value for _, value in parse_qsl(parsed.query))}
    return sorted(filter(None, {*found, *map(unquote, found)}), key=len, reverse=True)


def hidden(text: str, url: str) -> str:
    """Return a message of a driver without what a URL holds that is not to be shown."""
    for secret in secrets_of(url):
        text = re.sub(rf"(?<!\w){re.escape(secret)}(?!\w)", "***", text)
    return without_credentials(text)
