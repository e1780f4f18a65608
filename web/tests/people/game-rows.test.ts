import { describe, expect, it } from 'vitest';
import type { ListedGame } from '../../src/net/protocol';
import { entriesOf, gameRow, simulRow } from '../../src/people/game-rows';
import { SNAPSHOT } from '../state/snapshot';
import { text } from '../ui/template-text';

const game = (g: string, more: Partial<ListedGame> = {}): ListedGame =>
  ({ ...SNAPSHOT, g, plies: 31, created: 1, ended: 2, status: 'over', result: '1-0', reason: 'mate', ratings: null, simul: undefined, ...more }) as unknown as ListedGame;

describe('a game in a list', () => {
  it('has the colours and the number of moves', () => {
    const row = text(gameRow(game('a'), 'anna'), true);
    expect(row).toContain('16 moves');
    expect(row.indexOf('data-side=w')).toBeLessThan(row.indexOf('Anna'));
    expect(row.indexOf('data-side=b')).toBeGreaterThan(row.indexOf('Anna'));
  });

  it('has no number of moves while the list does not know it', () => {
    expect(text(gameRow(game('a', { status: 'live', result: '*', plies: 2 }), null))).not.toContain('move');
  });
});

describe('the boards of a simul in a list', () => {
  const board = (g: string, more: Partial<ListedGame> = {}) => game(g, { simul: 's1', simul_host: 'w', ...more });

  it('are one entry, where the first of them was', () => {
    const entries = entriesOf([game('a'), board('b'), game('c'), board('d'), game('e', { simul: 's2' })]);
    expect(entries.map((entry) => ('boards' in entry ? entry.boards.map(({ g }) => g) : entry.g))).toEqual(['a', ['b', 'd'], 'c', 'e']);
  });

  it('lead to the simul, with their number and results', () => {
    const boards = [board('b'), board('c', { result: '1/2-1/2' }), board('d', { result: '*', status: 'live' })];
    const row = text(simulRow('s1', boards, 'anna', false), true);
    expect(row).toContain('/simul/s1');
    expect(row).toContain('3 boards');
    expect(row).toContain('1 won · 1 drawn · 0 lost');
    expect(text(simulRow('s1', boards, null, true))).toContain('3+ boards');
    expect(text(simulRow('s1', boards, null, true))).not.toContain('won');
  });
});
