import { beforeEach, describe, expect, it } from 'vitest';
import type { SimulMessage } from '../../../src/net/protocol';
import { actsAsHost, SimulStore } from '../../../src/simul/state/simul-store';
import { applicant, board, boards, person, snapshot } from '../boards';

let store: SimulStore;
let seq: number;

/** The next event. */
const told = (t: string, fields: object = {}): string =>
  store.take({ t, simul: 's1', seq: ++seq, ...fields } as SimulMessage);

const begin = (more: Parameters<typeof snapshot>[0] = {}): void => {
  store.take(snapshot(more));
  seq = 100;
};

beforeEach(() => {
  store = new SimulStore(() => 5_000);
});

describe('numbers of events', () => {
  it('asks for the snapshot before it has anything, and when an event is missing', () => {
    expect(store.seq()).toBeUndefined();
    seq = 0;
    expect(told('simul.cancelled')).toBe('gap');
    begin();
    seq = 101;
    expect(told('simul.cancelled')).toBe('gap');
    expect(store.now?.status).toBe('running');
  });

  it('takes nothing twice', () => {
    begin({ status: 'created' });
    told('simul.joined', { user: applicant('a') });
    seq -= 1;
    expect(told('simul.joined', { user: applicant('a') })).toBe('stale');
    expect(store.now?.applicants).toHaveLength(1);
  });

  it('counts what a newer server tells and it does not know', () => {
    begin();
    expect(told('simul.applause')).toBe('done');
    expect(store.seq()).toBe(101);
  });

  it('begins anew with another snapshot', () => {
    begin({ boards: boards(3) });
    store.take(snapshot({ boards: [board(7)], seq: 400 }));
    expect([...store.boards.keys()]).toEqual([7]);
    expect(store.seq()).toBe(400);
  });
});

describe('before it begins', () => {
  beforeEach(() => begin({ status: 'created' }));

  it('keeps who wants to play and who is accepted in their order', () => {
    for (const id of ['a', 'b', 'c', 'd']) told('simul.joined', { user: applicant(id) });
    told('simul.accepted', { user: applicant('b') });
    told('simul.accepted', { user: applicant('a') });
    told('simul.rejected', { user: person('c') });
    told('simul.left', { user: person('d') });
    expect(store.now?.applicants).toEqual([]);
    expect(store.now?.players.map(({ id }) => id)).toEqual(['b', 'a']);
    told('simul.kicked', { user: person('b') });
    expect(store.now?.players.map(({ id }) => id)).toEqual(['a']);
  });

  it('is edited as a whole, or in one person', () => {
    told('simul.joined', { user: applicant('a') });
    told('simul.edited', { terms: { name: 'Another' } });
    told('simul.edited', { person: applicant('a', { player_extra_s: 60 }) });
    expect(store.now?.name).toBe('Another');
    expect(store.now?.applicants[0]?.player_extra_s).toBe(60);
  });

  it('starts with its boards', () => {
    told('simul.accepted', { user: applicant('p1') });
    const score = { wins: 0, draws: 0, losses: 0, live: 3, aborted: 0 };
    told('simul.started', {
      status: 'running',
      applicants: [],
      players: [],
      boards: boards(3),
      order: [],
      score,
      at: null,
      started: 9,
      host_clock: null,
    });
    expect(store.now).toMatchObject({ status: 'running', players: [], started: 9, score: { live: 3 } });
    expect(store.boards.size).toBe(3);
    expect(store.boardOf('g2')?.board).toBe(2);
  });

  it('is told what concerns the viewer alone', () => {
    store.take({ t: 'simul.you', simul: 's1', you: 'player', your_board: 3, prepared: null, passes_left: null });
    store.take({ t: 'simul.crowd', simul: 's1', watchers: 9, host_online: false });
    expect(store.now).toMatchObject({ t: 'simul', you: 'player', your_board: 3, watchers: 9, host_online: false, seq: 100 });
  });
});

describe('the round', () => {
  const order = () => store.now?.order;

  beforeEach(() => begin({ mode: 'round', boards: boards(4), order: [2, 3, 4, 1], at: 1 }));

  it('puts the board where the host is last', () => {
    told('simul.at', { board: 2, host_clock: { left: 1, run: true, at: 2 } });
    expect(order()).toEqual([3, 4, 1, 2]);
    expect(store.now).toMatchObject({ at: 2, host_clock: { left: 1 } });
  });

  it('leaves the order while the host is on his way', () => {
    told('simul.at', { board: null });
    expect(order()).toEqual([2, 3, 4, 1]);
    expect(store.now?.at).toBeNull();
  });

  it('puts off a board until he comes to it', () => {
    told('simul.later', { board: 2, on: true });
    expect(order()).toEqual([3, 4, 1, 2]);
    expect(store.boards.get(2)?.later).toBe(true);
    told('simul.at', { board: 2 });
    expect(store.boards.get(2)?.later).toBe(false);
  });

  it('drops a board that is over, and takes a late one in at the end', () => {
    told('simul.board', { board: 3, status: 'over', result: '1-0', score: { wins: 1, draws: 0, losses: 0, live: 3, aborted: 0 } });
    expect(order()).toEqual([2, 4, 1]);
    expect(store.ended).toEqual([3]);
    told('simul.board', { ...board(5), board: 5, score: { wins: 1, draws: 0, losses: 0, live: 4, aborted: 0 } });
    expect(order()).toEqual([2, 4, 1, 5]);
    expect(store.now?.score).toMatchObject({ wins: 1, live: 4 });
  });

  it('counts down only where the host waits', () => {
    told('simul.countdown', { board: 1, until: 9_000 });
    expect(store.now?.countdown).toEqual({ board: 1, until: 9_000 });
    told('simul.at', { board: 2 });
    expect(store.now?.countdown).toBeNull();
  });

  it('counts the passes of a board', () => {
    told('simul.passed', { board: 1, passes: 2 });
    expect(store.boards.get(1)?.passes).toBe(2);
  });
});

