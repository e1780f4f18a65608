import { expect, it } from 'vitest';
import type { LiveGame } from '../../src/net/protocol';
import { liveCard } from '../../src/watch/live-cards';
import { SNAPSHOT } from '../state/snapshot';
import { text } from '../ui/template-text';

const drawn = (more: Partial<LiveGame> = {}): string =>
  text(liveCard({ ...SNAPSHOT, plies: 24, created: 1, ended: null, last: null, status: 'live', simul: undefined, ...more } as unknown as LiveGame, { now: () => 0 } as never), true);

it('a game has its move and leads to its page', () => {
  expect(drawn()).toContain('5+0 · move 13');
  expect(drawn()).toContain('/game/abc');
});

it('the boards of a simul have their number and lead to the simul', () => {
  const simul = drawn({ simul: 's1', simul_host: 'w', boards: 12 });
  expect(simul).toContain('Simul · 12 boards');
  expect(simul).toContain('/simul/s1');
  expect(simul).not.toContain('/game/');
});

it('a single board, as an older server lists it, is a game', () => {
  expect(drawn({ simul: 's1' })).toContain('/game/abc');
});
