"""A database's URL as libpq's environment variables."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from realtime.postgres.libpq_environment import environment_of
from realtime.protocol.errors import BadSetting


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("postgresql:///zeitnot", {"PGDATABASE": "zeitnot"}),
        (
            "postgres://anna:se%40cret@db.example:5433/games",
            {
                "PGUSER": "anna",
                "PGPASSWORD": "se@cret",
                "PGHOST": "db.example",
                "PGPORT": "5433",
                "PGDATABASE": "games",
            },
        ),
        (
            "postgresql://zeitnot@/zeitnot?host=/srv/zei%20tnot/run",
            {"PGUSER": "zeitnot", "PGDATABASE": "zeitnot", "PGHOST": "/srv/zei tnot/run"},
        ),
        (
            "postgresql://a:1,[::1],b:3/d?target_session_attrs=read-write",
            {
                "PGHOST": "a,::1,b",
                "PGPORT": "1,,3",
                "PGDATABASE": "d",
                "PGTARGETSESSIONATTRS": "read-write",
            },
        ),
        (
            "postgresql:///d?user=anna&password=p&dbname=other&sslmode=verify-full&sslrootcert=/etc/ca.pem",
            {
                "PGDATABASE": "d",
                "PGUSER": "anna",
                "PGPASSWORD": "p",
                "PGSSLMODE": "verify-full",
                "PGSSLROOTCERT": "/etc/ca.pem",
            },
        ),
        (
            "postgresql:///d?search_path=club%20a&application_name=x&options=-c%20jit%3Doff",
            {"PGDATABASE": "d", "PGOPTIONS": r"-c jit=off -c search_path=club\ a"},
        ),
    ],
)
def test_url_becomes_environment_variables(url: str, expected: dict[str, str]) -> None:
    assert environment_of(url, {}) == expected


def test_other_variables_are_inherited_except_other_targets() -> None:
    inherited = {
        "PATH": "/bin",
        "PGPASSWORD": "old",
        "PGUSER": "berta",
        "PGSERVICE": "other",
        "PGHOSTADDR": "192.0.2.1",
    }
    assert environment_of("postgresql://:new@h/d", inherited) == {
        "PATH": "/bin",
        "PGPASSWORD": "new",
        "PGUSER": "berta",
        "PGHOST": "h",
        "PGDATABASE": "d",
    }


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("mysql://h/d", "begins with postgresql://"),
        ("h/d", "begins with postgresql://"),
        ("postgresql://h:1:2/d", "expected HOST or HOST:PORT"),
        ("postgresql://h/d?sslpassword=p", "sslpassword"),
    ],
)
def test_unsupported_url_is_refused(url: str, why: str) -> None:
    with pytest.raises(BadSetting, match=why):
        environment_of(url, {})


@given(user=st.text(min_size=1), password=st.text(min_size=1), name=st.text(min_size=1))
def test_any_name_and_password_round_trips(user: str, password: str, name: str) -> None:
    def quoted(text: str) -> str:
        return quote(text, safe="", errors="replace")

    def kept(text: str) -> str:
        return text.encode(errors="replace").decode()

    url = f"postgresql://{quoted(user)}:{quoted(password)}@h/{quoted(name)}"
    expected = {"PGUSER": kept(user), "PGPASSWORD": kept(password), "PGHOST": "h", "PGDATABASE": kept(name)}
    assert environment_of(url, {}) == expected
