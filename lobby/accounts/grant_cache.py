"""Least-recently-used cache of grants, by token and by person."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lobby.accounts.user import Grant


class GrantCache:
    """A cache of at most ``most`` grants. The least recently used one is evicted first.

    Args:
        most: capacity.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._grants: OrderedDict[bytes, tuple[Grant, float]] = OrderedDict()
        self._keys: dict[str, set[bytes]] = {}
        """Token hashes by person, so that invalidating one person costs only as much as they have tokens."""

    def __contains__(self, key: bytes) -> bool:
        return key in self._grants

    def __len__(self) -> int:
        return len(self._grants)

    def get(self, key: bytes, now_s: float) -> Grant | None:
        """Return the grant of the token hash ``key`` unless it has expired from the cache."""
        found = self._grants.get(key)
        if found is None:
            return None
        grant, until_s = found
        if now_s >= until_s:
            self.remove(key)
            return None
        self._grants.move_to_end(key)
        return grant

    def put(self, grant: Grant, until_s: float) -> None:
        """Cache ``grant`` until ``until_s``."""
        self._grants[grant.key] = (grant, until_s)
        self._keys.setdefault(grant.user.id, set()).add(grant.key)
        if len(self._grants) > self._most:
            self.remove(next(iter(self._grants)))

    def remove(self, key: bytes) -> None:
        """Remove a token, if it is cached."""
        found = self._grants.pop(key, None)
        if found is None:
            return
        person = found[0].user.id
        keys = self._keys[person]
        keys.discard(key)
        if not keys:
            del self._keys[person]

    def remove_person(self, person: str) -> None:
        """Remove all tokens of ``person``."""
        for key in tuple(self._keys.get(person, ())):
            self.remove(key)
