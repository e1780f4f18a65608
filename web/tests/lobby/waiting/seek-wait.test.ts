import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { GameRequests } from '../../../src/lobby/waiting/game-requests';
import { SeekWait } from '../../../src/lobby/waiting/seek-wait';
import { Session } from '../../../src/session/session';
import { Lines } from '../../net/fake-transport';

const ANNA = { id: 'u', name: 'Anna', kind: 'guest', title: null };
const SEEK = { seek: 's', user: ANNA, tc: { base_s: 300, inc_s: 3 }, variant: 'standard', rated: false };
const LOBBY = { t: 'lobby', topic: 'lobby', seq: 1, seeks: [] as object[], games: 0, online: 1, top: [] };

describe('SeekWait', () => {
  let lines: Lines;
  let gameRequests: GameRequests;
  let seeks: SeekWait;
  let kept: Map<string, string>;
  let said: string[];
  let waitsLong = false;

  const settle = () => vi.advanceTimersByTimeAsync(0);
  const asks = (t: string) => lines.wire.asked().filter((message) => message.t === t && message.topic === 'lobby').length;

  /** A page with the storage of an earlier one. */
  function open(who: object = ANNA): void {
    lines = new Lines();
    const { socket } = lines;
    const attempt = <T>(what: () => Promise<T>) => what().catch(() => undefined);
    const changed = () => seeks.keep();
    gameRequests = new GameRequests({ socket, session: new Session(socket), attempt, navigate: () => undefined, changed, mayStart: () => true as const });
    const storage = {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, text: string) => void kept.set(name, text),
      removeItem: (name: string) => void kept.delete(name),
    };
    said = [];
    seeks = new SeekWait({ socket, gameRequests, changed, say: (text) => said.push(text) }, storage, () => waitsLong);
    gameRequests.onseek = (seek) => seeks.asked(seek);
    gameRequests.onunseek = (seek) => seeks.withdraws(seek);
    socket.onchange = changed;
    socket.onpush = (message) => seeks.receive(message);
    lines.wire.welcome(who);
    seeks.keep();
  }

  /** What the server tells, and what the page makes of it. */
  function tell(message: object): void {
    lines.wire.say(message);
    seeks.keep();
  }

  async function ask(): Promise<void> {
    const asked = gameRequests.ask({ t: 'seek' });
    await settle();
    lines.wire.answer('seek', { seek: 's' });
    await asked;
    await settle();
  }

  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('location', { pathname: '/' });
    kept = new Map();
    open();
  });

  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  it('follows the lobby where its page is', () => {
    expect(asks('sub')).toBe(0);
    seeks.watch(true);
    expect(asks('sub')).toBe(1);
    seeks.watch(false);
    expect(asks('unsub')).toBe(1);
    expect(seeks.isTold()).toBe(false);
  });

  it('follows it while any part of the page shows it', () => {
    seeks.watch(true);
    seeks.watch(true);
    seeks.watch(false);
    expect(asks('unsub')).toBe(0);
    seeks.watch(false);
    expect(asks('unsub')).toBe(1);
  });

  it('follows it while the person waits long in a pool, and tells of robots', () => {
    expect(seeks.robots()).toBeUndefined();
    waitsLong = true;
    seeks.keep();
    expect(asks('sub')).toBe(1);
    tell({ ...LOBBY, robots: null });
    expect(seeks.robots()).toBeNull();
    waitsLong = false;
    seeks.keep();
    expect(asks('unsub')).toBe(1);
    expect(seeks.robots()).toBeUndefined();
  });

  it('follows it on every page while the person is listed', async () => {
    seeks.watch(true);
    tell(LOBBY);
    await ask();
    tell({ t: 'lobby.add', topic: 'lobby', ...SEEK, seq: 2 });
    seeks.watch(false);
    expect(asks('unsub')).toBe(0);
    tell({ t: 'lobby.gone', topic: 'lobby', seek: 's', seq: 3 });
    expect(asks('unsub')).toBe(1);
    expect(kept.size).toBe(0);
  });

  it('does not lose what is not listed yet when the page of the lobby goes', async () => {
    seeks.watch(true);
    tell(LOBBY);
    await ask();
    seeks.watch(false);
    expect(asks('unsub')).toBe(0);
  });

  it('follows it after a reload, and not for somebody else', async () => {
    await ask();
    expect(asks('sub')).toBe(1);
    open();
    expect(asks('sub')).toBe(1);
    tell({ ...LOBBY, seeks: [SEEK] });
    expect(asks('unsub')).toBe(0);
    open({ ...ANNA, id: 'v' });
    expect(asks('sub')).toBe(0);
  });

  it('stops when the server has no such seek any more', async () => {
    await ask();
    open();
    tell(LOBBY);
    expect(asks('unsub')).toBe(1);
    expect(kept.size).toBe(0);
  });

  it('waits no more for the listing of a seek that was found at once', async () => {
    await ask();
    tell(LOBBY);
    expect(asks('unsub')).toBe(0);
    tell({ t: 'paired', g: 'a' });
    expect(asks('unsub')).toBe(1);
  });

  describe('when a seek is gone', () => {
    const GONE = { t: 'lobby.gone', topic: 'lobby', seek: 's', seq: 2 };
    const told = async () => {
      await vi.advanceTimersByTimeAsync(1_000);
      return said;
    };

    beforeEach(() => {
      seeks.watch(true);
      tell({ ...LOBBY, seeks: [SEEK] });
    });

    it('tells of one that nobody has taken', async () => {
      tell(GONE);
      expect(await told()).toEqual(['No opponent found; your search has ended (5+3).']);
    });

    it('tells of one that went while the line was lost', async () => {
      lines.wire.drop();
      await lines.pass(30_000);
      lines.wire.welcome(ANNA);
      seeks.keep();
      expect(await told()).toEqual([]);
      tell(GONE);
      expect(await told()).toHaveLength(1);
    });

    it.each([
      ['before', [{ t: 'paired', g: 'a' }, GONE]],
      ['after', [GONE, { t: 'paired', g: 'a' }]],
    ])('is silent where a pairing is told %s', async (_, messages) => {
      for (const message of messages) tell(message);
      expect(await told()).toEqual([]);
    });

    it('is silent where he took it back, here or in another tab', async () => {
      void gameRequests.ask({ t: 'unseek', seek: 's' });
      tell(GONE);
      expect(await told()).toEqual([]);
      tell({ t: 'lobby.add', topic: 'lobby', ...SEEK, seek: 'other', seq: 3 });
      kept.set('seek-withdrawn', 'other');
      tell({ ...GONE, seek: 'other', seq: 4 });
      expect(await told()).toEqual([]);
    });

    it('is silent where it is back at once, under his new name', async () => {
      tell(GONE);
      tell({ t: 'lobby.add', topic: 'lobby', ...SEEK, seq: 3 });
      expect(await told()).toEqual([]);
    });

    it('is silent to somebody else', async () => {
      lines.wire.drop();
      await lines.pass(30_000);
      lines.wire.welcome({ ...ANNA, id: 'v' });
      seeks.keep();
      tell(GONE);
      expect(await told()).toEqual([]);
    });
  });
});
