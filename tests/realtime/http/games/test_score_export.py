"""All games of a person as one file: selection, order, and limits."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Literal

import chess.pgn
import msgspec
import pytest

from game_core.color import COLORS
from game_core.errors import Refusal
from game_core.events import (
    AnyEvent,
    ClockReading,
    ClockSet,
    Ended,
    Made,
    Moved,
    Offered,
    Ruled,
    Seated,
    Signalled,
    TakenBack,
    Touched,
)
from game_core.replay import replay_events
from game_core.scores.lines import Ply
from game_core.start import new_game
from lobby.proposals import Proposal
from realtime.games.scores.score import Sheet, sheet_of
from realtime.games.scores.score_text import score_text
from realtime.games.scores.stored_score import stored_score
from realtime.http.games.score_export import MOST, ScoreExport
from realtime.journal.game_rows import find_game
from realtime.watching.game_lists import GameFilter
from tests.realtime.http.conftest import error_of

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    import httpx

    from game_core.color import Color
    from lobby.accounts.user import User
    from tests.realtime.http.conftest import Web

CLOCK = ClockReading(w=61_500, b=180_000, run="b")
E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
E5 = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
C5 = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
LOG: list[AnyEvent] = [
    Moved(ply=0, by="w", move="e2e4", san="e4", position=E4, clock=CLOCK),
    Moved(ply=1, by="b", move="e7e5", san="e5", position=E5, clock=ClockReading(w=61_500, b=179_000, run="w")),
    TakenBack(plies=1, position=E4, clock=CLOCK),
    Moved(ply=1, by="b", move="c7c5", san="c5", position=C5, clock=ClockReading(w=61_500, b=178_000, run="w")),
    Ended(result="1-0", reason="resignation", clock=CLOCK),
]


async def play(web: Web, white: User, black: User, *, rated: bool = False) -> str:
    """A game that is stored; its id."""
    challenge = await web.lobby.challenge(white, Proposal(tc={"base_s": 180}, color="w"))
    game: str = (await web.lobby.challenge_accept(black, challenge["challenge"]))["g"]
    rows = [
        (
            game,
            seq,
            type(event).__struct_config__.tag,
            {k: v for k, v in msgspec.to_builtins(event).items() if k != "kind"},
        )
        for seq, event in enumerate(LOG, 1)
    ]
    await web.pool.executemany("INSERT INTO event (game, seq, kind, payload) VALUES ($1, $2, $3, $4)", rows)
    await web.pool.execute(
        "UPDATE game SET status = 'over', result = '1-0', reason = 'resignation', rated = $2 WHERE id = $1", game, rated
    )
    return game


def scores(text: str) -> list[chess.pgn.Game]:
    file, found = io.StringIO(text), []
    while (score := chess.pgn.read_game(file)) is not None:
        assert score.errors == []
        found.append(score)
    return found


async def test_export_has_every_game_newest_first(
    web: Web, program: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("realtime.http.games.score_export.PAGE", 2)
    anna, bert, carl = [(await web.identities.create_guest())[0] for _ in range(3)]
    games = [await play(web, *pair) for pair in ((anna, bert), (bert, anna), (carl, bert), (anna, carl), (carl, anna))]
    response = await program.get(f"/api/v1/users/{anna.name.lower()}/pgn")
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/vnd.chess-pgn"
    assert response.headers["content-disposition"] == f'attachment; filename="zeitnot-{anna.name}.pgn"'
    found = scores(response.text)
    sites = [f"http://zeitnot.test/game/{game}" for game in (games[4], games[3], games[1], games[0])]
    assert [score.headers["Site"] for score in found] == sites
    assert [move.uci() for move in found[0].mainline_moves()] == ["e2e4", "c7c5"]
    assert (found[0].headers["White"], found[0].headers["Black"]) == (carl.name, anna.name)
    assert (found[0].headers["Result"], found[0].headers["Termination"]) == ("1-0", "normal")
    first, second = found[0].mainline()
    assert (first.clock(), second.clock()) == (61.5, 178.0)


async def test_filters_apply_to_the_export(web: Web, program: httpx.AsyncClient) -> None:
    anna, bert, carl = [(await web.identities.create_guest())[0] for _ in range(3)]
    await play(web, anna, bert, rated=True)
    await play(web, bert, anna)
    await play(web, carl, anna)
    path = f"/api/v1/users/{anna.name}/pgn"
    for query, count in (
        ({}, 3),
        ({"opponent": bert.name}, 2),
        ({"opponent": bert.name, "rated": "1"}, 1),
        ({"color": "b"}, 2),
        ({"result": "lost"}, 2),
        ({"speed": "rapid"}, 0),
        ({"variant": "standard", "until": "1000"}, 0),
    ):
        response = await program.get(path, params=query)
        assert (response.status_code, len(scores(response.text))) == (200, count), query
    for wrong in ({"opponent": "nobody"}, {"color": "white"}, {"variant": "checkers"}, {"since": "yesterday"}):
        response = await program.get(path, params=wrong)
        assert error_of(response) in ((404, "not_found"), (400, "bad_message"))
    assert error_of(await program.get("/api/v1/users/nobody/pgn")) == (404, "not_found")


async def test_head_request_writes_nothing(web: Web, program: httpx.AsyncClient) -> None:
    anna, bert = [(await web.identities.create_guest())[0] for _ in range(2)]
    await play(web, anna, bert)
    response = await program.head(f"/api/v1/users/{anna.name}/pgn")
    assert (response.status_code, response.content) == (200, b"")


async def test_sheet_equals_the_game(web: Web) -> None:
    anna, bert = [(await web.identities.create_guest())[0] for _ in range(2)]
    row = await find_game(web.pool, await play(web, anna, bert))
    assert row is not None
    game, sheet = replay_events(new_game(row.setup, 0), LOG, 0), sheet_of(LOG, timed=COLORS)
    assert tuple(ply.move for ply in sheet.plies) == game.moves
    assert tuple(ply.san for ply in sheet.plies) == game.notation
    assert tuple(ply.clock_ms for ply in sheet.plies) == game.times
    assert (sheet.result, sheet.reason) == (game.result, game.reason)
    assert await stored_score(web.pool, row, "here") == score_text(row, sheet, "here")


def moved(ply: int, *, spent_ms: int = 0, held: str | None = None, draw: bool = False) -> Moved:
    """Half-move ``ply``; the other side's time runs after it."""
    by, run = ("w", "b") if ply % 2 == 0 else ("b", "w")
    clock = ClockReading(w=9000 - ply, b=9000 - ply, run=run, held=held)  # type: ignore[arg-type]  # a colour
    return Moved(ply, by, f"move{ply}", f"san{ply}", "", clock=clock, spent_ms=spent_ms, draw=draw)  # type: ignore[arg-type]  # a colour


