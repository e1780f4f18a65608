"""Pool book: reports in any order, the latest counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from lobby.accounts.user import User
from lobby.pools import pool_book
from lobby.pools.pool_book import STOPPED_REMEMBERED, PoolBook
from lobby.pools.pools import PoolKey, Waiter

if TYPE_CHECKING:
    import pytest

PLACES = [PoolKey("3+2", rated=True), PoolKey("3+2", rated=False), PoolKey("1+0", rated=True)]

histories = st.lists(st.sampled_from([*PLACES, None]), min_size=1, max_size=12)
"""Where a person waits after each change; None: nowhere."""


def waiter(name: str, place: PoolKey, n: int) -> Waiter:
    return Waiter(user=User(name, name, "member"), place=place, since_ms=n, n=n)


@given(histories, st.randoms())
def test_latest_change_counts_in_any_order_of_arrival(history: list[PoolKey | None], die: st.DataObject) -> None:
    book = PoolBook()
    book.came("a")
    news: list[tuple[int, PoolKey | None]] = []
    for n, place in enumerate(history, 1):
        # Who stops waiting stops the change before.
        news.append((n, place) if place is not None else (n - 1, None))
    die.shuffle(news)  # type: ignore[attr-defined]  # a random.Random
    for n, place in news:
        if place is None:
            book.stop("a", n)
        else:
            book.add(waiter("a", place, n), n)
    known = book.get("a")
    assert (None if known is None else known.place) == history[-1]
    assert len(book) == (known is not None)


def test_absent_player_is_in_no_wave() -> None:
    book = PoolBook()
    for n, name in enumerate("abc", 1):
        book.came(name)
        book.add(waiter(name, PLACES[0], n), 0)
    book.left("b", 0)
    ((place, here),) = book.places()
    assert place == PLACES[0]
    assert {one.user.id for one in here} == {"a", "c"}
    book.left("c", 0)
    assert list(book.places()) == []


def test_wave_takes_the_longest_waiting_up_to_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_book, "WAVE_SIZE", 3)
    book = PoolBook()
    for n, name in enumerate("abcde", 1):
        book.came(name)
        book.add(waiter(name, PLACES[0], n), 0)
    book.left("b", 0)
    ((_, here),) = book.places()
    assert [one.user.id for one in here] == ["a", "c", "d"]


def test_renaming_updates_the_waiting_player() -> None:
    book = PoolBook()
    book.came("a")
    book.add(waiter("a", PLACES[1], 1), 0)
    book.rename(User("a", "Anna", "member"))
    book.rename(User("b", "Bert", "member"))
    known = book.get("a")
    assert known is not None
    assert (known.user.name, known.n, len(book)) == ("Anna", 1, 1)


def test_memory_of_stopped_players_is_bounded() -> None:
    book = PoolBook()
    for n in range(STOPPED_REMEMBERED + 10):
        book.stop(f"p{n}", 1)
    assert len(book._stopped) == STOPPED_REMEMBERED


def test_player_set_aside_stops_once_the_change_is_applied() -> None:
    book = PoolBook()
    book.add(waiter("anna", PLACES[0], 3), 0)
    book.set_aside("anna", 3)
    assert book.get("anna") is None
    assert book.stop("anna", 3)
    assert not book.stop("anna", 3)
    book.add(waiter("anna", PLACES[0], 5), 0)
    book.set_aside("anna", 5)
    book.add(waiter("anna", PLACES[1], 6), 0)
    assert not book.stop("anna", 5)


def test_player_set_aside_stops_by_a_later_change_applied_first() -> None:
    """The move 5 to 6 is committed but not applied; then they leave, which is applied at once."""
    book = PoolBook()
    book.add(waiter("anna", PLACES[0], 5), 0)
    book.set_aside("anna", 5)
    assert book.stop("anna", 6)
    assert not book.add(waiter("anna", PLACES[1], 6), 0)


def test_late_report_of_an_earlier_stop_keeps_a_player_set_aside() -> None:
    book = PoolBook()
    book.add(waiter("anna", PLACES[0], 6), 0)
    book.set_aside("anna", 6)
    assert not book.stop("anna", 5)
    assert book.stop("anna", 6)


def test_memory_of_players_set_aside_is_bounded() -> None:
    book = PoolBook()
    for n in range(1, STOPPED_REMEMBERED + 2):
        book.add(waiter(str(n), PLACES[0], n), 0)
        book.set_aside(str(n), n)
    assert not book.stop("1", 1)
    assert book.stop("2", 2)
