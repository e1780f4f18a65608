"""Grant cache: lookup by token and by person, expiry, bounded size."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lobby.accounts.grant_cache import GrantCache
from lobby.accounts.user import Grant, User


def grant(person: str, key: str) -> Grant:
    return Grant(User(id=person, name=person, kind="guest"), key.encode())


def test_removing_a_person_drops_only_their_tokens() -> None:
    cache = GrantCache(10)
    for person, key in (("anna", "a1"), ("anna", "a2"), ("bert", "b1")):
        cache.put(grant(person, key), 10)
    cache.remove_person("anna")
    assert [key in cache for key in (b"a1", b"a2", b"b1")] == [False, False, True]
    cache.remove_person("nobody")
    assert len(cache) == 1


def test_grant_is_cached_until_it_expires() -> None:
    cache = GrantCache(10)
    cache.put(grant("anna", "a1"), 10)
    assert cache.get(b"a1", 9.9) is not None
    assert cache.get(b"a1", 10) is None
    assert len(cache) == 0


@given(st.lists(st.tuples(st.sampled_from("prga"), st.integers(0, 3), st.integers(0, 5))))
def test_lookups_by_token_and_by_person_agree(steps: list[tuple[str, int, int]]) -> None:
    cache = GrantCache(4)
    for what, person, token in steps:
        key = f"{person}-{token}"
        if what == "p":
            cache.put(grant(str(person), key), 10)
        elif what == "r":
            cache.remove(key.encode())
        elif what == "g":
            cache.get(key.encode(), token * 3)
        else:
            cache.remove_person(str(person))
        assert len(cache) <= 4
        found = {key for keys in cache._keys.values() for key in keys}
        assert found == set(cache._grants)
        assert all(cache._keys.values())
