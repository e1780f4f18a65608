"""The built static files, read once at the start, so that a page and its assets are from the same build.

The build writes ``name.br`` and ``name.gz`` beside a text file (web/compressed.ts). ``Accept-Encoding`` decides which
of them is sent (RFC 9110 §12.5.3).
"""

from __future__ import annotations

import gzip
import hashlib
from typing import TYPE_CHECKING

import msgspec
from starlette.responses import Response

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from starlette.requests import Request

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}
"""Media types by file extension; the tables of operating systems differ."""

ENCODINGS = {"br": ".br", "gzip": ".gz"}
"""Content codings with their file extensions, the best first."""


class StaticFile(msgspec.Struct, frozen=True):
    """A file and its compressed forms.

    Attributes:
        bodies: by content coding; ``identity`` is the uncompressed file.
        tag: a hash of the file.
    """

    type: str
    bodies: dict[str, bytes]
    tag: str

    def response(self, request: Request, headers: Mapping[str, str], status: int = 200) -> Response:
        """Return the file in the best coding that the client accepts, or 304 if the client has it."""
        encoding = accepted_encoding(request.headers.get("accept-encoding", ""), self.bodies)
        sent = dict(headers)
        if len(self.bodies) > 1:
            sent["Vary"] = "Accept-Encoding"
        if encoding != "identity":
            sent["Content-Encoding"] = encoding
        if status == 200:
            etag = f'"{self.tag}-{encoding}"'
            sent["ETag"] = etag
            if is_same(request.headers.get("if-none-match", ""), etag):
                sent.pop("Content-Encoding", None)
                return Response(status_code=304, headers=sent)
        body = self.bodies[encoding]
        if request.method == "HEAD":
            return Response(b"", status, {**sent, "Content-Length": str(len(body))}, self.type)
        return Response(body, status, sent, self.type)


def read_directory(directory: Path) -> dict[str, StaticFile]:
    """Return the files in ``directory`` by name, without subdirectories; none if there is no such directory."""
    if not directory.is_dir():
        return {}
    return {
        path.name: _read(path)
        for path in sorted(directory.iterdir())
        if path.is_file() and path.suffix not in ENCODINGS.values()
    }


def packed_file(type_: str, body: bytes) -> StaticFile:
    """Compress a text that is not a file of the build."""
    bodies = {"identity": body, "gzip": gzip.compress(body, 9, mtime=0)}
    return StaticFile(type_, bodies, hashlib.sha256(body).hexdigest()[:16])


def _read(path: Path) -> StaticFile:
    bodies = {"identity": path.read_bytes()}
    for encoding, suffix in ENCODINGS.items():
        packed = path.with_name(path.name + suffix)
        if packed.is_file():
            bodies[encoding] = packed.read_bytes()
    tag = hashlib.sha256(bodies["identity"]).hexdigest()[:16]
    return StaticFile(TYPES.get(path.suffix, "application/octet-stream"), bodies, tag)


def accepted_encoding(accept: str, bodies: Mapping[str, bytes]) -> str:
    """Return which coding in ``bodies`` to send for ``Accept-Encoding: accept``: the first of ours that is accepted."""
    weights = {}
    for part in accept.lower().split(","):
        name, _, parameter = part.strip().partition(";")
        weights[name.strip()] = parameter.replace(" ", "")
    for encoding in ENCODINGS:
        weight = weights.get(encoding, weights.get("*"))
        if encoding in bodies and weight is not None and weight not in ("q=0", "q=0.0", "q=0.00", "q=0.000"):
            return encoding
    return "identity"


def is_same(if_none_match: str, etag: str) -> bool:
    """Return whether ``If-None-Match`` matches ``etag`` (RFC 9110 §13.1.2, weak comparison)."""
    return any(tag.strip().removeprefix("W/") in (etag, "*") for tag in if_none_match.split(","))
