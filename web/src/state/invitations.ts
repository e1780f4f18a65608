/** Open invitations, as the server tells them: those to the person, and his own. */

import type { Challenge, PersonalMessage } from '../net/protocol';

export class Invitations {
  private open: readonly Challenge[] = [];
  /** Of whom the server says that he is not there just now. */
  private readonly away = new Set<string>();

  receive(message: PersonalMessage): void {
    if (message.t === 'challenge') {
      const told = message;
      const same = (known: Challenge) => known.challenge === told.challenge;
      // In its place, when it is told again.
      this.open = this.open.some(same) ? this.open.map((known) => (same(known) ? told : known)) : [...this.open, told];
    } else if (message.t === 'challenge.gone') {
      this.drop(message.challenge);
    } else if (message.t === 'challenge.away') {
      if (message.away) this.away.add(message.challenge);
      else this.away.delete(message.challenge);
    }
  }

  drop(challenge: string): void {
    this.open = this.open.filter((invitation) => invitation.challenge !== challenge);
    this.away.delete(challenge);
  }

  /** Those that still wait are told again after this. */
  clear(): void {
    this.open = [];
    this.away.clear();
  }

  /** Those that the person with this id has sent. */
  by(me: string | undefined): Challenge[] {
    return this.open.filter(({ from }) => from.id === me);
  }

  /** Those to the person with this id. */
  to(me: string | undefined): Challenge[] {
    return this.open.filter(({ from }) => from.id !== me);
  }

  get(challenge: string): Challenge | undefined {
    return this.open.find((invitation) => invitation.challenge === challenge);
  }

  isAway(challenge: string): boolean {
    return this.away.has(challenge);
  }
}
