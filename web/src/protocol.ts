/** The wire's messages, as docs/protocol.md names them: what this page sends and reads. */

export type Color = 'w' | 'b';

export interface User {
  id: string;
  name: string;
  kind: 'guest' | 'member' | 'bot';
  title: string | null;
}

export interface Period {
  moves?: number;
  base_s: number;
  inc_s?: number;
}

/** A time control; null is no clock at all. */
export type TimeControl =
  | { base_s: number; inc_s?: number; delay_s?: number; bronstein_s?: number }
  | { periods: Period[] }
  | { days: number }
  | null;

/** Milliseconds left on both clocks at the instant `at` (Unix milliseconds of the server). */
export interface Clock {
  w: number;
  b: number;
  run: Color | null;
  at: number;
  delay_left?: number;
  period?: unknown;
  moves_to_go?: unknown;
  held?: string | null;
}

export interface Seek {
  seek: string;
  user: User;
  rating?: number | null;
  game: string;
  variant: string;
  tc: TimeControl;
  rated: boolean;
  color: Color | 'random';
}

export interface Player {
  user: User | null;
  rating?: number | null;
  provisional?: boolean | null;
  online?: boolean;
}

export interface Offers {
  draw: Color | null;
  takeback: Color | null;
  rematch: Color | null;
}

export type Status = 'created' | 'live' | 'adjourned' | 'over';
export type Result = '1-0' | '0-1' | '1/2-1/2' | '*';

export interface GameSnapshot {
  t: 'game';
  g: string;
  seq: number;
  game: string;
  variant: string;
  rated: boolean;
  speed: string;
  tc: TimeControl;
  players: Record<Color, Player>;
  you: Color | null;
  fen: string | null;
  moves: string[];
  notation: string[];
  times: number[];
  position: string;
  turn: Color;
  legal?: string[];
  clock: Clock | null;
  offers: Offers;
  status: Status;
  result: Result;
  reason: string | null;
  watchers: number;
  next: string | null;
}

interface Numbered {
  g: string;
  seq: number;
}

export interface MoveEvent extends Numbered {
  t: 'move';
  ply: number;
  by: Color;
  move: string;
  san: string;
  position: string;
  check?: boolean;
  clock?: Clock | null;
  draw?: boolean;
}

export interface OfferEvent extends Numbered {
  t: 'offer';
  what: keyof Offers;
  do: 'offer' | 'accept' | 'decline';
  by: Color;
  next?: string | null;
}

export interface TakebackEvent extends Numbered {
  t: 'takeback';
  plies: number;
  position: string;
  clock?: Clock | null;
}

export interface ClockEvent extends Numbered {
  t: 'clock';
  clock: Clock;
  why: string;
  by?: Color | null;
}

export interface EndEvent extends Numbered {
  t: 'end';
  result: Result;
  reason: string;
  clock?: Clock | null;
}

export type GameEvent = MoveEvent | OfferEvent | TakebackEvent | ClockEvent | EndEvent;

/** What is not numbered and may be lost. */
export type GameHint =
  | { t: 'hold'; g: string; why: string }
  | { t: 'tick'; g: string; clock: Clock }
  | { t: 'legal'; g: string; ply: number; legal: string[] }
  | { t: 'crowd'; topic: string; watchers: number; online?: Partial<Record<Color, boolean>> };

export interface LobbySnapshot {
  t: 'lobby';
  seq: number;
  seeks: Seek[];
  games: number;
  online: number;
}

export type LobbyEvent =
  | ({ t: 'lobby.add'; seq: number } & Seek)
  | { t: 'lobby.gone'; seq: number; seek: string }
  | { t: 'lobby.count'; games: number; online: number };

export interface Welcome {
  t: 'welcome';
  v: number;
  user: User | null;
  now: number;
  games: string[];
}

export interface Paired {
  t: 'paired';
  g: string;
  color: Color;
  opponent: User;
}

/** What a challenge's link leads to, before it is answered. */
export interface ChallengeCard {
  challenge: string;
  from: User;
  to: User | null;
  variant: string;
  tc: TimeControl;
  color: Color | 'random';
  status: string;
  g: string | null;
}

export interface Notice {
  t: 'notice';
  code: string;
  text: string;
}

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

/** A refused request, with the protocol's code. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Pushed to the person, whatever else they name. */
const PERSONAL = new Set(['paired', 'challenge', 'challenge.gone', 'notice']);

/** The topic a pushed message belongs to; `user` for what concerns the person and no topic. */
export function topicOf(message: Incoming): string {
  if (PERSONAL.has(message.t)) return 'user';
  if (message.t === 'lobby' || message.t.startsWith('lobby.')) return 'lobby';
  if (typeof message.topic === 'string') return message.topic;
  return typeof message.g === 'string' ? `game:${message.g}` : 'user';
}
