"""Member names: validation, and names that look alike."""

from __future__ import annotations

import re

from lobby.errors import BadField

MIN_LENGTH = 2
MAX_LENGTH = 20
"""Characters. As many as fit beside a clock on the page."""

RESERVED = frozenset(
    {
        "self", "robot", "arbiter", "system", "support", "helpdesk", "mod", "mods", "staff", "team", "official",
        "root", "owner", "operator", "server", "security", "anonymous", "nobody", "null", "undefined",
    }
)  # fmt: skip
"""Words of the protocol, and names that could be mistaken for the server or its staff."""

ROBOT_NAME = "Robot-{}"
"""Name of the robot of a level."""

RESERVED_BEGINNINGS = ("guest", "deleted")
"""Prefixes of names that the server generates, for guests and for deleted accounts."""

RESERVED_ENDS = ("zeitnot", "admin", "administrator", "moderator")
"""Suffixes that could be mistaken for staff, such as ZeitnotAdmin or ChessAdmin. Allowed within a name: Badminton."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")

_ALIKE = str.maketrans({"0": "o", "1": "l", "i": "l", "5": "s", "m": "rn", "w": "vv", "-": None, "_": None})
"""Maps each character to its look-alike. Letters that resemble a pair are expanded (``m`` to ``rn``): contracting pairs
would be ambiguous (vvv is vw or wv)."""


def is_name(text: str) -> bool:
    """Return whether ``text`` has the form of a member's name. If so, case folding is safe."""
    return len(text) <= MAX_LENGTH and _NAME.fullmatch(text) is not None


def check_name(name: str) -> str:
    """Return ``name`` if it is valid.

    Raises:
        BadField: ``name``; the message says what is allowed.
    """
    if not MIN_LENGTH <= len(name) <= MAX_LENGTH:
        raise BadField("name", f"expected {MIN_LENGTH} to {MAX_LENGTH} characters")
    if _NAME.fullmatch(name) is None:
        raise BadField("name", "expected letters from A to Z, digits, _ and -, the first a letter")
    plain = skeleton(name)
    if plain in _RESERVED_SKELETONS or plain.startswith(_RESERVED_STARTS) or plain.endswith(_RESERVED_ENDS):
        raise BadField("name", "this name is reserved")
    return name


def skeleton(name: str) -> str:
    """Return what ``name`` looks like. Two people cannot have names with the same skeleton.

    Case, ``-`` and ``_`` are ignored; 0 is o, 5 is s, 1, I and l are the same letter, rn is m and vv is w.
    """
    return name.lower().translate(_ALIKE)


_RESERVED_SKELETONS = frozenset(map(skeleton, (*RESERVED, *map(ROBOT_NAME.format, range(1, 9)))))
_RESERVED_STARTS = tuple(map(skeleton, (*RESERVED_BEGINNINGS, *RESERVED_ENDS)))
_RESERVED_ENDS = tuple(map(skeleton, RESERVED_ENDS))
