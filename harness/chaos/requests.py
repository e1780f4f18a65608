"""Check that acknowledged requests had their effect: seeks, pools, challenges, takebacks, chat and simuls.

Two members and a host make all of these requests repeatedly. A request is repeated under its key until it is answered.
Then its effect is looked up in the database, or, if it is not stored, at its recipient.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import time
from collections import Counter
from typing import TYPE_CHECKING, Any, TypeVar

from harness.chaos.checker import read_truths
from harness.chaos.errors import Violation
from harness.chaos.member import AGAIN_S, CHAT_S, Member
from harness.chaos.polling import until
from harness.chaos.repeated_requests import new_member
from realtime.postgres.database import FAILURES, connect

if TYPE_CHECKING:
    import random
    from collections.abc import Awaitable, Callable

    from harness.chaos.disturbances import Disturbances
    from harness.chaos.socket import Message

SOON_S = 8.0
"""What depends on a member's presence may be gone after ten seconds without them."""

SETTLED_S = 2.0
"""How long after a fault a line of chat may be lost."""

LINES = 20
"""Most lines of chat until one is received: only one in two intervals between faults is long enough for a verdict."""

CALM_S = 15.0
"""Fault-free time, in total, within which automatic effects must happen."""

PAIRED_S = 130.0
"""The same for a pairing. The rated games of the members drive their ratings apart, and a pool accepts a gap of 1,000
points after 115 s."""

DELAY_S = 2
"""Public delay of the delayed games."""

POOLS = ("1+0", "3+2", "10+5", "30+20")

OPENING = ("e2e4", "e7e5")

SEEK = "SELECT count(*) FROM seek WHERE id = $1"
GAME = "SELECT count(*) FROM game WHERE id = $1 AND $2 IN (white, black) AND $3 IN (white, black)"
CHALLENGE = "SELECT closed FROM challenge WHERE id = $1"
WAITING = "SELECT count(*) FROM waiting WHERE person = $1"
PAIRED = """
SELECT id FROM game
WHERE status <> 'over' AND (white = $1 AND black = $2 OR white = $2 AND black = $1) ORDER BY created_at DESC LIMIT 1
"""
COUNTED = "SELECT rated_at, unrated, rated_at - ended_at AS later FROM game WHERE id = $1"
SIMUL = "SELECT status FROM simul WHERE id = $1"
SIMUL_EVENTS = "SELECT kind FROM simul_event WHERE simul = $1 ORDER BY n"


Found = TypeVar("Found")


