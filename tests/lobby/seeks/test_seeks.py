"""Seek book: list, matches, numbered events."""

from __future__ import annotations

from typing import Any

import pytest

from lobby.accounts.user import User
from lobby.errors import BadMessage
from lobby.proposals import Proposal, Range
from lobby.seeks import seeks
from lobby.seeks.seeks import (
    AWAY_MS,
    RESTART_AWAY_MS,
    SEEK_MS,
    Seek,
    SeekBook,
    match,
    new_seek,
    seek_of_spec,
    seek_spec,
)

NOW = 1_700_000_000_000
ANNA, BERT, CARL = User("a", "Anna", "guest"), User("b", "Bert", "guest"), User("c", "Carl", "guest")


def a_seek(seek_id: str, user: User = ANNA, now_ms: int = NOW, **fields: Any) -> Seek:
    return new_seek(seek_id, user, Proposal(**({"tc": {"base_s": 180, "inc_s": 2}} | fields)), now_ms)


@pytest.fixture
def book() -> SeekBook:
    book = SeekBook(seq=100)
    for user in (ANNA, BERT, CARL):
        book.came(user.id)
    return book


def ids(found: list[Seek]) -> list[str]:
    return [seek.id for seek in found]


def test_event_of_a_new_seek_has_the_fields_of_the_protocol(book: SeekBook) -> None:
    assert book.add(a_seek("s1", color="w", max_rating=1800), NOW) == {
        "t": "lobby.add",
        "seq": 101,
        "seek": "s1",
        "user": {"id": "a", "name": "Anna", "kind": "guest", "title": None},
        "rating": None,
        "provisional": None,
        "game": "chess",
        "variant": "standard",
        "tc": {"base_s": 180, "inc_s": 2},
        "rated": False,
        "color": "w",
        "rules": "online",
        "position": None,
        "min_rating": None,
        "max_rating": 1800,
    }
    assert book.remove("s1") == {"t": "lobby.gone", "seq": 102, "seek": "s1"}
    assert book.remove("s1") is None
    assert book.seq == 102


@pytest.mark.parametrize("fields", [{"delay_s": 60}, {"delay_moves": 3}])
def test_seeks_match_only_with_the_same_public_delay(book: SeekBook, fields: dict[str, Any]) -> None:
    event = book.add(a_seek("s1", **fields), NOW)
    assert {name: value for name, value in event.items() if name.startswith("delay_")} == fields
    book.add(a_seek("s2", BERT, delay_s=61), NOW)
    book.add(a_seek("s3", BERT), NOW)
    assert ids(book.matches(a_seek("s4", CARL, **fields))) == ["s1"]
    seek = a_seek("s1", **fields)
    assert seek_of_spec("s1", ANNA, seek_spec(seek), NOW) == seek


def test_snapshot_lists_seeks_in_order_of_creation(book: SeekBook) -> None:
    book.add(a_seek("s1"), NOW)
    book.add(a_seek("s2", BERT), NOW)
    snapshot = book.snapshot(games=3, online=7)
    seeks = snapshot["seeks"]
    assert [seek["seek"] for seek in seeks] == ["s1", "s2"] == [seek.id for seek in book]
    assert snapshot == {"t": "lobby", "seq": 102, "seeks": seeks, "games": 3, "online": 7}
    assert len(book) == 2


def test_seek_with_a_start_position_is_refused() -> None:
    with pytest.raises(BadMessage):
        a_seek("s1", fen="8/8/8/8/8/8/8/8 w - - 0 1")


@pytest.mark.parametrize(
    ("other", "fits"),
    [
        ({}, True),
        ({"color": "b"}, True),
        ({"color": "w"}, False),
        ({"tc": {"base_s": 180, "inc_s": 3}}, False),
        ({"tc": None}, False),
        ({"variant": "chess960"}, False),
        ({"min_rating": 1500}, True),
        ({"min_rating": 1501}, False),
    ],
)
def test_seeks_match_when_both_conditions_hold(other: dict[str, Any], fits: bool) -> None:
    mine, yours = a_seek("s1", color="w"), a_seek("s2", BERT, **other)
    assert match(mine, yours) is match(yours, mine) is fits


@pytest.mark.parametrize(("mine", "yours", "fits"), [(7, 7, True), (7, 8, False), (7, None, False), (None, None, True)])
def test_seeks_match_on_equal_positions(mine: int | None, yours: int | None, fits: bool) -> None:
    one = a_seek("s1", variant="chess960", position=mine)
    other = a_seek("s2", BERT, variant="chess960", position=yours)
    assert match(one, other) is match(other, one) is fits


