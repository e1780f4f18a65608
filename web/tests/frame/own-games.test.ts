import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OwnGames } from '../../src/frame/own-games';
import { FakeTopic, Lines } from '../net/fake-transport';

const GAMES = Array.from({ length: 200 }, (_, i) => `game${i}`);

describe('OwnGames', () => {
  let lines: Lines;
  let own: OwnGames;

  const topics = (t: string) => lines.wire.asked().filter((message) => message.t === t && message.topic !== 'user').map((message) => message.topic);

  beforeEach(() => {
    vi.useFakeTimers();
    lines = new Lines();
    own = new OwnGames(lines.socket, () => undefined);
    lines.wire.welcome({ id: 'u', name: 'Anna' }, GAMES);
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it('follows no more of them than a line bears, those that were told last', () => {
    own.keep(null);
    expect(topics('sub')).toEqual(GAMES.slice(-20).map((g) => `game:${g}`));
    lines.socket.games = [...GAMES, 'new'];
    own.keep(null);
    expect(topics('sub').at(-1)).toBe('game:new');
    expect(topics('unsub')).toEqual(['game:game180']);
  });

  it('asks for the game of the page first when the line is back', () => {
    own.keep(null);
    lines.socket.subscribe('game:game7', new FakeTopic());
    own.keep('game7');
    lines.wire.drop();
    lines.socket.connect();
    lines.wire.welcome({ id: 'u', name: 'Anna' }, GAMES);
    expect(topics('sub')[0]).toBe('game:game7');
    expect(topics('sub')).toHaveLength(21);
  });

  it('keeps a game that the server could not tell of just now', async () => {
    lines.socket.games = ['one'];
    own.keep(null);
    lines.wire.refuse('sub', 'rate_limited');
    await lines.pass(500);
    own.keep(null);
    expect(lines.socket.games).toEqual(['one']);
    expect(topics('sub')).toEqual(['game:one', 'game:one']);
    lines.wire.answer('sub', { seq: 0 });
    await lines.pass(60_000);
    expect(topics('sub')).toHaveLength(2);
  });

  it('does not ask for one after the other where they are missing', async () => {
    own.keep(null);
    for (const { id } of lines.wire.asked()) lines.wire.say({ t: 'error', id, code: 'not_found', message: 'no such game' });
    await vi.advanceTimersByTimeAsync(0);
    own.keep(null);
    expect(topics('sub')).toHaveLength(20);
    expect(own.games()).toEqual([]);
  });
});
