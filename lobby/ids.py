"""Short random ids for people, games, seeks and challenges.

Ids are part of links, so they are URL-safe and short. They are random, so that nobody can enumerate other people's
challenges.
"""

from __future__ import annotations

import re
import secrets
import string

_BASE62 = string.digits + string.ascii_letters

_READABLE = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # without 0 O 1 I, which people mix up when they read a name aloud

ID_LENGTH = 8
"""62^8 is 2 x 10^14. With a million games a new id collides with a probability of 1 in 200 million, and the primary key
would refuse it."""

LINK_LENGTH = 12
"""Length of ids that grant a right to anyone who knows them (open challenges): 71 bits."""


_ID = re.compile(r"[0-9A-Za-z]{1,64}")


def is_id(text: str) -> bool:
    """Return whether ``text`` has the form of an id. PostgreSQL refuses some texts that do not."""
    return _ID.fullmatch(text) is not None


def new_id(length: int = ID_LENGTH) -> str:
    """A fresh id of ``length`` letters and digits."""
    return "".join(secrets.choice(_BASE62) for _ in range(length))


def new_token() -> str:
    """Return a secret of 256 bits that is valid in a URL, a header and a command line. It does not begin with a hyphen,
    which
    would make it an option (``zeitnot demo --token``)."""
    while (token := secrets.token_urlsafe(32)).startswith("-"):
        pass
    return token


def new_guest_name() -> str:
    """Return a name such as ``Guest-7F3K2``, one of 33 million. The caller retries when it is taken."""
    return "Guest-" + "".join(secrets.choice(_READABLE) for _ in range(5))


def new_deleted_name() -> str:
    """Return the name of a deleted account, such as ``Deleted-7F3K2``. The caller retries when it is taken."""
    return "Deleted-" + "".join(secrets.choice(_READABLE) for _ in range(5))