def offered(by: Color, do: Literal["offer", "decline"] = "offer") -> Offered:
    return Offered(what="draw", do=do, by=by)


class TestSheet:
    def test_move_times_are_written_where_known(self) -> None:
        held = ClockSet(clock=CLOCK, why="storage")
        events: list[AnyEvent] = [
            moved(0),  # no clock ran
            moved(1, spent_ms=1001),
            moved(2, spent_ms=2002),
            held,
            moved(3, spent_ms=7),
            moved(4, spent_ms=4004, held="pause"),
            moved(5, spent_ms=8),
            moved(6, spent_ms=6006),
            TakenBack(plies=2, position="", clock=CLOCK),
            moved(5, spent_ms=9),
            moved(6, spent_ms=10),
        ]
        plies = sheet_of(events, timed=COLORS).plies
        assert [ply.spent_ms for ply in plies] == [None, 1001, 2002, None, 4004, None, 10]
        assert [ply.clock_ms for ply in plies] == [9000 - ply for ply in range(7)]

    def test_game_without_clocks_has_no_move_times(self) -> None:
        plies = sheet_of([moved(0), moved(1, spent_ms=5)], timed=()).plies
        assert [(ply.clock_ms, ply.spent_ms) for ply in plies] == [(None, None)] * 2

    @pytest.mark.parametrize(
        ("events", "noted"),
        [
            ([moved(0, draw=True), moved(1)], [0]),
            ([moved(0), moved(1), offered("b"), moved(2)], [1]),
            ([moved(0), moved(1), offered("w"), moved(2), moved(3)], [2]),
            ([offered("w"), moved(0)], [0]),
            ([offered("b"), moved(0), moved(1)], []),
            ([moved(0), offered("w"), offered("b", "decline"), moved(1)], [0]),
            ([moved(0), moved(1), offered("w"), TakenBack(plies=1, position=""), moved(1), moved(2)], []),
            ([moved(0), moved(1), TakenBack(plies=1, position=""), offered("w"), moved(1)], [0]),
            ([moved(0), TakenBack(plies=1, position=""), offered("w"), moved(0)], [0]),
            ([moved(0), Offered(what="takeback", do="offer", by="w"), moved(1)], []),
        ],
    )
    def test_draw_offer_is_written_at_its_move(self, events: list[AnyEvent], noted: list[int]) -> None:
        plies = sheet_of(events, timed=COLORS).plies
        assert [number for number, ply in enumerate(plies) if ply.draw] == noted


