"""The only door through which a packet reads anything: data addresses and the package's own fonts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from fairreport.report.fonts import ASSET_SCHEME
from fairreport.resources import resource_dir

if TYPE_CHECKING:
    from weasyprint.urls import URLFetcher

_ASSET = re.compile(rf"{ASSET_SCHEME}:(fonts/[A-Za-z0-9-]+\.ttf)")


def sealed_fetcher() -> URLFetcher:
    """Return a fetcher for WeasyPrint that serves ``data:`` addresses and packaged fonts, and nothing else.

    A name, a title or a note can therefore neither read a file nor reach a network, however it is spelt.
    """
    from weasyprint.urls import URLFetcher, URLFetcherResponse  # noqa: PLC0415 - comes with the pdf extra

    class SealedFetcher(URLFetcher):  # type: ignore[misc]
        def fetch(self, url: str, headers: Any = None) -> URLFetcherResponse:
            asset = _ASSET.fullmatch(url)
            if asset:
                content = resource_dir("assets").joinpath(asset[1]).read_bytes()
                return URLFetcherResponse(url, body=content, headers={"Content-Type": "font/ttf"})
            if url[:5].lower() == "data:":
                return super().fetch(url, headers)
            refused = url[:80]
            raise ValueError(f"a packet reads nothing from outside: {refused!r}")

    return SealedFetcher(allowed_protocols=("data",), allow_redirects=False)
