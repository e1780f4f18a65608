"""The command ``zeitnot import``: a PGN file becomes an import of a member, with or without a running server."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from game_core.errors import Refusal
from lobby.accounts.identity import user_named
from realtime.commands.own_database import opened_own_database
from realtime.imports.import_runner import ImportRunner
from realtime.imports.import_store import ImportStore, tidy_name
from realtime.postgres.database import create_pool
from realtime.protocol.errors import RealtimeError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from typing import BinaryIO

    from realtime.commands.settings import Settings

PIECE = 64 * 1024
"""Bytes read at a time."""

STANDARD_INPUT = "-"

SOME_REFUSED = 3
"""Exit status if some games were imported and others could not be read."""


class CannotImport(RealtimeError):
    """The member does not exist, or the games cannot be stored; the message says why."""


async def import_games(
    settings: Settings, write: Callable[[str], None], *, file: str, to: str, name: str | None
) -> int:
    """Import the games of ``file`` for the member called ``to``; return the exit status. Refused games are printed.

    Raises:
        CannotImport: there is no such member, or nothing could be stored.
        OSError: the file cannot be read.
    """
    source: BinaryIO = sys.stdin.buffer if file == STANDARD_INPUT else await asyncio.to_thread(Path(file).open, "rb")
    with source:
        async with opened_own_database(settings) as url:
            pool = await create_pool(url, max_size=2)
            try:
                person = await user_named(pool, to)
                if person is None or person.kind == "guest":
                    raise CannotImport(f"there is no member called {to!r}")
                called = tidy_name(Path(file).stem if name is None else name)
                runner = ImportRunner(ImportStore(pool, None))
                try:
                    found = await runner.bring(person.id, called, _pieces(source))
                except Refusal as error:
                    raise CannotImport(error.message) from error
            finally:
                await pool.close()
    for refused in found["refused"]:
        write(f"game {refused['game']}, line {refused['line']}, column {refused['column']}: {refused['message']}")
    if found["more_refused"]:
        write(f"and {found['more_refused']} more games that cannot be read")
    if found["import"] is None:
        raise CannotImport("there is no game in it that can be read")
    write(f"{found['import']}  {found['games']} games for {person.name}: {called}")
    return SOME_REFUSED if found["refused"] else 0


async def _pieces(source: BinaryIO) -> AsyncIterator[bytes]:
    while piece := await asyncio.to_thread(source.read, PIECE):
        yield piece
