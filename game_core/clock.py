"""Both clocks of a game as an immutable value.

A clock never reads the time: every operation takes ``now_ms``, integer milliseconds on the server's game axis, and
returns a new clock. An operation with a ``now_ms`` before the last one charges nothing.

Modes (Article 6.2 of the Laws has all but the last): sudden death; increment, after R. Fischer (US patent 4,884,255,
1989); US delay, the Laws' "time delay mode"; D. Bronstein's delay, which gives time back instead of waiting; several
periods, with or without increment; days a move.
"""

from __future__ import annotations

import msgspec

from game_core.color import COLORS, Color, Pair, of, other, replace
from game_core.events import ClockReading
from game_core.time_control import DAY_MS, TimeControl


# gc=False: a clock holds only numbers, strings and its control, so it cannot be part of a reference cycle.
class Clock(msgspec.Struct, frozen=True, gc=False):
    """Two clocks, at most one of which runs.

    A move: ``start(color)`` after the opponent's move, then, unless ``is_flagged``, ``press`` when the answer is
    received, and ``start`` for the other side.
    """

    control: TimeControl
    left: Pair[int]
    """Time left of each side in ms; for the running side, as of ``since_ms``."""
    period: Pair[int] = (0, 0)
    """Index of each side's period; a repeating last period continues to count."""
    moves: Pair[int] = (0, 0)
    """Moves each side has made; counted only if the control ``counts_moves``."""
    run: Color | None = None
    """The side whose time is running, also while it is held."""
    since_ms: int = 0
    """When the time of ``run`` began to be charged."""
    spent: int = 0
    """Delay modes: how much of the present move's delay was used before ``since_ms``; at most all of it."""
    held: str | None = None
    """Why the clocks are held although it is somebody's turn."""
    black: TimeControl | None = None
    """Black's control, if it differs from White's (a handicap)."""

    @classmethod
    def new(cls, control: TimeControl, black: TimeControl | None = None, *, first_increment: bool = False) -> Clock:
        """Return both clocks before the game, stopped. ``black`` is Black's control, if it differs.

        ``first_increment`` adds an increment before move 1 too (profiles ``fide`` and ``uscf``, Article 6.5);
        ``online`` starts from the base. A base of 0 could not be started from, so it starts with one increment.
        """
        white_ms = _first_ms(control, first_increment=first_increment)
        if black is None:
            return cls(control, (white_ms, white_ms))
        return cls(control, (white_ms, _first_ms(black, first_increment=first_increment)), black=black)

    @classmethod
    def from_reading(
        cls, control: TimeControl, reading: ClockReading, now_ms: int, black: TimeControl | None = None
    ) -> Clock:
        """Return the clock of a ``reading``, continuing at ``now_ms``. A held clock stays held."""
        return cls(
            control,
            (reading.w, reading.b),
            reading.period or (0, 0),
            reading.moves or (0, 0),
            reading.run,
            now_ms,
            reading.spent,
            reading.held,
            black,
        )

    def control_of(self, color: Color) -> TimeControl:
        """Return the time control of ``color``."""
        return self.control if color == "w" or self.black is None else self.black

    @property
    def counts_moves(self) -> bool:
        """Whether moves have to be counted."""
        return self.control.counts_moves or (self.black is not None and self.black.counts_moves)

    @property
    def is_correspondence(self) -> bool:
        """Whether the running side has days for its move."""
        return self.run is not None and self.control_of(self.run).days is not None

    @property
    def is_running(self) -> bool:
        """Whether a side's time runs: it has begun and is not held."""
        return self.run is not None and self.held is None

    def reading(self, now_ms: int) -> ClockReading:
        """Return both clocks at ``now_ms``: with the control, all that ``from_reading`` needs."""
        white, black = self.left
        run = self.run
        spent = 0
        if run is not None:
            elapsed = self.elapsed_ms(now_ms)
            spent = min(self.control_of(run).step_ms, self.spent + elapsed)
            if run == "w":
                white = max(0, white - self._cost_ms(elapsed))
            else:
                black = max(0, black - self._cost_ms(elapsed))
        if self.counts_moves:
            return ClockReading(white, black, run, self.period, self.moves, self.held, spent)
        return ClockReading(white, black, run, None, None, self.held, spent)

    def elapsed_ms(self, now_ms: int) -> int:
        """Return the time since the running side began to be charged: never negative, 0 if nothing runs or it is
        held."""
        if self.run is None or self.held is not None:
            return 0
        return max(0, now_ms - self.since_ms)

    def left_ms(self, color: Color, now_ms: int) -> int:
        """Return the time ``color`` sees: never negative; constant during a US delay, decreasing in Bronstein mode."""
        left = of(self.left, color)
        if color != self.run:
            return left
        return max(0, left - self._cost_ms(self.elapsed_ms(now_ms)))

    def delay_left_ms(self, now_ms: int) -> int:
        """Return what is left of the present move's US delay; 0 without one."""
        if self.run is None:
            return 0
        return max(0, self.control_of(self.run).delay_ms - self.spent - self.elapsed_ms(now_ms))

    def flag_at_ms(self) -> int | None:
        """When the running side's time is zero, if nothing happens before; None if nothing runs or it is held."""
        if self.run is None or self.held is not None:
            return None
        return self.since_ms + of(self.left, self.run) + self.delay_left_ms(self.since_ms)

    def is_flagged(self, now_ms: int, allowance_ms: int = 0) -> bool:
        """Return whether the running side's flag has fallen, with ``allowance_ms`` of lag forgiven. Zero is fallen
        (6.1)."""
        flag_at = self.flag_at_ms()
        return flag_at is not None and now_ms >= flag_at + allowance_ms

    def press(self, now_ms: int, lag_ms: int = 0) -> tuple[Clock, int]:
        """Charge the running side for its move, add what the control adds, and stop.

        The caller has checked ``is_flagged(now_ms, lag_ms)``; time beyond what was left is not charged. A hold ends.

        Args:
            now_ms: when the move was received.
            lag_ms: the network's part of the time since ``since_ms``.

        Returns:
            The stopped clock, and the time used in ms: elapsed less lag, the delay included.
        """
        color = self.run
        assert color is not None, "only a running clock can be pressed"
        control = self.control_of(color)
        used = max(0, self.elapsed_ms(now_ms) - lag_ms)
        if control.days is not None:
            return self._stopped(replace(self.left, color, control.days * DAY_MS)), used
        left = of(self.left, color)
        cost = min(left, self._cost_ms(used))
        # Bronstein: the used time is given back, at most the delay, including what was used before a hold.
        left += min(self.spent + cost, control.bronstein_ms) - cost
        left += control.period(of(self.period, color)).inc_ms
        return self._stopped(replace(self.left, color, left)).count(color), used

    def count(self, color: Color, moves: int = 1) -> Clock:
        """Count ``moves`` more moves of ``color``. If they end a period, the next one's base is added.

        ``press`` does this itself. It is called separately for moves that are not charged (``online``: the first of
        each side). "When a flag falls the moves made are checked first" (6.3): here they are checked as they are made.
        """
        control = self.control_of(color)
        if not control.counts_moves:
            return self
        made = of(self.moves, color) + moves
        period, left = of(self.period, color), of(self.left, color)
        while (due := control.due_moves(period)) is not None and made >= due:
            period += 1
            left += control.period(period).base_ms
        return Clock(
            self.control,
            replace(self.left, color, left),
            replace(self.period, color, period),
            replace(self.moves, color, made),
            self.run,
            self.since_ms,
            self.spent,
            self.held,
            self.black,
        )

    def go_on(self) -> Clock:
        """Let both sides go on in the next period that their moves have not ended yet, with its base (6.11a)."""
        left, period = self.left, self.period
        for color in COLORS:
            control, reached = self.control_of(color), of(period, color) + 1
            while (due := control.due_moves(reached)) is not None and of(self.moves, color) >= due:
                reached += 1
            period = replace(period, color, reached)
            left = replace(left, color, of(left, color) + control.period(reached).base_ms)
        return msgspec.structs.replace(self, left=left, period=period)

    def recount(self, color: Color, moves: int) -> Clock:
        """Count ``moves`` more moves of ``color``, or fewer, that end no period: its flag has fallen, or they are taken
        back."""
        if not self.control_of(color).counts_moves:
            return self
        return msgspec.structs.replace(self, moves=replace(self.moves, color, of(self.moves, color) + moves))

    def uncount(self, plies: int, *, last: Color) -> Clock:
        """Uncount ``plies`` half-moves that were taken back, the last by ``last``.

        The times stay. A period that was reached is not left again, so its base is not given twice.
        """
        return self.recount(last, -((plies + 1) // 2)).recount(other(last), -(plies // 2))

    def start(self, color: Color, now_ms: int) -> Clock:
        """Start ``color``'s time at ``now_ms`` for a new turn, with the whole delay or all its days."""
        left = self.left
        days = self.control_of(color).days
        if days is not None:
            # `max`: time that was given before the turn is kept.
            left = replace(left, color, max(of(left, color), days * DAY_MS))
        return Clock(self.control, left, self.period, self.moves, color, now_ms, 0, self.held, self.black)

    def stop(self, now_ms: int) -> Clock:
        """Charge the running side up to ``now_ms`` and stop for good. A hold ends."""
        return self._stopped(self._charged(now_ms))

    def hold(self, why: str, now_ms: int) -> Clock:
        """Charge the running side up to ``now_ms``, then hold the clocks until ``resume`` (6.12).

        It stays the same side's turn, with the rest of its delay. ``why`` is told to the players.
        """
        # If no time runs, none is used.
        step_ms = self.control_of(self.run or "w").step_ms
        spent = min(step_ms, self.spent + self.elapsed_ms(now_ms))
        left = self._charged(now_ms)
        return Clock(self.control, left, self.period, self.moves, self.run, now_ms, spent, why, self.black)

    def leave(self, why: str, now_ms: int) -> Clock:
        """Hold as ``hold`` does, but the turn later begins anew, with the whole delay.

        In Bronstein mode the used part of the delay is given back, unless the time is out.
        """
        left = self._charged(now_ms)
        if self.run is not None and (now := of(left, self.run)):
            used = self.spent + of(self.left, self.run) - now
            left = replace(left, self.run, now + min(used, self.control_of(self.run).bronstein_ms))
        return Clock(self.control, left, self.period, self.moves, self.run, now_ms, 0, why, self.black)

    def resume(self, now_ms: int) -> Clock:
        """End a hold: the time of the side to move runs from ``now_ms``. No effect without a hold."""
        if self.held is None:
            return self
        return Clock(self.control, self.left, self.period, self.moves, self.run, now_ms, self.spent, None, self.black)

    def give(self, color: Color, ms: int) -> Clock:
        """Add ``ms`` to ``color``'s clock, running or not. A negative number takes time away, down to zero."""
        left = replace(self.left, color, max(0, of(self.left, color) + ms))
        run, since_ms = self.run, self.since_ms
        return Clock(self.control, left, self.period, self.moves, run, since_ms, self.spent, self.held, self.black)

    def _cost_ms(self, used_ms: int) -> int:
        """Return how much ``used_ms`` more of the present move reduces the main time: all but the rest of a US
        delay."""
        delay_ms = self.control_of(self.run or "w").delay_ms
        if delay_ms:
            return max(0, used_ms - (delay_ms - self.spent))
        return used_ms

    def _charged(self, now_ms: int) -> Pair[int]:
        if self.run is None:
            return self.left
        return replace(self.left, self.run, self.left_ms(self.run, now_ms))

    def _stopped(self, left: Pair[int]) -> Clock:
        return Clock(self.control, left, self.period, self.moves, black=self.black)


def _first_ms(control: TimeControl, *, first_increment: bool) -> int:
    """Return the initial time of a side under ``control``."""
    if control.days is not None:
        return control.days * DAY_MS
    first = control.periods[0]
    return first.base_ms + first.inc_ms if first_increment else first.base_ms or first.inc_ms
