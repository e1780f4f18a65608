/** Extends a game that is part of something larger, such as a board of a simul. */

import type { nothing, TemplateResult } from 'lit-html';
import type { GameKind } from '../../board/core/game-kind';
import type { Color, GameSnapshot, Outgoing } from '../../net/protocol';
import type { GameStore } from '../../state/game-store';
import type { FollowedSimul } from '../../ui/page';

type Part = TemplateResult | typeof nothing;

/** The chat as drawn, and the number of lines that others have written since the page was opened. */
export interface BesideChat {
  drawn: Part;
  heard: number;
}

export interface GameExtension {
  /** Shown above the actions. */
  strip(game: GameSnapshot): Part;
  /** The facts about the game and its chat, if they are not shown one below the other. */
  beside?(about: TemplateResult, chat: BesideChat): Part;
  /** Marks on the board, as seen from `bottom`. */
  boardMarks(bottom: Color, kind: GameKind): Part;
  /** Shown over the board. */
  overlay?(): Part;
  /** Whether the person may move when it is their turn, or soon: then a move waits. */
  mayMove(game: GameSnapshot): boolean | 'soon';
  /** The request to send instead of `move`, made after `ply` half-moves; null to play it. */
  replaceMove(move: string, ply: number): Outgoing | null;
  /** The request to send after `asked` failed with a conflict, because the state has changed; null for none. */
  afterConflict(asked: Outgoing, move: string, ply: number): Outgoing | null;
  /** The game with corrected presence: a host at another board is not away. */
  withPresence?(game: GameSnapshot): GameSnapshot;
  /** Whether the person plays the host's side; null while that is unknown. */
  hosts?(): boolean | null;
  /** The simul that it follows. */
  followed?(): FollowedSimul;
  close(): void;
}

/** A page that shows the game as a part. Address, title and keys are not the game's. */
export interface ParentPage {
  extension: GameExtension;
  /** The game as known so far. */
  store: GameStore;
  /** Whether the person plays the host's side: the host of the simul, or the stand-in who has taken over. */
  hosts: boolean;
}
