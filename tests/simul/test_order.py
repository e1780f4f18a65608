"""Order of the host's visits, compared with a plain list."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simul.order import VisitQueue, WaitingBoards

boards = st.integers(1, 12)


def round_of(count: int) -> VisitQueue:
    queue = VisitQueue()
    for board in range(1, count + 1):
        queue.add(board)
    return queue


def test_queue_visits_boards_in_turn() -> None:
    queue = round_of(3)
    visits = []
    for _ in range(7):
        first = queue.first
        assert first is not None
        queue.visit(first)
        visits.append(first)
    assert visits == [1, 2, 3, 1, 2, 3, 1]


@given(st.lists(st.one_of(boards.map(lambda board: (board, "jump")), st.just((0, "next"))), max_size=60))
def test_queue_visits_every_other_board_before_returning(steps: list[tuple[int, str]]) -> None:
    """For any jumps: only boards that the host jumped to are visited more often than the others."""
    queue = round_of(12)
    since: dict[int, list[int]] = {}
    for board, how in steps:
        number = board if how == "jump" else queue.first
        assert number is not None
        if how == "next" and number in since:
            assert set(since[number]) == set(range(1, 13)) - {number}
        queue.visit(number)
        for others in since.values():
            others.append(number)
        since[number] = []


@given(st.lists(st.tuples(st.sampled_from(["visit", "put off", "drop", "add"]), boards), max_size=40))
def test_queue_behaves_like_a_list(steps: list[tuple[str, int]]) -> None:
    queue, model, later = round_of(4), [1, 2, 3, 4], set[int]()
    for what, board in steps:
        if what == "add":
            if board not in model:
                queue.add(board)
                model.append(board)
            continue
        if what == "drop":
            queue.drop(board)
            later.discard(board)
            model = [other for other in model if other != board]
            continue
        if board not in model:
            continue
        model = [*(other for other in model if other != board), board]
        if what == "visit":
            queue.visit(board)
            later.discard(board)
        else:
            queue.put_off(board)
            later.add(board)
        assert queue.is_later(board) == (board in later)
    assert list(queue) == model
    assert len(queue) == len(model)
    assert queue.first == (model[0] if model else None)
    assert all(board in queue for board in model)
    for board in model:
        assert queue.first_but(board) == next((other for other in model if other != board), board)


def test_empty_queue_has_no_next_board() -> None:
    assert VisitQueue().first is None
    assert VisitQueue().first_but(None) is None
    assert VisitQueue().first_but(3) is None


@pytest.mark.parametrize(
    ("waiting", "later", "at", "expected"),
    [
        ([], [], 1, None),
        ([3], [], 1, 3),
        ([1, 3, 7], [], 1, 3),
        ([1, 3, 7], [], 3, 7),
        ([1, 3, 7], [], 7, 1),
        ([1, 3, 7], [], 0, 1),
        ([1, 3, 7], [], 5, 7),
        ([5], [], 5, 5),
        ([1, 3, 7], [3], 1, 7),
        ([1, 3, 7], [3, 7], 1, 1),
        ([3, 7], [3, 7], 5, 7),
        ([1000], [], 1, 1000),
    ],
)
def test_next_waiting_board_skips_postponed_ones(
    waiting: list[int], later: list[int], at: int, expected: int | None
) -> None:
    boards = WaitingBoards()
    for board in waiting:
        boards.set(board, waits=True)
    for board in later:
        boards.put_off(board)
    assert boards.next_after(at) == expected


def test_board_is_postponed_until_the_host_moves_or_visits() -> None:
    boards = WaitingBoards()
    for board in (1, 2):
        boards.set(board, waits=True)
        boards.put_off(board)
    assert 1 in boards
    assert boards.is_later(1)
    boards.set(1, waits=False)
    boards.take_up(2)
    assert 1 not in boards
    assert not boards.is_later(1)
    assert not boards.is_later(2)


def test_waiting_boards_are_visited_in_turn() -> None:
    boards = WaitingBoards()
    for board in range(1, 1001):
        boards.set(board, waits=True)
    at, visits = 0, []
    for _ in range(2000):
        at = boards.next_after(at) or 0
        visits.append(at)
    assert visits == [*range(1, 1001), *range(1, 1001)]
