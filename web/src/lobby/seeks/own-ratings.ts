/** Ratings of the user, loaded again when the user changes. */

import type { App } from '../../app';
import type { Me as MyAccount } from '../../net/protocol';
import { Resource } from '../../ui/resource';
import type { Viewer } from './seek-fit';

export class OwnRatings {
  private resource: Resource<MyAccount> | null = null;
  private of: string | null = null;

  constructor(private readonly app: Pick<App, 'changed' | 'socket'>) {}

  close(): void {
    this.resource?.close();
  }

  /** The known ratings. Guests have none. */
  now(): Viewer {
    const { user } = this.app.socket;
    const member = user === null || user.kind === 'guest' ? null : user;
    if (member?.id !== (this.of ?? undefined)) {
      this.resource?.close();
      this.of = member?.id ?? null;
      this.resource = member && new Resource('/api/v1/me', () => this.app.changed());
    }
    const got = this.resource?.value;
    return { user, ratings: member === null ? {} : got?.user.id === member.id ? got.ratings : null };
  }
}
