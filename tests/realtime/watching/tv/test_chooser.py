"""Choice of the game on television: tables of cases and properties."""

from __future__ import annotations

import gc
import sys
from functools import partial
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from realtime.watching.tv.chooser import (
    CLEARLY,
    INTEREST,
    MOST_INTEREST,
    SEEN_MS,
    SETTLED_MS,
    ChannelChange,
    Chooser,
    interest,
)
from realtime.watching.tv.ranking import STEP, Ranking

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import FrameType

CHANNELS = ("best", "blitz", "rapid")

CALM: frozenset[str] = frozenset()


def looked(chooser: Chooser, now_ms: int, scrambles: Iterable[str] = CALM) -> dict[str, str]:
    """What is shown after a look."""
    chooser.choose(now_ms, lambda game: game in scrambles)
    return chooser.shown()


class TestSuccessor:
    @pytest.fixture
    def chooser(self) -> Chooser:
        """It has shown board ``a`` of a simul since 0."""
        chooser = Chooser(["simul"])
        chooser.begin("a", 1500, ["simul"])
        assert looked(chooser, 0) == {"simul": "a"}
        return chooser

    def test_takes_its_place_at_once(self, chooser: Chooser) -> None:
        chooser.succeed("a", "b", 900, ["simul"], 1000)
        assert looked(chooser, 1000, ["a"]) == {"simul": "b"}
        assert "a" not in chooser

    def test_host_who_goes_on_before_the_choice_is_found(self, chooser: Chooser) -> None:
        chooser.succeed("a", "b", 900, ["simul"], 1000)
        chooser.succeed("b", "c", 900, ["simul"], 1000)
        assert looked(chooser, 1000) == {"simul": "c"}

    def test_host_who_returns_before_the_choice_changes_nothing(self, chooser: Chooser) -> None:
        chooser.succeed("a", "b", 900, ["simul"], 1000)
        chooser.succeed("b", "a", 1500, ["simul"], 1000)
        assert chooser.choose(1000, lambda game: False) == []
        chooser.begin("other", 1500 + CLEARLY - STEP, ["simul"])
        assert looked(chooser, SETTLED_MS * 10) == {"simul": "a"}

    def test_does_not_disturb_a_channel_that_shows_another_simul(self, chooser: Chooser) -> None:
        chooser.begin("x", 1000, ["simul"])
        chooser.succeed("x", "y", 1000, ["simul"], 1000)
        assert looked(chooser, 1000) == {"simul": "a"}

    def test_that_is_over_before_the_choice_is_not_shown(self, chooser: Chooser) -> None:
        chooser.succeed("a", "b", 900, ["simul"], 1000)
        chooser.end("b", 1000)
        assert looked(chooser, 1000 + SEEN_MS * 2) == {"simul": "a"}


