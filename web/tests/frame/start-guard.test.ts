import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { mayStartGame, StartGuard } from '../../src/frame/start-guard';

describe('A host with running clocks', () => {
  let running: string | null;
  let answer: (yes: boolean) => void;
  const askHost = vi.fn((_simul: string) => new Promise<boolean>((resolve) => (answer = resolve)));
  let guard: StartGuard;

  beforeEach(() => {
    running = 's1';
    askHost.mockClear();
    guard = new StartGuard({ running: () => running }, () => undefined, () => Promise.resolve({ askHost }));
  });

  it.each(['seek', 'accept', 'challenge', 'challenge.accept', 'pool.join', 'pool.take', 'rematch', 'simul.join', 'simul.start'])(
    'is asked before %s',
    async (t) => {
      const allowed = guard.allow({ t, do: 'accept' });
      await vi.waitFor(() => expect(askHost).toHaveBeenCalledOnce());
      answer(t !== 'seek');
      expect(await allowed).toBe(t !== 'seek');
    },
  );

  it('is not asked before what starts no game, nor without a simul', () => {
    for (const message of [{ t: 'pool.leave' }, { t: 'unseek' }, { t: 'move' }, { t: 'rematch', do: 'decline' }]) expect(guard.allow(message)).toBe(true);
    running = null;
    expect(guard.allow({ t: 'seek' })).toBe(true);
    expect(askHost).not.toHaveBeenCalled();
  });

  it('is asked once at a time: a double click opens one question', async () => {
    const first = guard.allow({ t: 'rematch', do: 'accept' });
    expect(await guard.allow({ t: 'rematch', do: 'accept' })).toBe(false);
    await vi.waitFor(() => expect(askHost).toHaveBeenCalledOnce());
    answer(true);
    expect(await first).toBe(true);
    void guard.allow({ t: 'seek' });
    await vi.waitFor(() => expect(askHost).toHaveBeenCalledTimes(2));
  });

  it('is not kept from playing when the question cannot be loaded', async () => {
    guard = new StartGuard({ running: () => running }, () => undefined, () => Promise.reject(new TypeError()));
    expect(await guard.allow({ t: 'seek' })).toBe(true);
  });
});

it('no request that may start a game passes the guard by', () => {
  const src = resolve(import.meta.dirname, '../../src');
  // It asks before it counts the request as underway.
  const asks = ['lobby/waiting/game-requests.ts'];
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts') && !asks.includes(file));
  const wrong = files.filter((file) => {
    const text = readFileSync(join(src, file), 'utf8');
    const direct = [...text.matchAll(/socket\s*\.change\(([^)]*)/g)].map(([, of]) => of!);
    const started = [...text.matchAll(/\bt: '([\w.]+)'/g)].some(([, t]) => mayStartGame({ t: t! }));
    // All that is sent there is passed on by `{ ...message }` or `message`.
    return started && direct.some((of) => of.includes('message'));
  });
  expect(wrong).toEqual([]);
});
