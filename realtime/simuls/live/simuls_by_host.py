"""The simuls of this node by host and by stand-in, with the presence of these people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lobby.accounts.user import user_wire
from simul.evolve import host_left, stand_in_left

if TYPE_CHECKING:
    from realtime.people.presence import Presence
    from realtime.protocol.wire_personal import SimulStandInWire
    from realtime.simuls.live.simul_actor import SimulActor
    from simul.state import Simul


class SimulsByHost:
    """Simuls that are not over, by host and by stand-in."""

    def __init__(self, people: Presence) -> None:
        self._people = people
        self._actors: dict[str, dict[str, SimulActor]] = {}
        """By person, then by simul."""
        self._listed: dict[str, tuple[str, ...]] = {}
        """The people under whom a simul is listed."""
        self._untold: dict[str, str] = {}
        """By simul, the stand-in who was not connected when they were named."""

    def of(self, user: str) -> tuple[SimulActor, ...]:
        """Return the simuls of which ``user`` is the host or the stand-in."""
        return tuple(self._actors.get(user, {}).values())

    def note_presence(self, state: Simul, now_ms: int) -> None:
        """Set the presence of the people of ``state``, which was loaded at ``now_ms`` (Unix ms)."""
        if not self._people.is_here(state.host.id):
            host_left(state, now_ms)
        if state.stand_in is not None and not self._people.is_here(state.stand_in.id):
            stand_in_left(state, now_ms)

    def note(self, actor: SimulActor) -> None:
        """List ``actor``, unless it is over. A stand-in who was named since gets their presence and is told."""
        state = actor.state
        people = (state.host.id,) if state.stand_in is None else (state.host.id, state.stand_in.id)
        known = self._listed.get(actor.id, ())
        if actor.is_over or known == people:
            return
        self.drop(actor)
        self._listed[actor.id] = people
        for user in people:
            self._actors.setdefault(user, {})[actor.id] = actor
        if known and state.stand_in is not None:
            actor.person_is(state.stand_in.id, here=self._people.is_here(state.stand_in.id))
            self.tell_stand_in(state)

    def tell_stand_in(self, state: Simul) -> None:
        """Tell the stand-in, if there is one, that they have been named; later, if they are not connected."""
        self._untold.pop(state.id, None)
        if state.stand_in is not None and not self._people.is_here(state.stand_in.id):
            self._untold[state.id] = state.stand_in.id
        elif state.stand_in is not None:
            host = user_wire(state.host)
            told: SimulStandInWire = {"t": "simul.stand_in", "simul": state.id, "name": state.setup.name, "host": host}
            self._people.send(state.stand_in.id, told)

    def tell_returned(self) -> None:
        """Tell stand-ins who have connected since they were named. Called once a second."""
        for simul, user in tuple(self._untold.items()):
            if self._people.is_here(user):
                actor = self._actors.get(user, {}).get(simul)
                del self._untold[simul]
                if actor is not None and not actor.is_over:
                    self.tell_stand_in(actor.state)

    def drop(self, actor: SimulActor) -> None:
        """Remove ``actor``, which is over or led by another node."""
        self._untold.pop(actor.id, None)
        for user in self._listed.pop(actor.id, ()):
            simuls = self._actors.get(user, {})
            simuls.pop(actor.id, None)
            if not simuls:
                self._actors.pop(user, None)
