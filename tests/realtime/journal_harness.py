"""Helpers for tests of the journal: an observer, outcomes by game, and a journal on its own database."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from realtime.journal.appends import Outcome
from realtime.journal.journal import Journal
from tests.realtime.stored_games import NODE
from tests.realtime.until import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from realtime.journal.appends import Append
    from realtime.postgres.database import Pool, Trouble


class Observed:
    """An observer that records what the journal reports."""

    def __init__(self) -> None:
        self.rows: list[int] = []
        self.troubles: list[Trouble | None] = []
        self.stored = asyncio.Event()

    def batch_stored(self, *, rows: int, waited_s: float, took_s: float) -> None:
        assert took_s >= 0
        assert waited_s >= 0
        self.rows.append(rows)
        self.stored.set()

    def batch_failed(self, trouble: Trouble | None) -> None:
        self.troubles.append(trouble)


@pytest.fixture
def observed() -> Observed:
    return Observed()


@pytest.fixture
async def journal(database_url: str, observed: Observed) -> AsyncIterator[Journal]:
    journal = Journal(database_url, NODE, observed)
    await journal.start()
    yield journal
    await journal.close()


class Outcomes(dict[str, Outcome]):
    """Outcomes by game, in order of arrival."""

    def of(self, game: str) -> Callable[[Outcome], None]:
        """Return the callback of ``game``'s append."""
        return lambda outcome: self.update({game: outcome})


async def outcome_of(journal: Journal, append: Append) -> Outcome:
    """Return the outcome of ``append``, whose own callback is not used."""
    answer: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
    journal.append(
        type(append)(
            append.game,
            append.epoch,
            append.first_seq,
            append.events,
            append.cause,
            answer.set_result,
            append.summary,
        )
    )
    return await answer


def ignore(_: Outcome) -> None:
    pass


async def waits_for_lock(pool: Pool, backends: int = 1) -> None:
    """Wait until ``backends`` of the journal's backends wait for a lock."""
    query = "SELECT count(*) >= $2 FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'"
    await until(lambda: pool.fetchval(query, f"zeitnot journal {NODE}", backends))
