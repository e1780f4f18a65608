"""The server's side of the process that reads a PGN text (``import_worker.py``): text in, games out."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from typing import TYPE_CHECKING

import msgspec

from lobby.errors import Unavailable
from realtime.imports.import_record import MAX_SCORE
from realtime.imports.import_worker import LENGTH_BYTES, Frame

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

BUFFERED = 256 * 1024
"""Bytes of games buffered for the database, beside the current batch; then the process blocks, and so does its input.
"""

MAX_FRAME = 3 * MAX_SCORE
"""Maximum size of a frame in bytes: both texts of the longest game and its list entry."""


class ReaderDied(Unavailable):
    """The process ended before the text did: it ran out of memory, was killed, or has a bug."""

    def __init__(self) -> None:
        super().__init__("the import failed; see the server's log")


class ImportProcess:
    """The process for one text, created by ``open_process``."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.pid = process.pid
        self._input = process.stdin
        self._output = process.stdout

    async def feed(self, pieces: AsyncIterator[bytes]) -> None:
        """Write the text, no faster than it is read, and then close the pipe.

        A process that stops reading is not an error here: ``frames`` reports the reason.
        """
        try:
            async for piece in pieces:
                self._input.write(piece)
                await self._input.drain()
            self._input.close()
        except (BrokenPipeError, ConnectionResetError):
            return

    async def drain(self) -> None:
        """Read the rest of a killed process's output: its pipe must be empty before it counts as ended."""
        self._input.close()
        while await self._output.read(BUFFERED):
            pass

    async def frames(self) -> AsyncIterator[Frame]:
        """Yield the frames of the process up to its ``EndOfText``.

        Raises:
            ReaderDied: it ended without ``EndOfText``.
        """
        decoder = msgspec.msgpack.Decoder(Frame)
        try:
            while True:
                length = int.from_bytes(await self._output.readexactly(LENGTH_BYTES))
                if length > MAX_FRAME:
                    raise ReaderDied
                yield decoder.decode(await self._output.readexactly(length))
        except (asyncio.IncompleteReadError, msgspec.DecodeError) as error:
            raise ReaderDied from error


@contextlib.asynccontextmanager
async def open_process() -> AsyncIterator[ImportProcess]:
    """Run a process for one text. It is killed at the end of the block, whatever its state."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "realtime.imports.import_worker",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=BUFFERED,
        start_new_session=True,  # Ctrl-C is for the server, which cancels its imports itself
    )
    reader = ImportProcess(process)
    try:
        yield reader
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
        await reader.drain()
        await process.wait()
