"""Creation of guests over HTTP, the same way as for any client."""

from __future__ import annotations

import asyncio
import json

from bench.load.socket import RequestFailed, host_and_port

CONNECTIONS = 8
"""Concurrent kept-alive connections."""


async def new_guests(url: str, number: int) -> list[str]:
    """Return the tokens of ``number`` new guests of the server at ``url``."""
    shares = [number // CONNECTIONS + (k < number % CONNECTIONS) for k in range(CONNECTIONS)]
    tokens = await asyncio.gather(*(_create_guests(url, share) for share in shares if share))
    return [token for share in tokens for token in share]


async def _create_guests(url: str, number: int) -> list[str]:
    host, port = host_and_port(url)
    reader, writer = await asyncio.open_connection(host, port)
    try:
        tokens = []
        for _ in range(number):
            writer.write(f"POST /api/v1/guest HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\n\r\n".encode())
            tokens.append(json.loads(await _body(reader))["token"])
        return tokens
    finally:
        writer.close()
        await writer.wait_closed()


async def _body(reader: asyncio.StreamReader) -> bytes:
    """Return the body of a 201 with a ``Content-Length``."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower().split("\r\n")
    headers = dict(line.split(": ", 1) for line in head[1:] if line)
    body = await reader.readexactly(int(headers["content-length"]))
    if " 201 " not in head[0] + " ":
        raise RequestFailed(f"no guest: {head[0]}: {body.decode()}")
    return body
