import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Refused } from '../../src/net/protocol';
import { Session, type Channel } from '../../src/session/session';
import { Lines } from '../net/fake-transport';

const ANNA = { id: 'a', name: 'Anna' };

describe('Session', () => {
  let lines: Lines;
  let session: Session;
  let posted: unknown[];
  let channel: Channel;
  const told = vi.fn<() => void>();
  const hear = () => channel.onmessage?.call(channel as BroadcastChannel, new MessageEvent('message'));
  const settle = () => vi.advanceTimersByTimeAsync(0);

  beforeEach(() => {
    vi.useFakeTimers();
    told.mockReset();
    posted = [];
    channel = { onmessage: null, postMessage: (message) => void posted.push(message) };
    lines = new Lines();
    lines.wire.welcome(null);
    lines.socket.onuserchange = told;
    session = new Session(lines.socket, channel);
  });

  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  it('goes on as who one is after a change, and tells the other tabs', async () => {
    const changing = session.change(() => Promise.resolve());
    await settle();
    expect(posted).toHaveLength(1);
    lines.wire.welcome(ANNA);
    expect(session.changing).toBe(true);
    await changing;
    expect(lines.socket.user).toEqual(ANNA);
    expect(session.changing).toBe(false);
  });

  it('leaves everything as it was when the change is refused', async () => {
    const { wire } = lines;
    const refused = new Refused('bad_credentials', 'no');
    await expect(session.change(() => Promise.reject(refused))).rejects.toBe(refused);
    expect([posted, session.changing, lines.wire === wire]).toEqual([[], false, true]);
  });

  it('has changed, line or no line', async () => {
    const changing = session.change(() => Promise.resolve());
    await vi.advanceTimersByTimeAsync(20_000);
    await changing;
    expect(session.changing).toBe(false);
  });

  it('asks anew who it is when another tab has changed it, and says so once', async () => {
    hear();
    await settle();
    lines.wire.welcome(ANNA);
    await settle();
    expect(lines.socket.user).toEqual(ANNA);
    expect(told).toHaveBeenCalledTimes(1);
    hear();
    await settle();
    lines.wire.welcome(ANNA);
    await settle();
    expect(told).toHaveBeenCalledTimes(1);
  });

  it('names what the server refuses, and that it does not answer', async () => {
    const error = { code: 'rate_limited', message: 'too many' };
    vi.stubGlobal('fetch', () => Promise.resolve(new Response(JSON.stringify({ error }), { status: 429 })));
    await expect(session.ensure()).rejects.toMatchObject({ code: 'rate_limited', message: 'too many', field: null });
    vi.stubGlobal('fetch', () => Promise.resolve(new Response('<h1>Bad gateway</h1>', { status: 502 })));
    await expect(session.ensure()).rejects.toMatchObject({ code: 'unavailable' });
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')));
    await expect(session.ensure()).rejects.toMatchObject({ code: 'offline' });
  });
});
