/** What a typed move or command comes to. */

import type { Outgoing } from '../net/protocol';
import type { Utterance } from '../notation/tell-move';

/** What to do about it: tell something, play, ask the server, go somewhere. */
export interface Answer {
  tell?: string;
  /** In which language, if not the page's. */
  lang?: NonNullable<Utterance['lang']>;
  /** Neither a move nor a command, or no legal one. */
  fault?: true;
  /** A move, before the legal ones are told: to be read again then. */
  wait?: true;
  play?: string;
  /** Played when the turn comes; null drops what waits to be. */
  ahead?: string | null;
  /** The move wants a piece to promote to. */
  promote?: string[];
  /** A draw is offered with the move. */
  draw?: true;
  /** The piece that was asked for; null takes the pawn back. */
  choose?: string | null;
  /** To "play it?". */
  yes?: boolean;
  send?: Outgoing;
  go?: 'board' | 'help' | 'new' | 'rematch';
  /** Where to on the board. */
  square?: string;
  flip?: true;
  /** Look at the board after so many half-moves. */
  look?: number;
  /** Find out how much time both have used. */
  used?: true;
  /** Resigning wants to be said twice. */
  confirm?: 'resign';
}
