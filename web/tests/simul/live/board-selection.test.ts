import { beforeEach, describe, expect, it } from 'vitest';
import type { SimulMessage } from '../../../src/net/protocol';
import { BoardSelection } from '../../../src/simul/live/board-selection';
import { SimulStore } from '../../../src/simul/state/simul-store';
import { board, boards, snapshot } from '../boards';

let store: SimulStore;
let desk: BoardSelection;
/** Requests of the host, and their answers. */
let asked: { board: number; answer: () => void }[];
let seq: number;

const begin = (more: Parameters<typeof snapshot>[0]): void => {
  store.take(snapshot({ boards: [...boards(4), board(5, { status: 'over', result: '1-0' })], ...more }));
  seq = 100;
  desk.keep(() => 3);
};

const at = (number: number | null): void => {
  store.take({ t: 'simul.at', simul: 's1', seq: ++seq, board: number } as SimulMessage);
  desk.keep(() => 3);
};

const answered = async (): Promise<void> => {
  asked.shift()!.answer();
  await new Promise((resolve) => setTimeout(resolve));
  desk.keep(() => 3);
};

beforeEach(() => {
  asked = [];
  store = new SimulStore(() => 0);
  desk = new BoardSelection(store, {
    go: (number) => new Promise<void>((resolve) => asked.push({ board: number, answer: resolve })),
    changed: () => undefined,
  });
});

describe('the host', () => {
  it('begins where he is, or where he is sent', () => {
    begin({ you: 'host', at: 2 });
    expect(desk.shown).toBe(2);
    store = new SimulStore(() => 0);
    desk = new BoardSelection(store, { go: () => Promise.resolve(), changed: () => undefined });
    begin({ you: 'host' });
    expect(desk.shown).toBe(3);
  });

  it('says where he begins where clocks run everywhere, and once', async () => {
    desk.keep(() => null);
    begin({ you: 'host', at: null, mode: 'clock', status: 'running' });
    expect(asked.map((one) => one.board)).toEqual([3]);
    at(3);
    await answered();
    at(null);
    expect([desk.shown, asked.length]).toEqual([3, 0]);
  });

  it('returns to a board that he has just left, before the answer', () => {
    begin({ you: 'host', at: 1, mode: 'clock', status: 'running' });
    desk.pick(2);
    desk.pick(1);
    expect([desk.shown, asked.map((one) => one.board)]).toEqual([1, [2, 1]]);
    desk.pick(1);
    expect(asked).toHaveLength(2);
  });

  it('is sent by the server in a round, and only looks on elsewhere', () => {
    begin({ you: 'host', at: null, mode: 'round', status: 'running' });
    expect(asked).toEqual([]);
    store = new SimulStore(() => 0);
    desk = new BoardSelection(store, { go: () => Promise.reject(new Error('a visitor goes nowhere')), changed: () => undefined });
    begin({ at: null, mode: 'clock', status: 'running' });
    expect([desk.shown, desk.going]).toEqual([3, false]);
  });

  it('sees the board he picks at once, and the server is asked', () => {
    begin({ you: 'host', at: 1 });
    desk.pick(4);
    expect(desk.shown).toBe(4);
    expect(asked.map((one) => one.board)).toEqual([4]);
  });

  it('is not thrown back by older news of his way', async () => {
    begin({ you: 'host', at: 1 });
    desk.pick(2);
    desk.pick(4);
    at(2);
    expect(desk.shown).toBe(4);
    await answered();
    expect(desk.shown).toBe(4);
    at(4);
    await answered();
    expect(desk.shown).toBe(4);
  });

  it('follows the server afterwards, as when it takes him on', async () => {
    begin({ you: 'host', at: 1, mode: 'round' });
    desk.pick(2);
    at(2);
    await answered();
    at(3);
    expect(desk.shown).toBe(3);
    at(null);
    expect(desk.shown).toBe(3);
  });

  it('only looks at another board in a break, and is not on his way there', async () => {
    begin({ you: 'host', at: 1, mode: 'round', break_until: 9 });
    desk.pick(4);
    expect([desk.shown, desk.going, asked.length]).toEqual([4, false, 0]);
    store.take({ t: 'simul.break', simul: 's1', seq: ++seq, until: null } as SimulMessage);
    desk.pick(4);
    expect([desk.going, asked.length]).toEqual([true, 1]);
    // Refused: the host is where they were.
    await answered();
    expect([desk.shown, desk.going]).toEqual([4, false]);
  });

  it('looks at a board that is over without going there, and picks none that is not there', () => {
    begin({ you: 'host', at: 1 });
    desk.pick(5);
    expect(desk.shown).toBe(5);
    desk.pick(99);
    expect(desk.shown).toBe(5);
    expect(asked).toEqual([]);
  });
});

describe('who watches', () => {
  it('goes with the host until he picks a board, and again when he likes', () => {
    begin({ at: 1 });
    at(2);
    expect(desk.shown).toBe(2);
    desk.pick(4);
    at(3);
    expect(desk.shown).toBe(4);
    expect(asked).toEqual([]);
    desk.follow(true);
    expect(desk.shown).toBe(3);
    at(1);
    expect(desk.shown).toBe(1);
  });
});
