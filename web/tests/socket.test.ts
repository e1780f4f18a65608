import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Refused, type Incoming, type Outgoing } from '../src/protocol';
import { Socket, type Codec, type Topic, type Wire } from '../src/socket';
import type { Taken } from '../src/store';

/** A line whose other end is the test. */
class FakeWire implements Wire {
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  sent: Outgoing[] = [];
  closed = false;

  send(data: Uint8Array<ArrayBuffer>): void {
    this.sent.push(data as unknown as Outgoing);
  }

  close(): void {
    this.closed = true;
  }

  say(message: object): void {
    this.onmessage?.({ data: message });
  }

  drop(): void {
    this.onclose?.({ code: 1006 });
  }

  welcome(user: object | null = null, games: string[] = []): void {
    this.say({ t: 'welcome', v: 1, user, now: 1_000, games, limits: {} });
  }

  /** What was sent but pings. */
  asked(): Outgoing[] {
    return this.sent.filter((message) => message.t !== 'ping');
  }

  answer(t: string, fields: object = {}): void {
    const request = this.sent.findLast((message) => message.t === t);
    this.say({ t: 'ok', id: request?.id, ...fields });
  }
}

const plain: Codec = {
  encode: (message) => message as unknown as Uint8Array<ArrayBuffer>,
  decode: (data) => data as Incoming,
};

class FakeTopic implements Topic {
  got: Incoming[] = [];
  last: number | undefined;
  verdict: Taken = 'done';

  seq(): number | undefined {
    return this.last;
  }

  take(message: Incoming): Taken {
    this.got.push(message);
    this.last = message.seq ?? this.last;
    return this.verdict;
  }
}

