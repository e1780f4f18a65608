"""What each profile makes of the articles that leave a choice: one row of a table for each way to play.

``fide`` follows the 2009 edition of the FIDE Laws: supervised games of every kind by the Competition Rules (A3, B2),
unsupervised rapid by A4 and blitz by B3. ``uscf`` is the US Chess Federation's, ``official`` article 35 of the
international draughts regulation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

if TYPE_CHECKING:
    from game_core.laws.kinds import Kind
    from game_core.laws.terms import LawsTerms

TWO_MINUTES_MS = 120_000
THREE_MINUTES_MS = 180_000

Rulings = Literal["at_once", "by_claim"]
"""Who notices an illegal move: the server as arbiter when the clock is pressed, or the opponent."""

Flag = Literal["server", "claim"]
"""Who notices that a flag has fallen."""


class Articles(msgspec.Struct, frozen=True):
    """The choices of one profile."""

    rulings: Rulings = "at_once"
    given_ms: int = TWO_MINUTES_MS
    """What the opponent gets for an illegal move (7.4b)."""
    loses_at: int | None = 3
    """The illegal move with which the game is lost (7.4b); None: never."""
    claim_wins: bool = False
    """A right claim of an illegal move wins the game (B3c)."""
    lost_by_touching: bool = False
    """The right to claim is lost when a piece is touched, and not only when the own move is made."""
    flag: Flag = "server"
    wrong_claim_ms: int | None = THREE_MINUTES_MS
    """What the opponent gets for a wrong claim of a draw (9.5b); None: draws come without a claim."""
    rook_first: bool = False
    """One may castle by touching the rook first."""
    bare_pieces_draw: bool = False
    """A fallen flag is a draw against a lone king, a king and a knight or bishop, or two knights without pawns on the
    board (US rule 14E)."""
    corrects: bool = False
    """A claimed move is corrected and does not count as an illegal one (draughts, 35)."""
    position_until: int | None = None
    """Moves of the second player before which a game from a wrong position is played anew; None: always (7.1a, A4a)."""
    colors_until: int | None = 0
    """The same of a game with wrong colours; 0: it continues (7.2)."""
    empty_press: bool = True
    """To press the clock without a move is an illegal move. Otherwise it is only refused."""


FIDE = Articles()
"""7.4: also A3 and B2, where a game is supervised."""

FIDE_A4 = Articles(rulings="by_claim", flag="claim", position_until=3)

FIDE_B3 = Articles(rulings="by_claim", flag="claim", claim_wins=True, position_until=3)

USCF = Articles(
    loses_at=None,
    wrong_claim_ms=TWO_MINUTES_MS,
    rook_first=True,
    bare_pieces_draw=True,
    position_until=10,
    colors_until=10,
)

USCF_BLITZ = msgspec.structs.replace(USCF, rulings="by_claim", lost_by_touching=True)

OFFICIAL = Articles(
    rulings="by_claim",
    given_ms=0,
    loses_at=None,
    wrong_claim_ms=None,
    corrects=True,
    position_until=0,
    empty_press=False,
)
"""Article 35: the opponent alone has an irregular move corrected, or lets it stand by moving."""

_UNSUPERVISED: dict[Kind, Articles] = {"standard": FIDE, "rapid": FIDE_A4, "blitz": FIDE_B3}


def articles_of(profile: str, terms: LawsTerms, kind: Kind) -> Articles:
    """Return the articles that a game under ``profile`` follows."""
    if profile == "official":
        return OFFICIAL
    if profile == "uscf":
        return USCF_BLITZ if kind == "blitz" else USCF
    return FIDE if terms.supervised else _UNSUPERVISED[kind]