describe('its boards', () => {
  beforeEach(() => begin({ boards: boards(3), applicants: [applicant('p9')], late_join: { minutes: 5 } }));

  it('changes one and leaves the others the same objects', () => {
    const was = store.boards.get(1);
    told('simul.board', { board: 2, ply: 3, position: 'x', turn: 'player', clock: { w: 1, b: 2, run: 'b', at: 7_000 } });
    expect(store.boards.get(1)).toBe(was);
    expect(store.boards.get(2)).toMatchObject({ ply: 3, user: { id: 'p2' }, turn: 'player' });
    expect(store.boards.get(2)).not.toHaveProperty('seq');
  });

  it('remembers when the host moved, not when a player did', () => {
    told('simul.board', { board: 2, ply: 3, turn: 'player', clock: { w: 1, b: 2, run: 'b', at: 7_000 } });
    told('simul.board', { board: 2, ply: 4, turn: 'host', clock: { w: 1, b: 2, run: 'w', at: 8_000 } });
    expect(store.hostMoves).toEqual([7_000]);
  });

  it('gives a late one its player, who wants nothing any more', () => {
    told('simul.board', { ...board(4), user: person('p9') });
    expect(store.now?.applicants).toEqual([]);
    expect(store.boards.size).toBe(4);
  });

  it('takes no change of a board it was never told of', () => {
    expect(told('simul.board', { board: 77, ply: 3 })).toBe('done');
    expect(store.boards.has(77)).toBe(false);
  });

  it('stands in a break and while the host is away', () => {
    told('simul.break', { until: 60_000, host_clock: null });
    told('simul.away', { since: 3_000 });
    expect(store.now).toMatchObject({ break_until: 60_000, away_since: 3_000 });
    told('simul.finished', { status: 'finished', break_until: null, away_since: null, score: { wins: 3, duration_ms: 5 }, finished: 9 });
    expect(store.now).toMatchObject({ status: 'finished', break_until: null, away_since: null, at: null, finished: 9 });
  });
});

describe('who plays the host’s side', () => {
  const deputy = { id: 'd', name: 'Deputy', kind: 'member', title: null } as const;

  it('is the host, or the stand-in who has taken over', () => {
    const store = new SimulStore(() => 0);
    store.take(snapshot({ you: 'host', seq: 1 }));
    expect(actsAsHost(store.now!)).toBe(true);
    store.take({ t: 'simul.edited', simul: 's1', seq: 2, stand_in: deputy } as never);
    store.take({ t: 'simul.away', simul: 's1', seq: 3, since: 5 } as never);
    expect([store.now!.stand_in, store.now!.acting]).toEqual([deputy, false]);
    store.take({ t: 'simul.away', simul: 's1', seq: 4, since: null, acting: true } as never);
    expect(actsAsHost(store.now!)).toBe(false);
    expect(actsAsHost({ ...store.now!, you: 'stand_in' })).toBe(true);
    store.take({ t: 'simul.away', simul: 's1', seq: 5, since: null, acting: false } as never);
    expect(actsAsHost(store.now!)).toBe(true);
    expect(actsAsHost({ ...store.now!, you: 'stand_in' })).toBe(false);
    store.take({ t: 'simul.edited', simul: 's1', seq: 6, stand_in: null } as never);
    expect(store.now!.stand_in).toBeNull();
  });

  it('is the host again once it is over', () => {
    const store = new SimulStore(() => 0);
    store.take(snapshot({ you: 'host', seq: 1, stand_in: deputy, acting: true, offered: false }));
    store.take({ t: 'simul.away', simul: 's1', seq: 2, since: null, acting: false, offered: true } as never);
    expect(store.now).toMatchObject({ acting: false, offered: true });
    store.take({ t: 'simul.away', simul: 's1', seq: 3, since: null, acting: true, offered: false } as never);
    store.take({ t: 'simul.finished', simul: 's1', seq: 4, status: 'finished', acting: false, offered: false } as never);
    expect(actsAsHost(store.now!)).toBe(true);
  });
});