describe('Socket', () => {
  let wires: FakeWire[];
  let socket: Socket;
  const wire = () => wires.at(-1)!;

  beforeEach(() => {
    vi.useFakeTimers();
    wires = [];
    const open = () => {
      wires.push(new FakeWire());
      return wire();
    };
    socket = new Socket(open, plain, () => 1);
    socket.connect();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it('is open after the welcome, and knows who it is for', () => {
    expect(socket.line).toBe('connecting');
    wire().welcome({ id: 'u', name: 'Guest' });
    expect(socket.line).toBe('open');
    expect(socket.user?.id).toBe('u');
  });

  it('asks for the challenges that wait for the person, and forgets those it knew when they come', async () => {
    const told: string[] = [];
    socket.onchallenges = () => told.push('forget');
    socket.onpush = (message) => told.push(message.t);
    wire().welcome({ id: 'u', name: 'Guest' });
    expect(wire().asked()).toMatchObject([{ t: 'sub', topic: 'user' }]);
    wire().answer('sub');
    await vi.advanceTimersByTimeAsync(0);
    wire().say({ t: 'challenge', challenge: 'c' });
    expect(told).toEqual(['forget', 'challenge']);
    wire().drop();
    await vi.advanceTimersByTimeAsync(10_000);
    wire().welcome();
    expect(wire().asked()).toEqual([]);
  });

  it('matches replies to requests', async () => {
    wire().welcome();
    const first = socket.change({ t: 'move', g: 'a' });
    const second = socket.change({ t: 'resign', g: 'a' });
    const [move, resign] = wire().asked();
    wire().say({ t: 'error', id: resign?.id, code: 'game_over', message: 'it is over' });
    wire().say({ t: 'ok', id: move?.id, seq: 7 });
    expect((await first).seq).toBe(7);
    await expect(second).rejects.toEqual(new Refused('game_over', 'it is over'));
  });

  it('gives every change a key of its own', () => {
    wire().welcome();
    void socket.change({ t: 'move' });
    void socket.change({ t: 'move' });
    const [a, b] = wire().asked();
    expect(a?.key).toMatch(/^[0-9a-f]{24}$/);
    expect(a?.key).not.toBe(b?.key);
  });

  it('sends unanswered changes again with the same key when the line is back', async () => {
    wire().welcome();
    const move = socket.change({ t: 'move', move: 'e2e4' });
    const [before] = wire().asked();
    wire().drop();
    expect(socket.line).toBe('lost');
    const resign = socket.change({ t: 'resign' });
    await vi.advanceTimersByTimeAsync(500);
    expect(wires).toHaveLength(2);
    wire().welcome();
    expect(wire().asked()[0]).toEqual(before);
    expect(wire().asked()[1]).toMatchObject({ t: 'resign' });
    wire().answer('move', { seq: 1 });
    wire().answer('resign', { seq: 2 });
    expect((await move).seq).toBe(1);
    expect((await resign).seq).toBe(2);
  });

  it('tells at once what cannot wait for a line', async () => {
    wire().welcome();
    const asked = socket.ask({ t: 'sub', topic: 'tv' });
    wire().drop();
    await expect(asked).rejects.toMatchObject({ code: 'offline' });
    await expect(socket.ask({ t: 'ping' })).rejects.toMatchObject({ code: 'offline' });
  });

  it('asks again for what the server could not store, until it can', async () => {
    wire().welcome();
    const move = socket.change({ t: 'move' });
    const [request] = wire().asked();
    wire().say({ t: 'error', id: request?.id, code: 'unavailable', message: 'the database is away' });
    expect(wire().asked()).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(500);
    expect(wire().asked()).toEqual([request, request]);
    wire().answer('move', { seq: 3 });
    expect((await move).seq).toBe(3);
  });

  it('subscribes again from the last event seen', async () => {
    const topic = new FakeTopic();
    socket.subscribe('game:a', topic, { legal: true });
    wire().welcome();
    expect(wire().asked()[0]).toMatchObject({ t: 'sub', topic: 'game:a', legal: true });
    expect(wire().asked()[0]).not.toHaveProperty('from');
    wire().say({ t: 'move', g: 'a', seq: 5 });
    wire().drop();
    await vi.advanceTimersByTimeAsync(500);
    wire().welcome();
    expect(wire().asked()[0]).toMatchObject({ t: 'sub', topic: 'game:a', legal: true, from: 5 });
  });

  it('asks for the snapshot when an event is missing', () => {
    const topic = new FakeTopic();
    socket.subscribe('game:a', topic);
    wire().welcome();
    topic.verdict = 'gap';
    wire().say({ t: 'move', g: 'a', seq: 9 });
    expect(wire().asked()).toHaveLength(2);
    expect(wire().asked()[1]).not.toHaveProperty('from');
  });

  it('asks for the snapshot again when told to', () => {
    const topic = new FakeTopic();
    topic.last = 4;
    const subscription = socket.subscribe('game:a', topic);
    subscription.refresh();
    wire().welcome();
    expect(wire().asked()).toHaveLength(1);
    subscription.refresh();
    expect(wire().asked()[1]).toMatchObject({ t: 'sub', topic: 'game:a' });
    expect(wire().asked()[1]).not.toHaveProperty('from');
  });

  it('tells a topic that it does not exist', async () => {
    const topic = new FakeTopic();
    socket.subscribe('game:none', topic);
    wire().welcome();
    wire().say({ t: 'error', id: wire().asked()[0]?.id, code: 'not_found', message: 'there is no such game' });
    await vi.advanceTimersByTimeAsync(0);
    expect(topic.got).toEqual([
      { t: 'error', topic: 'game:none', code: 'not_found', message: 'there is no such game' },
    ]);
  });

  it('sends each push to its topic, and the rest to the person', () => {
    const game = new FakeTopic();
    const lobby = new FakeTopic();
    const pushed: Incoming[] = [];
    socket.onpush = (message) => pushed.push(message);
    socket.subscribe('game:a', game);
    const subscription = socket.subscribe('lobby', lobby);
    wire().welcome();
    wire().say({ t: 'crowd', topic: 'game:a', watchers: 2 });
    wire().say({ t: 'tick', g: 'a' });
    wire().say({ t: 'tick', g: 'b' });
    wire().say({ t: 'lobby.count', games: 1 });
    wire().say({ t: 'paired', g: 'a' });
    expect(game.got.map((m) => m.t)).toEqual(['crowd', 'tick']);
    expect(lobby.got.map((m) => m.t)).toEqual(['lobby.count']);
    expect(pushed.map((m) => m.t)).toEqual(['paired']);
    subscription.close();
    expect(wire().asked().at(-1)).toEqual({ t: 'unsub', topic: 'lobby' });
    wire().say({ t: 'lobby.count', games: 2 });
    expect(lobby.got).toHaveLength(1);
  });

  it('tells of pairings that were made while the line was lost', async () => {
    const pushed: Incoming[] = [];
    socket.onpush = (message) => pushed.push(message);
    wire().welcome({ id: 'u' }, ['a']);
    expect(pushed).toEqual([]);
    wire().drop();
    await vi.advanceTimersByTimeAsync(500);
    wire().welcome({ id: 'u' }, ['a', 'b']);
    expect(pushed).toEqual([{ t: 'paired', g: 'b' }]);
    void socket.reopen();
    wire().welcome({ id: 'somebody else' }, ['c']);
    expect(pushed).toHaveLength(1);
  });

  it('waits longer each time it fails', async () => {
    const refused = vi.fn();
    socket.onrefused = refused;
    for (const wait of [500, 1_000, 2_000, 4_000, 8_000, 8_000]) {
      wire().drop();
      const before = wires.length;
      await vi.advanceTimersByTimeAsync(wait - 1);
      expect(wires).toHaveLength(before);
      await vi.advanceTimersByTimeAsync(1);
      expect(wires).toHaveLength(before + 1);
    }
    expect(refused).toHaveBeenCalledTimes(6);
  });

  it('connects at once when told to, and not twice', async () => {
    wire().drop();
    socket.connect();
    socket.connect();
    expect(wires).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(wires).toHaveLength(2);
  });

  it('gives up a line that does not answer', async () => {
    wire().welcome();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(wires[0]?.closed).toBe(true);
    expect(socket.line).toBe('lost');
    await vi.advanceTimersByTimeAsync(500);
    expect(wires).toHaveLength(2);
  });

  it('keeps a line that answers', async () => {
    wire().welcome();
    for (let s = 0; s < 60; s += 5) {
      wire().answer('ping', { now: 1_000 + s });
      await vi.advanceTimersByTimeAsync(5_000);
    }
    expect(wires).toHaveLength(1);
    expect(socket.line).toBe('open');
  });

  it('opens again for a new session and goes on', async () => {
    wire().welcome();
    const done = socket.reopen();
    expect(wires[0]?.closed).toBe(true);
    wire().welcome({ id: 'guest', name: 'Guest' });
    await done;
    expect(socket.user?.id).toBe('guest');
    wires[0]?.drop();
    expect(socket.line).toBe('open');
  });
});
