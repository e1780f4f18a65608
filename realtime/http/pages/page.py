"""``index.html``, and what the server inserts into it: a title, link previews, initial data."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, Any

import msgspec

from realtime.http.pages.static_files import packed_file
from realtime.protocol.errors import BadPage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from realtime.http.pages.static_files import StaticFile

_TITLE = re.compile(r"<title>[^<]*</title>")


class Card(msgspec.Struct, frozen=True):
    """The title of a page and its link preview.

    Attributes:
        url: the address of the page.
        image: the address of its preview image, if there is one.
        oembed: the address of its oEmbed data, if it can be embedded.
    """

    title: str
    description: str
    url: str
    image: str | None = None
    oembed: str | None = None


class IndexPage:
    """``index.html``, split at its title.

    Raises:
        BadPage: it does not have exactly one title.
    """

    def __init__(self, html: str) -> None:
        parts = _TITLE.split(html)
        if len(parts) != 2:
            raise BadPage(f"index.html: expected one <title>, found {len(parts) - 1}")
        self._before, self._after = (part.encode() for part in parts)

    def filled(self, card: Card, data: Mapping[str, Any]) -> bytes:
        """Return the page with ``card`` and ``data``.

        Args:
            data: JSON values by the ``id`` of the element in which the script finds them. Browsers do not execute data
                blocks, so the Content-Security-Policy needs no exception.
        """
        blocks = [
            b'<script type="application/json" id="%s">%s</script>' % (name.encode(), json_for_html(value))
            for name, value in data.items()
        ]
        return b"".join((self._before, _head(card), *blocks, self._after))


def offering(index: StaticFile, source_url: str) -> StaticFile:
    """Return the page with a link to the source code in its head, where the script finds it."""
    link = f'<meta name="source" content="{escape(source_url)}"></head>'.encode()
    html = index.bodies["identity"].replace(b"</head>", link, 1)
    return packed_file(index.type, html)


def json_for_html(value: Any) -> bytes:
    """Return ``value`` as JSON that is safe inside a script element: it cannot end the element, begin a comment (HTML,
    "restrictions for contents of script elements") or contain U+2028 or U+2029, which are line ends in JavaScript
    only."""
    text = msgspec.json.encode(value)
    for char, escaped in ((b"<", b"\\u003c"), (b"\xe2\x80\xa8", b"\\u2028"), (b"\xe2\x80\xa9", b"\\u2029")):
        text = text.replace(char, escaped)
    return text


def _head(card: Card) -> bytes:
    title, description, url = escape(card.title), escape(card.description), escape(card.url)
    image = "" if card.image is None else f'<meta property="og:image" content="{escape(card.image)}">'
    if card.oembed is not None:
        kind = "application/json+oembed"
        image += f'<link rel="alternate" type="{kind}" href="{escape(card.oembed)}" title="{title}">'
    return (
        f"<title>{title}</title>"
        f'<meta name="description" content="{description}">'
        '<meta property="og:site_name" content="Zeitnot">'
        '<meta property="og:type" content="website">'
        f'<meta property="og:title" content="{title}">'
        f'<meta property="og:description" content="{description}">'
        f'<meta property="og:url" content="{url}">{image}'
    ).encode()
