import { expect, test } from 'vitest';
import { ownSeek, type SeekTerms } from '../../../src/lobby/seeks/own-seek';
import type { Seek } from '../../../src/net/protocol';

const TC = { base_s: 180, inc_s: 2 };
const WANTED: SeekTerms = { variant: 'standard', tc: TC, color: 'random' };

const seek = (change: Partial<Seek> = {}): Seek => ({
  game: 'chess',
  variant: 'standard',
  tc: TC,
  rated: false,
  rules: 'online',
  position: null,
  color: 'random',
  rating: null,
  provisional: null,
  min_rating: null,
  max_rating: null,
  seek: 's',
  user: { id: 'me', name: 'Anna', kind: 'guest', title: null },
  ...change,
});

test('the seek for the game is found among the others', () => {
  const others = [seek({ seek: 'a', tc: { base_s: 300 } }), seek({ seek: 'b', color: 'w' })];
  expect(ownSeek([...others, seek()], 'me', WANTED)?.seek).toBe('s');
  expect(ownSeek(others, 'me', WANTED)).toBeUndefined();
});

test.each<[string, Partial<Seek>]>([
  ['of somebody else', { user: { id: 'you', name: 'Bert', kind: 'guest', title: null } }],
  ['for another variant', { variant: 'chess960' }],
  ['from another position', { position: 0 }],
  ['rated', { rated: true }],
  ['by other rules', { rules: 'fide' }],
  ['for the strong', { min_rating: 2000 }],
  ['with a delay', { tc: { base_s: 180, delay_s: 2 } }],
  ['that others see later', { delay_s: 60 }],
  ['that others see some moves later', { delay_moves: 1 }],
])('a seek %s is another', (_what, change) => {
  expect(ownSeek([seek(change)], 'me', WANTED)).toBeUndefined();
});

test('nobody has seeks', () => {
  expect(ownSeek([seek()], undefined, WANTED)).toBeUndefined();
});
