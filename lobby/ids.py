"""Short random names for people, games, seeks and challenges.

Ids are part of links, so they are URL-safe and short; they are drawn, not counted, so that nobody can walk
through other people's challenges.
"""

from __future__ import annotations

import re
import secrets
import string

_BASE62 = string.digits + string.ascii_letters

_READABLE = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # without 0 O 1 I, which people mix up when they read a name aloud

ID_LENGTH = 8
"""62^8 is 2 x 10^14: with a million games the chance that a new id is taken is 1 in 200 million, and the primary key
would refuse it."""

LINK_LENGTH = 12
"""For ids that give a right to who knows them (open challenges): 71 bits."""


_ID = re.compile(r"[0-9A-Za-z]{1,64}")


def is_id(text: str) -> bool:
    """Whether ``text`` could be an id at all. What is none need not be looked up, and PostgreSQL refuses some of it."""
    return _ID.fullmatch(text) is not None


def new_id(length: int = ID_LENGTH) -> str:
    """A fresh id of ``length`` letters and digits."""
    return "".join(secrets.choice(_BASE62) for _ in range(length))


def new_token() -> str:
    """A secret of 256 bits, in characters that an address, a header and a command line take. It begins with no hyphen:
    there it would be an option (``zeitnot demo --token``)."""
    while (token := secrets.token_urlsafe(32)).startswith("-"):
        pass
    return token


def new_guest_name() -> str:
    """A name such as ``Guest-7F3K2``; one in 33 million, so the caller tries again when it is taken."""
    return "Guest-" + "".join(secrets.choice(_READABLE) for _ in range(5))


def new_deleted_name() -> str:
    """What somebody who has left is called, such as ``Deleted-7F3K2``; the caller tries again when it is taken."""
    return "Deleted-" + "".join(secrets.choice(_READABLE) for _ in range(5))
