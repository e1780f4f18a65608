/** What stands around a game that is a part of a page and of nothing else: nothing. */

import { nothing } from 'lit-html';
import type { Beside } from '../game/play/extension';
import type { GameSnapshot } from '../net/protocol';

class Alone implements Beside {
  strip(): typeof nothing {
    return nothing;
  }

  marks(): typeof nothing {
    return nothing;
  }

  free(): boolean {
    return true;
  }

  instead(): null {
    return null;
  }

  otherwise(): null {
    return null;
  }

  seen(game: GameSnapshot): GameSnapshot {
    return game;
  }

  close(): void {
    // There is nothing to leave.
  }
}

export const ALONE: Beside = new Alone();
