import type { Seek } from '../net/protocol';
import { nameOf, say } from '../words/words';
import { lawsText } from './laws-terms';
import { gameOf } from './registry';

/** The rule profile, if it is not the usual one, and the terms of a game by the Laws; else empty. */
export function rulesText({ variant, rules, laws }: Pick<Seek, 'variant' | 'rules' | 'laws'>): string {
  if (rules === gameOf(variant).profiles[0]) return '';
  const text = say('game.rules', { rules: nameOf('rules', rules) });
  return laws ? say('laws.of', { rules: text, terms: lawsText(laws) }) : text;
}
