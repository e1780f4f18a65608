/** The ratings of who is at the page, asked for when that is known, and again when it is somebody else. */

import type { App } from '../../app';
import type { Me as MyAccount } from '../../net/protocol';
import { Wanted } from '../../ui/resource';
import type { Me } from './seek-fit';

export class OwnRatings {
  private wanted: Wanted<MyAccount> | null = null;
  private of: string | null = null;

  constructor(private readonly app: Pick<App, 'changed' | 'socket'>) {}

  close(): void {
    this.wanted?.close();
  }

  /** What is known now. Guests have none. */
  now(): Me {
    const { user } = this.app.socket;
    const member = user === null || user.kind === 'guest' ? null : user;
    if (member?.id !== (this.of ?? undefined)) {
      this.wanted?.close();
      this.of = member?.id ?? null;
      this.wanted = member && new Wanted('/api/v1/me', () => this.app.changed());
    }
    const got = this.wanted?.got;
    return { user, ratings: member === null ? {} : got?.user.id === member.id ? got.ratings : null };
  }
}
