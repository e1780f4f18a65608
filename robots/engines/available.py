"""The engines of this machine: which ones there are, and how to start one of each kind."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from game_core.registry import registered
from robots.engines import hub
from robots.engines.chess.discovery import find_chess
from robots.engines.chess.uci import UciEngine
from robots.engines.hub import HubEngine
from robots.engines.search.process import SearchProcess
from robots.engines.search.solving import FAMILIES
from robots.jobs import EngineFailed, NoEngine

if TYPE_CHECKING:
    from robots.engines.chess.discovery import ChessCommand
    from robots.engines.engine import MoveEngine

Kind = Literal["search", "chess", "hub"]

START_S = 30.0
"""How long an engine may take to start: Node on a busy machine takes some seconds."""


class Engines:
    """What can be started. ``probe`` says what it plays.

    Attributes:
        chess: None: there is no chess engine.
        failures: the external engines that are not used, because they did not start when they were probed last, with
            the reasons; at first all of them.
    """

    def __init__(self, chess: ChessCommand | None, hub_engine: Path | None, why_no_chess: str = "") -> None:
        self.chess = chess
        self.failures: dict[Kind, str] = {}
        self._hub_engine = hub_engine
        self._why_no_chess = why_no_chess
        self._names: dict[Kind, str] = {}
        self._chess_variants: tuple[str, ...] = ()
        external: dict[Kind, object] = {"chess": chess, "hub": hub_engine}
        self.failures.update((kind, "it was not started yet") for kind, found in external.items() if found is not None)

    def kind_for(self, game: str, variant: str, level: int) -> Kind | None:
        """Return the kind of engine that plays a variant at a level; None: there is none. Call ``probe`` before."""
        if game == "chess":
            return "chess" if variant in self._chess_variants else None
        if "hub" in self._names and (game, variant) == hub.VARIANT and level in hub.DEPTHS:
            return "hub"
        return "search" if game in FAMILIES else None

    def name_of(self, kind: Kind) -> str:
        """Return the name that an engine gives itself. Call ``probe`` before."""
        return self._names.get(kind, "Zeitnot's own search")

    def variants(self) -> list[tuple[str, str]]:
        """Return all (game, variant) that robots play, in the order of the registry. Call ``probe`` before."""
        return [(game, variant) for game, variant in registered() if self.kind_for(game, variant, 1) is not None]

    async def start(self, kind: Kind) -> MoveEngine:
        """Start an engine. Raises ``EngineFailed``."""
        try:
            async with asyncio.timeout(START_S):
                if kind == "chess":
                    assert self.chess is not None
                    return await UciEngine.start(self.chess.command, self.chess.memory_mb)
                if kind == "hub":
                    assert self._hub_engine is not None
                    return await HubEngine.start((str(self._hub_engine), "hub"))
                return await SearchProcess.start()
        except TimeoutError:
            raise EngineFailed(f"the {kind} engine did not start within {START_S:.0f} s") from None

    async def probe(self) -> None:
        """Start each external engine of ``failures`` once, to see whether it runs and what it plays."""
        for kind in tuple(self.failures):
            try:
                engine = await self.start(kind)
            except EngineFailed as error:
                self.failures[kind] = str(error)
                continue
            assert isinstance(engine, UciEngine | HubEngine)
            del self.failures[kind]
            self._names[kind] = engine.name
            if isinstance(engine, UciEngine):
                self._chess_variants = engine.variants
            await engine.close()

    def lines(self) -> list[str]:
        """Return a sentence for each family, for the start of the robots."""
        if self.chess is None:
            lines = [f"Chess: no robots, for {self._why_no_chess}"]
        elif "chess" in self.failures:
            lines = [f"Chess: no robots, for {self.failures['chess']}; it is tried again each minute"]
        else:
            lines = [f"Chess: {self._names['chess']}, {self.chess.origin}"]
            missing = [
                variant for game, variant in registered() if game == "chess" and variant not in self._chess_variants
            ]
            if missing:
                lines.append(f"No robots for {', '.join(missing)}: this engine does not play it")
        lines.append("Draughts and Chinese checkers: Zeitnot's own search")
        if self._hub_engine is not None:
            name = self._names.get("hub", f"not used: {self.failures.get('hub')}")
            lines.append(f"International draughts from level {min(hub.DEPTHS)}: {name}")
        return lines


def find_engines(engine: Path | None = None, hub_engine: Path | None = None) -> Engines:
    """Return the engines of this machine. None is started.

    Args:
        engine: a UCI engine, ``--engine``; None: the first one that is found.
        hub_engine: a Hub engine for international draughts, ``--hub-engine``.

    Raises ``NoEngine`` if one of them was given and is no program.
    """
    if hub_engine is not None:
        found = shutil.which(hub_engine)
        if found is None:
            raise NoEngine(f"{hub_engine} is no program that can be run")
        hub_engine = Path(found).absolute()
    try:
        return Engines(find_chess(engine), hub_engine)
    except NoEngine as error:
        if engine is not None:
            raise
        return Engines(None, hub_engine, str(error))
