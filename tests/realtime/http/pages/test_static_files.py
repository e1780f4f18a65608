"""Files of the build: encoding, caching, and no other files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from realtime.http.pages.page import IndexPage
from realtime.http.pages.static_files import accepted_encoding, is_same, read_directory
from realtime.protocol.errors import BadPage
from tests.realtime.http.conftest import error_of

if TYPE_CHECKING:
    from pathlib import Path

    import httpx

SCRIPT = "/assets/index-1a2b.js"


@pytest.mark.parametrize(
    ("accept", "encoding", "body"),
    [
        ("gzip, deflate, br, zstd", "br", b"by brotli"),
        ("gzip", "gzip", b"export {}"),
        ("identity", None, b"export {}"),
        ("", None, b"export {}"),
    ],
)
async def test_best_accepted_encoding_is_served(
    program: httpx.AsyncClient, accept: str, encoding: str | None, body: bytes
) -> None:
    response = await program.get(SCRIPT, headers={"accept-encoding": accept})
    assert (response.status_code, response.content) == (200, body)
    assert response.headers.get("content-encoding") == encoding
    assert response.headers["vary"] == "Accept-Encoding"
    assert response.headers["content-type"] == "text/javascript; charset=utf-8"
    assert response.headers["cache-control"] == "public, max-age=31536000, immutable"
    again = await program.get(SCRIPT, headers={"accept-encoding": accept, "if-none-match": response.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    for header in ("vary", "cache-control", "etag"):
        assert again.headers[header] == response.headers[header]
    head = await program.head(SCRIPT, headers={"accept-encoding": accept})
    assert (head.content, head.headers["content-length"]) == (b"", response.headers["content-length"])


async def test_each_encoding_has_its_own_etag(program: httpx.AsyncClient) -> None:
    tags = {
        (await program.get(SCRIPT, headers={"accept-encoding": form})).headers["etag"] for form in ("br", "gzip", "")
    }
    assert len(tags) == 3


async def test_file_with_one_encoding_has_no_vary_header(program: httpx.AsyncClient) -> None:
    response = await program.get("/assets/knight-3c4d.svg", headers={"accept-encoding": "br"})
    assert (response.text, response.headers["content-type"]) == ("<svg/>", "image/svg+xml")
    assert "vary" not in response.headers


async def test_service_worker_may_control_all_paths(program: httpx.AsyncClient) -> None:
    response = await program.get("/sw.js")
    assert (response.text, response.headers["content-type"]) == ("'worker'", "text/javascript; charset=utf-8")
    assert response.headers["service-worker-allowed"] == "/"
    assert response.headers["cache-control"] == "no-cache"
    assert "etag" in response.headers


async def test_manifest_is_served_with_its_type(program: httpx.AsyncClient) -> None:
    response = await program.get("/manifest.webmanifest")
    assert (response.text, response.headers["content-type"]) == ("{}", "application/manifest+json")
    assert response.headers["cache-control"] == "no-cache"
    assert "service-worker-allowed" not in response.headers


@pytest.mark.parametrize(
    "path",
    [
        "/assets/nothing.js",
        "/assets/",
        "/assets/.",
        "/assets/%2e%2e",
        "/assets/../secret.txt",
        "/assets/..%2f..%2fsecret.txt",
        "/assets/%2fetc%2fpasswd",
        "/assets/nul%00",
        "/assets/" + "a" * 5000,
        "/assets/index-1a2b.js.br",
        "/assets/index-1a2b.js.gz",
        "/../secret.txt",
        "/secret.txt",
        "/index.html",
        "/assets",
    ],
)
async def test_path_outside_the_build_is_not_found(program: httpx.AsyncClient, path: str) -> None:
    assert error_of(await program.get(path)) == (404, "not_found")


@pytest.mark.parametrize(
    ("accept", "encoding"),
    [
        ("br;q=1.0, gzip;q=0.8, *;q=0.1", "br"),
        ("gzip, br;q=0", "gzip"),
        ("gzip ; q=0.000, br; q=0", "identity"),
        ("*", "br"),
        ("*, br;q=0", "gzip"),
        ("*;q=0", "identity"),
        ("GZIP", "gzip"),
        ("deflate, zstd", "identity"),
        (";;,,q=", "identity"),
    ],
)
def test_accept_encoding_is_parsed(accept: str, encoding: str) -> None:
    assert accepted_encoding(accept, {"identity": b"", "br": b"", "gzip": b""}) == encoding


@pytest.mark.parametrize(
    ("header", "same"),
    [('"a"', True), ('W/"a"', True), ('"b", "a"', True), ("*", True), ('"b"', False), ("a", False), ("", False)],
)
def test_if_none_match_is_parsed(header: str, same: bool) -> None:
    assert is_same(header, '"a"') is same


def test_missing_directory_has_no_files(tmp_path: Path) -> None:
    assert read_directory(tmp_path / "nothing") == {}


def test_unknown_type_is_served_as_plain_bytes(tmp_path: Path) -> None:
    (tmp_path / "thing.exe").write_bytes(b"x")
    assert read_directory(tmp_path)["thing.exe"].type == "application/octet-stream"


@pytest.mark.parametrize("html", ["<head></head>", "<title>a</title><title>b</title>"])
def test_page_must_have_exactly_one_title(html: str) -> None:
    with pytest.raises(BadPage):
        IndexPage(html)
