"""Imports in progress: discarded ones, and several at once."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from lobby.errors import Conflict
from realtime.http.app import LONG_BODIES
from realtime.http.games import imports
from realtime.imports import import_runner, import_store
from realtime.imports.import_worker import EndOfText, frames_of
from tests.realtime.http.conftest import error_of
from tests.realtime.http.games.test_imports import PATH, bring, left, member
from tests.realtime.imports.test_import_worker import ANNA, BROKEN
from tests.realtime.until import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    import httpx

    from tests.realtime.http.conftest import Web


@pytest.fixture
async def anna(web: Web) -> httpx.AsyncClient:
    return await member(web, "Anna")


class TestNothingIsKept:
    @pytest.mark.parametrize("text", [b"", b"\n\n", BROKEN, b"hello", b"\x00\xff"])
    async def test_import_without_games_is_not_stored(self, web: Web, anna: httpx.AsyncClient, text: bytes) -> None:
        made = await bring(anna, text)
        assert (made["import"], made["games"]) == (None, 0)
        assert await left(web) == (0, 0, 0)

    @pytest.fixture(autouse=True)
    def small_batches(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """What fails has stored something before."""
        monkeypatch.setattr(import_runner, "BATCH_GAMES", 1)

    async def refused(self, web: Web, anna: httpx.AsyncClient, content: Any, *, kept: int = 0) -> tuple[int, str]:
        response = await anna.post(PATH, content=content)
        assert (await left(web))[0] == kept
        return error_of(response)

    async def test_import_with_too_many_games_is_discarded(
        self, web: Web, anna: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def frames(_process: object) -> AsyncIterator[object]:
            for frame in frames_of([ANNA * 2]):
                yield EndOfText(too_many=True) if isinstance(frame, EndOfText) else frame

        monkeypatch.setattr("realtime.imports.import_process.ImportProcess.frames", frames)
        assert await self.refused(web, anna, ANNA * 3) == (413, "bad_message")

    async def test_import_of_too_long_text_is_discarded(
        self, web: Web, anna: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(LONG_BODIES, ("POST", PATH), 500)
        assert await self.refused(web, anna, ANNA * 10) == (413, "bad_message")

        async def pieces() -> AsyncIterator[bytes]:
            for _ in range(10):
                yield ANNA

        assert await self.refused(web, anna, pieces()) == (413, "bad_message")
        assert (await bring(anna, ANNA))["games"] == 1

    @pytest.mark.parametrize(("limit", "most"), [("MAX_GAMES", 2), ("MAX_BYTES", 1500), ("MAX_IMPORTS", 1)])
    async def test_import_beyond_limit_of_person_is_discarded(
        self, web: Web, anna: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch, limit: str, most: int
    ) -> None:
        await bring(anna, ANNA)
        monkeypatch.setattr(import_store, limit, most)
        assert await self.refused(web, anna, ANNA * 3, kept=1) == (409, "conflict")
        (told,) = (await anna.get(PATH)).json()["imports"]
        assert told["games"] == 1
        await anna.delete(f"{PATH}/{told['import']}")
        assert (await bring(anna, ANNA))["games"] == 1

    async def test_import_beyond_limit_of_server_is_discarded(self, web: Web, anna: httpx.AsyncClient) -> None:
        bert = await member(web, "Bert")
        await bring(bert, ANNA)
        await web.pool.execute("UPDATE import SET bytes = 1000000")
        assert await self.refused(web, anna, ANNA, kept=1) == (503, "unavailable")
        await web.pool.execute("UPDATE import SET bytes = 999999")
        assert (await bring(anna, ANNA))["games"] == 1

    async def test_import_of_stalled_client_is_discarded(
        self, web: Web, anna: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(imports, "STALL_S", 0.01)

        async def pieces() -> AsyncIterator[bytes]:
            yield ANNA
            await asyncio.Event().wait()

        assert await self.refused(web, anna, pieces()) == (400, "bad_message")

    async def test_import_of_slow_client_is_discarded(
        self, web: Web, anna: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Each pause is short enough, but their sum is not."""
        monkeypatch.setattr(imports, "STALL_S", 0.5)

        async def pieces() -> AsyncIterator[bytes]:
            yield ANNA
            while True:
                await asyncio.sleep(0.02)
                yield b"\n"

        assert await self.refused(web, anna, pieces()) == (400, "bad_message")

    async def test_import_that_takes_too_long_is_discarded(
        self, web: Web, anna: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(import_runner, "WHOLE_S", 0.01)

        async def pieces() -> AsyncIterator[bytes]:
            yield ANNA
            await asyncio.Event().wait()

        assert await self.refused(web, anna, pieces()) == (503, "unavailable")

    async def test_import_is_discarded_if_the_reader_dies(self, web: Web, anna: httpx.AsyncClient) -> None:
        killed = asyncio.Event()

        async def pieces() -> AsyncIterator[bytes]:
            yield ANNA * 2
            await until(lambda: bool(readers()))
            for reader in readers():
                reader.kill()
            killed.set()
            while True:
                yield ANNA * 100

        assert await self.refused(web, anna, pieces()) == (503, "unavailable")
        assert killed.is_set()

    async def test_import_is_discarded_if_the_owner_closes_the_account(self, web: Web, anna: httpx.AsyncClient) -> None:
        async def pieces() -> AsyncIterator[bytes]:
            yield ANNA
            await web.pool.execute("DELETE FROM import")
            while True:
                yield ANNA * 100

        assert await self.refused(web, anna, pieces()) == (409, "conflict")

    async def test_import_of_just_closed_account_is_refused(self, web: Web, anna: httpx.AsyncClient) -> None:
        """Closing the account removes the person's data; this import would be stored afterwards."""
        user = (await anna.get("/api/v1/me")).json()["user"]["id"]
        await web.pool.execute("UPDATE person SET closed_at = now() WHERE id = $1", user)
        with pytest.raises(Conflict):
            await web.imports.store.begin(user, "Late")
        assert await left(web) == (0, 0, 0)


def readers() -> list[psutil.Process]:
    """The processes that read texts for this one."""
    found = []
    for child in psutil.Process().children(recursive=True):
        try:
            if "realtime.imports.import_worker" in child.cmdline() and child.status() != psutil.STATUS_ZOMBIE:
                found.append(child)
        except psutil.NoSuchProcess:
            continue
    return found


class Slow:
    """An import whose text does not end before the test says so."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self.end = asyncio.Event()
        self.begun = asyncio.Event()
        self.task = asyncio.create_task(client.post(PATH, content=self._pieces()))

    async def _pieces(self) -> AsyncIterator[bytes]:
        yield ANNA
        self.begun.set()
        await self.end.wait()


async def slow(client: httpx.AsyncClient) -> Slow:
    found = Slow(client)
    await found.begun.wait()
    return found


class TestSeveral:
    async def test_person_has_one_import_at_a_time(self, web: Web, anna: httpx.AsyncClient) -> None:
        first = await slow(anna)
        assert error_of(await anna.post(PATH, content=ANNA)) == (429, "rate_limited")
        assert (await anna.get(PATH)).json()["imports"] == []
        first.end.set()
        assert (await first.task).json()["games"] == 1
        assert (await bring(anna, ANNA))["games"] == 1

    async def test_server_runs_few_imports_at_a_time(self, web: Web) -> None:
        people = [await member(web, f"Member{n}") for n in "abc"]
        running = [await slow(client) for client in people[: import_runner.MOST]]
        assert error_of(await people[-1].post(PATH, content=ANNA)) == (503, "unavailable")
        for one in running:
            one.end.set()
            assert (await one.task).status_code == 201
        assert (await bring(people[-1], ANNA))["games"] == 1

    async def test_aborted_import_frees_its_place(self, web: Web, anna: httpx.AsyncClient) -> None:
        first = await slow(anna)
        first.task.cancel()
        await asyncio.gather(first.task, return_exceptions=True)
        assert await left(web) == (0, 0, 0)
        assert readers() == []
        assert (await bring(anna, ANNA))["games"] == 1

    async def test_imports_end_at_shutdown(self, web: Web, anna: httpx.AsyncClient) -> None:
        first = await slow(anna)
        web.imports.stop()
        assert error_of(await first.task) == (503, "unavailable")
        assert error_of(await anna.post(PATH, content=ANNA)) == (503, "unavailable")
        assert await left(web) == (0, 0, 0)

    async def test_unfinished_import_is_removed_by_the_next_import(self, web: Web, anna: httpx.AsyncClient) -> None:
        user = (await anna.get("/api/v1/me")).json()["user"]["id"]
        begun, _ = await web.imports.store.begin(user, "Lost")
        assert error_of(await anna.post(PATH, content=ANNA)) == (429, "rate_limited")
        assert (await anna.get(PATH)).json()["imports"] == []
        assert error_of(await anna.get(f"{PATH}/{begun}")) == (404, "not_found")
        await web.pool.execute("UPDATE import SET touched_at = touched_at - interval '3 minutes'")
        assert (await bring(anna, ANNA))["games"] == 1
        assert (await left(web))[0] == 1

    async def test_unfinished_imports_are_removed_at_start(self, web: Web, anna: httpx.AsyncClient) -> None:
        store = web.imports.store
        await bring(anna, ANNA)
        await store.begin((await anna.get("/api/v1/me")).json()["user"]["id"], "Lost")
        await store.clear(alone=False)
        assert (await left(web))[0] == 2
        await store.clear(alone=True)
        assert (await left(web))[0] == 1
