/** A page, as the frame around it shows it. */

import type { PersonalMessage } from '../net/protocol';

export interface Page {
  /** Draw what is known now. Called after anything changed; cheap enough to be called often. */
  draw(root: HTMLElement): void;
  close(): void;
  /** Whether the person's own game here waits for his move: the tab's title says so. */
  yourMove?(): boolean;
  /** Told what was pushed to the person: `paired`, `pool`, `challenge`, `notice` and what ends them. */
  onPush?(message: PersonalMessage): void;
  /** Whether the person plays here and may not be taken away by another game that begins. */
  playing?(): boolean;
  /** The game that the page has itself, where its address does not name one. */
  game?(): string | null;
  /** Whether the page waits for a game to begin, though it may have been asked for elsewhere. */
  awaitsGame?(): boolean;
}
