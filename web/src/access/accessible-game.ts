/** A game as the parts for keyboard and ear need it: what is known, and what a hand may do. */

import type { GameKind as GameKind } from '../board/core/game-kind';
import type { PremoveOptions, LegalLeaps } from '../board/core/play-board';
import type { Color, GameSnapshot, Offers, Outgoing } from '../net/protocol';
import type { TellingStyle } from '../notation/tell-move';
import type { Settings } from '../settings/settings';

export interface AccessibleGame {
  readonly game: GameSnapshot;
  /** What is played. */
  readonly kind: GameKind;
  /** How the person likes to be told of moves. */
  readonly telling: TellingStyle;
  /** Sides the person plays: none when watching, both on one screen. */
  readonly own: readonly Color[];
  readonly bottom: Color;
  /** Half-moves on the board that is looked at: fewer than were made when the person went back. */
  readonly shown: number;
  /** The position on it; of one looked back at only the pieces. */
  readonly position: string;
  /** Moves the person may make now; null when it is not his turn, or they have not been told. */
  readonly legal: readonly string[] | null;
  /** The ways of those of them that have any. */
  readonly leaps: LegalLeaps | null;
  /** His move that the server has not answered yet. */
  readonly underway: string | null;
  /** His move ahead of his turn: from a square to a square. */
  readonly premove: string | null;
  /** His move that waits for his yes. */
  readonly confirming: string | null;
  /** What a pawn of his may become, while he is asked. */
  readonly choosing: readonly string[];
  /** Milliseconds until the opponent, who left, can be claimed against; null when he has not left. */
  readonly away_ms: number | null;
  /** What a player has left now; null without a clock. */
  left_ms(color: Color): number | null;
  /** What may be moved ahead of one's turn; null when nothing may. */
  premoveOptions(): PremoveOptions | null;
}

export interface GameActions {
  /** A piece was put down: one of these moves, the person still says which; `draw` offers a draw with it. */
  drop(moves: string[], draw?: boolean): void;
  /** Make this move when the turn comes; null drops the one that waits. Whether that is possible. */
  setPremove(move: string | null): boolean;
  /** The person's answer to "play it?". */
  confirm(yes: boolean): void;
  /** What the pawn becomes; null takes it back. */
  choose(letter: string | null): void;
  /** Ask something of the server, for this game. */
  send(message: Outgoing): void;
  /** Look for another opponent. */
  again(): void;
  /** One more game with both sides. */
  rematch(): void;
  flip(): void;
  /** Look at the board after so many half-moves. */
  look(ply: number): void;
  settings(): Settings;
}

export const OFFER_KINDS = ['draw', 'takeback', 'rematch'] as const satisfies (keyof Offers)[];
export type OfferKind = (typeof OFFER_KINDS)[number];

/** The side a player sits at; null when watching or playing both. */
export const seat = (table: AccessibleGame): Color | null => (table.own.length === 1 ? table.own[0]! : null);

/** Whether it is the person's turn to move, and he has not done so. */
export const isToMove = ({ game, own, underway }: AccessibleGame): boolean =>
  game.status !== 'over' && own.includes(game.turn) && underway === null;

export const isLive = ({ game, shown }: AccessibleGame): boolean => shown === game.moves.length;

export const isPaused = ({ game }: AccessibleGame): boolean => game.status !== 'over' && game.clock?.held === 'pause';

/** Open offers that the person can answer; who plays both sides answers for the other one. */
export const answerable = ({ game, own }: AccessibleGame): OfferKind[] =>
  OFFER_KINDS.filter((kind) => {
    const by = game.offers[kind];
    return by !== null && own.length > 0 && (own.length === 2 || by !== own[0]);
  });
