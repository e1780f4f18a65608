/** What stands around a game that is more than a game: a board of an exhibition. */

import type { nothing, TemplateResult } from 'lit-html';
import type { GameKind } from '../../board/core/game-kind';
import type { Color, GameSnapshot, Outgoing } from '../../net/protocol';
import type { GameStore } from '../../state/game-store';

type Part = TemplateResult | typeof nothing;

export interface GameExtension {
  /** Above what is asked and can be done. */
  strip(game: GameSnapshot): Part;
  /** On the board of that kind as it is seen from `bottom`. */
  boardMarks(bottom: Color, kind: GameKind): Part;
  /** Whether the person may move, if it is his turn. */
  mayMove(game: GameSnapshot): boolean;
  /** What is asked of the server in the place of `move`, the one after `ply` half-moves; null: to play it. */
  replaceMove(move: string, ply: number): Outgoing | null;
  /** What is asked after `asked` was a conflict, for things have changed while it was on its way; null: nothing. */
  afterConflict(asked: Outgoing, move: string, ply: number): Outgoing | null;
  /** The game with what is known of it here: who is at another board is not gone. */
  withPresence?(game: GameSnapshot): GameSnapshot;
  close(): void;
}

/** A page of which the game is a part: its address, title and keys are not the game's. */
export interface ParentPage {
  extension: GameExtension;
  /** The game as far as it is known. */
  store: GameStore;
  /** The person gives the exhibition. */
  hosts: boolean;
}
