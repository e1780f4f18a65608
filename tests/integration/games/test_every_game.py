"""Each variant except chess variants, from its first move to its end, over real sockets."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from game_core.decide.ends import result_of
from game_core.registry import rules_for
from tests.integration.match import Match, match, snapshot, without_time
from tests.integration.nodes import caught_up
from tests.integration.selfplay import KINDS, drawn, self_played
from tests.server_process import is_several
from tests.wire_client import Client, guest

if TYPE_CHECKING:
    from game_core.rules import Position, Rules

every_kind = pytest.mark.parametrize(("game", "variant"), KINDS, ids=[variant for _, variant in KINDS])


async def refusal(who: Client, kind: str, **fields: Any) -> tuple[str, str]:
    """Code and text of the refusal that is expected."""
    code = await who.refused(kind, **fields)
    return code, next(m["message"] for m in reversed(who.messages) if m["t"] == "error")


# -- whole games --------------------------------------------------------------------------------------------


@every_kind
async def test_game_is_played_to_its_end(url: str, game: str, variant: str) -> None:
    script, rules = self_played(game, variant), rules_for(game, variant)
    codec = ("msgpack", "json")[KINDS.index((game, variant)) % 2]
    async with match(url, codec=codec, **script.terms) as m, Client(url) as spectator, Client(url) as passer_by:
        assert m.first == rules.turn(rules.start(None))
        await spectator.sub(m.g, ticks=False)
        await m.white.sub(m.g, ticks=False, legal=True)
        await passer_by.request("sub", topic=m.topic, position=True)
        position = rules.start(None)
        for ply, (played, leaps) in enumerate(zip(script.played, script.leaps, strict=True)):
            if m.mover is m.white:
                await check_legal(m, rules, ply, position)
            mover = "w" if m.mover is m.white else "b"
            seq = (await m.play(played.move))["seq"]
            event = await m.heard(seq)
            assert (event["by"], event["ply"], event["move"], event["pdn"]) == (
                mover,
                ply,
                played.move,
                played.notation,
            )
            assert (event["position"], event["check"]) == (rules.fen(played.position), False)
            assert event.get("leaps") == leaps
            assert event.get("draw_in") == rules.draw_in(played.position)
            assert "san" not in event
            position = played.position
        if script.outcome is None:
            await m.white.request("resign", g=m.g)
        end = await m.white.wait(lambda message: message["t"] == "end")
        if script.outcome is not None:
            assert (end["result"], end["reason"]) == (result_of(script.outcome.winner), script.outcome.reason)
        for client in (spectator, m.black):
            await client.event(m.g, end["seq"])
        assert [without_time(e) for e in spectator.events(m.g)] == [without_time(e) for e in m.black.events(m.g)]
        shown = await asyncio.to_thread(m.snapshot)
        assert (shown["moves"], shown["notation"]) == (list(script.moves), [one.notation for one in script.played])
        assert shown["leaps"] == script.leaps
        assert shown["position"] == rules.fen(position)
        assert (shown["game"], shown["variant"], shown["fen"], shown["rules"]) == (game, variant, None, "online")
        mini = await passer_by.wait(lambda message: message["t"] == "mini" and message["status"] == "over")
        assert (mini["last"], mini["leaps"], mini["ply"]) == (script.moves[-1], script.leaps[-1], len(script.moves))


async def check_legal(m: Match, rules: Rules, ply: int, position: Position) -> None:
    """Check White's legal moves in ``position``, and the path of each."""
    legal = list(rules.legal_moves(position))
    ways = {move: rules.leaps(position, move) for move in legal}
    wanted = {
        move: [{"path": list(one.path), "taken": list(one.taken)} for one in found]
        for move, found in ways.items()
        if found
    }
    if ply == 0:
        shown = [x for x in m.white.messages if x["t"] == "game"][-1]
        assert (shown["legal"], shown.get("legal_leaps", {})) == (legal, wanted)
    else:
        told = await m.white.wait(lambda x: x["t"] == "legal" and x["ply"] == ply)
        assert (told["legal"], told.get("leaps", {})) == (legal, wanted)