class TestOneChannel:
    @pytest.fixture
    def chooser(self) -> Chooser:
        """It has shown ``old``, of strength 1500, since 0."""
        chooser = Chooser(["best"])
        assert looked(chooser, 0) == {}
        chooser.begin("old", 1500, ["best"])
        assert chooser.choose(0, lambda game: False) == [ChannelChange("best", "old")]
        return chooser

    @pytest.mark.parametrize(
        ("strength", "at_ms", "scrambles", "shows"),
        [
            (1500 + CLEARLY, SETTLED_MS, (), "new"),
            (1500 + CLEARLY - STEP, SETTLED_MS, (), "old"),  # not clearly better
            (1500 + CLEARLY, SETTLED_MS - 1, (), "old"),  # it has just begun to be shown
            (3000, SETTLED_MS, ("old",), "old"),  # never in a scramble
            (3000, SETTLED_MS, ("new",), "new"),  # that of another game does not matter
            (1400, SETTLED_MS * 100, (), "old"),
        ],
    )
    def test_live_game_is_replaced_by_a_clearly_better_one(
        self, chooser: Chooser, strength: int, at_ms: int, scrambles: tuple[str, ...], shows: str
    ) -> None:
        chooser.begin("new", strength, ["best"])
        assert looked(chooser, at_ms, scrambles) == {"best": shows}

    @pytest.mark.parametrize(
        ("after_ms", "strength", "shows"),
        [
            (SEEN_MS - 1, 3000, "old"),  # its end is still shown
            (SEEN_MS, 3000, "new"),
            (SEEN_MS, 800, "new"),  # any live game precedes a finished one
            (SEEN_MS * 1000, None, "old"),  # there is nothing else
        ],
    )
    def test_finished_game_is_replaced_after_a_while(
        self, chooser: Chooser, after_ms: int, strength: int | None, shows: str
    ) -> None:
        if strength is not None:
            chooser.begin("new", strength, ["best"])
        chooser.end("old", 1000)
        assert looked(chooser, 1000 + after_ms, ["old"]) == {"best": shows}

    def test_later_game_replaces_finished_game_at_once(self, chooser: Chooser) -> None:
        chooser.end("old", 1000)
        assert looked(chooser, 60_000) == {"best": "old"}
        chooser.begin("new", 900, ["best"])
        assert looked(chooser, 61_000) == {"best": "new"}

    def test_watchers_make_up_for_rating(self, chooser: Chooser) -> None:
        chooser.begin("new", 1500, ["best"])
        chooser.watch("new", 2 ** (CLEARLY // INTEREST) - 1)
        assert looked(chooser, SETTLED_MS) == {"best": "new"}

    def test_watchers_of_the_shown_game_count(self, chooser: Chooser) -> None:
        chooser.watch("old", 1)
        chooser.begin("new", 1500 + CLEARLY, ["best"])
        assert looked(chooser, SETTLED_MS) == {"best": "old"}
        chooser.watch("old", 0)
        assert looked(chooser, SETTLED_MS) == {"best": "new"}

    def test_game_that_returns_stays_shown(self, chooser: Chooser) -> None:
        chooser.begin("new", 1500, ["best"])
        chooser.end("old", 1000)
        chooser.begin("old", 1500, ["best"])
        assert looked(chooser, SETTLED_MS * 10) == {"best": "old"}

    def test_channel_returns_to_the_earlier_game(self, chooser: Chooser) -> None:
        chooser.begin("new", 2000, ["best"])
        assert looked(chooser, SETTLED_MS) == {"best": "new"}
        chooser.end("new", SETTLED_MS + 1)
        assert looked(chooser, SETTLED_MS + 1 + SEEN_MS) == {"best": "old"}

    def test_newest_of_equal_games_is_chosen_but_replaces_none(self, chooser: Chooser) -> None:
        chooser.begin("newer", 1500, ["best"])
        chooser.begin("newest", 1500, ["best"])
        assert looked(chooser, SETTLED_MS * 10) == {"best": "old"}
        chooser.end("old", SETTLED_MS * 10)
        assert looked(chooser, SETTLED_MS * 11) == {"best": "newest"}

    def test_unknown_game_changes_nothing(self, chooser: Chooser) -> None:
        chooser.watch("nosuch", 1000)
        chooser.end("nosuch", 0)
        chooser.begin("old", 9000, ["best"])
        assert looked(chooser, SETTLED_MS) == {"best": "old"}
        assert len(chooser) == 1


def test_channels_are_independent() -> None:
    chooser = Chooser(["best", "blitz", "rapid"])
    chooser.begin("b", 1500, ["best", "blitz"])
    chooser.begin("r", 1700, ["best", "rapid"])
    assert looked(chooser, 0) == {"best": "r", "blitz": "b", "rapid": "r"}
    chooser.end("r", 1000)
    assert looked(chooser, 1000 + SEEN_MS) == {"best": "b", "blitz": "b", "rapid": "r"}


def calls(do: Callable[[], object]) -> int:
    """How many functions are called by ``do``: what it costs, on any machine.

    A garbage collection in between would count Hypothesis's callbacks.
    """
    count = 0

    def note(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    gc.disable()
    sys.setprofile(note)
    try:
        do()
    finally:
        sys.setprofile(None)
        gc.enable()
    return count


def test_cost_does_not_grow_with_number_of_games() -> None:
    costs = []
    for games in (10, 10_000):
        chooser = Chooser(CHANNELS)
        for number in range(games):
            chooser.begin(f"game{number}", 1000 + number % 10 * STEP, ["best", "blitz"])
        chooser.choose(0, lambda game: False)
        costs.append(
            [
                calls(partial(chooser.choose, SETTLED_MS, CALM.__contains__)),
                calls(partial(chooser.watch, "game5", 1000)),
                calls(partial(chooser.end, "game6", 0)),
                calls(partial(chooser.begin, "another", 1000, ["best", "blitz"])),
            ]
        )
    assert costs[0] == costs[1]


@pytest.mark.parametrize(("watchers", "worth"), [(0, 0), (1, 25), (2, 50), (3, 50), (4, 75), (1000, 250), (10**6, 250)])
def test_interest_grows_with_doubled_watchers(watchers: int, worth: int) -> None:
    assert interest(watchers) == worth <= MOST_INTEREST


def test_ranking_has_best_first_and_newest_of_equals() -> None:
    ranking = Ranking()
    for game, score in (("a", 100), ("b", 200), ("c", 210)):
        ranking.put(game, score)
    assert list(ranking) == ["c", "b", "a"]
    ranking.put("b", 224)
    assert list(ranking) == ["c", "b", "a"], "it has not changed by a step"
    ranking.put("a", 225)
    ranking.put("a", 200)
    assert list(ranking) == ["a", "c", "b"]
    ranking.drop("c")
    ranking.drop("c")
    assert (list(ranking), ranking.first(), len(ranking), "c" in ranking) == (["a", "b"], "a", 2, False)
    assert (ranking.score("a"), ranking.score("c")) == (200, None)
    for game in "ab":
        ranking.drop(game)
    assert (ranking.first(), list(ranking)) == (None, [])


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.none() | st.integers(0, 3000)), max_size=60))
def test_ranking_equals_sorting(changes: list[tuple[str, int | None]]) -> None:
    ranking, scores = Ranking(), dict[str, int]()
    for game, score in changes:
        if score is None:
            ranking.drop(game)
            scores.pop(game, None)
        else:
            ranking.put(game, score)
            scores[game] = score // STEP
        assert [scores[one] for one in ranking] == sorted(scores.values(), reverse=True)
        assert ranking.first() == next(iter(ranking), None)
        assert len(ranking) == len(scores)


