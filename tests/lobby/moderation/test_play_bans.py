"""Play bans from a record of conduct: a table of cases and properties."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lobby.moderation.play_bans import MINUTES, POINTS, WINDOW, DueBan, RecordedGame, due_ban
from lobby.wire.moderation import Deed

LETTERS: dict[str, Deed] = {".": "ok", "a": "aborted", "n": "no_show", "r": "let_run", "l": "left"}

deeds = st.sampled_from(get_args(Deed))


def record(text: str) -> list[RecordedGame]:
    """Oldest first, a letter a game; a digit is the level of the ban that the game before it brought."""
    games: list[RecordedGame] = []
    for letter in text:
        if letter.isdigit():
            games[-1] = RecordedGame(games[-1].deed, int(letter))
        else:
            games.append(RecordedGame(LETTERS[letter]))
    return games[::-1]


def play(career: list[Deed]) -> list[RecordedGame]:
    """The record of a person who did all of ``career``, with the bans that this brought; the newest first."""
    games: list[RecordedGame] = []
    for deed in career:
        games.insert(0, RecordedGame(deed))
        sentence = due_ban(games)
        if sentence is not None:
            games[0] = RecordedGame(deed, sentence.level)
    return games


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("", 0),
        (".", 0),
        ("aaaa", 0),
        ("aaaaa", 1),
        ("a.a..a...a....a", 1),
        ("nn", 0),
        ("nna", 1),
        ("rl", 0),
        ("rln", 1),
        # Only who has just done something is banned.
        ("nnn.", 0),
        # What is older than thirty games is forgotten.
        ("aaaa" + 26 * "." + "a", 0),
        ("aaaa" + 25 * "." + "a", 1),
        # After a ban three points are enough, counted anew, and it is longer.
        ("nnn1a", 0),
        ("nnn1aa", 0),
        ("nnn1aaa", 2),
        ("nnn1nn", 2),
        ("nnn1aaa2aaa", 3),
        ("nnn1aaa2.aa....a", 3),
        ("nnn1aaa2aa", 0),
        # Thirty games without a ban, and all is as before.
        ("nnn3" + 29 * "." + "n", 0),
        ("nnn3" + 26 * "." + "nnn", 4),
        ("nnn3" + 27 * "." + "nnn", 1),
    ],
)
def test_ban_level_follows_from_the_record(text: str, level: int) -> None:
    sentence = due_ban(record(text))
    assert (0 if sentence is None else sentence.level) == level


def test_each_ban_is_longer_up_to_a_week() -> None:
    levels = [due_ban(record("nnn" + str(level) + "nn")) for level in range(1, 10)]
    assert [s.minutes for s in levels if s] == [15, 45, 120, 360, 1440, 4320, 10_080, 10_080, 10_080]
    assert due_ban(record("nnn")) == DueBan(level=1, minutes=5)
    assert list(MINUTES) == sorted(set(MINUTES))


@given(st.lists(deeds, max_size=80))
def test_only_a_misdeed_leads_to_a_ban(career: list[Deed]) -> None:
    assert all(POINTS[game.deed] for game in play(career) if game.level)


@given(st.lists(deeds, max_size=60), st.integers(0, 60))
def test_aborting_one_game_in_eight_is_never_banned(before: list[Deed], games: int) -> None:
    aborting: list[Deed] = ["aborted" if place % 8 == 0 else "ok" for place in range(games)]
    pause: list[Deed] = ["ok"] * WINDOW
    newest_first = play([*before, *pause, *aborting])[: len(aborting)]
    assert not any(game.level for game in newest_first)


@given(st.lists(deeds, max_size=80), st.lists(deeds, max_size=10))
def test_games_outside_the_window_do_not_count(old: list[Deed], forgotten: list[Deed]) -> None:
    newest_first = [RecordedGame(deed) for deed in old][:WINDOW]
    padded = newest_first + [RecordedGame("ok")] * (WINDOW - len(newest_first))
    assert due_ban(padded) == due_ban([*padded, *(RecordedGame(deed, 3) for deed in forgotten)])


@given(st.lists(deeds, min_size=40, max_size=120))
def test_repetition_never_shortens_a_ban(career: list[Deed]) -> None:
    levels = [game.level for game in reversed(play(career))]
    for place, level in enumerate(levels):
        earlier = [old for old in levels[max(0, place - WINDOW + 1) : place] if old]
        if level and earlier:
            assert level == max(earlier) + 1