def test_seek_does_not_match_its_own_owner() -> None:
    assert not match(a_seek("s1"), a_seek("s2"))


def test_longest_waiting_seek_matches_first(book: SeekBook) -> None:
    book.add(a_seek("s1", BERT), NOW)
    book.add(a_seek("s2", CARL), NOW + 1)
    book.add(a_seek("s3", CARL, tc=None), NOW + 2)
    assert ids(book.matches(a_seek("new"))) == ["s1", "s2"]
    book.remove("s1")
    assert ids(book.matches(a_seek("new"))) == ["s2"]


def test_absent_owner_is_not_matched_until_they_return(book: SeekBook) -> None:
    book.add(a_seek("s1", BERT), NOW)
    book.left(BERT.id, NOW)
    assert book.matches(a_seek("new")) == []
    book.came(BERT.id)
    assert ids(book.matches(a_seek("new"))) == ["s1"]


@pytest.mark.parametrize(("after_ms", "due"), [(SEEK_MS - 1, []), (SEEK_MS, ["s1"])])
def test_seek_expires_after_a_quarter_of_an_hour(book: SeekBook, after_ms: int, due: list[str]) -> None:
    book.add(a_seek("s1"), NOW)
    assert book.due(NOW + after_ms) == due


@pytest.mark.parametrize(("after_ms", "due"), [(AWAY_MS - 1, []), (AWAY_MS, ["s1", "s2"])])
def test_seeks_end_ten_seconds_after_their_owner_left(book: SeekBook, after_ms: int, due: list[str]) -> None:
    book.add(a_seek("s1"), NOW)
    book.add(a_seek("s2", tc=None), NOW)
    book.add(a_seek("s3", BERT), NOW)
    book.left(ANNA.id, NOW + 50)
    assert book.due(NOW + 50 + after_ms) == due
    book.came(ANNA.id)
    assert book.due(NOW + 50 + after_ms) == []


def test_expired_seek_of_an_absent_owner_is_due_once(book: SeekBook) -> None:
    book.add(a_seek("s1"), NOW)
    book.left(ANNA.id, NOW)
    assert book.due(NOW + SEEK_MS) == ["s1"]


def test_owner_who_left_while_their_seek_was_stored_gets_ten_seconds(book: SeekBook) -> None:
    book.left(ANNA.id, NOW)
    book.add(a_seek("s1"), NOW + 5)
    assert book.due(NOW + 5 + AWAY_MS - 1) == []
    assert book.due(NOW + 5 + AWAY_MS) == ["s1"]


def test_book_keeps_nothing_of_removed_seeks(book: SeekBook) -> None:
    book.add(a_seek("s1"), NOW)
    book.left(ANNA.id, NOW)
    book.remove("s1")
    book.left(BERT.id, NOW)
    assert book.due(NOW + SEEK_MS) == []
    assert [book._away_until, book._by_user, book._by_terms] == [{}, {}, {}]


def test_owners_have_half_a_minute_to_return_after_a_restart() -> None:
    book = SeekBook(seq=5)
    book.came(BERT.id)
    book.load([a_seek("s1"), a_seek("s2", BERT)], NOW)
    assert book.seq == 5
    assert book.due(NOW + RESTART_AWAY_MS - 1) == []
    assert book.due(NOW + RESTART_AWAY_MS) == ["s1"]


def test_every_event_takes_the_next_number(book: SeekBook) -> None:
    added = book.add(a_seek("s1"), NOW)
    book.seq += 1  # something else of the lobby has happened
    gone = book.remove("s1")
    assert gone is not None
    assert (added["seq"], gone["seq"], book.seq) == (101, 103, 103)


def test_removed_seeks_are_distinguished_from_unknown_ones(book: SeekBook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seeks, "GONE_REMEMBERED", 2)
    for seek_id in ("s1", "s2", "s3"):
        book.add(a_seek(seek_id), NOW)
        assert not book.is_gone(seek_id)
        book.remove(seek_id)
    assert [book.is_gone(seek_id) for seek_id in ("s1", "s2", "s3", "s4")] == [False, True, True, False]


def test_stored_form_round_trips() -> None:
    seek = a_seek("s1", color="b", min_rating=1400, tc={"days": 3}, variant="chess960")
    assert seek_of_spec("s1", ANNA, seek_spec(seek), NOW) == seek
    assert seek.opponents == Range(1400, None)
