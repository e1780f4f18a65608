import { describe, expect, it } from 'vitest';
import { advantage, balance, boardsToShow, firstWaiting, hostsWay, neighbour, NO_FILTER, standing, textFilter, waitingAfter, type BoardQuery } from '../../../src/simul/state/board-order';
import { board, boards } from '../boards';

const VIEW: BoardQuery = { order: 'number', filter: NO_FILTER, pinned: [], round: [], clockOf: 'host', low_ms: 60_000, now: 10_000 };
const numbers = (found: { board: number }[]) => found.map((one) => one.board);

describe('the order', () => {
  it('begins with who has waited longest, then what is put off, then whose turn it is not, then what is over', () => {
    const all = [
      board(1, { status: 'over', result: '1-0' }),
      board(2, { turn: 'player' }),
      board(3, { clock: { w: 1, b: 1, run: 'w', at: 500 } }),
      board(4, { later: true }),
      board(5, { clock: { w: 1, b: 1, run: 'w', at: 100 } }),
    ];
    expect(numbers(boardsToShow(all, { ...VIEW, order: 'waiting' }))).toEqual([5, 3, 4, 2, 1]);
  });

  it('can be by time: the host’s where his clocks run everywhere, else the players’', () => {
    const all = [
      board(1, { clock: { w: 50_000, b: 9, run: null, at: 0 } }),
      board(2, { clock: { w: 40_000, b: 99_000, run: null, at: 0 } }),
      board(3, { clock: null }),
    ];
    expect(numbers(boardsToShow(all, { ...VIEW, order: 'time' }))).toEqual([2, 1, 3]);
    expect(numbers(boardsToShow(all, { ...VIEW, order: 'time', clockOf: 'player' }))).toEqual([1, 2, 3]);
  });

  it('can be the round, with what is over at the end', () => {
    const all = [board(1), board(2, { status: 'over' }), board(3), board(4)];
    expect(numbers(boardsToShow(all, { ...VIEW, order: 'round', round: [4, 1, 3] }))).toEqual([4, 1, 3, 2]);
  });

  it('has pinned boards before all others', () => {
    expect(numbers(boardsToShow(boards(5), { ...VIEW, pinned: [4, 2] }))).toEqual([4, 2, 1, 3, 5]);
  });
});

describe('filters', () => {
  const all = [
    board(1, { turn: 'player' }),
    board(2, { position: 'rnbqkbnr/8/8/8/8/8/8/4K3 w - - 0 1' }),
    board(3, { clock: { w: 5_000, b: 99_000, run: null, at: 0 } }),
    board(4, { status: 'over', turn: 'host' }),
  ];
  const kept = (filter: Partial<BoardQuery['filter']>) => numbers(boardsToShow(all, { ...VIEW, filter: { ...NO_FILTER, ...filter } }));

  it('leave what waits, is behind, low on time, or played', () => {
    expect(kept({ waiting: true })).toEqual([2, 3]);
    expect(kept({ behind: true })).toEqual([2]);
    expect(kept({ low: true })).toEqual([3]);
    expect(kept({ live: true })).toEqual([1, 2, 3]);
  });

  it.each([
    ['guest P2', [2]],
    ['#3', [3]],
    ['1002-1003', [2, 3]],
    ['>1003', [3, 4]],
    ['< 1001', [1]],
    ['nobody', []],
    ['  ', [1, 2, 3, 4]],
  ])('read %j', (text, found) => {
    expect(kept({ text })).toEqual(found);
  });

  it('take who has no rating into no range', () => {
    expect(textFilter('>0')(board(1, { rating: null }))).toBe(false);
  });
});