@every_kind
async def test_draughts_resume_delivers_missed_events(url: str, game: str, variant: str) -> None:
    script = self_played(game, variant)
    async with match(url, *script.moves[:20], **script.terms) as m, Client(url) as delayed:
        await m.heard(20)
        await caught_up(delayed, m.g, 20)
        start = len(delayed.messages)
        await delayed.request("sub", topic=m.topic, **{"from": 10})
        missed = await delayed.wait(lambda m: m["t"] == "game" or (m["t"] != "ok" and m.get("seq") == 20), start)
        if is_several(url) and missed["t"] == "game":  # of a node that had not shown the game yet
            assert (missed["seq"], missed["moves"]) == (20, m.played)
            return
        assert missed["t"] == "move"
        told = [event for event in delayed.events(m.g) if event in delayed.messages[start:]]
        assert [without_time(e) for e in told] == [without_time(e) for e in m.white.events(m.g)[10:]]


# -- draws by rule ------------------------------------------------------------------------------------------

# Columns: the variant, the profile, the position, in how many moves of each side it is drawn.
ENDINGS: dict[str, tuple[str, str, str, int]] = {
    "a king against a king": ("international", "online", "W:WK46:BK4", 5),
    "three kings against one": ("international", "online", "W:WK46,47,48:BK1", 10),
    "three kings against one, official": ("international", "official", "W:WK46,K47,K48:BK1", 10),
    "three kings against one, fmjd": ("international", "fmjd", "W:WK46,K47,K48:BK1", 16),
    "of Brazil": ("brazilian", "online", "W:WKa1,Kc1:BKh2", 5),
}


@pytest.mark.parametrize(("variant", "profile", "fen", "left"), ENDINGS.values(), ids=ENDINGS)
async def test_move_limit_is_shown_and_draws(url: str, variant: str, profile: str, fen: str, left: int) -> None:
    rules = rules_for("draughts", variant, profile)
    if left <= 5:
        script = drawn(variant, fen, "draw_rule", profile)
    else:  # by chance nobody holds out for so long
        script = (rules.play(rules.start(fen), rules.legal_moves(rules.start(fen))[0]),)
    async with match(url, game="draughts", variant=variant, fen=fen, rules=profile) as m:
        for ply, played in enumerate(script, 1):
            await m.play(played.move)
            event = await m.heard(ply)
            assert event.get("draw_in") == rules.draw_in(played.position)
            if ply == 1:
                shown = await asyncio.to_thread(m.snapshot)
                assert (shown["draw_in"], shown["rules"]) == (event["draw_in"], profile)
        if left <= 5:
            end = await m.white.wait(lambda message: message["t"] == "end")
            assert (end["result"], end["reason"], len(script)) == ("1/2-1/2", "draw_rule", 2 * left)
            assert "draw_in" not in await asyncio.to_thread(m.snapshot)
        else:
            assert event["draw_in"] == left


async def test_lone_king_does_not_win_on_time(url: str) -> None:
    """White's flag against a lone black king is a draw. The flag of the lone king is a loss."""

    async def falls(fen: str, moves: tuple[str, ...]) -> tuple[str, str]:
        async with match(url, *moves, game="draughts", variant="international", fen=fen, tc={"base_s": 1}) as m:
            end = await m.white.wait(lambda message: message["t"] == "end")
            return end["result"], end["reason"]

    white, black = await asyncio.gather(
        falls("W:WK46,K47:BK4", ("47-42", "4-15")), falls("W:WK46,K47:BK4", ("47-42", "4-15", "42-47"))
    )
    assert (white, black) == (("1/2-1/2", "timeout_draw"), ("1-0", "timeout"))


# -- what is no move ----------------------------------------------------------------------------------------


NO_MOVES = ("e2e4", "0000", "-", "x", "1", "a9-b9", "99-98", "31-", "\N{WHITE DRAUGHTS MAN}", "1x" * 31)


