"""Database clock: all nodes take Unix time from the database, so clocks of machines are never compared."""

from __future__ import annotations

import pytest

from realtime.clock.loop_time import LoopTime

MS = 1_000_000
WALL = 1_700_000_000_000
HOUR_MS = 3_600_000


class Machine:
    """One whose clock the test turns.

    Attributes:
        wall_ms: what it takes for Unix time.
    """

    def __init__(self) -> None:
        self.clock_ms = 5_000
        self.wall_ms = WALL
        self.time = LoopTime(lambda: self.clock_ms * MS, lambda: self.wall_ms * MS)

    def tell(self, unix_ms: int, *, took_ms: int) -> None:
        """The database is asked for its clock, and answers."""
        asked_ms = self.clock_ms
        self.clock_ms += took_ms
        self.time.set_wall(unix_ms * MS, asked_ms * MS, self.clock_ms * MS)

    def unix_ms(self) -> int:
        """The present."""
        return self.time.wall_ms(self.time.now_ms())


@pytest.fixture
def machine() -> Machine:
    return Machine()


def test_clock_is_the_machine_clock_before_the_first_answer(machine: Machine) -> None:
    assert machine.unix_ms() == WALL


def test_clock_follows_the_database_and_not_the_machine(machine: Machine) -> None:
    machine.tell(WALL + HOUR_MS, took_ms=2)
    assert machine.unix_ms() == WALL + HOUR_MS + 1
    machine.wall_ms -= HOUR_MS
    machine.clock_ms += 200
    assert machine.unix_ms() == WALL + HOUR_MS + 201


def test_clock_continues_over_a_gap_of_the_loop(machine: Machine) -> None:
    machine.tell(WALL, took_ms=0)
    machine.clock_ms += 7_000  # which game time leaves out
    assert machine.unix_ms() == WALL + 7_000


def test_most_precise_answer_counts(machine: Machine) -> None:
    machine.tell(WALL, took_ms=0)
    machine.tell(WALL + 300, took_ms=1000)  # some time within the second: that is no news
    assert machine.unix_ms() == WALL + 1000
    machine.tell(WALL + 1001, took_ms=0)
    assert machine.unix_ms() == WALL + 1000, "for a millisecond no instant gets another Unix time"


def test_old_answer_loses_precision(machine: Machine) -> None:
    machine.tell(WALL, took_ms=0)
    machine.clock_ms += 1_000_000
    machine.tell(WALL + 1_000_040, took_ms=20)
    assert machine.unix_ms() == WALL + 1_000_050


@pytest.mark.parametrize("step_ms", [-7_000, 7_000])
def test_changed_database_clock_is_followed(machine: Machine, step_ms: int) -> None:
    machine.tell(WALL, took_ms=0)
    machine.tell(WALL + step_ms, took_ms=200)
    assert machine.unix_ms() == WALL + step_ms + 100
