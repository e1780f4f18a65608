/** Extension of a game that is part of a page and of nothing else: it does nothing. */

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
    // Nothing to release.
  }
}

export const NO_EXTENSION: GameExtension = new NoExtension();
