/** A game as the parts for keyboard and ear need it: what is known, and what a hand may do. */

import type { Color, GameSnapshot, Outgoing } from '../protocol';
import type { Settings } from '../settings';

export interface Table {
  readonly game: GameSnapshot;
  /** Sides the person plays: none when watching, both on one screen. */
  readonly own: readonly Color[];
  readonly bottom: Color;
  /** Moves the person may make now; null when it is not his turn, or they have not been told. */
  readonly legal: readonly string[] | null;
  /** What a player has left now; null without a clock. */
  left_ms(color: Color): number | null;
}

export interface Hands {
  /** Make this move (UCI). */
  play(move: string): void;
  /** A piece was put down: one of these moves, the person still says which. */
  drop(moves: string[]): void;
  /** Ask something of the server, for this game. */
  send(message: Outgoing): void;
  settings(): Settings;
}

/** The side a player sits at; null when watching or playing both. */
export const seat = (table: Table): Color | null => (table.own.length === 1 ? table.own[0]! : null);

/** Whether it is the person's turn to move. */
export const isToMove = ({ game, own }: Table): boolean => game.status !== 'over' && own.includes(game.turn);
