"""Places of robots at the boards of a simul."""

from __future__ import annotations

import pytest

from lobby.errors import Unavailable
from lobby.robots.simul_places import take_places
from tests.lobby.robots.test_robot_lease import Hall, terms


def test_games_are_played_in_turn_and_those_that_robots_do_not_play_by_none() -> None:
    hall = Hall()
    hall.report("one")
    games = [terms("standard"), terms("chess960"), terms("international")]
    assert take_places(hall.lease, [3, 2, 4], games) == [(3, 0), (2, 2), (4, 0)]
    assert take_places(hall.lease, [3, 2, 4], games) == [(3, 0), (2, 2)], "five were free"
    with pytest.raises(Unavailable, match="busy"):
        take_places(hall.lease, [1], games)


def test_there_are_none_without_robots_or_games() -> None:
    hall = Hall()
    with pytest.raises(Unavailable, match="no robot is playing"):
        take_places(hall.lease, [3], [terms("standard")])
    hall.report("one", least_s=300)
    with pytest.raises(Unavailable, match="no robot plays chess960"):
        take_places(hall.lease, [3], [terms("chess960")])
    with pytest.raises(Unavailable, match="with more time"):
        take_places(hall.lease, [3], [terms("standard", {"base_s": 60})])
