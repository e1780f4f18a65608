import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { GameRequests } from '../../../src/lobby/waiting/game-requests';
import { PoolWait } from '../../../src/lobby/waiting/pool-wait';
import type { Robots } from '../../../src/net/protocol';
import { Session } from '../../../src/session/session';
import { Lines } from '../../net/fake-transport';
import { text } from '../../ui/template-text';

const ANNA = { id: 'u', name: 'Anna' };

describe('PoolWait', () => {
  let lines: Lines;
  let gameRequests: GameRequests;
  let pool: PoolWait;
  let kept: Map<string, string>;
  let storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  let robots: Robots | null | undefined;
  const say = vi.fn<(text: string) => void>();
  const mayStart = vi.fn(() => true as const);

  const settle = () => vi.advanceTimersByTimeAsync(0);
  const joins = () => lines.wire.asked().filter(({ t }) => t === 'pool.join');

  /** The connection of `who` is open, and has told everything about them. */
  async function greeted(who: object, told: object[] = []): Promise<void> {
    lines.wire.welcome(who);
    for (const message of told) lines.wire.say(message);
    lines.wire.answer('sub');
    await settle();
  }

  const waiting = { t: 'pool', pool: '3+2', game: 'chess', variant: 'standard', rated: true, since: 1_000 };

  async function wait(): Promise<void> {
    const asked = gameRequests.ask({ t: 'pool.join', pool: '3+2', rated: true });
    await settle();
    lines.wire.say(waiting);
    lines.wire.answer('pool.join', { pool: '3+2' });
    await asked;
  }

  async function lose(ms: number): Promise<void> {
    lines.wire.drop();
    await vi.advanceTimersByTimeAsync(ms);
    // Silent connections are given up: the next one is answered.
    const tried = lines.wires.length;
    if (ms > 10_000) while (lines.wires.length === tried) await vi.advanceTimersByTimeAsync(100);
  }

  beforeEach(async () => {
    vi.useFakeTimers();
    vi.stubGlobal('location', { pathname: '/' });
    vi.stubGlobal('document', { hidden: false });
    say.mockReset();
    mayStart.mockClear();
    lines = new Lines();
    kept = new Map();
    const { socket } = lines;
    storage = {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, text: string) => void kept.set(name, text),
      removeItem: (name: string) => void kept.delete(name),
    };
    const attempt = <T>(what: () => Promise<T>) => what().catch(() => undefined);
    const changed = () => undefined;
    gameRequests = new GameRequests({ socket, session: new Session(socket), attempt, navigate: () => undefined, changed, mayStart });
    pool = new PoolWait({ socket, gameRequests, changed, say }, storage, () => robots);
    socket.onpush = (message) => {
      gameRequests.receive(message);
      pool.receive(message);
    };
    socket.onresumed = () => pool.settle();
    await greeted(ANNA);
  });

  afterEach(() => {
    pool.receive({ t: 'pool.gone', why: 'left' });
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  it('is what the server tells, until it tells otherwise', async () => {
    await wait();
    expect(pool.now).toMatchObject({ pool: '3+2', rated: true, since: 1_000 });
    lines.wire.say({ t: 'pool.gone', why: 'left' });
    expect(pool.now).toBeNull();
    expect(kept.size).toBe(0);
  });

  it('goes on where the server still knows of it', async () => {
    await wait();
    await lose(5_000);
    await greeted(ANNA, [waiting]);
    expect(pool.now).toMatchObject({ pool: '3+2' });
    expect(joins()).toEqual([]);
    expect(gameRequests.isPooledHere()).toBe(true);
  });

  it('is asked for again where the server has forgotten it', async () => {
    await wait();
    await lose(20_000);
    await greeted(ANNA);
    expect(joins()).toMatchObject([{ pool: '3+2', rated: true }]);
    lines.wire.say(waiting);
    expect(pool.now).not.toBeNull();
    // A host was asked when they joined.
    expect(mayStart).toHaveBeenCalledOnce();
  });

  it('is over when the line was lost for long', async () => {
    await wait();
    await lose(70_000);
    await greeted(ANNA);
    expect(joins()).toEqual([]);
    expect(say).toHaveBeenCalledOnce();
    expect(gameRequests.waits()).toBe(false);
  });

  it('is over when another tab has stopped it in the meantime', async () => {
    await wait();
    await lose(5_000);
    kept.delete('pool');
    await greeted(ANNA);
    expect(joins()).toEqual([]);
    expect(pool.now).toBeNull();
  });

  describe('after a reload', () => {
    /** A new page with the same browser storage. */
    async function reload(who: object, games: string[] = []): Promise<void> {
      lines.wire.drop();
      lines = new Lines();
      pool = new PoolWait({ socket: lines.socket, gameRequests, changed: () => undefined, say }, storage);
      lines.socket.onpush = (message) => pool.receive(message);
      lines.socket.onresumed = () => pool.settle();
      lines.wire.welcome(who, games);
      lines.wire.answer('sub');
      await settle();
    }

    it('is told to be over, once', async () => {
      await wait();
      await reload(ANNA);
      expect(say).toHaveBeenCalledOnce();
      expect(kept.size).toBe(0);
      await reload(ANNA);
      expect(say).toHaveBeenCalledOnce();
    });

    it.each([
      ['somebody else', { id: 'v', name: 'Berta' }, []],
      ['who was paired', ANNA, ['g']],
    ])('is not told to %s', async (_who, user, games) => {
      await wait();
      await reload(user, games);
      expect(say).not.toHaveBeenCalled();
      expect(kept.size).toBe(0);
    });

    it('is not told long afterwards', async () => {
      kept.set('pool', '-4000000 u');
      await reload(ANNA);
      expect(say).not.toHaveBeenCalled();
    });
  });

  describe('when nobody comes', () => {
    const chip = () => text(pool.items());

    beforeEach(() => {
      robots = { busy: false, games: { chess: ['standard'] } };
      kept.set('robot.level', '5');
    });

    it('offers the same game against a robot after 15 s', async () => {
      await wait();
      const now = lines.socket.time.now();
      lines.wire.say({ ...waiting, since: now });
      expect([pool.isLong(), pool.instead()]).toEqual([false, null]);
      expect(chip()).not.toContain('instead');
      lines.wire.say({ ...waiting, since: now - 15_000 });
      expect(pool.instead()).toEqual({
        t: 'challenge', to: 'robot', level: 5, game: 'chess', variant: 'standard', tc: { base_s: 180, inc_s: 2 }, color: 'random', rated: false,
      });
      expect(chip()).toContain('No opponent yet. You can play the computer instead.');
    });

    it.each([
      ['no robot plays', null],
      ['nothing is known of robots', undefined],
      ['they are busy', { busy: true, games: { chess: ['standard'] } }],
      ['they do not play the game', { busy: false, games: { draughts: ['russian'] } }],
    ])('offers none where %s', async (_why, now) => {
      robots = now as Robots | null | undefined;
      await wait();
      lines.wire.say({ ...waiting, since: lines.socket.time.now() - 60_000 });
      expect([pool.isLong(), pool.instead()]).toEqual([true, null]);
      expect(chip()).not.toContain('instead');
    });
  });

  it('is nobody else’s', async () => {
    await wait();
    await lose(5_000);
    await greeted({ id: 'v', name: 'Berta' });
    expect(joins()).toEqual([]);
    expect(pool.now).toBeNull();
    expect(say).not.toHaveBeenCalled();
  });
});
