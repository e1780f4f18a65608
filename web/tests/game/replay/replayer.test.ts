import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PlyNavigation, plyOfHash } from '../../../src/game/replay/ply-navigation';
import { Replayer } from '../../../src/game/replay/replayer';
import type { GameSnapshot, TimeControl } from '../../../src/net/protocol';
import { clocksAt, clockThen, isTimed, moverOf, spent_ms } from '../../../src/state/move-times';

/** A game of four half-moves that White started. */
const played = (tc: TimeControl, times: number[], fields: object = {}): GameSnapshot =>
  ({ moves: times.map(() => 'e2e4'), notation: times.map(() => 'e4'), times, turn: times.length % 2 === 0 ? 'w' : 'b', tc, status: 'over', variant: 'standard', ...fields }) as unknown as GameSnapshot;

const BLITZ = { base_s: 60, inc_s: 2 };
const blitz = played(BLITZ, [61_000, 62_000, 58_000, 52_000]);

describe('what moves took', () => {
  it('is told by the clocks', () => {
    expect([1, 2, 3, 4].map((ply) => spent_ms(blitz, ply))).toEqual([1_000, 250, 5_000, 12_000]);
  });

  it('takes a handicap into account', () => {
    const game = played(BLITZ, [29_000, 61_000], { tcs: { w: { base_s: 30 }, b: BLITZ } });
    expect([1, 2].map((ply) => spent_ms(game, ply))).toEqual([1_000, 1_000]);
  });

  it('knows that a period was added, and that time was given', () => {
    const game = played({ periods: [{ moves: 2, base_s: 60 }, { base_s: 30 }] }, [50_000, 60_000, 75_000, 59_000]);
    expect(spent_ms(game, 3)).toBe(5_000);
    expect(spent_ms(played(BLITZ, [90_000]), 1)).toBe(250);
  });

  it('guesses what a delay hides', () => {
    expect(spent_ms(played({ base_s: 60, delay_s: 4 }, [58_000]), 1)).toBe(6_000);
    expect(spent_ms(played({ base_s: 60, bronstein_s: 4 }, [60_000]), 1)).toBe(2_000);
  });

  it('is a second where nobody knows', () => {
    for (const game of [played(null, []), played({ days: 2 }, [1, 2]), played(BLITZ, [], { moves: ['e2e4'] })]) {
      expect(isTimed({ ...game, moves: game.moves.length ? game.moves : ['e2e4'] })).toBe(false);
      expect(spent_ms({ ...game, moves: ['e2e4'] }, 1)).toBe(1_000);
      expect(clockThen({ ...game, moves: ['e2e4'] }, 0, 0)).toBeNull();
    }
  });
});

describe('the clocks of then', () => {
  it('are those after the last moves of both', () => {
    expect([0, 1, 2, 3, 4].map((ply) => clocksAt(blitz, ply))).toEqual([
      { w: 60_000, b: 60_000 },
      { w: 61_000, b: 60_000 },
      { w: 61_000, b: 62_000 },
      { w: 58_000, b: 62_000 },
      { w: 58_000, b: 52_000 },
    ]);
  });

  it('run for who is to move, no longer than he thought', () => {
    expect(clockThen(blitz, 2, 3_000)).toMatchObject({ w: 58_000, b: 62_000, run: 'w' });
    expect(clockThen(blitz, 2, 99_000)).toMatchObject({ w: 56_000 });
    expect(clockThen(blitz, 4, 1_000)).toMatchObject({ w: 58_000, b: 52_000, run: null });
  });

  it('know who moved where Black began', () => {
    const black = played(BLITZ, [61_000, 58_000, 50_000], { turn: 'w' });
    expect([1, 2, 3].map((ply) => moverOf(black, ply))).toEqual(['b', 'w', 'b']);
    expect(clocksAt(black, 1)).toEqual({ w: 60_000, b: 61_000 });
  });
});

