import type { Seek } from '../net/protocol';
import { nameOf, say } from '../words/words';
import { gameOf } from './registry';

/** By which rules a game is played, where they are not its usual ones; else nothing. */
export const rulesText = ({ variant, rules }: Pick<Seek, 'variant' | 'rules'>): string =>
  rules === gameOf(variant).profiles[0] ? '' : say('game.rules', { rules: nameOf('rules', rules) });
