/**
 * The wire's messages, as docs/protocol.md names them: what this page sends and reads. Their types are written
 * from the server's (protocol.gen.ts), so that the two cannot drift apart; here is what the page makes of them.
 */

import type * as wire from './protocol.gen';

export type * from './protocol.gen';
export { CLOSE_CODES, DECLINE_REASONS, END_REASONS, ERROR_CODES, LIMITS, POOLS, REPORT_KINDS } from './protocol.gen';

/** What follows the lobby's snapshot; the count is not numbered. */
export type LobbyEvent = wire.LobbyEvent | wire.LobbyCount;

/** Any message as it comes off the wire, before somebody says what it is. */
export interface Incoming {
  t: string;
  id?: number;
  g?: string;
  seq?: number;
  topic?: string;
  [field: string]: unknown;
}

export interface Outgoing {
  t: string;
  [field: string]: unknown;
}

/** A refused request, with the protocol's code, and the field of a form that it is about. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly field: string | null = null,
  ) {
    super(message);
  }

  /** Whether the same may be done in a while. `unavailable` is also said of what is not built. */
  get passes(): boolean {
    return this.code === 'unavailable' || this.code === 'rate_limited';
  }
}

/** Pushed to the person, whatever else they name. */
const PERSONAL = new Set(['paired', 'challenge', 'challenge.gone', 'challenge.away', 'pool', 'pool.gone', 'notice']);

/** The topic a pushed message belongs to; `user` for what concerns the person and no topic. */
export function topicOf(message: Incoming): string {
  if (PERSONAL.has(message.t)) return 'user';
  if (message.t === 'lobby' || message.t.startsWith('lobby.')) return 'lobby';
  if (message.t === 'tv' || message.t === 'tv.game') return 'tv';
  if (message.t === 'simul' || message.t.startsWith('simul.')) return `simul:${String(message.simul)}`;
  if (typeof message.topic === 'string') return message.topic;
  return typeof message.g === 'string' ? `game:${message.g}` : 'user';
}
