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
    recent.note('me', SEEK);
    expect(recent.for('me', game())).toEqual(SEEK);
  });

  it('is of a game on other terms only if they match', () => {
    recent.note('me', SEEK);
    for (const change of [{ rated: false }, { variant: 'chess960' }, { rules: 'official' }, { tc: { base_s: 300, inc_s: 3 } }, { tc: null }]) {
      expect(recent.for('me', game(change))).toBeNull();
    }
  });

  it('is of a game by the Laws only if it has the same terms', () => {
    const seek = { ...SEEK, rules: 'fide', laws: { supervised: false, draw_from: 0, default_s: 60 } };
    const laws = { supervised: false, draw_from: 0, default_s: 60, score_sheet: false };
    recent.note('me', seek);
    expect(recent.for('me', game({ rules: 'fide', laws }))).toEqual(seek);
    expect(recent.for('me', game({ rules: 'fide', laws: { ...laws, supervised: true } }))).toBeNull();
    expect(recent.for('me', game({ rules: 'fide', laws: { ...laws, draw_from: null } }))).toBeNull();
    expect(recent.for('me', game({ rules: 'fide' }))).toBeNull();
  });

  it('prefers the last request, a pool among them', () => {
    recent.note('me', SEEK);
    const pool = { t: 'pool.join', pool: '5+0', rated: true };
    recent.note('me', pool);
    expect(recent.for('me', game())).toEqual(pool);
    recent.note('me', SEEK);
    expect(recent.for('me', game())).toEqual(SEEK);
  });

  it('knows a pool of another variant', () => {
    const pool = { t: 'pool.join', pool: '5+0', rated: false, game: 'draughts', variant: 'russian' };
    recent.note('me', pool);
    expect(recent.for('me', game({ game: 'draughts', variant: 'russian', rated: false }))).toEqual(pool);
    expect(recent.for('me', game({ rated: false }))).toBeNull();
  });

  it('are those of one user', () => {
    recent.note('me', SEEK);
    expect(recent.for('other', game())).toBeNull();
    expect(recent.for(undefined, game())).toBeNull();
    recent.note('other', { t: 'pool.join', pool: '3+2', rated: true });
    expect(recent.for('me', game())).toBeNull();
    recent.note(undefined, SEEK);
    expect(recent.for(undefined, game())).toBeNull();
  });

  it('leaves the number of a start position to the game it was chosen for', () => {
    recent.note('me', { ...SEEK, variant: 'chess960', position: 518 });
    expect(recent.for('me', game({ variant: 'chess960' }))).toEqual({ ...SEEK, variant: 'chess960' });
  });

  it('does not note what asks for nobody new', () => {
    recent.note('me', { t: 'challenge', rated: true });
    recent.note('me', { t: 'unseek', seek: 's' });
    expect(kept.size).toBe(0);
  });

  it('keeps a few', () => {
    for (let n = 0; n < 20; n += 1) recent.note('me', { ...SEEK, min_rating: n });
    expect(JSON.parse([...kept.values()][0]!).requests).toHaveLength(8);
  });

  it('survives a storage that is broken, full or missing', () => {
    const odd = '{"user": "me", "requests": [null, 3, {"t": "pool.join"}, {"t": "seek", "variant": "standard", "rated": true, "tc": {"weeks": 1}}]}';
    for (const text of ['{', '3', 'null', '[{"t": "seek"}]', '{"user": "me", "requests": 3}', odd]) {
      kept.set('recent-requests', text);
      expect(recent.for('me', game())).toBeNull();
    }
    const full = new RecentRequests({
      getItem: () => null,
      setItem: () => {
        throw new Error('full');
      },
    });
    full.note('me', SEEK);
    expect(new RecentRequests(null).for('me', game())).toBeNull();
  });
});
