import { describe, expect, it } from 'vitest';
import { outcome, outcomeOf, timesOf, whole } from '../../../src/simul/live/cell';
import { board } from '../boards';

describe('what stands at a small board', () => {
  const view = { now: 1_000, oneClock: false, timed: true, low_ms: 60_000 };

  it('is the time of both, or of the player alone, or of nobody', () => {
    expect(timesOf(board(1), view)).toMatchObject({ host: '5:00', player: '5:00' });
    expect(timesOf(board(1), { ...view, oneClock: true })).toMatchObject({ host: '', player: '5:00' });
    expect(timesOf(board(1), { ...view, timed: false })).toEqual({ host: '', player: '', low: false });
  });

  it('is the result as at the board itself, whoever has won', () => {
    const lost = board(1, { status: 'over', result: '0-1', color: 'w' });
    expect([outcome(lost), outcomeOf(lost)]).toEqual(['0-1', 'lost']);
    expect(outcomeOf({ ...lost, color: 'b' })).toBe('won');
    expect(outcome({ result: '1/2-1/2' })).toBe('½-½');
    expect(outcome({ result: '*' })).toBe('–');
  });
});

describe('the time at a small board', () => {
  it.each([
    [5_459_999, '1h30'],
    [3_600_000, '1h00'],
    [3_599_999, '59:59'],
    [61_000, '1:01'],
    [10_000, '0:10'],
    [9_999, '0:10'],
    [9_001, '0:10'],
    [9_000, '0:09'],
    [1, '0:01'],
    [0, '0:00'],
  ])('%i ms is %s', (ms, shown) => {
    expect(whole(ms)).toBe(shown);
  });
});
