"""What was lately looked up of tokens, found by token and by person."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lobby.accounts.user import Grant


class GrantCache:
    """At most ``most`` grants; who was not asked about for longest goes first.

    Args:
        most: grants kept.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._grants: OrderedDict[bytes, tuple[Grant, float]] = OrderedDict()
        self._keys: dict[str, set[bytes]] = {}
        """By person: a change about one costs as much as he has tokens, however many others there are."""

    def __contains__(self, key: bytes) -> bool:
        return key in self._grants

    def __len__(self) -> int:
        return len(self._grants)

    def get(self, key: bytes, now_s: float) -> Grant | None:
        """The grant of the token of hash ``key``, if it is believed still."""
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
        """Keep ``grant``, and believe it until then."""
        self._grants[grant.key] = (grant, until_s)
        self._keys.setdefault(grant.user.id, set()).add(grant.key)
        if len(self._grants) > self._most:
            self.remove(next(iter(self._grants)))

    def remove(self, key: bytes) -> None:
        """Forget a token, if it is there."""
        found = self._grants.pop(key, None)
        if found is None:
            return
        person = found[0].user.id
        keys = self._keys[person]
        keys.discard(key)
        if not keys:
            del self._keys[person]

    def remove_person(self, person: str) -> None:
        """Forget all tokens of ``person``."""
        for key in tuple(self._keys.get(person, ())):
            self.remove(key)
