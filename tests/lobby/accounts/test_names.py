"""Names: valid ones, and confusable ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lobby.accounts.names import MAX_LENGTH, MIN_LENGTH, check_name, is_name, skeleton
from lobby.errors import BadField

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
NAMES = st.builds(
    str.__add__, st.sampled_from(LETTERS), st.text(LETTERS + "0123456789_-", min_size=1, max_size=MAX_LENGTH - 1)
)


@pytest.mark.parametrize(
    "name",
    [
        "Jo",
        "anna",
        "Anna_K",
        "a-1",
        "X" * MAX_LENGTH,
        "Robotics",
        "MagnusC90",
        "Badminton",
        "Falstaff",
        "Modest",
        "Staffan",
    ],
)
def test_valid_names_are_accepted(name: str) -> None:
    assert check_name(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "", "a", "x" * (MAX_LENGTH + 1), "1abc", "_abc", "-abc", "an na", "ann\n", "ann\0", "änna", "anna!",
        "\N{CYRILLIC SMALL LETTER A}nna",
        "a/b", "..", "Guest-ABCDE", "guest", "GUEST_1", "gue5t\N{ZERO WIDTH SPACE}", "Deleted-X", "self", "R0B0T",
        "admin", "Adm1n", "zeitnot", "Z-E-I-T-N-O-T", "moderat0r",
        "Mod", "M0D5", "Staff", "ZeitnotAdmin", "zeitnot_1", "Moderator-7", "Chess-Adm1n", "rnoderator",
    ],
)  # fmt: skip
def test_invalid_names_are_refused(name: str) -> None:
    with pytest.raises(BadField) as caught:
        check_name(name)
    assert caught.value.field == "name"
    assert caught.value.message.startswith("name: ")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna", "anna"), ("anna", "an-na"), ("anna", "anna_"), ("Bill", "BiII"), ("bill", "b1ll"), ("bob", "b0b"),
        ("martin", "rnartin"), ("Willy", "vvi11y"), ("modern", "rnodem"), ("a_b-c", "abc"),
        ("Avvvx", "Avwx"), ("Avvvx", "Awvx"), ("rrnn", "rmn"), ("Susi", "5us1"), ("Carsten", "Car5ten"),
    ],
)  # fmt: skip
def test_confusable_names_have_one_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(("one", "other"), [("anna", "ana"), ("bob", "rob"), ("abc1", "abc2"), ("mat", "nat")])
def test_distinct_names_have_distinct_skeletons(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


@given(NAMES)
def test_skeleton_is_idempotent_and_ignores_case(name: str) -> None:
    plain = skeleton(name)
    assert plain
    assert skeleton(plain) == plain
    assert skeleton(name.upper()) == skeleton(name.lower()) == plain


@given(NAMES, st.integers(0, MAX_LENGTH), st.sampled_from("-_"))
def test_dashes_do_not_change_the_skeleton(name: str, at: int, dash: str) -> None:
    assert skeleton(name[:at] + dash + name[at:]) == skeleton(name)


@given(st.text())
def test_any_text_is_a_valid_name_or_refused(text: str) -> None:
    try:
        name = check_name(text)
    except BadField:
        return
    assert MIN_LENGTH <= len(name) <= MAX_LENGTH
    assert name.isascii()
    assert name[0].isalpha()


@given(st.text(), NAMES)
def test_is_name_accepts_every_member_name(text: str, name: str) -> None:
    assert is_name(name)
    if is_name(text):
        assert text.isascii()
        assert len(text) <= MAX_LENGTH


@given(st.lists(st.sampled_from(["v", "w", "vv", "r", "n", "m", "rn"]), min_size=1, max_size=8))
def test_letters_that_look_like_two_are_equal_to_them_at_any_place(letters: list[str]) -> None:
    apart = {"w": "vv", "m": "rn"}
    assert skeleton("".join(letters)) == skeleton("".join(apart.get(letter, letter) for letter in letters))
