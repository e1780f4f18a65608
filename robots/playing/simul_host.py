"""The simul that a robot gives to all comers, one after the other.

    announced ──somebody applies──► accepted, started ──► others join, each gets a board at once ──► no board is left
        ▲                                                                                                  │
        └──────────────────────────────────────── the next one ◄───────────────────────────────────────────┘

It offers all variants that the robots play. An applicant is accepted when the engines have room for one more game, and
waits until then. The boards are games of the robot's account like all others. After a restart, or when another process
takes over, the simul is found again by the public list.
"""

from __future__ import annotations

import asyncio
import logging
from random import Random
from typing import TYPE_CHECKING, Any

from robots.client import BotClient, BotDisconnected, BotRefused
from robots.jobs import Workload
from robots.playing import behaviour
from robots.playing.hosted_simul import HostedSimul

if TYPE_CHECKING:
    from robots.client import Message
    from robots.playing.account import RobotAccount
    from robots.playing.hosted_simul import Applicant
    from robots.playing.move_source import MoveSource

NAME = "Robot level {} plays everybody"

TEXT = "Join whenever you like: your board starts at once."

CONTROL: behaviour.Control = {"base_s": 600, "inc_s": 5}
"""Each player's time, and the robot's at each board."""

MAX_BOARDS = 50
"""Boards of one simul, those that are over included."""

LATE_MINUTES = 600
"""How long one may join after the first player: the most that the protocol allows. Then the last boards are played, and
the next simul is announced."""

LOOK_S = 5.0
"""Pause before applicants for whom there was no room are looked at again."""

RECONNECT_S = (0.5, 1.5)
"""Range of the first pause before a lost socket is opened again; it grows sixteenfold."""

log = logging.getLogger(__name__)


def announcement(level: int, variants: list[tuple[str, str]]) -> dict[str, Any]:
    """Return the fields of ``simul.create``."""
    return {
        "name": NAME.format(level),
        "text": TEXT,
        "tc": CONTROL,
        "variants": [{"game": game, "variant": variant} for game, variant in variants],
        "max_boards": MAX_BOARDS,
        "late_join": {"minutes": LATE_MINUTES},
    }


def choose(lines: list[Message], host: str, offer: list[Message]) -> tuple[str | None, list[str]]:
    """Return the simul of ``host`` to go on with, and announced ones that are to be cancelled.

    Args:
        lines: simuls that are announced or run, of anybody, as in their list.
        offer: the variants that are played now.
    """
    own = [line for line in lines if line["host"]["id"] == host]
    running = [line["simul"] for line in own if line["status"] == "running"]
    fitting = [line["simul"] for line in own if line["status"] == "created" and line["variants"] == offer]
    chosen = next(iter((*running, *fitting)), None)
    return chosen, [line["simul"] for line in own if line["status"] == "created" and line["simul"] != chosen]


