"""Tokens of a chess score (PGN standard, section 7)."""

from __future__ import annotations

import re

from game_core.scores.tokens import GLYPH, Grammar

GRAMMAR = Grammar(
    token=re.compile(
        r"""
        (?P<skip>[ \t\v\f\xa0\ufeff\n]+ | [0-9]{1,6}\.+ | \.+ | e\.p\.)
      | (?P<result>(?:1-0 | 0-1 | 1/2(?:-1/2)? | ½(?:-½)?)(?![\w+\#=:/-]) | \*)
      | (?P<draw>\(=\))
      | (?P<symbol>-- | [A-Za-z0-9][A-Za-z0-9_+\#=:-]*(?:\.p\.[+\#]*)?)
      | \$(?P<nag>[0-9]{1,9})
      | (?P<glyph>"""
        + GLYPH
        + r""")
      | (?P<open>\()
      | (?P<close>\))
      | \{(?P<comment>[^}]*)\}
      | ;(?P<rest>[^\n]*)\n
        """,
        re.VERBOSE | re.ASCII,
    ),
    # Four digits are a move in numeric notation, not a move number.
    number=re.compile(r"[0-9]{1,3}", re.ASCII),
    results={"1-0": "1-0", "0-1": "0-1", "*": "*"} | dict.fromkeys(("1/2-1/2", "1/2", "½-½", "½"), "1/2-1/2"),
    ends_late=len(".p."),  # exd6e.p.
)
