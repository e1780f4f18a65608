"""Codes that are mailed, and typed by who reads the mail: 12 letters and digits, 60 bits.

That is so many that nobody guesses one, however often he tries: there is no count of tries that somebody else could use
up. The database keeps their SHA-256.
"""

from __future__ import annotations

import hashlib
import secrets

LENGTH = 12

ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # without 0 O 1 I, which people mix up


def new_code() -> str:
    """A code as it is told: three groups of four."""
    code = "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))
    return "-".join(code[at : at + 4] for at in range(0, LENGTH, 4))


def code_hash(typed: str) -> bytes:
    """What the database knows of a code, however it was typed: case, dashes and spaces do not count."""
    return hashlib.sha256("".join(char for char in typed.upper() if char in ALPHABET).encode()).digest()