GAMES = st.sampled_from("abcdefgh")


class Television(RuleBasedStateMachine):
    """Games begin, end and get watchers at any time; the chooser looks at any interval."""

    def __init__(self) -> None:
        super().__init__()
        self.chooser = Chooser(CHANNELS)
        self.now_ms = 0
        self.live: dict[str, tuple[str, ...]] = {}
        self.scrambles: set[str] = set()
        self.ended_ms: dict[str, int] = {}
        self.switches: dict[str, list[int]] = {channel: [] for channel in CHANNELS}
        self.leaves = 0
        """How many games that were shown have ended."""

    @rule(game=GAMES, strength=st.integers(800, 2900))
    def begin(self, game: str, strength: int) -> None:
        if game not in self.live:
            self.live[game] = ("best", "blitz" if game < "e" else "rapid")
            self.chooser.begin(game, strength, self.live[game])

    @rule(game=GAMES)
    def end(self, game: str) -> None:
        if self.live.pop(game, None) is not None:
            self.ended_ms[game] = self.now_ms
            self.leaves += game in self.chooser.shown().values()
            self.chooser.end(game, self.now_ms)

    @rule(game=GAMES, watchers=st.integers(0, 5000))
    def watch(self, game: str, watchers: int) -> None:
        self.chooser.watch(game, watchers)

    @rule(game=GAMES)
    def scramble(self, game: str) -> None:
        self.scrambles ^= {game}

    @rule(ms=st.sampled_from([0, 1000, 4999, 5000, 29_999, 30_000, 120_000]))
    def look(self, ms: int) -> None:
        self.now_ms += ms
        before = self.chooser.shown()
        for change in self.chooser.choose(self.now_ms, self.scrambles.__contains__):
            assert change.channel in self.live[change.game], "only what goes on, and where it belongs"
            left = before.get(change.channel)
            assert left != change.game
            if left is not None and left in self.live:
                assert left not in self.scrambles
                assert self.now_ms - self.switches[change.channel][-1] >= SETTLED_MS
            elif left is not None:
                assert self.now_ms - self.ended_ms[left] >= SEEN_MS
            self.switches[change.channel].append(self.now_ms)
        after = self.chooser.shown()
        for channel in CHANNELS:
            if any(channel in channels for channels in self.live.values()):
                shown = after[channel]
                assert shown in self.live or self.now_ms - self.ended_ms[shown] < SEEN_MS

    @invariant()
    def it_does_not_flap(self) -> None:
        for times in self.switches.values():
            assert len(times) <= 1 + self.leaves + self.now_ms // SETTLED_MS

    @invariant()
    def nothing_is_forgotten_or_kept(self) -> None:
        assert len(self.chooser) == len(self.live)
        on = {game for game, channels in self.chooser._on.items() if channels}
        assert on == set(self.chooser.shown().values())


TestTelevision = Television.TestCase
TestTelevision.settings = settings(stateful_step_count=40)
