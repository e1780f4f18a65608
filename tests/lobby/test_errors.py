"""Each code of the protocol has its class."""

from __future__ import annotations

from typing import get_args

import pytest

from game_core.errors import ErrorCode, Refusal
from lobby.errors import KINDS, MailFailed, RateLimited, refusal_of


@pytest.mark.parametrize("code", get_args(ErrorCode))
def test_each_code_has_its_refusal(code: ErrorCode) -> None:
    error = refusal_of(code, "why")
    assert (error.code, error.message, str(error)) == (code, "why", "why")
    assert type(error) is KINDS.get(code, Refusal)


def test_only_codes_of_core_and_decoder_have_no_class() -> None:
    assert set(get_args(ErrorCode)) - set(KINDS) == {"illegal_move", "unknown_type"}


def test_subclass_inherits_the_code_of_its_base() -> None:
    assert MailFailed("no").code == "unavailable"


@pytest.mark.parametrize(("left_s", "retry_after_s"), [(0, 1), (0.2, 1), (2, 2), (2.01, 3)])
def test_retry_time_is_in_whole_seconds(left_s: float, retry_after_s: int) -> None:
    assert RateLimited("slow down", left_s).retry_after_s == retry_after_s
