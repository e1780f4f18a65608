"""Compiled ``sweep`` and ``trails``: captures of each piece in variants with many paths, if sweep.c could be built.

It is built at installation if there is a C compiler, and returns the same captures, paths and order as the pure Python
``Sweep`` and ``Trails``, which are used without it. ctypes loads it and releases the interpreter lock while it runs.
"""

from __future__ import annotations

from array import array
from hashlib import sha256
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from struct import iter_unpack
from typing import TYPE_CHECKING, Any

from game_core.draughts.captures import KING_WORTH, MAN_WORTH
from game_core.draughts.field import each

if TYPE_CHECKING:
    from collections.abc import Iterator

    from game_core.draughts.field import Field
    from game_core.draughts.trails import Trails

LIBRARY = f"_sweep{EXTENSION_SUFFIXES[0]}"
"""The file that setup.py builds, with a name of its own for each Python and platform."""

SHIFTS = (-9, -1, 1, 9)
"""Shifts of the one board that the C code knows: the orthogonal one."""

MOST_PREY = 16
"""Pieces of a side. The C code has a slot for each set of this many pieces."""

MOST_TRAIL_PREY = 20
"""The same for trails: pieces of a side on the largest board."""

_TRAIL = "=I20s"
"""``struct trail``: the captured pieces' numbers as bits, and the numbers of the landing squares."""

_TRAIL_BYTES = 24

_CAPTURE = "=Q16s"
"""``struct capture``: the captured pieces as 64 bits, row by row, and the numbers of the landing squares."""

_CAPTURE_BYTES = 24

_LOW = (1 << 64) - 1


class Unusable(Exception):
    """Why no compiled code can be used."""


class Speedups:
    """The C code of sweep.c."""

    def __init__(self, ctypes: Any, path: Path) -> None:
        """
        Args:
            ctypes: the module, which not every Python has.
            path: of the library. What it was built from has to lie beside it.

        Raises:
            Unusable: it is another machine's, of another source, or no library of ours.
        """
        try:
            library = ctypes.CDLL(str(path))
            source, size = library.zeitnot_source, library.zeitnot_space
            self._sweep, self._captures = library.zeitnot_sweep, library.zeitnot_captures
            trail_size = library.zeitnot_trail_space
            self._follow, self._trails = library.zeitnot_follow, library.zeitnot_trails
            digest = sha256(path.with_name("sweep.c").read_bytes()).hexdigest()
        except (OSError, AttributeError) as error:
            raise Unusable(f"{path.name} cannot be used: {error}") from error
        source.restype = ctypes.c_char_p
        if source() != digest.encode():
            raise Unusable(f"{path.name} is older than sweep.c, or newer: install the project again")
        size.restype = trail_size.restype = ctypes.c_size_t
        word, half, pointer = ctypes.c_uint64, ctypes.c_uint32, ctypes.c_void_p
        self._sweep.argtypes = (pointer, word, half, word, half, half, half, half)
        self._sweep.restype = ctypes.c_int32
        self._captures.argtypes = (pointer, pointer)
        self._captures.restype = None
        self._follow.argtypes = (pointer, pointer, half, half, half, half, half)
        self._follow.restype = ctypes.c_int32
        self._trails.argtypes = (pointer, pointer)
        self._trails.restype = None
        self._new_space = word * (size() // 8 + 1)
        self._new_trail_space = word * (trail_size() // 8 + 1)
        self._spare_trails: list[Any] = []
        """The same of 16 MB for trails, little of which is touched except by the longest."""
        self._spare: list[Any] = []
        """Free work areas of 2 MB, as many as threads have run at once. Allocating one takes longer than most
        captures."""
        self._byref, self._byte = ctypes.byref, ctypes.c_uint8

    def serves(self, field: Field, foes: int) -> bool:
        """Return whether it supports the board and the number of pieces."""
        return field.shifts == SHIFTS and foes.bit_count() <= MOST_PREY

    def captures(
        self, field: Field, own: int, foes: int, starts: int, *, directions: tuple[int, ...], king: bool
    ) -> Iterator[tuple[int, int, int, tuple[int, ...]]]:
        """Yield for each of ``starts`` the result of ``Sweep(CaptureLines(field, own, foes, directions=directions,
        king=king), start).captures()``.

        Args:
            field, foes: must satisfy ``serves``.
            starts: of pieces that can capture.
        """
        try:
            space = self._spare.pop()
        except IndexError:
            space = self._new_space()
        bits = field.bits
        sides = (own & _LOW, own >> 64, foes & _LOW, foes >> 64)
        towards = sum(1 << direction for direction in directions)
        for start in each(starts):
            count = self._sweep(space, *sides, bits.index(start), towards, king)
            assert count > 0, f"{field.names[start]} takes nothing"
            room = bytearray(count * _CAPTURE_BYTES)
            self._captures(space, self._byref(self._byte.from_buffer(room)))
            before = gone = leaps = 0
            for taken, path in iter_unpack(_CAPTURE, room):
                if taken != before:
                    before, leaps = taken, taken.bit_count()
                    gone = sum((taken >> 8 * row & 255) << 9 * row for row in range(8))
                squares = tuple([bits[square] for square in path[:leaps]])
                yield start, squares[-1], gone, squares
        self._spare.append(space)

    def serves_trails(self, trails: Trails) -> bool:
        """Return whether it supports the number of capturable pieces."""
        return len(trails.squares_of) <= MOST_TRAIL_PREY

    def trail_captures(
        self, trails: Trails, worth: dict[int, int], least: int
    ) -> Iterator[tuple[int, int, tuple[int, ...]]]:
        """Yield the result of ``trails.captures(worth, least)`` for trails it ``serves``."""
        try:
            space = self._spare_trails.pop()
        except IndexError:
            space = self._new_trail_space()
        kings = sum(1 << number for number, square in enumerate(trails.squares_of) if worth[square] == KING_WORTH)
        leaps = array("Q", [each for leap in trails.leaps for each in leap])
        worths = MAN_WORTH << 16 | KING_WORTH
        address, _ = leaps.buffer_info()
        count = self._follow(space, address, len(trails.leaps), len(trails.squares_of), kings, least, worths)
        room = bytearray(count * _TRAIL_BYTES + 1)
        self._trails(space, self._byref(self._byte.from_buffer(room)))
        self._spare_trails.append(space)
        for taken, path in iter_unpack(_TRAIL, memoryview(room)[:-1]):
            yield trails.to_capture(taken, path[: taken.bit_count()])


def load(folder: Path) -> Speedups:
    """Load the library in ``folder`` that was built for this Python and platform. Raises ``Unusable``."""
    try:
        import ctypes
    except ImportError as error:
        raise Unusable(f"this Python has no ctypes: {error}") from error
    path = folder / LIBRARY
    if path.exists():
        return Speedups(ctypes, path)
    raise Unusable("sweep.c was not compiled: there was no C compiler, or it failed")


def find(folder: Path) -> tuple[Speedups | None, str]:
    """Return the result of ``load``, or None, and a sentence about it."""
    try:
        return load(folder), "Turkish and Frisian captures: C"
    except Unusable as why:
        return None, f"Turkish and Frisian captures: Python, for {why}"


SPEEDUPS, USED = find(Path(__file__).parent)
