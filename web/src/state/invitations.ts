/** Open invitations to and by the person. */

import type { Challenge, PersonalMessage } from '../net/protocol';

export class Invitations {
  private open: readonly Challenge[] = [];
  /** Invitations whose sender is away. */
  private readonly away = new Set<string>();

  receive(message: PersonalMessage): void {
    if (message.t === 'challenge') {
      const told = message;
      const same = (known: Challenge) => known.challenge === told.challenge;
      // An invitation told again keeps its place.
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

  /** Open invitations are told again after this. */
  clear(): void {
    this.open = [];
    this.away.clear();
  }

  /** Invitations by the person with this id. */
  by(me: string | undefined): Challenge[] {
    return this.open.filter(({ from }) => from.id === me);
  }

  /** Invitations to the person with this id. */
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
