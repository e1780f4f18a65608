"""Scopes: how much of what a person may do a token of his may do."""

from __future__ import annotations

from typing import Literal, get_args

Scope = Literal["read", "play", "host", "arbiter"]
"""``read``: what is private; ``play``: games, seeks, challenges, chat; ``host``: exhibitions; ``arbiter``: an arbiter's
acts. What concerns the account itself takes a session, never a token."""

SCOPES: tuple[Scope, ...] = get_args(Scope)

ALL: frozenset[Scope] = frozenset(SCOPES)
"""Of a session."""


def sorted_scopes(scopes: frozenset[Scope]) -> list[Scope]:
    """In the order of ``SCOPES``, as they are told."""
    return [scope for scope in SCOPES if scope in scopes]
