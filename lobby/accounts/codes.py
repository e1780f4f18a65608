"""Mailed codes: 12 letters and digits, 60 bits.

A code that confirms an address is too long to guess, so wrong ones are not counted, and nobody can use up another's
attempts. A wrong reset code counts as a wrong password (``LoginLimit``). The database stores SHA-256 hashes.
"""

from __future__ import annotations

import hashlib
import secrets

LENGTH = 12

ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # without 0 O 1 I, which people mix up


def new_code() -> str:
    """Return a new code in three groups of four characters."""
    code = "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))
    return "-".join(code[at : at + 4] for at in range(0, LENGTH, 4))


def code_hash(typed: str) -> bytes:
    """Return the stored hash of a code. Case, dashes and spaces are ignored."""
    return hashlib.sha256("".join(char for char in typed.upper() if char in ALPHABET).encode()).digest()
