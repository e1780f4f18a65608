"""Scopes: what an API token may do on behalf of its owner."""

from __future__ import annotations

from typing import Literal, get_args

Scope = Literal["read", "play", "host", "arbiter"]
"""``read``: private data; ``play``: games, seeks, challenges, pools, chat, reports, and changes of blocks, follows and
imports; ``host``: simuls; ``arbiter``: an arbiter's actions. Changes to the account itself and the actions of
moderators need a session, never a token."""

SCOPES: tuple[Scope, ...] = get_args(Scope)

ALL: frozenset[Scope] = frozenset(SCOPES)
"""The scopes of a session."""


def sorted_scopes(scopes: frozenset[Scope]) -> list[Scope]:
    """Return ``scopes`` in the order of ``SCOPES``, as on the wire."""
    return [scope for scope in SCOPES if scope in scopes]
