"""The process that reads somebody's PGN (``import_worker.py``), as the server has it: text in, games out."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from typing import TYPE_CHECKING

import msgspec

from realtime.imports.import_record import MAX_SCORE
from realtime.imports.import_worker import LENGTH_BYTES, Frame
from realtime.protocol.errors import WireError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

BUFFERED = 256 * 1024
"""Bytes of games that wait for the database, besides those at hand; then the process waits, and its text with it."""

MAX_FRAME = 3 * MAX_SCORE
"""Bytes: both texts of the longest game, and what lists tell of it."""


class ReaderDied(WireError):
    """The process ended before the text did: it ran out of memory, somebody killed it, or it has a fault."""

    def __init__(self) -> None:
        super().__init__("unavailable", "the games could not be read; the server's log may tell why")


class ImportProcess:
    """One text's process. Made by ``open_process``."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.pid = process.pid
        self._input = process.stdin
        self._output = process.stdout

    async def feed(self, pieces: AsyncIterator[bytes]) -> None:
        """Hand the text over, no faster than it is read, and say that it is at its end.

        A process that wants no more of it is none of this side's troubles: what ``frames`` gives tells why.
        """
        try:
            async for piece in pieces:
                self._input.write(piece)
                await self._input.drain()
            self._input.close()
        except (BrokenPipeError, ConnectionResetError):
            return

    async def drain(self) -> None:
        """Read what a process that was killed has left in its pipe: before the pipe is empty it does not count as
        ended.
        """
        self._input.close()
        while await self._output.read(BUFFERED):
            pass

    async def frames(self) -> AsyncIterator[Frame]:
        """What the process says, up to its ``Done``.

        Raises:
            ReaderDied: it ended without.
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
    """A process for one text; it is gone when the block is left, whatever it was about to do."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "realtime.imports.import_worker",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=BUFFERED,
        start_new_session=True,  # Ctrl-C is for the server, which ends its imports itself
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
