"""Names of members: what may be one, and which two are too much alike."""

from __future__ import annotations

import re

from lobby.errors import BadField

MIN_LENGTH = 2
MAX_LENGTH = 20
"""Characters; as many as fit beside a clock."""

RESERVED = frozenset(
    {
        "self", "robot", "arbiter", "system", "support", "helpdesk", "mod", "mods", "staff", "team", "official",
        "root", "owner", "operator", "server", "security", "anonymous", "nobody", "null", "undefined",
    }
)  # fmt: skip
"""Words of the protocol, and whom people would take for the server itself."""

RESERVED_BEGINNINGS = ("guest", "deleted")
"""Names of guests, and of those who left, are made by the server."""

RESERVED_ENDS = ("zeitnot", "admin", "administrator", "moderator")
"""Who is called ZeitnotAdmin, Moderator7 or ChessAdmin would be taken for it. Within a name it is fine: Badminton."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")

_ALIKE = str.maketrans({"0": "o", "1": "l", "i": "l", "5": "s", "m": "rn", "w": "vv", "-": None, "_": None})
"""Letters that look like two are taken apart: putting pairs together would depend on where one begins (vvv, vw, wv)."""


def is_name(text: str) -> bool:
    """Whether somebody could be called ``text``: no member is, if not. Upper and lower case are safe to fold then."""
    return len(text) <= MAX_LENGTH and _NAME.fullmatch(text) is not None


def check_name(name: str) -> str:
    """``name`` if a member may be called so.

    Raises:
        BadField: ``name``, with what would be right.
    """
    if not MIN_LENGTH <= len(name) <= MAX_LENGTH:
        raise BadField("name", f"expected {MIN_LENGTH} to {MAX_LENGTH} characters")
    if _NAME.fullmatch(name) is None:
        raise BadField("name", "expected letters from A to Z, digits, _ and -, the first a letter")
    plain = skeleton(name)
    if plain in _RESERVED_SKELETONS or plain.startswith(_RESERVED_STARTS) or plain.endswith(_RESERVED_ENDS):
        raise BadField("name", "this name is kept for the server itself")
    return name


def skeleton(name: str) -> str:
    """What ``name`` looks like: two names of one skeleton could be mistaken for each other.

    Case does not count, nor do ``-`` and ``_``; 0 is o, 5 is s, 1, I and l are one letter, rn is m and vv is w. Two
    people cannot have names of the same skeleton.
    """
    return name.lower().translate(_ALIKE)


_RESERVED_SKELETONS = frozenset(map(skeleton, RESERVED))
_RESERVED_STARTS = tuple(map(skeleton, (*RESERVED_BEGINNINGS, *RESERVED_ENDS)))
_RESERVED_ENDS = tuple(map(skeleton, RESERVED_ENDS))