@every_kind
async def test_malformed_moves_are_refused(url: str, game: str, variant: str) -> None:
    async with match(url, game=game, variant=variant) as m:
        for text in NO_MOVES:
            code, why = await refusal(m.mover, "move", g=m.g, move=text, ply=0)
            assert (code, "not a move" in why) == ("illegal_move", True), f"{text}: {why}"
        assert (await asyncio.to_thread(m.snapshot))["moves"] == []


@every_kind
async def test_moves_out_of_turn_or_with_wrong_ply_are_refused(url: str, game: str, variant: str) -> None:
    script = self_played(game, variant)
    async with match(url, *script.moves[:2], **script.terms) as m, Client(url) as stranger:
        third, first = script.moves[2], script.moves[0]
        assert await m.waiter.refused("move", g=m.g, move=third, ply=2) == "not_your_turn"
        assert await m.mover.refused("move", g=m.g, move=third, ply=1) == "stale_ply"
        assert await m.mover.refused("move", g=m.g, move=first, ply=2) == "illegal_move"
        assert await stranger.refused("move", g=m.g, move=third, ply=2) == "unauthenticated"
        # Asked again, what stands is answered as it was.
        assert (await m.mover.request("move", g=m.g, move=first, ply=0))["seq"] == 1


# Columns: the variant, the position, what is sent, what is said to it.
MUST: dict[str, tuple[str, str, str, str]] = {
    "a capture is compulsory": ("international", "W:W32:B28", "32-27", "you must capture, 32x23"),
    "so is the one that takes most": ("international", "W:W32:B27,28,18", "32x21", "you must capture, 32x12"),
    "a man does not go back": ("russian", "W:Wc3:Bh8", "c3-b2", "the man on c3 cannot play"),
    "a king has to wait": (
        "frisian",
        "W:W50,K46:B15,K1:+0+346",
        "46-41",
        "the king on 46 has made 3 moves in a row; another piece must move",
    ),
}


@pytest.mark.parametrize(("variant", "fen", "text", "said"), MUST.values(), ids=MUST)
async def test_refusal_names_the_legal_alternative(url: str, variant: str, fen: str, text: str, said: str) -> None:
    async with match(url, game="draughts", variant=variant, fen=fen) as m:
        code, why = await refusal(m.mover, "move", g=m.g, move=text, ply=0)
        assert (code, said in why) == ("illegal_move", True), why


DIAMOND = "W:W26:B14,15,22,23,1"
"""English: over 22 and 14 or over 23 and 15 from 26 to 10; 1 is there so that the game goes on."""


async def test_ambiguous_capture_needs_its_full_path(url: str) -> None:
    async with match(url, game="draughts", variant="english", fen=DIAMOND) as m:
        shown = await m.white.sub(m.g, legal=True)
        assert sorted(shown["legal"]) == ["26x17x10", "26x19x10"]
        assert shown["legal_leaps"]["26x19x10"] == [{"path": ["19", "10"], "taken": ["23", "15"]}]
        code, why = await refusal(m.white, "move", g=m.g, move="26x10", ply=0)
        assert (code, why) == ("illegal_move", "26x10 could be any of 26x17x10, 26x19x10")
        await m.play("26x19x10")
        event = await m.heard(1)
        assert (event["move"], event["pdn"]) == ("26x19x10", "26x19x10")
        assert event["leaps"] == {"path": ["19", "10"], "taken": ["23", "15"]}
        assert (await m.white.request("move", g=m.g, move="26x19x10", ply=0))["seq"] == 1
        # The other one would have been another move.
        assert await m.white.refused("move", g=m.g, move="26x17x10", ply=0) == "stale_ply"


async def test_every_spelling_of_a_capture_is_the_same_move(url: str) -> None:
    async with match(url, game="draughts", variant="international", fen="W:W32:B27,28,18,1") as m:
        assert (await m.white.request("move", g=m.g, move="32x23x12", ply=0))["seq"] == 1
        for again in ("32x12", "32x23x12"):
            assert (await m.white.request("move", g=m.g, move=again, ply=0))["seq"] == 1
        assert (await m.heard(1))["move"] == "32x12"


