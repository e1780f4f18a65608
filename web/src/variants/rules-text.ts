import type { Seek } from '../net/protocol';
import { nameOf, say } from '../words/words';
import { gameOf } from './registry';

/** The rule profile, if it is not the usual one; else empty. */
export const rulesText = ({ variant, rules }: Pick<Seek, 'variant' | 'rules'>): string =>
  rules === gameOf(variant).profiles[0] ? '' : say('game.rules', { rules: nameOf('rules', rules) });
