"""Robots that come to a simul one after the other, as there is room for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import pytest

from lobby.accounts.user import User
from lobby.errors import Unavailable
from lobby.proposals import Proposal
from realtime.dispatch.verbs import simul_robots

if TYPE_CHECKING:
    from realtime.cluster.lobby.lobby_client import LobbyClient

HOST = User("host", "Host", "member")

GAMES = [Proposal(tc=None), Proposal(tc=None, variant="chess960")]


class FewPlaces:
    """A lobby that has ``places`` for each request in turn."""

    def __init__(self, *places: int) -> None:
        self.places = list(places)
        self.asked: list[list[int]] = []

    async def place_robots(self, host: User, levels: list[int], games: list[Any]) -> list[tuple[int, int]]:
        self.asked.append(levels)
        number = self.places.pop(0) if self.places else 0
        if not number:
            raise Unavailable("busy")
        return [(level, turn % len(games)) for turn, level in enumerate(levels[:number])]


async def found(lobby: FewPlaces) -> list[tuple[int, int]]:
    return await simul_robots.find_places(cast("LobbyClient", lobby), HOST, [3, 2, 4], GAMES)


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simul_robots, "PAUSE_S", 0.0)


async def test_all_come_at_once_if_there_is_room() -> None:
    lobby = FewPlaces(8)
    assert await found(lobby) == [(3, 0), (2, 1), (4, 0)]
    assert lobby.asked == [[3, 2, 4]]


async def test_others_come_with_the_next_reports_and_go_on_with_the_games() -> None:
    lobby = FewPlaces(1, 0, 1, 1)
    assert await found(lobby) == [(3, 0), (2, 1), (4, 0)]
    assert lobby.asked == [[3, 2, 4], [2, 4], [2, 4], [4]]


async def test_who_has_no_place_in_time_is_left_out() -> None:
    lobby = FewPlaces(2)
    assert await found(lobby) == [(3, 0), (2, 1)]
    assert len(lobby.asked) == simul_robots.MOST_REPORTS
    with pytest.raises(Unavailable):
        await found(FewPlaces(0, 3))
