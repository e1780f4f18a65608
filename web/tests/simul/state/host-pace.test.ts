import { describe, expect, it } from 'vitest';
import type { SimulSnapshot } from '../../../src/net/protocol';
import { boardsUntil, hostLeft_ms, othersWaiting, prepares, secondsUntil, waitingLonger } from '../../../src/simul/state/host-distance';
import { doneOf, halves, movesLeft, paceOf, pointsOf } from '../../../src/simul/state/host-pace';
import { board, boards, snapshot } from '../boards';

const MINUTE = 60_000;
const simul = (more: Partial<SimulSnapshot>) => snapshot(more);

describe('pace', () => {
  it('is nothing before some moves were seen', () => {
    expect(paceOf(boards(3), [1, 2, 3], 10, 0)).toEqual({ perMinute: null, end: null });
  });

  it('is that of the last minutes', () => {
    const moves = [0, ...Array.from({ length: 20 }, (_, n) => 10 * MINUTE + n * 3_000)];
    expect(paceOf([board(1, { ply: 60 })], moves, 11 * MINUTE, null).perMinute).toBeCloseTo(20);
  });

  it('tells the end by the pace since the start, in steps of five minutes', () => {
    const end = (ply: number, minutes: number) => paceOf([board(1, { ply }), board(2, { ply })], [], minutes * MINUTE, 0).end;
    // 20 moves in 20 minutes, 25 of each game are left.
    expect(end(20, 20)).toBe(70 * MINUTE);
    expect(end(22, 21)).toBe(70 * MINUTE);
    expect(end(8, 20)).toBeNull();
    expect(end(20, 2)).toBeNull();
    expect(paceOf(boards(2), [], 1, null).end).toBeNull();
  });

  it('expects of the games that go on what the others have taken', () => {
    const over = Array.from({ length: 4 }, (_, n) => board(n + 10, { status: 'over', ply: 40 }));
    expect(movesLeft([...over, board(1, { ply: 10 }), board(2, { ply: 100 })])).toBe(15 + 8);
    expect(movesLeft(over)).toBe(0);
  });
});

describe('score', () => {
  const score = { wins: 7, draws: 1, losses: 2, live: 10, aborted: 0 };

  it('is points out of what is decided', () => {
    expect(pointsOf(score)).toEqual({ points: 7.5, of: 10 });
    expect(doneOf(score)).toBe(0.5);
    expect(doneOf({ wins: 0, draws: 0, losses: 0, live: 0, aborted: 0 })).toBe(0);
    expect([7.5, 0.5, 0, 3].map(halves)).toEqual(['7½', '½', '0', '3']);
  });
});

describe('how far the host is', () => {
  it('is told in the round', () => {
    const now = simul({ mode: 'round', at: 1, order: [2, 3, 1] });
    expect([1, 2, 3, 9].map((number) => boardsUntil(now, number))).toEqual([0, 1, 2, null]);
    expect(boardsUntil(simul({ order: [2], at: 1 }), 2)).toBeNull();
  });

  it('is told elsewhere by who waits', () => {
    expect(othersWaiting([board(1), board(2), board(3, { turn: 'player' }), board(4, { status: 'over' })], 1)).toBe(1);
  });

  it('is told by who has waited longer, and only of who waits himself', () => {
    const since = (number: number, at: number, more: Parameters<typeof board>[1] = {}) =>
      board(number, { clock: { w: 1, b: 1, run: 'w', at }, ...more });
    const all = [since(1, 50), since(2, 10), since(3, 20), since(4, 5, { turn: 'player' }), since(5, 5, { later: true }), since(6, 60)];
    expect(all.map((one) => waitingLonger(all, one, null))).toEqual([2, 0, 1, null, 0, 3]);
    // The host's own board does not wait.
    expect(waitingLonger(all, all[0]!, 2)).toBe(1);
    expect(waitingLonger(all, board(9, { clock: null }), 2)).toBeNull();
  });

  it('decides whether a move is made ready or played', () => {
    expect(prepares(simul({ mode: 'round', at: 2 }), board(1), 'round')).toBe(true);
    expect(prepares(simul({ mode: 'round', at: 1 }), board(1), undefined)).toBe(false);
    expect(prepares(simul({ mode: 'round', at: 1 }), board(1), 'countdown')).toBe(false);
    // The host has moved, and has not left yet.
    expect(prepares(simul({ mode: 'round', at: 1 }), board(1), 'round')).toBe(true);
    expect(prepares(simul({ mode: 'clock', at: 2 }), board(1), 'round')).toBe(false);
    expect(prepares(simul({ mode: 'round', at: 2 }), board(1, { status: 'over' }), 'round')).toBe(false);
  });
});

describe('what is counted down', () => {
  it('is in whole seconds until it is over', () => {
    expect([secondsUntil(10_000, 9_001), secondsUntil(10_000, 9_000), secondsUntil(10_000, 99_000)]).toEqual([1, 1, 0]);
  });

  it('is the host’s clock while it runs', () => {
    const running = { left: 60_000, run: true, at: 1_000 };
    expect(hostLeft_ms(simul({ host_clock: running }), 11_000)).toBe(50_000);
    expect(hostLeft_ms(simul({ host_clock: { ...running, run: false } }), 11_000)).toBe(60_000);
    expect(hostLeft_ms(simul({ host_clock: running, break_until: 1 }), 11_000)).toBe(60_000);
    expect(hostLeft_ms(simul({ host_clock: running }), 1e9)).toBe(0);
    expect(hostLeft_ms(simul({}), 1)).toBeNull();
  });
});
