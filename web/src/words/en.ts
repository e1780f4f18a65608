/** Every text of the pages, in English. A part a file; another language is a map with the same keys. */

import { ACCESS } from './en/access';
import { FRAME } from './en/frame';
import { GAME } from './en/game';
import { LOBBY } from './en/lobby';
import { SETTINGS } from './en/settings';

export const EN = { ...FRAME, ...LOBBY, ...SETTINGS, ...GAME, ...ACCESS };
