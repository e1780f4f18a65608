/** What a game by the Laws adds to its page. The code is loaded with the first such game. */

import type { nothing, TemplateResult } from 'lit-html';
import type { LawsAccess } from '../../access/accessible-game';
import type { Color, GameMessage, GameSnapshot } from '../../net/protocol';
import type { Action, DrawButton } from './action';

type Part = TemplateResult | typeof nothing;

export interface ByLaws {
  /** For typed commands and text mode. */
  readonly access: LawsAccess;
  /** In place of the usual actions. */
  actions(game: GameSnapshot, own: readonly Color[]): Action[];
  /** What asks the player something; nothing if nothing does. `button`: draws what answers. */
  ask(game: GameSnapshot, own: readonly Color[], button: DrawButton): Part;
  /** The clock button. */
  button(game: GameSnapshot, own: readonly Color[]): Part;
  /** The score sheet of the player, in place of the moves; null if the server keeps the score. */
  sheet(game: GameSnapshot, own: readonly Color[]): TemplateResult | null;
  /** Who has signed the result. */
  signatures(game: GameSnapshot, own: readonly Color[]): Part;
  /** The line that says what is going on. */
  line(game: GameSnapshot, own: readonly Color[]): Part;
  /** The claim of `me` that stands beside the opponent's clock. */
  flagButton(game: GameSnapshot, me: Color): Part;
  /** What stands beside a player's name. */
  note(game: GameSnapshot, color: Color): string;
  /** The choice of the piece that a pawn on the last rank becomes, over the board. */
  chooser(game: GameSnapshot, bottom: Color): Part;
  /** The bar of a player when both are at this device; null if they are not. */
  bar(game: GameSnapshot, color: Color, place: 'top' | 'bottom'): TemplateResult | null;
  /** Whether the pieces of the far side are upside down. */
  turnsFarPieces(): boolean;
  /** Take a message that has led from `was` to `now`. */
  take(message: GameMessage, was: GameSnapshot, now: GameSnapshot): void;
  /** Call often: what depends on the time may have changed. */
  tick(game: GameSnapshot): void;
  /** A piece was selected with the keyboard. */
  touch(square: string): void;
  /** Ask for the legal moves again. */
  refresh(): void;
  /** Cancel what waits. Returns whether anything did. */
  cancel(): boolean;
  close(): void;
}
