import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Refused } from '../../src/net/protocol';
import { Lines } from './fake-transport';

const USER = { id: 'u', name: 'Guest' };

describe('a request', () => {
  let lines: Lines;

  /** The connection is lost, and the next one opens at once. */
  const blink = (user: object | null = USER) => {
    lines.wire.drop();
    lines.socket.connect();
    lines.wire.welcome(user);
  };

  const sent = (t: string) => lines.wire.sent.filter((message) => message.t === t);

  beforeEach(() => {
    vi.useFakeTimers();
    lines = new Lines();
    lines.wire.welcome(USER);
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it('gets the reply to it', async () => {
    const first = lines.socket.change({ t: 'move', g: 'a' });
    const second = lines.socket.change({ t: 'resign', g: 'a' });
    lines.wire.refuse('resign', 'game_over');
    lines.wire.answer('move', { seq: 7 });
    expect((await first).seq).toBe(7);
    await expect(second).rejects.toEqual(new Refused('game_over', 'it is game_over'));
  });

  it('that changes something has a key of its own', () => {
    void lines.socket.change({ t: 'move' });
    void lines.socket.change({ t: 'move' });
    const [a, b] = sent('move');
    expect(a?.key).toMatch(/^[0-9a-f]{24}$/);
    expect(a?.key).not.toBe(b?.key);
  });

  it('that changes something is sent again with the same key when the line is back', async () => {
    const move = lines.socket.change({ t: 'move', move: 'e2e4' });
    const [before] = sent('move');
    lines.wire.drop();
    const resign = lines.socket.change({ t: 'resign' });
    lines.socket.connect();
    lines.wire.welcome(USER);
    expect(sent('move')).toEqual([before]);
    lines.wire.answer('move', { seq: 1 });
    lines.wire.answer('resign', { seq: 2 });
    expect((await move).seq).toBe(1);
    expect((await resign).seq).toBe(2);
  });

  it('that cannot wait for a line is told at once', async () => {
    const asked = lines.socket.ask({ t: 'chat' });
    lines.wire.drop();
    await expect(asked).rejects.toMatchObject({ code: 'offline' });
    await expect(lines.socket.ask({ t: 'chat' })).rejects.toMatchObject({ code: 'offline' });
  });

  it('that the server cannot store is sent again until it can', async () => {
    const move = lines.socket.change({ t: 'move' });
    const [request] = sent('move');
    lines.wire.refuse('move', 'unavailable');
    expect(sent('move')).toHaveLength(1);
    await lines.pass(500);
    expect(sent('move')).toEqual([request, request]);
    lines.wire.answer('move', { seq: 3 });
    expect((await move).seq).toBe(3);
  });

  it('is sent once on a new line, though it was to be sent again on the old one', async () => {
    void lines.socket.change({ t: 'move' });
    lines.wire.refuse('move', 'unavailable');
    blink();
    await lines.pass(5_000);
    expect(sent('move')).toHaveLength(1);
  });

  it('says what it waits for when it was refused three times', async () => {
    const told: string[] = [];
    lines.socket.ondelay = (why) => told.push(why);
    const seek = lines.socket.change({ t: 'seek', rules: 'fide' });
    seek.catch(() => undefined);
    for (const wait of [500, 1_000]) {
      lines.wire.refuse('seek', 'unavailable');
      await lines.pass(wait);
    }
    expect(told).toEqual([]);
    lines.wire.refuse('seek', 'unavailable');
    expect(told).toEqual(['it is unavailable']);
  });

  it('lapses when it was not answered in time, with what the server said last', async () => {
    const lapsed = lines.socket.change({ t: 'seek' });
    lapsed.catch(() => undefined);
    lines.wire.refuse('seek', 'unavailable');
    await lines.pass(15_000);
    await expect(lapsed).rejects.toEqual(new Refused('unavailable', 'it is unavailable'));
  });

  it('from a lost line lapses, but a move does not', async () => {
    lines.wire.drop();
    const more = lines.socket.change({ t: 'moretime', seconds: 15 });
    more.catch(() => undefined);
    const move = lines.socket.change({ t: 'move', move: 'e2e4' });
    await vi.advanceTimersByTimeAsync(3_600_000);
    await expect(more).rejects.toMatchObject({ code: 'offline' });
    lines.socket.connect();
    lines.wire.welcome(USER);
    expect(sent('moretime')).toEqual([]);
    lines.wire.answer('move', { seq: 1 });
    expect((await move).seq).toBe(1);
  });

  it('is not made in another person’s name', async () => {
    lines.wire.drop();
    const asked = [lines.socket.change({ t: 'move' }), lines.socket.change({ t: 'resign' })];
    const refused = Promise.all(asked.map((one) => expect(one).rejects.toMatchObject({ code: 'unauthenticated' })));
    lines.socket.connect();
    lines.wire.welcome({ id: 'somebody else', name: 'Other' });
    await refused;
    expect(lines.wire.asked().map(({ t }) => t)).toEqual(['sub']);
  });

  it('is the same person’s when the guest has become a member', () => {
    void lines.socket.change({ t: 'move' });
    blink({ id: 'u', name: 'Anna' });
    expect(sent('move')).toHaveLength(1);
  });

  it('made before the first welcome is sent after it', () => {
    lines = new Lines();
    void lines.socket.change({ t: 'move' });
    lines.wire.welcome(USER);
    expect(sent('move')).toHaveLength(1);
  });

  it('too long to be read over the rate is settled though its refusal names none', async () => {
    const chat = lines.socket.ask({ t: 'chat', text: 'я'.repeat(140) });
    const short = lines.socket.ask({ t: 'chat', text: 'hello' });
    const seek = lines.socket.change({ t: 'seek', fen: 'x'.repeat(256) });
    lines.wire.say({ t: 'error', code: 'rate_limited', message: 'too many' });
    await expect(chat).rejects.toEqual(new Refused('rate_limited', 'too many'));
    await lines.pass(500);
    expect(sent('seek')).toHaveLength(2);
    expect(sent('chat')).toHaveLength(2);
    lines.wire.answer('chat', { now: 1 });
    lines.wire.answer('seek', { seek: 's' });
    expect((await short).now).toBe(1);
    expect((await seek).seek).toBe('s');
  });
});
