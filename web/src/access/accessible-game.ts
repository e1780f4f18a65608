/** A game as the accessibility layer needs it: its state, and the actions of a player. */

import type { GameKind as GameKind } from '../board/core/game-kind';
import type { LegalLeaps, PremoveOptions } from '../board/core/play-board';
import type { Color, GameSnapshot, Offers, Outgoing } from '../net/protocol';
import type { TellingStyle } from '../notation/tell-move';
import type { Settings } from '../settings/settings';
import type { Hint } from '../state/hints';
import type { Answer } from './answer';

export interface AccessibleGame {
  readonly game: GameSnapshot;
  /** The kind of game. */
  readonly kind: GameKind;
  /** How moves are to be told. */
  readonly telling: TellingStyle;
  /** Sides that the person plays: none when watching, both on one screen. */
  readonly own: readonly Color[];
  readonly bottom: Color;
  /** Half-moves on the displayed board; fewer than were made while looking back. */
  readonly shown: number;
  /** The displayed position; only the pieces while looking back. */
  readonly position: string;
  /** Legal moves of the person; null when it is not their turn or the moves are not known yet. */
  readonly legal: readonly string[] | null;
  /** Paths of the legal captures. */
  readonly leaps: LegalLeaps | null;
  /** The move that was sent and not answered yet. */
  readonly underway: string | null;
  /** The premove, from square to square. */
  readonly premove: string | null;
  /** The move that waits for confirmation. */
  readonly confirming: string | null;
  /** Promotions or captures to choose from. */
  readonly choosing: readonly string[];
  /** The suggested move; null if none was asked for in this position. */
  readonly hint: Hint | null;
  /** Milliseconds until the absent opponent can be claimed against; null while they are here. */
  readonly away_ms: number | null;
  /** Milliseconds left for a first move; null if none is awaited. */
  readonly first_ms: number | null;
  /** Of a game by the Laws; null in others. */
  readonly laws: LawsAccess | null;
  /** Milliseconds left to a player; null without a clock. */
  left_ms(color: Color): number | null;
  /** Possible premoves; null when none are allowed. */
  premoveOptions(): PremoveOptions | null;
}

/** Commands and texts of games by the Laws. */
export interface LawsAccess {
  /** The answer to a command that only these games have, or that they do not have; null for another. */
  answer(word: string, argument: string, table: AccessibleGame): Answer | null;
  /** The illegal move that a text means, which can be made all the same; null if hands cannot make it. */
  byHand(text: string, table: AccessibleGame): string | null;
  /** The space bar on the board: whether it pressed the clock, as it does once a move is made. */
  space(table: AccessibleGame): boolean;
  /** What is going on, besides the turn. */
  lines(table: AccessibleGame): string[];
  /** Actions as buttons: their names, labels and commands. */
  buttons(table: AccessibleGame): { name: string; text: string; word: string }[];
  /** Help for the commands. */
  help(): string[];
}

export interface GameActions {
  /** A piece was dropped: one of these moves, to be chosen if there are several. `draw`: offer a draw with it. */
  drop(moves: string[], draw?: boolean): void;
  /** Set the premove, or cancel it with null. Returns whether it was possible. */
  setPremove(move: string | null): boolean;
  /** Confirm or reject the move that waits. */
  confirm(yes: boolean): void;
  /** Choose the promotion; null takes the move back. */
  choose(letter: string | null): void;
  /** Send a request about this game. */
  send(message: Outgoing): void;
  /** Find another opponent. */
  again(): void;
  /** A rematch of a game with both sides. */
  rematch(): void;
  flip(): void;
  /** By the Laws: a piece was selected. */
  touch?(square: string): void;
  /** Ask for a hint. */
  hint(): void;
  /** Show the board after so many half-moves. */
  look(ply: number): void;
  settings(): Settings;
}

export const OFFER_KINDS = ['draw', 'takeback', 'rematch'] as const satisfies (keyof Offers)[];
export type OfferKind = (typeof OFFER_KINDS)[number];

/** The side of the player; null when watching or playing both. */
export const seat = (table: AccessibleGame): Color | null => (table.own.length === 1 ? table.own[0]! : null);

/** Whether the person is to move and has sent no move yet. */
export const isToMove = ({ game, own, underway }: AccessibleGame): boolean =>
  game.status !== 'over' && own.includes(game.turn) && underway === null;

/** Whether the player has requested a takeback. */
export const asksBack = (table: AccessibleGame): boolean => table.game.offers.takeback !== null && table.game.offers.takeback === seat(table);

/** Withdraws that request. */
export const WITHDRAW: Outgoing = { t: 'takeback', do: 'decline' };

export const isLive = ({ game, shown }: AccessibleGame): boolean => shown === game.moves.length;

export const isPaused = ({ game }: AccessibleGame): boolean => game.status !== 'over' && game.clock?.held === 'pause';

/** Open offers that the person can answer. A person who plays both sides answers for the other one. */
export const answerable = ({ game, own }: AccessibleGame): OfferKind[] =>
  OFFER_KINDS.filter((kind) => {
    const by = game.offers[kind];
    return by !== null && own.length > 0 && (own.length === 2 || by !== own[0]);
  });
