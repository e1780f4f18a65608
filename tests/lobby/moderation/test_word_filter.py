"""Word filter: whole words in any spelling."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lobby.moderation.word_filter import BadWords, EveryWord, read_words

LIST = """
# not nice
darn
Blödmann     # nor this
heck*
"""


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("what the heck", "what the ****"),
        ("Darn! darn, DARN", "****! ****, ****"),
        ("darning is an art", "darning is an art"),
        ("heckling", "********"),
        ("blodmann", "********"),
        ("BLÖDMANN", "********"),
        ("d_a_r_n darn_it", "d_a_r_n ****_it"),
        ("d\u0336arn", "*****"),
        ("da\u200brn", "*****"),
        ("\uff44\uff41\uff52\uff4e", "****"),
        ("", ""),
    ],
)
def test_listed_words_are_masked(line: str, shown: str) -> None:
    assert read_words(LIST).mask(line) == shown


@pytest.mark.parametrize("text", ["two words", "x-y", "*", "a*b", "ok\n!"])
def test_malformed_word_is_refused_with_its_line_number(text: str) -> None:
    with pytest.raises(BadWords, match=r"^line \d"):
        read_words(text)


def test_word_list_may_be_empty() -> None:
    assert read_words("# nothing\n\n").mask("darn") == "darn"


@given(st.text())
def test_masked_line_keeps_its_length_and_empty_list_masks_nothing(line: str) -> None:
    assert EveryWord().mask(line) == line
    masked = read_words(LIST).mask(line)
    assert len(masked) == len(line)
    assert read_words(LIST).mask(masked) == masked
