"""PDN round trip: an exported game is read back unchanged."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game_core.draughts.notation.pdn_game import RESULTS, PdnGame
from game_core.draughts.notation.pdn_reader import read_games
from game_core.draughts.notation.pdn_writer import format_game, write_games
from game_core.registry import registered, rules_for
from game_core.scores.lines import Line, Ply
from game_core.scores.marks import parse_marks
from game_core.scores.writer import MAX_COLUMNS
from tests.game_core.draughts.boards import DATA
from tests.game_core.scores import TAGS, TEXT, moves_in_line, noted, tags_named, variations_of

if TYPE_CHECKING:
    from game_core.rules import Position, Rules

ALL = [rules_for(game, variant) for game, variant in registered() if rules_for(game, variant).notation == "pdn"]
"""The star among them: its games are written in the same form."""

GAMES = 200
"""Of each variant that are played by chance."""

PLIES = 60
"""Of each; by then kings have come and many are over."""

COMMENTS = st.lists(TEXT.map(lambda text: parse_marks(text.replace("}", "")).text).filter(bool), max_size=2).map(tuple)
"""Comments are written in braces only."""


@st.composite
def lines(draw: st.DrawFn, rules: Rules, position: Position, depth: int) -> Line:
    """A line of a few moves from ``position``, with whatever may stand in one."""
    comments = draw(COMMENTS)
    plies: list[Ply] = []
    for _ in moves_in_line(draw, depth):
        moves = rules.legal_moves(position)
        if rules.outcome(position) is not None:
            break
        variations = variations_of(draw, depth, partial(lines, rules, position))
        played = rules.play(position, moves[draw(st.integers(0, len(moves) - 1))])
        plies.append(noted(draw, played.move, played.notation, variations, COMMENTS))
        position = played.position
    return Line(tuple(plies), comments)


@st.composite
def games(draw: st.DrawFn) -> PdnGame:
    rules = draw(st.sampled_from(ALL))
    position = rules.start(None)
    fen = None
    for choice in draw(st.lists(st.integers(0, 20), max_size=30)):
        moves = rules.legal_moves(position)
        after = rules.play(position, moves[choice % len(moves)]).position
        if rules.outcome(after) is not None:
            break
        position = after
        fen = rules.fen(position)
    position = rules.start(fen)
    fen = None if fen == rules.fen(rules.start(None)) else fen
    return PdnGame(
        tags=draw(tags_named("White", "Black", "Event", "Termination", "WhiteRating", "A_1")),
        game=rules.game,
        variant=rules.variant,
        fen=fen,
        line=draw(lines(rules, position, 0)),
        result=draw(st.sampled_from(RESULTS)),
    )


@given(games(), st.integers(1, 60))
@pytest.mark.exhaustive
def test_any_game_round_trips(game: PdnGame, size: int) -> None:
    text = format_game(game)
    assert list(read_games([text])) == [game]
    assert list(read_games(text[at : at + size] for at in range(0, len(text), size))) == [game]


@given(st.lists(games(), max_size=2))
@pytest.mark.exhaustive
def test_several_games_round_trip(several: list[PdnGame]) -> None:
    assert list(read_games(write_games(several))) == several


def test_real_games_round_trip() -> None:
    text = (DATA / "draughts" / "games.pdn").read_text(encoding="utf-8")
    once = list(read_games(write_games(game for game in read_games([text]) if isinstance(game, PdnGame))))
    real = [game for game in once if isinstance(game, PdnGame)]
    assert len(real) == 10
    written = list(write_games(real))
    assert list(read_games(written)) == real
    assert max(map(len, "".join(written).splitlines())) <= MAX_COLUMNS


@pytest.mark.parametrize("rules", ALL, ids=lambda rules: rules.variant)
@pytest.mark.exhaustive
def test_random_games_round_trip(rules: Rules) -> None:
    played = [_game_of_chance(rules, seed) for seed in range(GAMES)]
    assert list(read_games(write_games(played))) == played


def _game_of_chance(rules: Rules, seed: int) -> PdnGame:
    chance = Random(seed)
    position = rules.start(None)
    plies = []
    for number in range(PLIES):
        if rules.outcome(position) is not None:
            break
        played = rules.play(position, chance.choice(rules.legal_moves(position)))
        plies.append(Ply(played.move, played.notation, clock_ms=600_000 - 1_234 * number))
        position = played.position
    outcome = rules.outcome(position)
    winner = None if outcome is None else outcome.winner
    result = "*" if outcome is None else {"w": "1-0", "b": "0-1", None: "1/2-1/2"}[winner]
    return PdnGame(TAGS | {"Round": str(seed)}, rules.game, rules.variant, None, Line(tuple(plies)), result)
