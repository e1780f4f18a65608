"""Results in a file, match by match, and as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from bench.tournament.match import LevelMatch

if TYPE_CHECKING:
    from pathlib import Path

    from bench.tournament.players import MatchSide


class SavedMatches:
    """The matches of a file, which need not be there yet. None: they are not kept."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self.matches: list[LevelMatch] = []
        if path is not None and path.exists():
            self.matches = msgspec.json.decode(path.read_bytes(), type=list[LevelMatch])

    def match(self, variant: str, seed: int, first: MatchSide, second: MatchSide) -> LevelMatch:
        """Return the match as far as it was played, or a new one. Changed levels make another match."""
        wanted = LevelMatch(variant, seed, first, second, [])
        found = next((one for one in self.matches if one.is_same(wanted)), None)
        if found is None:
            self.matches.append(wanted)
        return found or wanted

    def save(self) -> None:
        """Write all matches, one a line."""
        if self._path is None:
            return
        lines = ",\n".join(msgspec.json.encode(one).decode() for one in self.matches if one.pairs)
        new = self._path.with_suffix(".new")
        new.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
        new.replace(self._path)


def head(variant: str) -> str:
    """Return the head of a table of matches."""
    return f"| {variant} | games | | Elo | half-moves |\n| --- | --- | --- | --- | --- |\n"


def row(match: LevelMatch) -> str:
    """Return a line of the table: the results of the first player, its lead with a 95 % interval, the mean length."""
    points = match.points
    elo, error = match.elo()
    wins, draws, losses = points.count(1.0), points.count(0.5), points.count(0.0)
    return (
        f"| {match.first.name} to {match.second.name} | {len(points)} | +{wins} ={draws} -{losses} "
        f"| {elo:+.0f} ± {error:.0f} | {sum(pair.plies for pair in match.pairs) / len(points):.0f} |\n"
    )
