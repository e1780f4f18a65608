import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Asking } from '../../../src/lobby/waiting/game-requests';
import { Session } from '../../../src/session/session';
import { Lines } from '../../net/fake-wire';

const SEEK = { t: 'seek', tc: { base_s: 180, inc_s: 2 } };

describe('Asking', () => {
  let lines: Lines;
  let asking: Asking;
  const navigate = vi.fn<(path: string) => void>();

  const sent = (t: string) => lines.wire.asked().filter((message) => message.t === t);
  const settle = () => vi.advanceTimersByTimeAsync(0);

  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('location', { pathname: '/' });
    navigate.mockReset();
    lines = new Lines();
    lines.wire.welcome({ id: 'u', name: 'Anna' });
    const { socket } = lines;
    const attempt = <T>(what: () => Promise<T>) => what().catch(() => undefined);
    asking = new Asking({ socket, session: new Session(socket), attempt, navigate, changed: () => undefined });
  });

  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  it('asks once for what is asked for twice', async () => {
    const both = [asking.ask(SEEK), asking.ask({ ...SEEK })];
    await settle();
    expect(sent('seek')).toHaveLength(1);
    expect(asking.isUnderway(SEEK)).toBe(true);
    expect(asking.isUnderway({ t: 'seek', tc: null })).toBe(false);
    lines.wire.answer('seek', { seek: 's' });
    expect(await Promise.all(both)).toMatchObject([{ seek: 's' }, { seek: 's' }]);
    expect(asking.isUnderway()).toBe(false);
    void asking.ask(SEEK);
    await settle();
    expect(sent('seek')).toHaveLength(2);
  });

  it('waits for the game of its seek until that is found or taken back', async () => {
    expect(asking.waits()).toBe(false);
    const asked = asking.ask(SEEK);
    expect(asking.waits()).toBe(true);
    await settle();
    lines.wire.answer('seek', { seek: 's' });
    await asked;
    expect(asking.waits()).toBe(true);
    asking.hear({ t: 'paired', g: 'a' });
    expect(asking.waits()).toBe(false);

    const again = asking.ask(SEEK);
    await settle();
    lines.wire.answer('seek', { seek: 't' });
    await again;
    const back = asking.ask({ t: 'unseek', seek: 't' });
    await settle();
    lines.wire.answer('unseek');
    await back;
    expect(asking.waits()).toBe(false);
  });

  it('waits for the game of a challenge that was accepted, and not of one that is gone', async () => {
    const asked = asking.ask({ t: 'challenge' });
    await settle();
    lines.wire.answer('challenge', { challenge: 'c' });
    await asked;
    expect(navigate).toHaveBeenCalledWith('/challenge/c');
    asking.hear({ t: 'challenge.gone', challenge: 'c', why: 'accepted' });
    expect(asking.waits()).toBe(true);
    asking.hear({ t: 'challenge.gone', challenge: 'c', why: 'declined' });
    expect(asking.waits()).toBe(false);
  });

  it('tells who asked why it is refused', async () => {
    const why = vi.fn(() => true);
    const asked = asking.ask({ t: 'challenge', to: 'Xerxes' }, why);
    await settle();
    lines.wire.refuse('challenge', 'not_found', 'to: there is nobody called Xerxes');
    expect(await asked).toBeUndefined();
    expect(why).toHaveBeenCalledWith(expect.objectContaining({ code: 'not_found' }));
    expect(navigate).not.toHaveBeenCalled();
  });

  it('goes to the game that is there at once, unless the person has gone elsewhere', async () => {
    const asked = asking.ask({ t: 'challenge', to: 'self' });
    await settle();
    lines.wire.answer('challenge', { challenge: 'c', g: 'a' });
    await asked;
    expect(navigate.mock.calls).toEqual([['/game/a']]);
    expect(lines.socket.games).toEqual(['a']);
    expect(asking.waits()).toBe(false);

    const other = asking.ask({ t: 'accept', seek: 's' });
    await settle();
    vi.stubGlobal('location', { pathname: '/settings' });
    lines.wire.answer('accept', { g: 'b' });
    await other;
    expect(navigate).toHaveBeenCalledOnce();
    expect(lines.socket.games).toEqual(['a', 'b']);
  });

  it('waits for the game of a pool until it is left, not for that of a pool that was asked for elsewhere', async () => {
    const asked = asking.ask({ t: 'pool.join', pool: '3+2', rated: false });
    await settle();
    asking.hear({ t: 'pool', pool: '3+2' });
    lines.wire.answer('pool.join', { pool: '3+2' });
    await asked;
    expect(asking.isPooledHere()).toBe(true);
    asking.hear({ t: 'pool.gone', why: 'left' });
    expect(asking.waits()).toBe(false);

    asking.hear({ t: 'pool', pool: '5+0' });
    expect(asking.waits()).toBe(false);
    asking.hear({ t: 'pool.gone', why: 'paired' });
  });

  it('waits no more when it was paired before the answer came', async () => {
    const asked = asking.ask({ t: 'pool.join', pool: '3+2', rated: false });
    await settle();
    asking.hear({ t: 'pool', pool: '3+2' });
    asking.hear({ t: 'pool.gone', why: 'paired' });
    expect(asking.waits()).toBe(true);
    asking.hear({ t: 'paired', g: 'a' });
    lines.wire.answer('pool.join', { pool: '3+2' });
    await asked;
    expect(asking.waits()).toBe(false);
  });
});
