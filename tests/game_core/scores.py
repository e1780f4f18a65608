"""Games in PGN and PDN, for the tests of both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

from game_core.scores.lines import Line, Ply
from game_core.scores.marks import parse_marks

if TYPE_CHECKING:
    from collections.abc import Callable

TAGS = {"Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?", "Event": "?"}
"""Tags of every game."""

TEXT = st.text() | st.text('ab }%;()[]{\\"$1.-*=\n', max_size=200)

COMMENTS = st.lists(TEXT.map(lambda text: parse_marks(text).text).filter(bool), max_size=2).map(tuple)
"""Comments before or after a move, in their readable form."""

TIMES = st.none() | st.integers(0, 9999 * 3_600_000) | st.integers(0, 100).map(lambda tenths: tenths * 100)


def tags_named(*names: str) -> st.SearchStrategy[dict[str, str]]:
    """Draw ``TAGS`` and some of ``names``, with any values that fit on one line."""
    values = TEXT.map(lambda text: "".join(char if char.isprintable() else " " for char in text))
    return st.dictionaries(st.sampled_from(names), values).map(lambda more: TAGS | more)


def moves_in_line(draw: st.DrawFn, depth: int) -> range:
    """Draw the number of moves of a line at this depth of variations."""
    return range(draw(st.integers(0, 6 if depth == 0 else 3)))


def variations_of(draw: st.DrawFn, depth: int, line: Callable[[int], st.SearchStrategy[Line]]) -> tuple[Line, ...]:
    """Draw variations of a move, from the same position; ``line`` draws one of that depth."""
    if depth >= 2:
        return ()
    return tuple(one for one in draw(st.lists(line(depth + 1), max_size=2)) if one.plies or one.comments)


def noted(
    draw: st.DrawFn,
    move: str,
    san: str,
    variations: tuple[Line, ...],
    comments: st.SearchStrategy[tuple[str, ...]] = COMMENTS,
) -> Ply:
    """Draw a move with any annotations."""
    return Ply(
        move=move,
        san=san,
        nags=tuple(draw(st.lists(st.integers(0, 255), max_size=2))),
        clock_ms=draw(TIMES),
        spent_ms=draw(TIMES),
        draw=draw(st.booleans()),
        comments=draw(comments),
        variations=variations,
        afterwards=draw(comments) if variations else (),
    )


def tagged(*tags: str, moves: str = "*") -> str:
    """Return the text of a game."""
    return "\n".join([*(f"[{tag}]" for tag in tags), "", moves, ""])


def sans(line: Line) -> list[str]:
    """Return the moves in notation, without variations."""
    return [ply.san for ply in line.plies]
