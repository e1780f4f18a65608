import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Incoming } from '../../src/net/protocol';
import type { Socket } from '../../src/net/socket';
import { FakeTopic, Lines, type FakeWire } from './fake-transport';

describe('Socket', () => {
  let lines: Lines;
  let socket: Socket;
  let wires: FakeWire[];
  const wire = () => lines.wire;

  beforeEach(() => {
    vi.useFakeTimers();
    lines = new Lines();
    ({ socket, wires } = lines);
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it('is open after the welcome, and knows who it is for', () => {
    expect(socket.state).toBe('connecting');
    wire().welcome({ id: 'u', name: 'Guest' });
    expect(socket.state).toBe('open');
    expect(socket.user?.id).toBe('u');
  });

  it('asks for the challenges that wait for the person, and forgets those it knew when they come', async () => {
    const told: string[] = [];
    socket.onchallenges = () => told.push('forget');
    socket.onpush = (message) => told.push(message.t);
    wire().welcome({ id: 'u', name: 'Guest' });
    expect(wire().asked()).toMatchObject([{ t: 'sub', topic: 'user' }]);
    wire().refuse('sub', 'unavailable');
    await lines.pass(500);
    wire().answer('sub');
    await lines.pass(1);
    wire().say({ t: 'challenge', challenge: 'c' });
    expect(told).toEqual(['forget', 'challenge']);
    wire().drop();
    socket.connect();
    wire().welcome();
    expect(wire().asked()).toEqual([]);
    expect(told).toEqual(['forget', 'challenge', 'forget']);
  });

  it('tells of pairings that were made while the line was lost', async () => {
    const pushed: Incoming[] = [];
    socket.onpush = (message) => pushed.push(message);
    wire().welcome({ id: 'u' }, ['a']);
    expect(pushed).toEqual([]);
    wire().drop();
    socket.connect();
    wire().welcome({ id: 'u' }, ['a', 'b']);
    expect(pushed).toEqual([{ t: 'paired', g: 'b', missed: true }]);
    void socket.reopen();
    wire().welcome({ id: 'somebody else' }, ['c']);
    expect(pushed).toHaveLength(1);
  });

  it('tells that one is somebody else, unless it was asked for here', () => {
    const told = vi.fn();
    socket.onuserchange = told;
    wire().welcome();
    void socket.reopen();
    wire().welcome({ id: 'u', name: 'Guest' });
    wire().drop();
    socket.connect();
    wire().welcome({ id: 'u', name: 'Guest' });
    expect(told).not.toHaveBeenCalled();
    wire().drop(1008);
    socket.connect();
    wire().welcome();
    expect(told).toHaveBeenCalledOnce();
  });

  describe('opens the next line', () => {
    /** Time since the last one was closed. */
    const waited = async () => {
      const before = wires.length;
      let ms = 0;
      while (wires.length === before) {
        await vi.advanceTimersByTimeAsync(100);
        ms += 100;
      }
      return ms;
    };

    it('later each time it fails', async () => {
      for (const wait of [500, 1_000, 2_000, 4_000, 8_000, 8_000]) {
        wire().drop();
        expect(await waited()).toBe(wait);
      }
    });

    it('later also when a welcome came between, unless the line was good for a while', async () => {
      for (const wait of [500, 1_000, 2_000]) {
        wire().welcome();
        wire().drop();
        expect(await waited()).toBe(wait);
      }
      wire().welcome();
      await lines.pass(10_000);
      wire().drop();
      expect(await waited()).toBe(500);
    });

    it.each([
      ['a restart, spread over seconds', 1012, 3_000],
      ['a flood, well after', 4008, 8_000],
      ['having read too slowly, well after', 1013, 8_000],
      ['a logout, soon', 1008, 500],
    ])('after %s', async (_what, code, wait) => {
      wire().welcome();
      await lines.pass(60_000);
      wire().drop(code);
      expect(await waited()).toBe(wait);
    });

    it('at once when told to, and not twice', async () => {
      wire().drop();
      socket.check();
      socket.connect();
      expect(wires).toHaveLength(2);
      await vi.advanceTimersByTimeAsync(5_000);
      expect(wires).toHaveLength(2);
    });
  });

  describe('gives up a line', () => {
    it('that does not answer', async () => {
      wire().welcome();
      await vi.advanceTimersByTimeAsync(10_000);
      expect(wires[0]?.closed).toBe(true);
      expect(socket.state).toBe('lost');
      await vi.advanceTimersByTimeAsync(500);
      expect(wires).toHaveLength(2);
    });

    it('that opens and says nothing', async () => {
      await vi.advanceTimersByTimeAsync(10_000);
      expect(wires[0]?.closed).toBe(true);
    });

    it('not within what the opening left of its time', async () => {
      await vi.advanceTimersByTimeAsync(9_000);
      wire().welcome();
      await vi.advanceTimersByTimeAsync(9_000);
      expect(socket.state).toBe('open');
      expect(wires[0]?.closed).toBe(false);
    });

    it('not while it says anything at all', async () => {
      wire().welcome();
      for (let s = 0; s < 60; s += 5) {
        wire().refuse('ping', 'rate_limited');
        await vi.advanceTimersByTimeAsync(5_000);
      }
      expect(wires).toHaveLength(1);
      expect(socket.state).toBe('open');
    });

    it('soon, where there is a reason to doubt it', async () => {
      wire().welcome();
      await lines.pass(4_000);
      socket.check();
      await vi.advanceTimersByTimeAsync(2_500);
      expect(wires[0]?.closed).toBe(true);
    });

    it('not, where it answers the doubt', async () => {
      wire().welcome();
      await lines.pass(4_000);
      const before = wire().sent.length;
      socket.check();
      expect(wire().sent).toHaveLength(before + 1);
      await lines.pass(10_000);
      expect(socket.state).toBe('open');
    });
  });

  it('is closed when the page is left, and opened again only when it is come back to', async () => {
    wire().welcome({ id: 'u' });
    socket.leave();
    expect(wires[0]?.closed).toBe(true);
    wires[0]?.drop(1000);
    await lines.pass(60_000);
    expect(wires).toHaveLength(1);
    socket.check();
    wire().welcome({ id: 'u' });
    expect(socket.state).toBe('open');
  });

  describe('for a new session', () => {
    it('opens again and goes on', async () => {
      wire().welcome();
      const done = socket.reopen();
      expect(wires[0]?.closed).toBe(true);
      wire().welcome({ id: 'guest', name: 'Guest' });
      await done;
      expect(socket.user?.id).toBe('guest');
      wires[0]?.drop();
      expect(socket.state).toBe('open');
    });

    it('writes nothing to the line that is not open yet, and what was asked for after', async () => {
      wire().welcome();
      const subscription = socket.subscribe('lobby', new FakeTopic());
      void socket.reopen();
      expect(socket.state).toBe('connecting');
      subscription.close();
      subscription.refresh();
      const seek = socket.change({ t: 'seek' });
      wire().welcome({ id: 'guest', name: 'Guest' });
      wire().answer('seek', { seek: 's' });
      expect((await seek).seek).toBe('s');
      expect(wire().last('sub')?.topic).toBe('user');
    });

    it('writes nothing to a line that closes', () => {
    wire().welcome();
    wire().readyState = 2; // WebSocket.CLOSING
    void socket.change({ t: 'resign', g: 'g' });
    expect(wire().asked()).toEqual([]);
    wire().drop();
    socket.connect();
    wire().welcome();
    expect(wire().asked()).toMatchObject([{ t: 'resign', g: 'g' }]);
  });

  it('does not wait for ever', async () => {
      wire().welcome();
      const done = socket.reopen();
      done.catch(() => undefined);
      await vi.advanceTimersByTimeAsync(15_000);
      await expect(done).rejects.toMatchObject({ code: 'offline' });
    });
  });
});