describe('material', () => {
  it('counts from where the host sits', () => {
    const position = 'qk6/8/8/8/8/8/8/RK6 w - - 0 1';
    expect(balance({ position, color: 'w' })).toBe(-4);
    expect(balance({ position, color: 'b' })).toBe(4);
  });

  it('does not count letters after the board', () => {
    expect(balance({ position: '4k3/8/8/8/8/8/8/4K2R w K - 0 1', color: 'w' })).toBe(5);
  });

  it('counts the men and kings of draughts', () => {
    const position = 'B:W29,31-33,K35:B1-9';
    expect(balance({ position, color: 'w' })).toBe(-4);
    expect(balance({ position, color: 'b' })).toBe(4);
    expect(balance({ position: 'W:W:BK1', color: 'w' })).toBe(-1);
  });

  it('says who is ahead only where material counts', () => {
    const position = '4k3/8/8/8/8/8/8/4K2R w K - 0 1';
    expect(advantage(board(1, { position }), 'standard')).toBe(5);
    expect(advantage(board(1, { position, variant: 'antichess' }), 'standard')).toBeNull();
    const all = [board(1, { position }), board(2, { position, color: 'b' }), board(3), board(4, { position, status: 'over' })];
    expect(standing(all, 'standard')).toEqual({ ahead: 1, behind: 1 });
  });
});

describe('going on', () => {
  it('leads round to the next that waits, past what is put off', () => {
    const all = [board(1), board(2, { turn: 'player' }), board(3, { later: true }), board(4), board(5, { status: 'over' })];
    expect(numbers(waitingAfter(all, 1))).toEqual([4, 3]);
    expect(numbers(waitingAfter(all, 4))).toEqual([1, 3]);
    expect(firstWaiting(all)).toBe(1);
    expect(firstWaiting([all[2]!])).toBe(3);
    expect(numbers(waitingAfter([board(1)], 1))).toEqual([]);
  });

  const timed = (number: number, at: number, left: number, more = {}) => board(number, { clock: { w: left, b: 1, run: null, at }, ...more });
  const way = (all: ReturnType<typeof board>[], shown: number | null, more: Partial<BoardQuery> = {}) => numbers(hostsWay(all, { ...VIEW, ...more }, shown));

  it('leads the host to the longest wait first, whatever the grid’s order', () => {
    // The host has just moved at board 2.
    const all = [timed(1, 400, 9_000), timed(2, 900, 5_000, { turn: 'player' }), timed(3, 200, 7_000), timed(4, 300, 1_000), timed(5, 100, 1, { status: 'over' })];
    expect(way(all, 2)).toEqual([3, 4, 1]);
    expect(way(all, 2, { order: 'waiting' })).toEqual([3, 4, 1]);
    expect(way(all, 2, { order: 'time' })).toEqual([4, 3, 1]);
  });

  it('leads past a board that waits and is left', () => {
    const all = [timed(1, 400, 9_000), timed(2, 250, 5_000), timed(3, 200, 7_000)];
    expect(way(all, 2)).toEqual([1, 3]);
  });

  it('leads the host round where nobody knows who has waited longest', () => {
    const all = [1, 2, 3, 4].map((number) => board(number, { clock: null, turn: number === 2 ? 'player' : 'host' }));
    expect(way(all, 2, { clockOf: null, order: 'waiting' })).toEqual([3, 4, 1]);
  });

  it('leads to what the filter hides when nothing waits within it', () => {
    const all = [timed(1, 400, 9_000), timed(2, 300, 5_000), timed(3, 200, 7_000, { turn: 'player' })];
    expect(way(all, 1, { filter: { ...NO_FILTER, text: '#3' } })).toEqual([2]);
    expect(way([all[2]!], 3)).toEqual([]);
  });

  it('leads to either side and round', () => {
    const all = boards(3);
    expect(neighbour(all, 3, 1)).toBe(1);
    expect(neighbour(all, 1, -1)).toBe(3);
    expect(neighbour(all, 99, 1)).toBe(1);
    expect(neighbour(all, 99, -1)).toBe(3);
    expect(neighbour([], 1, 1)).toBeNull();
  });
});
