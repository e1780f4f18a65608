/** What a typed move or command means. */

import type { Outgoing } from '../net/protocol';
import type { Utterance } from '../notation/tell-move';

/** What to do: announce something, play, send a request, move the focus. */
export interface Answer {
  tell?: string;
  /** Language of `tell`, if it is not the page's. */
  lang?: NonNullable<Utterance['lang']>;
  /** Not a move or command, or not a legal one. */
  fault?: true;
  /** A move typed before the legal moves are known; it is read again then. */
  wait?: true;
  play?: string;
  /** Set as the premove; null cancels the premove. */
  ahead?: string | null;
  /** The move needs a promotion. */
  promote?: string[];
  /** Offer a draw with the move. */
  draw?: true;
  /** The promotion; null takes the pawn back. */
  choose?: string | null;
  /** The answer to the confirmation. */
  yes?: boolean;
  send?: Outgoing;
  go?: 'board' | 'help' | 'new' | 'rematch';
  /** The square to focus. */
  square?: string;
  flip?: true;
  /** Ask for a hint. */
  hint?: true;
  /** Show the board after so many half-moves. */
  look?: number;
  /** Look up the time that both have used. */
  used?: true;
  /** It must be typed twice. */
  confirm?: 'resign' | 'draw';
}
