import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { GameRequests } from '../../../src/lobby/waiting/game-requests';
import type { Outgoing } from '../../../src/net/protocol';
import { Session } from '../../../src/session/session';
import { Lines } from '../../net/fake-transport';

const SEEK = { t: 'seek', tc: { base_s: 180, inc_s: 2 } };

describe('Asking', () => {
  let lines: Lines;
  let gameRequests: GameRequests;
  let mayStart: (message: Outgoing) => true | Promise<boolean>;
  const navigate = vi.fn<(path: string) => void>();

  const sent = (t: string) => lines.wire.asked().filter((message) => message.t === t);
  const settle = () => vi.advanceTimersByTimeAsync(0);

  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('location', { pathname: '/' });
    navigate.mockReset();
    mayStart = () => true;
    lines = new Lines();
    lines.wire.welcome({ id: 'u', name: 'Anna' });
    const { socket } = lines;
    const attempt = <T>(what: () => Promise<T>) => what().catch(() => undefined);
    gameRequests = new GameRequests({ socket, session: new Session(socket), attempt, navigate, changed: () => undefined, mayStart: (message) => mayStart(message) });
  });

  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  it('asks once for what is asked for twice', async () => {
    const both = [gameRequests.ask(SEEK), gameRequests.ask({ ...SEEK })];
    await settle();
    expect(sent('seek')).toHaveLength(1);
    expect(gameRequests.isUnderway(SEEK)).toBe(true);
    expect(gameRequests.isUnderway({ t: 'seek', tc: null })).toBe(false);
    lines.wire.answer('seek', { seek: 's' });
    expect(await Promise.all(both)).toMatchObject([{ seek: 's' }, { seek: 's' }]);
    expect(gameRequests.isUnderway()).toBe(false);
    void gameRequests.ask(SEEK);
    await settle();
    expect(sent('seek')).toHaveLength(2);
  });

  it('asks a host with running clocks first', async () => {
    let answer: (yes: boolean) => void = () => undefined;
    mayStart = ({ t }) => (t !== 'seek' ? true : new Promise((resolve) => (answer = resolve)));
    const why = vi.fn(() => false);
    const asked = gameRequests.ask(SEEK, why);
    await settle();
    // Nothing is searched for while the question is open.
    expect(gameRequests.isUnderway(SEEK)).toBe(false);
    answer(false);
    expect(await asked).toBeUndefined();
    // Not a failure: whoever asked is told that it was not sent.
    expect(why).toHaveBeenCalledWith(expect.objectContaining({ code: 'withheld' }));
    expect(sent('seek')).toHaveLength(0);
    // To withdraw starts no game.
    void gameRequests.ask({ t: 'pool.leave' });
    await settle();
    expect(sent('pool.leave')).toHaveLength(1);
    void gameRequests.ask(SEEK);
    answer(true);
    await settle();
    expect(sent('seek')).toHaveLength(1);
    expect(gameRequests.isUnderway(SEEK)).toBe(true);
  });

  it('does not ask the host again for what they wait for already', async () => {
    mayStart = vi.fn(() => Promise.resolve(false));
    void gameRequests.repeat({ t: 'pool.join', pool: '3+2', rated: false });
    await settle();
    expect(sent('pool.join')).toHaveLength(1);
    expect(mayStart).not.toHaveBeenCalled();
  });

  it('leaves an invitation open that was not answered', async () => {
    const accept = { t: 'challenge.accept', challenge: 'c' };
    mayStart = () => Promise.resolve(false);
    expect(await gameRequests.answer(accept)).toBe('open');
    mayStart = () => true;
    // The connection is lost: the request lapses.
    let answered = gameRequests.answer(accept);
    await settle();
    lines.wire.drop();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await answered).toBe('open');
    while (lines.socket.state !== 'open') {
      lines.wire.welcome({ id: 'u', name: 'Anna' });
      await settle();
    }
    answered = gameRequests.answer(accept);
    await settle();
    lines.wire.refuse('challenge.accept', 'not_found');
    expect(await answered).toBe('refused');
    answered = gameRequests.answer(accept);
    await settle();
    lines.wire.answer('challenge.accept');
    expect(await answered).toBe('done');
  });

  it('waits for the game of its seek until that is found or taken back', async () => {
    expect(gameRequests.waits()).toBe(false);
    const asked = gameRequests.ask(SEEK);
    expect(gameRequests.waits()).toBe(true);
    await settle();
    lines.wire.answer('seek', { seek: 's' });
    await asked;
    expect(gameRequests.waits()).toBe(true);
    gameRequests.receive({ t: 'paired', g: 'a', missed: true });
    expect(gameRequests.waits()).toBe(false);

    const again = gameRequests.ask(SEEK);
    await settle();
    lines.wire.answer('seek', { seek: 't' });
    await again;
    const back = gameRequests.ask({ t: 'unseek', seek: 't' });
    await settle();
    lines.wire.answer('unseek');
    await back;
    expect(gameRequests.waits()).toBe(false);
  });

  it('waits for the game of a challenge that was accepted, and not of one that is gone', async () => {
    const asked = gameRequests.ask({ t: 'challenge' });
    await settle();
    lines.wire.answer('challenge', { challenge: 'c' });
    await asked;
    expect(navigate).toHaveBeenCalledWith('/challenge/c');
    gameRequests.receive({ t: 'challenge.gone', challenge: 'c', why: 'accepted' });
    expect(gameRequests.waits()).toBe(true);
    gameRequests.receive({ t: 'challenge.gone', challenge: 'c', why: 'declined' });
    expect(gameRequests.waits()).toBe(false);
  });

  it('tells who asked why it is refused', async () => {
    const why = vi.fn(() => true);
    const asked = gameRequests.ask({ t: 'challenge', to: 'Xerxes' }, why);
    await settle();
    lines.wire.refuse('challenge', 'not_found', 'to: there is nobody called Xerxes');
    expect(await asked).toBeUndefined();
    expect(why).toHaveBeenCalledWith(expect.objectContaining({ code: 'not_found' }));
    expect(navigate).not.toHaveBeenCalled();
  });

  it('goes to the game that is there at once, unless the person has gone elsewhere', async () => {
    const asked = gameRequests.ask({ t: 'challenge', to: 'self' });
    await settle();
    lines.wire.answer('challenge', { challenge: 'c', g: 'a' });
    await asked;
    expect(navigate.mock.calls).toEqual([['/game/a']]);
    expect(lines.socket.games).toEqual(['a']);
    expect(gameRequests.waits()).toBe(false);

    const other = gameRequests.ask({ t: 'accept', seek: 's' });
    await settle();
    vi.stubGlobal('location', { pathname: '/settings' });
    lines.wire.answer('accept', { g: 'b' });
    await other;
    expect(navigate).toHaveBeenCalledOnce();
    expect(lines.socket.games).toEqual(['a', 'b']);
  });

  it('waits for the game of a pool until it is left, not for that of a pool that was asked for elsewhere', async () => {
    const asked = gameRequests.ask({ t: 'pool.join', pool: '3+2', rated: false });
    await settle();
    gameRequests.receive({ t: 'pool', pool: '3+2', game: 'chess', variant: 'standard', rated: false, since: 0 });
    lines.wire.answer('pool.join', { pool: '3+2' });
    await asked;
    expect(gameRequests.isPooledHere()).toBe(true);
    gameRequests.receive({ t: 'pool.gone', why: 'left' });
    expect(gameRequests.waits()).toBe(false);

    gameRequests.receive({ t: 'pool', pool: '5+0', game: 'chess', variant: 'standard', rated: false, since: 0 });
    expect(gameRequests.waits()).toBe(false);
    gameRequests.receive({ t: 'pool.gone', why: 'paired' });
  });

  it('waits no more when it was paired before the answer came', async () => {
    const asked = gameRequests.ask({ t: 'pool.join', pool: '3+2', rated: false });
    await settle();
    gameRequests.receive({ t: 'pool', pool: '3+2', game: 'chess', variant: 'standard', rated: false, since: 0 });
    gameRequests.receive({ t: 'pool.gone', why: 'paired' });
    expect(gameRequests.waits()).toBe(true);
    gameRequests.receive({ t: 'paired', g: 'a', missed: true });
    lines.wire.answer('pool.join', { pool: '3+2' });
    await asked;
    expect(gameRequests.waits()).toBe(false);
  });
});
