import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Incoming } from '../../src/net/protocol';
import { FakeTopic, Lines } from './fake-transport';

describe('a subscription', () => {
  let lines: Lines;
  let topic: FakeTopic;

  const subs = () => lines.wire.sent.filter(({ t, topic: name }) => t === 'sub' && name !== 'user');

  beforeEach(() => {
    vi.useFakeTimers();
    lines = new Lines();
    topic = new FakeTopic();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it('is asked for again from the last event seen', () => {
    lines.socket.subscribe('game:a', topic, { legal: true });
    lines.wire.welcome();
    expect(subs()[0]).toMatchObject({ t: 'sub', topic: 'game:a', legal: true });
    expect(subs()[0]).not.toHaveProperty('from');
    lines.wire.say({ t: 'move', g: 'a', seq: 5 });
    lines.wire.drop();
    lines.socket.connect();
    lines.wire.welcome();
    expect(subs()[0]).toMatchObject({ t: 'sub', topic: 'game:a', legal: true, from: 5 });
  });

  it('asks for the snapshot when an event is missing', () => {
    lines.socket.subscribe('game:a', topic);
    lines.wire.welcome();
    topic.verdict = 'gap';
    lines.wire.say({ t: 'move', g: 'a', seq: 9 });
    expect(subs()).toHaveLength(2);
    expect(subs()[1]).not.toHaveProperty('from');
  });

  it('asks for the snapshot when told to', () => {
    topic.last = 4;
    const subscription = lines.socket.subscribe('game:a', topic);
    subscription.refresh();
    lines.wire.welcome();
    expect(subs()).toHaveLength(1);
    subscription.refresh();
    expect(subs()[1]).toMatchObject({ t: 'sub', topic: 'game:a' });
    expect(subs()[1]).not.toHaveProperty('from');
  });

  it('asks for the snapshots when one is somebody else, or is called otherwise', () => {
    topic.last = 4;
    lines.socket.subscribe('game:a', topic);
    const people = [{ id: 'u', name: 'Guest' }, { id: 'u', name: 'Guest' }, { id: 'u', name: 'Anna' }, null];
    const from = people.map((person) => {
      lines.wire.welcome(person);
      const asked = subs()[0]?.from;
      lines.wire.drop();
      lines.socket.connect();
      return asked;
    });
    expect(from).toEqual([4, 4, undefined, undefined]);
  });

  it('is told that its topic does not exist', async () => {
    lines.socket.subscribe('game:none', topic);
    lines.wire.welcome();
    lines.wire.refuse('sub', 'not_found');
    await lines.pass(0);
    await vi.advanceTimersByTimeAsync(0);
    expect(topic.got).toEqual([{ t: 'error', topic: 'game:none', code: 'not_found', message: 'it is not_found' }]);
  });

  it.each(['unavailable', 'rate_limited'])('is asked for until it is not %s', async (code) => {
    lines.socket.subscribe('game:a', topic);
    lines.wire.welcome();
    for (const wait of [500, 1_000, 2_000, 4_000, 8_000, 8_000]) {
      const before = subs().length;
      lines.wire.refuse('sub', code);
      await lines.pass(wait - 1);
      expect(subs()).toHaveLength(before);
      await lines.pass(1);
      expect(subs()).toHaveLength(before + 1);
    }
    lines.wire.answer('sub', { seq: 0 });
    await lines.pass(60_000);
    expect(subs()).toHaveLength(7);
    expect(topic.got).toEqual([]);
  });

  it('is not asked for again when it is closed, or was asked for otherwise', async () => {
    const subscription = lines.socket.subscribe('game:a', topic);
    lines.wire.welcome();
    lines.wire.refuse('sub', 'unavailable');
    subscription.refresh();
    await lines.pass(5_000);
    expect(subs()).toHaveLength(2);
    lines.wire.refuse('sub', 'unavailable');
    subscription.close();
    await lines.pass(20_000);
    expect(subs()).toHaveLength(2);
    expect(topic.got).toEqual([]);
  });

  it('beside the page waits for the page’s own', () => {
    for (const name of ['a', 'b']) lines.socket.subscribe(`game:${name}`, new FakeTopic(), {}, { last: true });
    lines.socket.subscribe('game:page', topic);
    lines.wire.welcome();
    expect(subs().map((sub) => sub.topic)).toEqual(['game:page', 'game:a', 'game:b']);
  });

  it('gets the pushes of its topic, and the person the rest', () => {
    const lobby = new FakeTopic();
    const pushed: Incoming[] = [];
    lines.socket.onpush = (message) => pushed.push(message);
    lines.socket.subscribe('game:a', topic);
    const subscription = lines.socket.subscribe('lobby', lobby);
    lines.wire.welcome();
    lines.wire.say({ t: 'crowd', topic: 'game:a', watchers: 2 });
    lines.wire.say({ t: 'tick', g: 'a' });
    lines.wire.say({ t: 'tick', g: 'b' });
    lines.wire.say({ t: 'lobby.count', games: 1 });
    lines.wire.say({ t: 'paired', g: 'a' });
    expect(topic.got.map((m) => m.t)).toEqual(['crowd', 'tick']);
    expect(lobby.got.map((m) => m.t)).toEqual(['lobby.count']);
    expect(pushed.map((m) => m.t)).toEqual(['paired']);
    subscription.close();
    expect(lines.wire.asked().at(-1)).toMatchObject({ t: 'unsub', topic: 'lobby' });
    lines.wire.say({ t: 'lobby.count', games: 2 });
    expect(lobby.got).toHaveLength(1);
  });
});