describe('a replay', () => {
  let looking: PlyNavigation;
  let replayer: Replayer;
  const at = () => looking.ply(4);

  beforeEach(() => {
    vi.useFakeTimers();
    looking = new PlyNavigation(() => undefined);
    replayer = new Replayer(looking, () => undefined, () => performance.now());
  });

  afterEach(() => {
    replayer.close();
    vi.useRealTimers();
  });

  it('runs the clocks once the person starts it themselves', () => {
    replayer.play(blitz, { clocksRun: false });
    expect(replayer.withClocks(blitz, 0).status).toBe('over');
    replayer.pause();
    replayer.play(blitz);
    expect(replayer.withClocks(blitz, 0).status).toBe('live');
  });

  it('begins at the start and goes at the pace of the game to its end', () => {
    replayer.play(blitz);
    expect(at()).toBe(0);
    vi.advanceTimersByTime(1_000);
    expect(at()).toBe(1);
    vi.advanceTimersByTime(250);
    expect(at()).toBe(2);
    vi.advanceTimersByTime(4_900);
    expect(at()).toBe(2);
    vi.advanceTimersByTime(100);
    expect(at()).toBe(3);
    expect(replayer.playing).toBe(true);
    vi.advanceTimersByTime(12_000);
    expect([at(), replayer.playing, replayer.done]).toEqual([4, false, true]);
  });

  it('goes on from where one looks, and stops when told to', () => {
    looking.go(2, 4);
    replayer.play(blitz);
    vi.advanceTimersByTime(2_000);
    replayer.pause();
    vi.advanceTimersByTime(60_000);
    expect(at()).toBe(2);
    replayer.play(blitz);
    vi.advanceTimersByTime(5_000);
    expect(at()).toBe(3);
  });

  it('goes faster from now on', () => {
    looking.go(3, 4);
    replayer.play(blitz);
    vi.advanceTimersByTime(4_000);
    replayer.set(4);
    vi.advanceTimersByTime(1_990);
    expect(at()).toBe(3);
    vi.advanceTimersByTime(20);
    expect(at()).toBe(4);
  });

  it('goes on from where one has gone by hand', () => {
    replayer.play(blitz);
    looking.go(3, 4);
    replayer.sync(blitz, 3);
    vi.advanceTimersByTime(11_900);
    expect(at()).toBe(3);
    vi.advanceTimersByTime(200);
    expect(at()).toBe(4);
  });

  it('has the clocks as they were, which run while it goes on', () => {
    expect(replayer.withClocks(blitz, 4)).toBe(blitz);
    expect(replayer.withClocks(blitz, 2)).toMatchObject({ status: 'over', clock: { w: 61_000, b: 62_000 } });
    looking.go(2, 4);
    replayer.play(blitz);
    replayer.sync(blitz, 2);
    vi.advanceTimersByTime(1_000);
    expect(replayer.withClocks(blitz, 2)).toMatchObject({ status: 'live', clock: { w: 60_000, run: 'w' } });
    replayer.play(blitz, { clocksRun: false });
    replayer.sync(blitz, 2);
    vi.advanceTimersByTime(1_000);
    expect(replayer.withClocks(blitz, 2)).toMatchObject({ status: 'over', clock: { w: 61_000, b: 62_000 } });
    const live = { ...blitz, status: 'live' } as GameSnapshot;
    expect(replayer.withClocks(live, 2)).toBe(live);
    expect(replayer.draw(live)).toBeNull();
  });
});

it('an address opens a game at per move', () => {
  expect(['#12', '#0', '', '#', '#x', '#1.5', '#99999'].map(plyOfHash)).toEqual([12, 0, null, null, null, null, null]);
  const looking = new PlyNavigation(() => undefined);
  looking.begin(3, 10);
  expect(looking.ply(11)).toBe(3);
  looking.begin(12, 10);
  expect(looking.ply(13)).toBe(13);
});
