import { beforeEach, describe, expect, it } from 'vitest';
import { RecentRequests } from '../../../src/lobby/waiting/recent-requests';
import type { GameSnapshot } from '../../../src/net/protocol';

const SEEK = { t: 'seek', game: 'chess', variant: 'standard', rated: true, tc: { base_s: 300, inc_s: 0 }, color: 'w', min_rating: 1400 };
const GAME = { game: 'chess', variant: 'standard', rated: true, rules: 'online', tc: { base_s: 300, inc_s: 0 } };
const game = (change: object = {}): GameSnapshot => ({ ...GAME, ...change }) as GameSnapshot;

describe('RecentRequests', () => {
  let kept: Map<string, string>;
  let recent: RecentRequests;

  beforeEach(() => {
    kept = new Map();
    recent = new RecentRequests({
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, text) => void kept.set(name, text),
    });
  });

  it('has the colour and the ratings that were asked for', () => {
    recent.note(SEEK);
    expect(recent.for(game())).toEqual(SEEK);
  });

  it('is of a game on other terms only if they match', () => {
    recent.note(SEEK);
    for (const change of [{ rated: false }, { variant: 'chess960' }, { rules: 'official' }, { tc: { base_s: 300, inc_s: 3 } }, { tc: null }]) {
      expect(recent.for(game(change))).toBeNull();
    }
  });

  it('prefers the last request, a pool among them', () => {
    recent.note(SEEK);
    const pool = { t: 'pool.join', pool: '5+0', rated: true };
    recent.note(pool);
    expect(recent.for(game())).toEqual(pool);
    recent.note(SEEK);
    expect(recent.for(game())).toEqual(SEEK);
  });

  it('knows a pool of another variant', () => {
    const pool = { t: 'pool.join', pool: '5+0', rated: false, game: 'draughts', variant: 'russian' };
    recent.note(pool);
    expect(recent.for(game({ game: 'draughts', variant: 'russian', rated: false }))).toEqual(pool);
    expect(recent.for(game({ rated: false }))).toBeNull();
  });

  it('does not note what asks for nobody new', () => {
    recent.note({ t: 'challenge', rated: true });
    recent.note({ t: 'unseek', seek: 's' });
    expect(kept.size).toBe(0);
  });

  it('keeps a few', () => {
    for (let n = 0; n < 20; n += 1) recent.note({ ...SEEK, min_rating: n });
    expect(JSON.parse([...kept.values()][0]!)).toHaveLength(8);
  });

  it('survives a storage that is broken, full or missing', () => {
    for (const text of ['{', '3', '[null, 3, {"t": "pool.join"}, {"t": "seek", "variant": "standard", "rated": true, "tc": {"weeks": 1}}]']) {
      kept.set('recent-requests', text);
      expect(recent.for(game())).toBeNull();
    }
    const full = new RecentRequests({
      getItem: () => null,
      setItem: () => {
        throw new Error('full');
      },
    });
    full.note(SEEK);
    expect(new RecentRequests(null).for(game())).toBeNull();
  });
});
