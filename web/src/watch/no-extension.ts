/** What stands around a game that is a part of a page and of nothing else: nothing. */

import { nothing } from 'lit-html';
import type { GameExtension } from '../game/play/extension';
import type { GameSnapshot } from '../net/protocol';

class NoExtension implements GameExtension {
  strip(): typeof nothing {
    return nothing;
  }

  boardMarks(): typeof nothing {
    return nothing;
  }

  mayMove(): boolean {
    return true;
  }

  replaceMove(): null {
    return null;
  }

  afterConflict(): null {
    return null;
  }

  withPresence(game: GameSnapshot): GameSnapshot {
    return game;
  }

  close(): void {
    // There is nothing to leave.
  }
}

export const NO_EXTENSION: GameExtension = new NoExtension();