async def test_repeated_capture_with_another_spelling_is_accepted(url: str) -> None:
    ring = "W:We7,Kh6,Ka5:Bd6,g5,d4,Kb6,Kb4,Kf2"
    async with match(url, game="draughts", variant="russian", fen=ring) as m:
        answers = [
            await m.white.request("move", g=m.g, move=move, ply=0)
            for move in ("a5xe1xg3xc7xa5", "a5xe1xg3xc7xa5", "a5xc7xg3xe1xa5", "a5-g3-c7-a5")
        ]
        assert [answer["seq"] for answer in answers] == [1, 1, 1, 1]
        assert (await m.heard(1))["move"] == "a5xc7xg3xe1xa5"
        assert (await refusal(m.white, "move", g=m.g, move="a5xc7xf4xa5", ply=0))[0] == "stale_ply"


# -- what the players settle --------------------------------------------------------------------------------


@every_kind
async def test_draw_claims_are_refused(url: str, game: str, variant: str) -> None:
    script = self_played(game, variant)
    async with match(url, *script.moves[:2], **script.terms) as m:
        code, why = await refusal(m.mover, "draw", g=m.g, do="claim")
        assert code == "conflict"
        assert "cannot be claimed" in why
        # With a move, the move stands.
        assert await m.mover.refused("draw", g=m.g, do="claim", move=script.moves[2]) == "conflict"
        assert (await m.heard(3))["move"] == script.moves[2]


@every_kind
async def test_rematch_reverses_colours_and_the_same_side_begins(url: str, game: str, variant: str) -> None:
    async with match(url, game=game, variant=variant, tc={"base_s": 60}) as m:
        await m.white.request("resign", g=m.g)
        await m.white.request("rematch", g=m.g, do="offer")
        g = (await m.black.request("rematch", g=m.g, do="accept"))["g"]
        now = Match(g, m.black, m.white, m.first)
        shown = [await player.sub(g) for player in (now.white, now.black)]
        assert [one["you"] for one in shown] == ["w", "b"]
        assert [one["turn"] for one in shown] == [m.first, m.first]
        await now.play(*self_played(game, variant).moves[:2])


@every_kind
async def test_takeback_restores_captured_and_crowned_pieces(url: str, game: str, variant: str) -> None:
    script, rules = self_played(game, variant), rules_for(game, variant)
    ply = next(ply for ply, leaps in enumerate(script.leaps) if leaps is not None and len(leaps["path"]) > 1)
    before = rules.fen(script.played[ply - 1].position)
    async with match(url, *script.moves[: ply + 1], **script.terms) as m:
        await m.waiter.request("takeback", g=m.g, do="offer")
        await m.mover.request("takeback", g=m.g, do="accept")
        event = await m.white.wait(lambda message: message["t"] == "takeback")
        assert (event["plies"], event["position"]) == (1, before)
        shown = await asyncio.to_thread(m.snapshot)
        assert shown["position"] == before
        assert shown.get("leaps", [None] * ply) == script.leaps[:ply]
        m.played.pop()
        answer = await m.play(script.moves[ply])
        assert (await m.heard(answer["seq"]))["leaps"] == script.leaps[ply]


async def test_takeback_undoes_a_crowning(url: str) -> None:
    fen = "W:Wb6,h2:Ba7,c7,e7"
    async with match(url, "b6xd8xf6", game="draughts", variant="russian", fen=fen) as m:
        assert (await m.heard(1))["position"] == "B:Wh2,Kf6:Ba7"
        await m.white.request("takeback", g=m.g, do="offer")
        await m.black.request("takeback", g=m.g, do="accept")
        assert (await asyncio.to_thread(m.snapshot))["position"] == "W:Wb6,h2:Ba7,c7,e7"


# -- clocks -------------------------------------------------------------------------------------------------


