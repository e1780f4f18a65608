"""Time controls, and their wire form.

A control is a list of periods, each with a number of moves, a main time and an increment (Laws of Chess, Article
6.2), or a number of days a move. No clock at all is ``None``.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

import msgspec

from game_core.errors import BadTimeControl

Speed = Literal["bullet", "blitz", "rapid", "classical", "correspondence", "unlimited"]


class PeriodWire(TypedDict):
    """One period; ``moves`` to make in it, or the rest of the game. Without ``inc_s`` it is 0."""

    moves: NotRequired[int]
    base_s: int
    inc_s: NotRequired[int]


class SingleControlWire(TypedDict):
    """One period for the whole game, with at most one of the three."""

    base_s: int
    inc_s: NotRequired[int]
    delay_s: NotRequired[int]
    bronstein_s: NotRequired[int]


class PeriodsControlWire(TypedDict):
    """Several periods."""

    periods: list[PeriodWire]


class DaysControlWire(TypedDict):
    """A number of days for every move."""

    days: int


ControlWire = SingleControlWire | PeriodsControlWire | DaysControlWire
"""Wire form of a time control."""

DAY_MS = 86_400_000

ESTIMATED_MOVES = 40
"""Length of a game assumed by "base + 40 x increment", as on lichess and chess.com."""

SPEED_LIMITS: tuple[tuple[Speed, int], ...] = (("bullet", 3 * 60), ("blitz", 10 * 60), ("rapid", 25 * 60))
"""A speed and the estimate, in seconds, below which a control has it; above the last is ``classical``.

