/**
 * All texts of the page, in English, one file per part. Another language is a map with the same keys. The build imports
 * these files too (words-in-files.ts) and needs full file names.
 */

import { ACCESS } from './en/access.ts';
import { FRAME } from './en/frame.ts';
import { GAME } from './en/game.ts';
import { GAMES } from './en/games.ts';
import { IMPORTS } from './en/imports.ts';
import { LOBBY } from './en/lobby.ts';
import { PAIRING } from './en/pairing.ts';
import { PEOPLE } from './en/people.ts';
import { ROBOTS } from './en/robots.ts';
import { SETTINGS } from './en/settings.ts';
import { SETUP } from './en/setup.ts';
import { SIMULS } from './en/simuls.ts';
import { WATCH } from './en/watch.ts';

export const EN = { ...FRAME, ...LOBBY, ...PAIRING, ...PEOPLE, ...ROBOTS, ...SETTINGS, ...GAME, ...GAMES, ...ACCESS, ...IMPORTS, ...SETUP, ...SIMULS, ...WATCH };
