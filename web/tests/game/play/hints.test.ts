import { beforeEach, describe, expect, it, vi } from 'vitest';
import { askHint, Hints } from '../../../src/game/play/hints';
import { Refused, type GameSnapshot, type Reply } from '../../../src/net/protocol';
import { hasHints, hintText } from '../../../src/state/hints';
import { SNAPSHOT } from '../../state/snapshot';

const GAME: GameSnapshot = { ...SNAPSHOT, hints: true, status: 'live' };
const HINT = { ply: 0, move: 'e2e4', better: 'w', winning: false } as const;
const OK: Reply = { t: 'ok', ...HINT };

describe('hints', () => {
  let game: GameSnapshot;
  let answer: (reply: Reply | undefined) => void;
  const changed = vi.fn();
  const ask = vi.fn(() => new Promise<Reply | undefined>((resolve) => (answer = resolve)));
  let hints: Hints;

  beforeEach(() => {
    game = GAME;
    ask.mockClear();
    changed.mockClear();
    hints = new Hints(ask, () => game, changed);
  });

  it('stand until the position changes', async () => {
    const asked = hints.request();
    expect([hints.isAsked(game), hints.current(game)]).toEqual([true, null]);
    answer(OK);
    await asked;
    expect([hints.isAsked(game), hints.current(game)]).toEqual([false, HINT]);
    game = { ...GAME, clock: null };
    expect(hints.current(game)).toEqual(HINT);
    expect(hints.current({ ...GAME, moves: ['e2e4'] })).toBeNull();
    expect(hints.current({ ...GAME, status: 'over' })).toBeNull();
  });

  it('are not looked for when the game is over', () => {
    void hints.request();
    expect(hints.isAsked({ ...GAME, status: 'over' })).toBe(false);
  });

  it('are asked for once, and told again', async () => {
    const asked = hints.request();
    await hints.request();
    answer(OK);
    await asked;
    const first = hints.current(game);
    await hints.request();
    expect(ask).toHaveBeenCalledOnce();
    expect(hints.current(game)).toEqual(first);
    expect(hints.current(game)).not.toBe(first);
  });

  it('that come late, or not at all, are not shown', async () => {
    const asked = hints.request();
    game = { ...GAME, moves: ['e2e4', 'e7e5'], position: 'another' };
    const again = hints.request();
    expect(ask).toHaveBeenCalledTimes(2);
    answer({ ...OK, ply: 2 });
    await again;
    expect(hints.current(game)?.ply).toBe(2);
    game = { ...game, position: 'a third' };
    const refused = hints.request();
    answer(undefined);
    await refused;
    expect([hints.isAsked(game), hints.current(game)]).toEqual([false, null]);
    void asked;
  });
});

it.each([
  ['stale_ply', true],
  ['not_your_turn', true],
  ['game_over', true],
  ['unavailable', false],
  ['forbidden', false],
] as const)('a refusal by %s is quiet: %s', async (code, quiet) => {
  const socket = { ask: () => Promise.reject(new Refused(code, 'why')) };
  if (quiet) expect(await askHint(socket, 'g1')).toBeUndefined();
  else await expect(askHint(socket, 'g1')).rejects.toThrow();
});

it('says who is better', () => {
  expect(hintText(HINT, 'e4')).toBe('White is better. Try e4.');
  expect(hintText({ ...HINT, better: 'b', winning: true }, 'e4')).toBe('Black is winning. Try e4.');
  expect(hintText({ ...HINT, better: 'equal' }, 'e4')).toBe('The position is equal. Try e4.');
});

it('is for the player of a game that has hints', () => {
  expect(hasHints(GAME, ['w'])).toBe(true);
  expect(hasHints(GAME, [])).toBe(false);
  expect(hasHints({ ...GAME, status: 'over' }, ['w'])).toBe(false);
  const { hints: _, ...without } = GAME;
  expect(hasHints(without, ['w'])).toBe(false);
});