class TestSheetByLaws:
    """An illegal move that was let stand, and what came after it, cannot be replayed by any reader."""

    LOG: tuple[AnyEvent, ...] = (
        *(moved(0), moved(1)),
        msgspec.structs.replace(moved(2), irregular=True),
    )

    def test_moves_from_an_illegal_one_on_are_apart(self) -> None:
        assert sheet_of([*self.LOG, moved(3)], timed=COLORS).irregular == 2

    def test_illegal_move_that_may_be_claimed_is_not_told(self) -> None:
        assert sheet_of(self.LOG, timed=COLORS).irregular is None
        end = Ended(result="0-1", reason="timeout")
        assert sheet_of([*self.LOG, end], timed=COLORS).irregular == 2

    def test_illegal_move_that_was_taken_back_leaves_no_trace(self) -> None:
        ruling = Ruled("w", "illegal_move", "move2", 1, 0, (), CLOCK)
        back = TakenBack(plies=1, position="", clock=CLOCK)
        sheet = sheet_of([*self.LOG, back, ruling, moved(2, spent_ms=5), moved(3)], timed=COLORS)
        assert (sheet.irregular, len(sheet.plies), sheet.plies[2].spent_ms) == (None, 4, None)

    def test_other_events_are_no_moves(self) -> None:
        made = Made(0, "w", "move0", "san0", "", ("e2",))
        sheet = sheet_of([Seated("w"), Signalled("w", on=True), Touched("w", "e2"), made, moved(0)], timed=COLORS)
        assert ([ply.move for ply in sheet.plies], sheet.reason) == (["move0"], None)

    @pytest.mark.parametrize("first", [0, 2])
    async def test_score_has_them_in_a_comment(self, web: Web, first: int) -> None:
        anna, bert = [(await web.identities.create_guest())[0] for _ in range(2)]
        row = await find_game(web.pool, await play(web, anna, bert))
        assert row is not None
        plies = [Ply(move, san) for move, san in (("e2e4", "e4"), ("e7e5", "e5"), ("a1a5", "Ra5"), ("g8f6", "Nf6"))]
        text = score_text(row, Sheet(plies, "1-0", "timeout", irregular=first), "here").replace("\n", " ")
        rest = " ".join(ply.san for ply in plies[first:])
        legal = "1. e4 e5 " if first else ""
        assert f"{legal}{{an illegal move was let stand: {rest}}} 1-0" in text


class TestHowMany:
    """Exports whose readers have stopped after the beginning."""

    @pytest.fixture
    async def export(self, web: Web) -> ScoreExport:
        return ScoreExport(web.identities)

    @pytest.fixture
    async def wanted(self, web: Web) -> GameFilter:
        anna, bert = [(await web.identities.create_guest())[0] for _ in range(2)]
        await play(web, anna, bert)
        return GameFilter(user=anna.id)

    async def begin(self, export: ScoreExport, who: str, wanted: GameFilter) -> AsyncGenerator[bytes, None]:
        pieces = export._scores(who, wanted, "games")
        await anext(pieces)
        return pieces

    async def test_requester_has_one_export_at_a_time(self, export: ScoreExport, wanted: GameFilter) -> None:
        first = await self.begin(export, "anna", wanted)
        with pytest.raises(Refusal) as refused:
            await self.begin(export, "anna", wanted)
        assert refused.value.code == "rate_limited"
        second = await self.begin(export, "bert", wanted)
        await first.aclose()
        third = await self.begin(export, "anna", wanted)
        assert [piece async for piece in third] == []
        await (await self.begin(export, "anna", wanted)).aclose()
        await second.aclose()

    async def test_server_runs_few_exports_at_a_time(self, export: ScoreExport, wanted: GameFilter) -> None:
        running = [await self.begin(export, f"{number}", wanted) for number in range(MOST)]
        with pytest.raises(Refusal) as refused:
            await self.begin(export, "anna", wanted)
        assert refused.value.code == "unavailable"
        await running[0].aclose()
        running[0] = await self.begin(export, "anna", wanted)
        for pieces in running:
            await pieces.aclose()

    async def test_stalled_export_holds_no_connection(self, web: Web, export: ScoreExport, wanted: GameFilter) -> None:
        pieces = await self.begin(export, "anna", wanted)
        assert web.pool.get_idle_size() == web.pool.get_size()
        await pieces.aclose()
