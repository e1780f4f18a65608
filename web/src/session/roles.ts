/** The user's roles, loaded when needed. */

import { call } from '../net/api';
import type { Me, User } from '../net/protocol';

export class Roles {
  private of: string | null = null;
  private moderator = false;

  constructor(private readonly changed: () => void) {}

  /** Whether `me` is a moderator, as far as known. */
  moderates(me: User): boolean {
    if (me.kind === 'guest') return false;
    if (this.of !== me.id) void this.learn(me.id);
    return this.moderator;
  }

  private async learn(id: string): Promise<void> {
    this.of = id;
    this.moderator = false;
    const me = await call<Me>('GET', '/api/v1/me').catch(() => null);
    if (this.of !== id) return;
    // After an error the next page load tries again.
    this.moderator = me?.user.id === id && me.roles.some((role) => role === 'moderator' || role === 'admin');
    this.changed();
  }
}
