"""Accounts: tokens, passwords, mail, and the announcement of changes to all who show a user."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lobby.accounts.addresses import AddressBook
from lobby.accounts.identity import Identities
from lobby.accounts.mail_queue import MailQueue
from lobby.accounts.members import Members
from lobby.accounts.passwords import Hasher
from lobby.accounts.resets import Resets
from realtime.cluster.people.account_events import AccountEvents
from realtime.ops.mail import SmtpMailer
from realtime.people.account_poller import AccountPoller

if TYPE_CHECKING:
    from lobby.accounts.user import User
    from realtime.simuls.live.simuls import Simuls
    from realtime.wiring.base import Base
    from realtime.wiring.games import GameServices
    from realtime.wiring.lobby import LobbyServices


@dataclass(frozen=True, slots=True)
class AccountServices:
    """The accounts of all users."""

    identities: Identities
    members: Members
    resets: Resets
    addresses: AddressBook
    poller: AccountPoller


def build_accounts(base: Base, games: GameServices, lobby: LobbyServices, simuls: Simuls) -> AccountServices:
    """Build the parts. A changed user is announced to tables, lobby and simuls here, and to all other nodes."""
    identities, hasher = Identities(base.pool), Hasher()
    base.stack.callback(hasher.close)
    smtp = base.settings.smtp
    mail = MailQueue(None if smtp is None else SmtpMailer(smtp))
    base.stack.push_async_callback(mail.close)

    def rename(user: User) -> None:
        games.tables.rename(user)
        lobby.lobby.leader.rename(user)
        simuls.rename(user)

    poller = AccountPoller(identities, lobby.people, rename)
    moderation = lobby.moderation
    events = AccountEvents(
        base.cluster, identities, lobby.people, poller, moderation.bans, moderation.block_lists
    )  # fmt: skip
    base.stack.push_async_callback(events.close)

    def changed(user: User) -> None:
        rename(user)
        events.changed(user)

    return AccountServices(
        identities=identities,
        members=Members(identities, hasher, changed),
        resets=Resets(identities, hasher, mail),
        addresses=AddressBook(base.pool, mail),
        poller=poller,
    )