class Requests:
    """Makes requests until it is stopped.

    Attributes:
        done: number of completed rounds of each kind.
        violations: errors found.
    """

    def __init__(self, url: str, database: str, chance: random.Random, disturbances: Disturbances) -> None:
        self.done: Counter[str] = Counter()
        self.violations: list[str] = []
        self._url = url
        self._database = database
        self._chance = chance
        self._disturbances = disturbances
        self._stopping = False
        self._one: Member
        self._two: Member
        self._host: Member

    def stop(self) -> None:
        """Begin no further round."""
        self._stopping = True

    async def run(self) -> None:
        """Run one kind after the other; returns after ``stop``."""
        kinds: tuple[Callable[[], Awaitable[None]], ...] = (
            self._seek, self._challenge, self._chat, self._pool, self._takeback, self._delayed, self._simul,
        )  # fmt: skip
        while not self._stopping:
            people = [Member(self._url, *await new_member(self._url, self._chance), self._chance) for _ in range(3)]
            self._one, self._two, self._host = people
            here = [asyncio.create_task(person.run(), name="person in the lobby") for person in people]
            try:
                for kind in itertools.cycle(kinds):
                    if self._stopping:
                        break
                    name = kind.__name__.strip("_")
                    await kind()
                    self.done[name] += 1
                    for person in people:
                        person.received.clear()
            except Violation as error:  # open games and offers would disturb all that follows
                self.violations.append(f"{name}: {error}")
            finally:
                for task in here:
                    task.cancel()
                await asyncio.gather(*here, return_exceptions=True)

    # -- what is asked ------------------------------------------------------------------------------------

    async def _seek(self) -> None:
        requested_s = time.monotonic()
        seek = (await self._one.request("seek", tc={"base_s": self._chance.randrange(700, 5000)}, color="w"))["seek"]
        is_there = await self._count(SEEK, seek) == 1
        if time.monotonic() - requested_s > SOON_S:
            await self._one.request("unseek", seek=seek)
            return
        if not is_there:
            raise Violation(f"seek {seek} was acknowledged and is not stored")
        if self._chance.random() < 0.5:
            await self._one.request("unseek", seek=seek)
            if await self._count(SEEK, seek):
                raise Violation(f"seek {seek} was withdrawn, which was acknowledged, and is stored")
            return
        g = await self._unless_disturbed(requested_s, self._two.request("accept", seek=seek))
        if g is not None:
            await self._game_is_there(g["g"])
            await self._end(g["g"], self._one, self._two)

    async def _challenge(self) -> None:
        offer = {"tc": {"base_s": 600}, "to": self._two.name}
        challenge = (await self._one.request("challenge", **offer))["challenge"]
        if await self._value(CHALLENGE, challenge, missing="gone") is not None:
            raise Violation(f"challenge {challenge} was acknowledged and is not stored")
        if self._chance.random() < 0.5:
            await self._two.request("challenge.decline", challenge=challenge, reason="later")
            answered = "declined"
        else:
            await self._one.request("challenge.cancel", challenge=challenge)
            answered = "cancelled"
        if await self._value(CHALLENGE, challenge, missing="gone") != answered:
            raise Violation(f"challenge {challenge} was {answered}, which was acknowledged, and that is not stored")

    async def _pool(self) -> None:
        pool = self._chance.choice(POOLS)
        for person in (self._one, self._two):
            requested_s = time.monotonic()
            await person.request("pool.join", pool=pool)
            is_there = await self._count(WAITING, person.id) or await self._pair() is not None
            if not is_there and time.monotonic() - requested_s < SOON_S:
                raise Violation(f"{person.id} waits in a pool, which was acknowledged, and that is not stored")
        g = await self._eventually(self._pair, f"two who wait in pool {pool} are not paired", PAIRED_S)
        if g is not None:
            await self._end(g, self._one, self._two)
        else:
            for person in (self._one, self._two):
                await person.request("pool.leave")

    async def _takeback(self) -> None:
        one, two = self._one, self._two
        g = await self._begin()
        requests: list[tuple[Member, str, dict[str, Any]]] = [
            (one, "move", {"move": "e2e4", "ply": 0}),
            (two, "move", {"move": "e7e5", "ply": 1}),
            (one, "move", {"move": "g1f3", "ply": 2}),
            (one, "takeback", {"do": "offer"}),
            (two, "takeback", {"do": "accept"}),
            (one, "move", {"move": "f1c4", "ply": 2}),
            (two, "moretime", {"seconds": 15}),
            (two, "resign", {}),
        ]
        acknowledged = [
            ((await person.request(kind, g=g, **fields))["seq"], person.id, kind) for person, kind, fields in requests
        ]
        truth = await self._stored(lambda: read_truths(self._database, [g]))
        causes = dict(enumerate(truth[g].causes, 1))
        for seq, person, kind in acknowledged:
            cause = causes.get(seq)
            if cause is None or (cause.user, cause.request) != (person, kind):
                raise Violation(f"game {g}: {kind} was acknowledged as event {seq}, and that is {cause}")
        state = truth[g].states()[-1]
        if (state.moves, state.status) != (("e2e4", "e7e5", "f1c4"), "over"):
            raise Violation(f"game {g}: {state.moves} after a takeback, {state.status}")

    async def _chat(self) -> None:
        """Write lines, each in a game of its own, until one is received. A line may be lost during a fault."""
        for _ in range(LINES):
            if await self._line_arrives():
                return
            await until(lambda: self._is_calm_since(time.monotonic()))

    async def _line_arrives(self) -> bool:
        one, two = self._one, self._two
        g = await self._begin()
        for ply, (person, move) in enumerate(zip((one, two), OPENING, strict=True)):
            await person.request("move", g=g, move=move, ply=ply)
        began_s, text = time.monotonic(), f"line {self._chance.getrandbits(60):x}"
        sockets = two.sockets
        if await two.listen(f"game:{g}"):
            await one.request("chat", topic=f"game:{g}", text=text)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(CHAT_S):
                    await until(lambda: _has_received(two, text))
            if self._is_calm_since(began_s) and two.sockets == sockets and not _has_received(two, text):
                raise Violation(f"game {g}: a line of chat was acknowledged, and the other player has not heard it")
        await two.request("resign", g=g)
        return _has_received(two, text)

    async def _delayed(self) -> None:
        """Check that a delayed rated game counts once the public may see its end."""
        white, black = self._chance.sample((self._one, self._two, self._host), 2)
        tc = {"base_s": self._chance.choice((100, 300, 900, 2700))}
        offer = {"tc": tc, "color": "w", "to": black.name, "rated": True, "delay_s": DELAY_S}
        challenge = (await white.request("challenge", **offer))["challenge"]
        g: str = (await black.request("challenge.accept", challenge=challenge))["g"]
        for ply, move in enumerate((*OPENING, "g1f3", "b8c6")):
            await (black if ply % 2 else white).request("move", g=g, move=move, ply=ply)
        await black.request("resign", g=g)

        async def counted() -> Any:
            (row,) = await self._stored(lambda: self._fetch(COUNTED, g))
            return row if row["rated_at"] or row["unrated"] else None

        row = await self._eventually(counted, f"game {g} was to count {DELAY_S} s after its end and has not")
        if row is not None and row["rated_at"] and row["later"].total_seconds() < DELAY_S:
            raise Violation(f"game {g} has counted {row['later']} after its end: before the public may see it")

    async def _simul(self) -> None:
        host, one, two = self._host, self._one, self._two
        simul = (await host.request("simul.create", name="Chaos", tc={"base_s": 600}, host_color="w"))["simul"]
        await self._simul_is(simul, "created", ["created"])
        for person in (one, two):
            await person.request("simul.join", simul=simul)
        await host.request("simul.accept", simul=simul, user=one.id)
        await host.request("simul.reject", simul=simul, user=two.id)
        kinds = ["created", "joined", "joined", "accepted", "rejected"]
        await self._simul_is(simul, "created", kinds)
        if self._chance.random() < 0.5:
            await host.request("simul.cancel", simul=simul)
            await self._simul_is(simul, "cancelled", [*kinds, "cancelled"])
            return
        await host.request("simul.start", simul=simul)
        await self._simul_is(simul, "running", [*kinds, "started"])
        g = await self._value("SELECT id FROM game WHERE simul = $1", simul)
        await host.request("move", g=g, move="e2e4", ply=0)
        await host.request("simul.end", simul=simul, rest="draw")

        async def finished() -> bool:
            return bool(await self._value(SIMUL, simul) == "finished")  # the boards end one by one

        await self._eventually(finished, f"the end of simul {simul} was acknowledged, and it goes on")

    # -- parts of it --------------------------------------------------------------------------------------

    async def _begin(self) -> str:
        """Begin a game of the pair, the first as White."""
        offer = await self._one.request("challenge", tc={"base_s": 600}, color="w", to=self._two.name)
        g: str = (await self._two.request("challenge.accept", challenge=offer["challenge"]))["g"]
        await self._game_is_there(g)
        return g

    async def _end(self, g: str, one: Member, two: Member) -> None:
        """Play a game until neither player would be blamed for its end, and end it."""
        truth = await self._stored(lambda: read_truths(self._database, [g]))
        players = (one, two) if truth[g].row.white.id == one.id else (two, one)
        for ply, (person, move) in enumerate(zip(players, OPENING, strict=True)):
            await person.request("move", g=g, move=move, ply=ply)
        await two.request("resign", g=g)

    async def _eventually(
        self, read: Callable[[], Awaitable[Found]], missing: str, within_s: float = CALM_S
    ) -> Found | None:
        """Return the result of ``read`` once it is not empty; None if stopped first.

        Raises:
            Violation: ``missing``: still empty after ``within_s`` without a fault.
        """
        calm_s = 0.0
        while not (found := await read()) and not self._stopping:
            if calm_s > within_s:
                raise Violation(missing)
            await asyncio.sleep(AGAIN_S)
            if self._is_calm_since(time.monotonic()):
                calm_s += AGAIN_S
        return found or None

    async def _unless_disturbed(self, since_s: float, request: Awaitable[Message]) -> Message | None:
        """Return the answer of ``request``; None if it was refused and a fault may be the reason."""
        try:
            return await request
        except Violation:
            if self._is_calm_since(since_s):
                raise
            return None

    def _is_calm_since(self, since_s: float) -> bool:
        """Return whether there has been no fault since ``SETTLED_S`` before ``since_s``."""
        return self._disturbances.first_in(since_s - SETTLED_S, time.monotonic()) is None

    async def _game_is_there(self, g: str) -> None:
        if await self._count(GAME, g, self._one.id, self._two.id) != 1:
            raise Violation(f"game {g} was acknowledged and is not stored")

    async def _pair(self) -> str | None:
        found: str | None = await self._value(PAIRED, self._one.id, self._two.id)
        return found

    async def _simul_is(self, simul: str, status: str, kinds: list[str]) -> None:
        """Compare the stored simul with what was requested; some of its events are automatic."""
        stored = await self._value(SIMUL, simul)
        rows = await self._stored(lambda: self._fetch(SIMUL_EVENTS, simul))
        events = [row["kind"] for row in rows if row["kind"] in {*kinds}]
        if (stored, events) != (status, kinds):
            raise Violation(f"simul {simul} is {stored} with {events}, and {status} with {kinds} was acknowledged")

    # -- the database -------------------------------------------------------------------------------------

    async def _count(self, query: str, *arguments: Any) -> int:
        count: int = await self._value(query, *arguments)
        return count

    async def _value(self, query: str, *arguments: Any, missing: Any = None) -> Any:
        """Return the first column of the first row; ``missing`` without a row."""
        rows = await self._stored(lambda: self._fetch(query, *arguments))
        return rows[0][0] if rows else missing

    async def _fetch(self, query: str, *arguments: Any) -> list[Any]:
        connection = await connect(self._database, name="zeitnot chaos")
        try:
            return list(await connection.fetch(query, *arguments))
        finally:
            await connection.close()

    async def _stored(self, read: Callable[[], Awaitable[Any]]) -> Any:
        """Return the result of ``read`` as soon as the database answers."""
        while True:
            try:
                return await read()
            except FAILURES:
                await asyncio.sleep(AGAIN_S)


def _has_received(person: Member, text: str) -> bool:
    return any(message["t"] == "chat" and message["text"] == text for message in person.received)
