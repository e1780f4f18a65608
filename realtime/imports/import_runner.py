"""Imports under way: their limits, and each import from the first byte of text to the answer."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from lobby.errors import BadMessage, RateLimited, Unavailable
from realtime.imports.import_process import open_process
from realtime.imports.import_record import Record
from realtime.imports.import_worker import MAX_GAMES, UnreadableGame
from realtime.postgres.database import FAILURES

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from lobby.wire.imported_games import ImportedWire, RefusedGameWire
    from realtime.imports.import_process import ImportProcess
    from realtime.imports.import_store import ImportStore, RemainingStorage
    from realtime.imports.import_worker import Frame

MOST = 2
"""Maximum number of concurrent imports: each occupies a core, as far as the server leaves it one."""

WHOLE_S = 3600.0
"""Timeout of an import. The longest text with the most moves takes half of it."""

BATCH_GAMES = 200
BATCH_BYTES = 1024 * 1024
"""Games are committed in batches of this many games or bytes: a transaction takes a few milliseconds."""

log = logging.getLogger(__name__)


class TooManyGames(BadMessage):
    """The text has more games than allowed: 413."""

    def __init__(self) -> None:
        super().__init__(f"an import can have at most {MAX_GAMES} games; split the file")


class ImportRunner:
    """Runs imports, a few at once and one per user.

    Attributes:
        store: storage of the imports.
    """

    def __init__(self, store: ImportStore) -> None:
        self.store = store
        self._running: dict[str, asyncio.Task[ImportedWire]] = {}
        self._closing = False

    def stop(self) -> None:
        """Start to cancel all imports. They answer ``unavailable``."""
        self._closing = True
        for task in self._running.values():
            task.cancel()

    async def close(self) -> None:
        """Cancel all imports."""
        self.stop()
        await asyncio.gather(*self._running.values(), return_exceptions=True)

    async def bring(self, person: str, name: str, pieces: AsyncIterator[bytes]) -> ImportedWire:
        """Store the games of the PGN text in ``pieces`` as an import of ``person`` with the name ``name``.

        If this raises, nothing is stored. Exceptions of ``pieces`` are passed through.

        Raises:
            RateLimited: another import of this user is under way.
            Conflict: the user's storage limit is exceeded.
            TooManyGames: the import has too many games.
            Unavailable: too many imports are under way, the server has no space, or it is stopping.
            ReaderDied: the process that reads the text has died.
        """
        if person in self._running:
            raise RateLimited("you already have an import in progress")
        if self._closing or len(self._running) >= MOST:
            raise Unavailable("too many imports are in progress; try again later")
        task = asyncio.create_task(self._bring(person, name, pieces), name=f"import for {person}")
        self._running[person] = task
        try:
            return await task
        except asyncio.CancelledError:
            if self._closing:
                raise Unavailable("the server is stopping; import the games again when it is back") from None
            raise
        finally:
            del self._running[person]

    async def _bring(self, person: str, name: str, pieces: AsyncIterator[bytes]) -> ImportedWire:
        import_id, room = await self.store.begin(person, name)
        intake = _Intake(self.store, import_id, room)
        kept = False
        limit = asyncio.timeout(WHOLE_S)
        try:
            async with limit, open_process() as process:
                await _work(process, pieces, intake)
            if intake.games:
                await self.store.finish(import_id)
                kept = True
        except TimeoutError as error:
            if limit.expired():
                raise Unavailable("this import takes too long; split the file") from error
            raise
        finally:
            if not kept:
                await self._forget(import_id)
        return {
            "import": import_id if kept else None,
            "name": name,
            "games": intake.games,
            "refused": intake.refused,
            "more_refused": intake.more_refused,
        }

    async def _forget(self, import_id: str) -> None:
        """Delete an incomplete import. If the database is down, the user's next import deletes it."""
        try:
            await self.store.drop(import_id)
        except FAILURES as error:
            log.warning("import %s stays incomplete, the database is in trouble: %r", import_id, error)


async def _work(process: ImportProcess, pieces: AsyncIterator[bytes], intake: _Intake) -> None:
    """Feed the text and take the games concurrently; the first error of either ends both."""
    feeding = asyncio.create_task(process.feed(pieces), name="import: text")
    taking = asyncio.create_task(intake.take(process.frames()), name="import: games")
    tasks = {feeding, taking}
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class _Intake:
    """The games of one import, on their way to the database.

    Attributes:
        games: number stored, or about to be.
        refused: reports on unreadable games.
        more_refused: number of unreadable games beyond these.
    """

    def __init__(self, store: ImportStore, import_id: str, room: RemainingStorage) -> None:
        self.games = 0
        self.refused: list[RefusedGameWire] = []
        self.more_refused = 0
        self._store = store
        self._id = import_id
        self._room = room
        self._batch: list[Record] = []
        self._batch_bytes = 0
        self._bytes = 0

    async def take(self, frames: AsyncIterator[Frame]) -> None:
        """Take all frames of the process until it ends."""
        async for frame in frames:
            if isinstance(frame, Record):
                await self._keep(frame)
            elif isinstance(frame, UnreadableGame):
                self.refused.append(_refused_game(frame))
            else:
                if frame.too_many:
                    raise TooManyGames
                self.more_refused = frame.more_refused
                await self._flush()
                return

    async def _keep(self, record: Record) -> None:
        self.games += 1
        self._batch.append(record)
        self._batch_bytes += record.size
        self._bytes += record.size
        self._room.check(self.games, self._bytes)
        if len(self._batch) >= BATCH_GAMES or self._batch_bytes >= BATCH_BYTES:
            await self._flush()

    async def _flush(self) -> None:
        if self._batch:
            await self._store.add(self._id, self.games - len(self._batch) + 1, self._batch)
            self._batch = []
            self._batch_bytes = 0


def _refused_game(refused: UnreadableGame) -> RefusedGameWire:
    return {"game": refused.game, "line": refused.line, "column": refused.column, "message": refused.message}
