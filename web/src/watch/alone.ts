/** What stands around a game that is a part of a page and of nothing else: nothing. */

import { nothing } from 'lit-html';
import type { Beside } from '../game/beside';

export const ALONE: Beside = {
  strip: () => nothing,
  marks: () => nothing,
  free: () => true,
  instead: () => null,
  otherwise: () => null,
  close: () => undefined,
};