@every_kind
async def test_first_clock_starts_after_the_reply(url: str, game: str, variant: str) -> None:
    moves = self_played(game, variant).moves[:3]
    async with match(url, game=game, variant=variant) as m:
        runs = []
        for ply, move in enumerate(moves, 1):
            await m.play(move)
            runs.append((await m.heard(ply))["clock"]["run"])
        assert runs == [None, m.first, "b" if m.first == "w" else "w"]


async def test_flag_of_side_to_move_falls(url: str) -> None:
    async def fall(game: str, variant: str) -> None:
        script = self_played(game, variant)
        async with match(url, *script.moves[:2], tc={"base_s": 1}, **script.terms) as m:
            end = await m.white.wait(lambda message: message["t"] == "end")
            assert (end["result"], end["reason"]) == ("0-1" if m.first == "w" else "1-0", "timeout")

    await asyncio.gather(*(fall(*kind) for kind in KINDS))


# -- terms --------------------------------------------------------------------------------------------------

# Columns: the variant, the position that is asked for, what is said to it.
BAD_STARTS: dict[str, tuple[str, str, str]] = {
    "of chess": ("international", "8/8/8/8/8/8/8/8 w - - 0 1", "fen: "),
    "nobody there": ("international", "W:W:B1", "fen: "),
    "no such square": ("english", "B:W33:B1", "fen: "),
    "of another notation": ("russian", "W:W31:B1", "fen: "),
    "a man where it would be crowned": ("international", "W:W1:B20", "fen: "),
    "nothing to move": ("english", "B:W8,11:B4", "fen: the game is over"),
    "too long": ("english", "B:W" + ",".join(["5"] * 200) + ":B1", "fen: "),
}


@pytest.mark.parametrize(("variant", "fen", "said"), BAD_STARTS.values(), ids=BAD_STARTS)
async def test_impossible_start_position_is_refused(url: str, variant: str, fen: str, said: str) -> None:
    async with Client(url, guest(url)[0]) as one:
        code, why = await refusal(one, "challenge", game="draughts", variant=variant, tc=None, fen=fen, to="self")
        assert code == "bad_message"
        assert why.startswith(said), why


async def test_start_position_keeps_its_notation(url: str) -> None:
    fen = "b:B8-12,1:W32,31,K20."
    async with match(url, game="draughts", variant="classic", fen=fen) as m:
        shown = await asyncio.to_thread(m.snapshot)
        assert shown["fen"] == shown["position"] == "B:W31,32,K20:B1,8-12"
        assert shown["turn"] == m.first == "b"


@pytest.mark.parametrize(
    ("terms", "code", "said"),
    [
        ({"game": "draughts"}, "bad_message", "variant: for draughts expected one of international, "),
        (
            {"game": "draughts", "variant": "english", "rules": "fmjd"},
            "bad_message",
            "rules: english is played by online",
        ),
        ({"rules": "official"}, "bad_message", "rules: standard is played by online"),
        (
            {"game": "draughts", "variant": "english", "rules": "fide"},
            "bad_message",
            "rules: english is played by online",
        ),
        ({"game": "draughts", "variant": "english", "position": 3}, "bad_message", "position: english has only one"),
    ],
)
async def test_contradictory_terms_are_refused(url: str, terms: Any, code: str, said: str) -> None:
    async with Client(url, guest(url)[0]) as one:
        for kind in ("seek", "challenge"):
            got, why = await refusal(one, kind, tc={"days": 9}, **terms)
            assert got == code
            assert why.startswith(said), why


async def test_seeks_match_only_their_draughts_profile(url: str) -> None:
    wanted = {"game": "draughts", "variant": "international", "tc": {"days": 9}}
    async with Client(url, guest(url)[0]) as one, Client(url, guest(url)[0]) as other:
        assert "g" not in await one.request("seek", rules="fmjd", **wanted)
        reply = await other.request("seek", **wanted)
        assert "g" not in reply
        await other.request("unseek", seek=reply["seek"])
        g = (await other.request("seek", rules="fmjd", **wanted))["g"]
        assert (await asyncio.to_thread(snapshot, url, g))["rules"] == "fmjd"
