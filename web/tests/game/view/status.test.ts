import { expect, it } from 'vitest';
import { ending } from '../../../src/game/view/status';
import type { GameSnapshot } from '../../../src/net/protocol';
import { seat, SNAPSHOT } from '../../state/snapshot';
import { text } from '../../ui/template-text';

const rated = { ...seat('Anna'), rating: 1500, provisional: false };
const OVER: GameSnapshot = {
  ...SNAPSHOT,
  status: 'over',
  result: '1-0',
  reason: 'checkmate',
  players: { w: rated, b: { ...rated, user: seat('Ben').user } },
  ratings: { w: 1508, b: 1492 },
};

it('tells each how the game ended, and what it has done to their rating', () => {
  expect(text(ending(OVER, 'w'))).toMatch(/You win.*1-0.*checkmate.*1508 \(\+8\)/);
  expect(text(ending(OVER, 'b'))).toMatch(/You lose.*1492/);
  expect(text(ending(OVER, null))).toMatch(/White wins.*1-0/);
  expect(text(ending(OVER, null))).not.toContain('1508');
  expect(text(ending(SNAPSHOT, 'w'))).toBe('');
});

it('tells why the rating stays', () => {
  expect(text(ending({ ...OVER, unrated: 'short' }, 'w'))).toContain('Not rated');
});