These are the names that players know from other sites: 2+1 is bullet, 5+3 blitz, 10+0 and 15+10 rapid, 30+0
classical. FIDE's limits, with 60 moves, would make 2+1 as slow as 3+0.
"""

# Limits of the protocol, in the units of its fields.
MAX_BASE_S = 10_800
MAX_STEP_S = 180
MAX_DAYS = 14
MAX_MOVES = 200
MAX_PERIODS = 10


class Period(msgspec.Struct, frozen=True, gc=False):
    """One period of a control: ``moves`` to make in ``base_ms``, with ``inc_ms`` for each."""

    moves: int | None
    """Moves to make in this period; None: all remaining ones. A last period with a number repeats."""
    base_ms: int
    """Main time, added at the beginning of the period to what is left of the previous one."""
    inc_ms: int = 0
    """Fischer increment: added after each move of this period; unused time accumulates."""


class TimeControl(msgspec.Struct, frozen=True, gc=False):
    """The time of each side: ``periods`` with at most one of the two delays, or ``days``."""

    periods: tuple[Period, ...] = ()
    delay_ms: int = 0
    """US (simple) delay: on each move the main time begins to run after it; unused delay is lost."""
    bronstein_ms: int = 0
    """Bronstein delay: after each move the used time is given back, at most this."""
    days: int | None = None
    """Correspondence: days for every move."""

    @property
    def counts_moves(self) -> bool:
        """Whether moves have to be counted: several periods, or a repeating one."""
        periods = self.periods
        return len(periods) > 1 or (bool(periods) and periods[0].moves is not None)

    @property
    def step_ms(self) -> int:
        """The free part of each move's time: the delay of either mode."""
        return self.delay_ms or self.bronstein_ms

    def period(self, index: int) -> Period:
        """Return period ``index`` (0 for the first); beyond the end the last one, repeated."""
        return self.periods[min(index, len(self.periods) - 1)]

    def due_moves(self, index: int) -> int | None:
        """Return the number of moves of the game after which period ``index`` ends; None if it ends with the game."""
        due = 0
        for period in self.periods[: index + 1]:
            if period.moves is None:
                return None
            due += period.moves
        repeats = index + 1 - len(self.periods)
        return due + repeats * (self.periods[-1].moves or 0) if repeats > 0 else due

    def moves_to_go(self, index: int, moves: int) -> int | None:
        """Return the moves left in period ``index`` for a side that has made ``moves`` in the game; None in the
        last."""
        due = self.due_moves(index)
        return None if due is None else due - moves

    @property
    def estimated_s(self) -> int:
        """Seconds of a side in a game of 40 moves."""
        return self.estimate_s(ESTIMATED_MOVES)

    def estimate_s(self, all_moves: int) -> int:
        """Return the seconds of a side in a game of ``all_moves``: base + all moves x (increment or delay).

        Includes every period that begins by the last move. For days a move, the days of all moves.
        """
        if self.days is not None:
            return self.days * DAY_MS // 1000 * all_moves
        total_ms, to_come = all_moves * self.step_ms, all_moves
        for period in self.periods:
            moves = to_come if period.moves is None else min(period.moves, to_come)
            if moves:
                total_ms += period.base_ms + moves * period.inc_ms
            to_come -= moves
        if to_come:
            last = self.periods[-1]
            assert last.moves is not None, "a last period without moves lasts for all that are to come"
            total_ms += -(-to_come // last.moves) * last.base_ms + to_come * last.inc_ms
        return total_ms // 1000


def speed(tc: TimeControl | None) -> Speed:
    """Return the speed of ``tc`` by its estimate; ``unlimited`` without a clock."""
    if tc is None:
        return "unlimited"
    if tc.days is not None:
        return "correspondence"
    estimated_s = tc.estimated_s
    return next((name for name, limit_s in SPEED_LIMITS if estimated_s < limit_s), "classical")


def slower(one: TimeControl | None, other: TimeControl | None) -> TimeControl | None:
    """Return the control with more time by its estimate; if one is None, the first."""
    if one is None or other is None or one.estimated_s >= other.estimated_s:
        return one
    return other


def parse_time_control(value: object, longest_s: int = MAX_BASE_S) -> TimeControl | None:
    """Parse a time control of the protocol; None means no clock.

    ``inc_s`` may be left out for 0. A delay of 0 is no delay, so equal controls compare equal in whatever form.

    Args:
        longest_s: the longest main time of a period.

    Raises:
        BadTimeControl: ``value`` has none of the protocol's forms, or a number is outside its limits.
    """
    if value is None:
        return None
    fields = _fields(value, {"base_s", "inc_s", "delay_s", "bronstein_s", "periods", "days"})
    if "days" in fields:
        _only(fields, {"days"})
        return TimeControl(days=_integer(fields, "days", 1, MAX_DAYS))
    if "periods" in fields:
        _only(fields, {"periods"})
        return TimeControl(periods=_parse_periods(fields["periods"], longest_s))
    for step in ("delay_s", "bronstein_s"):
        if step in fields:
            _only(fields, {"base_s", step})
            base_ms = _integer(fields, "base_s", 1, longest_s) * 1000
            step_ms = _integer(fields, step, 0, MAX_STEP_S) * 1000
            periods = (Period(None, base_ms),)
            if step == "delay_s":
                return TimeControl(periods, delay_ms=step_ms)
            return TimeControl(periods, bronstein_ms=step_ms)
    return TimeControl((_parse_period(fields, None, longest_s),))


def format_time_control(tc: TimeControl | None) -> ControlWire | None:
    """Return the shortest wire form of ``tc``: the inverse of ``parse_time_control``."""
    if tc is None:
        return None
    if tc.days is not None:
        return {"days": tc.days}
    if tc.counts_moves:
        assert not tc.step_ms, "the protocol has no delay together with several periods"
        return {"periods": [_format_period(period) for period in tc.periods]}
    if tc.delay_ms:
        return {"base_s": tc.periods[0].base_ms // 1000, "delay_s": tc.delay_ms // 1000}
    if tc.bronstein_ms:
        return {"base_s": tc.periods[0].base_ms // 1000, "bronstein_s": tc.bronstein_ms // 1000}
    return {"base_s": tc.periods[0].base_ms // 1000, "inc_s": tc.periods[0].inc_ms // 1000}


def _parse_periods(value: object, longest_s: int) -> tuple[Period, ...]:
    if not isinstance(value, list | tuple) or not 1 <= len(value) <= MAX_PERIODS:
        raise BadTimeControl(f"periods must be a list of 1 to {MAX_PERIODS} periods")
    periods = []
    for number, item in enumerate(value, 1):
        fields = _fields(item, {"moves", "base_s", "inc_s"})
        if "moves" in fields:
            periods.append(_parse_period(fields, _integer(fields, "moves", 1, MAX_MOVES), longest_s))
        elif number == len(value):
            periods.append(_parse_period(fields, None, longest_s))
        else:
            raise BadTimeControl(f"period {number} must have moves: only the last may be for the rest of the game")
    return tuple(periods)


def _parse_period(fields: dict[str, object], moves: int | None, longest_s: int) -> Period:
    base_s = _integer(fields, "base_s", 0, longest_s)
    inc_s = _integer(fields, "inc_s", 0, MAX_STEP_S) if "inc_s" in fields else 0
    if base_s == 0 and inc_s == 0:
        raise BadTimeControl("base_s may be 0 only with an increment")
    return Period(moves, base_s * 1000, inc_s * 1000)


def _format_period(period: Period) -> PeriodWire:
    base_s, inc_s = period.base_ms // 1000, period.inc_ms // 1000
    if period.moves is None:
        return {"base_s": base_s, "inc_s": inc_s}
    return {"moves": period.moves, "base_s": base_s, "inc_s": inc_s}


def _fields(value: object, known: set[str]) -> dict[str, object]:
    if not isinstance(value, dict):
        raise BadTimeControl("a time control and each of its periods must be a map")
    if not value.keys() <= known:
        raise BadTimeControl(f"unknown field in a time control: known here are {', '.join(sorted(known))}")
    return value


def _only(fields: dict[str, object], allowed: set[str]) -> None:
    if extra := fields.keys() - allowed:
        raise BadTimeControl(f"{min(extra)} cannot be combined with {' and '.join(sorted(allowed))}")


def _integer(fields: dict[str, object], name: str, low: int, high: int) -> int:
    value = fields.get(name)
    # `type` and not `isinstance`: a bool is an int in Python but not in the protocol.
    if type(value) is not int or not low <= value <= high:
        raise BadTimeControl(f"{name} must be an integer from {low} to {high}")
    return value
