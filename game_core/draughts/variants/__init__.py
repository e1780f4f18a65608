"""The variants of draughts in the order in which they are offered. A new one is one more file."""

from game_core.draughts.variants.brazilian import BRAZILIAN
from game_core.draughts.variants.classic import CLASSIC
from game_core.draughts.variants.english import ENGLISH
from game_core.draughts.variants.frisian import FRISIAN
from game_core.draughts.variants.international import INTERNATIONAL
from game_core.draughts.variants.italian import ITALIAN
from game_core.draughts.variants.russian import RUSSIAN
from game_core.draughts.variants.turkish import TURKISH

VARIANTS = (INTERNATIONAL, CLASSIC, ENGLISH, ITALIAN, RUSSIAN, BRAZILIAN, TURKISH, FRISIAN)
