"""Tokens of a PDN score: the standard's reading grammar, and common extensions."""

from __future__ import annotations

import re

from game_core.scores.tokens import GLYPH, Grammar

# A blank between squares is accepted, because columns of moves are often padded: ``2.28 x17 11 x22``.
GRAMMAR = Grammar(
    token=re.compile(
        r"""
        (?P<skip>[ \t\v\f\xa0\ufeff\n]+ | [0-9]{1,6}\.+ | \.+)
      | (?P<result>(?:1/2(?:-1/2)? | ½(?:-½)? | 1-0 | 0-1 | 2-0 | 1-1 | 0-2 | 0-0)(?![\w:/-]) | \*)
      | (?P<draw>\(=\))
      | (?P<symbol>[a-wyz]?[0-9]{1,2}(?:[ ]?[-:x][ ]?[a-wyz]?[0-9]{1,2})+ | [A-Za-z0-9][A-Za-z0-9:-]*)
      | \$(?P<nag>[0-9]{1,9})
      | (?P<glyph>\([!?]{1,2}\) | """
        + GLYPH
        + r""")
      | (?P<open>\()
      | (?P<close>\))
      | \{(?P<comment>[^}]*)\}
      | ;(?P<rest>[^\n]*)\n
        """,
        re.VERBOSE | re.ASCII,
    ),
    number=re.compile(r"[0-9]{1,3}", re.ASCII),
    results={text: text for text in ("1-0", "0-1", "0-0", "*")}
    | {"2-0": "1-0", "0-2": "0-1"}
    | dict.fromkeys(("1/2-1/2", "1/2", "½-½", "½", "1-1"), "1/2-1/2"),
    ends_late=len(" x 1"),
    escapes_anywhere=True,
    unreadable={
        "/": "a position set up in the middle of a game; that cannot be read",
        "-": "an unknown move",
    },
)
