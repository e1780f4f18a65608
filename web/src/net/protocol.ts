/**
 * Messages of the protocol (docs/protocol.md). Their types are generated from the server's (protocol.gen.ts); this
 * module groups them for the page.
 */

import type * as wire from './protocol.gen';

export type * from './protocol.gen';
export { CLOSE_CODES, DECLINE_REASONS, END_REASONS, ERROR_CODES, LIMITS, POOLS, REPORT_KINDS } from './protocol.gen';

/** What follows the lobby's snapshot; the count is not numbered. */
export type LobbyEvent = wire.LobbyEvent | wire.LobbyCount;

/** The answer to a request that was not refused, with the fields that requests of this page ask for. */
export interface Reply {
  t: 'ok';
  id?: number;
  /** Server time in Unix milliseconds (for `ping`). */
  now?: number;
  /** Number of the event that the request caused. */
  seq?: number;
  /** Ids of what the request created. */
  g?: string;
  seek?: string;
  challenge?: string;
  simul?: string;
  /** Of a hint. */
  ply?: number;
  move?: string;
  better?: wire.Color | 'equal';
  winning?: boolean;
}

/** A pairing made while the connection was lost, found in the next welcome. */
export interface MissedPairing {
  t: 'paired';
  g: string;
  missed: true;
}

/** Pushed to the person. */
export type PersonalMessage =
  | wire.Paired
  | MissedPairing
  | wire.Challenge
  | wire.ChallengeGone
  | wire.ChallengeAway
  | wire.Pool
  | wire.PoolGone
  | wire.Notice
  | wire.SimulHosting
  | wire.SimulStandIn;

/** The server refused the subscription; the socket tells the topic. */
export interface TopicRefused {
  t: 'error';
  topic: string;
  code: string;
  message: string;
}

/** Messages of the topic `game:<g>`. */
export type GameMessage =
  | wire.GameSnapshot
  | wire.GameEvent
  | wire.GameHint
  | wire.Mini
  | wire.MiniChange
  | wire.ChatMessage
  | wire.ChatLines
  | TopicRefused;

/** Messages of the topic `lobby`. */
export type LobbyMessage = wire.LobbySnapshot | LobbyEvent | TopicRefused;

/** Messages of the topic `tv`. */
export type TvMessage = wire.Tv | wire.TvGame | TopicRefused;

/** Messages of the topic `simul:<simul>`. */
export type SimulMessage = wire.SimulSnapshot | wire.SimulEvent | wire.SimulHint | TopicRefused;

/** Any message to a topic. */
export type TopicMessage = GameMessage | LobbyMessage | TvMessage | SimulMessage;

/** A pushed message; `t` tells the type. A newer server may push other types, which match no case. */
export type Pushed = PersonalMessage | Exclude<TopicMessage, TopicRefused>;

/** Any message from the server. */
export type Incoming = wire.Welcome | Reply | wire.ErrorMessage | Pushed;

export interface Outgoing {
  t: string;
  [field: string]: unknown;
}

/** A refused request: the error code, and the form field that it is about. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly field: string | null = null,
  ) {
    super(message);
  }

  /** Whether to retry later. `unavailable` is also the code of features that are not built. */
  get passes(): boolean {
    return this.code === 'unavailable' || this.code === 'rate_limited';
  }

  /** Whether the server refused it for good; else it was not sent, not answered, or can be tried again. */
  get isFinal(): boolean {
    return !this.passes && this.code !== 'offline' && this.code !== WITHHELD;
  }
}

/** Code of a request that the person, when asked, did not want to send. */
export const WITHHELD = 'withheld';

const PERSONAL: readonly string[] = [
  'paired',
  'challenge',
  'challenge.gone',
  'challenge.away',
  'pool',
  'pool.gone',
  'notice',
  'simul.hosting',
  'simul.stand_in',
] satisfies PersonalMessage['t'][];

/** Whether the message is for the person and not for a topic. */
const isPersonal = (message: Pushed): message is PersonalMessage => PERSONAL.includes(message.t);

/** The topic of a pushed message; `user` if it is for the person. */
export function topicOf(message: Pushed): string {
  if (isPersonal(message)) return 'user';
  if (message.t === 'lobby' || message.t.startsWith('lobby.')) return 'lobby';
  if (message.t === 'tv' || message.t === 'tv.game') return 'tv';
  if (message.t === 'simul' || message.t.startsWith('simul.')) return `simul:${String((message as wire.SimulSnapshot).simul)}`;
  if ('topic' in message && typeof message.topic === 'string') return message.topic;
  return 'g' in message && typeof message.g === 'string' ? `game:${message.g}` : 'user';
}