class RobotHost:
    """Gives the simuls of one robot.

    Args:
        account: plays the boards.
        source: finds the moves.
    """

    def __init__(self, account: RobotAccount, source: MoveSource) -> None:
        self._account = account
        self._source = source
        self._simul: HostedSimul | None = None
        self._changed = asyncio.Event()
        self._kept: dict[str, str] = {}
        """Places for those who are accepted and whose boards are not counted yet, by person."""
        self._failures = 0
        self._task = asyncio.create_task(self._run(), name="simul of a robot")

    async def close(self) -> None:
        """Leave the simul as it is."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        chance = Random()  # noqa: S311  no secret
        while True:
            try:
                async with BotClient(self._account.url, self._account.token) as client:
                    await client.request("unsub", topic="user")
                    while True:
                        await self._give_one(client)
            except (BotDisconnected, BotRefused) as error:
                log.log(logging.WARNING if self._failures == 3 else logging.DEBUG, "the simul of a robot: %s", error)
            except Exception:  # the top of a task
                log.exception("the simul of a robot failed")
            finally:
                self._free_all()
            await asyncio.sleep(chance.uniform(*RECONNECT_S) * 2 ** min(self._failures, 4))
            self._failures += 1

    async def _give_one(self, client: BotClient) -> None:
        """Find or announce a simul, and give it to the end."""
        variants = self._source.variants()
        if not variants:
            await asyncio.sleep(LOOK_S)
            return
        simul = await self._find(client, variants)
        if simul is None:
            simul = (await client.request("simul.create", **announcement(self._account.level, variants)))["simul"]
        self._simul = None
        working = asyncio.create_task(self._work(client, simul), name="host of a simul")
        try:
            await client.request("sub", topic=f"simul:{simul}")
            self._failures = 0
            async for message in client:
                if message.get("simul") == simul and await self._take(client, simul, message):
                    await client.request("unsub", topic=f"simul:{simul}")
                    return
                if working.done():
                    working.result()
            raise BotDisconnected("the connection was closed")
        finally:
            working.cancel()
            await asyncio.gather(working, return_exceptions=True)

    async def _find(self, client: BotClient, variants: list[tuple[str, str]]) -> str | None:
        """Return the simul to go on with; None: there is none. Others that wait for players are cancelled."""
        user = client.welcome["user"]
        lines = []
        for status in ("running", "open"):
            listed = await client.get("/api/v1/simuls", status=status, user=user["name"], limit="50")
            lines += listed["simuls"]
        offer = [{"game": game, "variant": variant} for game, variant in variants]
        chosen, others = choose(lines, user["id"], offer)
        for other in others:
            await client.request("simul.cancel", simul=other)
        return chosen

    # -- following ----------------------------------------------------------------------------------------

    async def _take(self, client: BotClient, simul: str, message: Message) -> bool:
        """Handle a message about the simul. Returns whether it is over."""
        kind, state = message["t"], self._simul
        if kind == "simul":
            state = self._simul = HostedSimul(message)
        elif state is None or "seq" not in message or message["seq"] <= state.seq:
            return False
        elif message["seq"] > state.seq + 1:
            await client.request("sub", topic=f"simul:{simul}")
            return False
        else:
            state.take(message)
        if kind == "simul.left" or (kind == "simul.board" and "g" in message):
            self._free(message["user"]["id"])
        elif kind == "simul.started":
            self._free_all()
        for game_id in state.boards.values():
            self._account.enter(game_id)
        self._changed.set()
        return state.is_over

    # -- players ------------------------------------------------------------------------------------------

    async def _work(self, client: BotClient, simul: str) -> None:
        """Answer applicants, and start with the first."""
        while True:
            try:
                async with asyncio.timeout(LOOK_S):
                    await self._changed.wait()
            except TimeoutError:
                pass  # there may be room now
            self._changed.clear()
            state = self._simul
            if state is None or state.is_over:
                continue
            for applicant in tuple(state.applicants.values()):
                await self._answer(client, simul, state, applicant)
            if state.status == "created" and state.players:
                await self._try(client, "simul.start", simul=simul)

    async def _answer(self, client: BotClient, simul: str, state: HostedSimul, applicant: Applicant) -> None:
        game, variant = applicant.game, applicant.variant
        if (game, variant) not in self._source.variants():
            await self._try(client, "simul.reject", simul=simul, user=applicant.id)
            return
        work = Workload(game=game, variant=variant, level=self._account.level, clock_s=behaviour.clock_s(CONTROL))
        if state.has_room and applicant.id not in self._kept and self._source.can_accept(work):
            self._kept[applicant.id] = place = f"{simul} {applicant.id}"
            self._source.enter(place, work)
            if not await self._try(client, "simul.accept", simul=simul, user=applicant.id):
                self._free(applicant.id)

    def _free(self, person: str) -> None:
        place = self._kept.pop(person, None)
        if place is not None:
            self._source.leave(place)

    def _free_all(self) -> None:
        for person in tuple(self._kept):
            self._free(person)

    async def _try(self, client: BotClient, kind: str, **fields: Any) -> bool:
        """Send a request that may be refused, because things have changed. Returns whether it was not."""
        try:
            await client.request(kind, **fields)
        except BotRefused as error:
            log.info("%s: %s", kind, error)
            return False
        return True
