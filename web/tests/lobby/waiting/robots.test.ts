import { describe, expect, it, test } from 'vitest';
import { hasHints, lastHints, lastLevel, levelOf, LEVELS, rememberHints, rememberLevel, robotChallenge, whyNoRobot } from '../../../src/lobby/waiting/robots';

const PLAYED = { busy: false, games: { draughts: ['russian', 'international'] } };

test.each([
  [undefined, 'standard', null],
  [null, 'russian', 'none'],
  [PLAYED, 'russian', null],
  [PLAYED, 'english', 'variant'],
  [PLAYED, 'standard', 'game'],
  [{ ...PLAYED, busy: true }, 'russian', 'busy'],
  [{ ...PLAYED, busy: true }, 'standard', 'game'],
] as const)('with %o a game of %s is refused by %o', (robots, variant, why) => {
  expect(whyNoRobot(robots as Parameters<typeof whyNoRobot>[0], variant)).toBe(why);
});

test('robots are known by their accounts', () => {
  expect(levelOf({ id: 'robot3', kind: 'bot' })).toBe(3);
  expect(levelOf({ id: 'robot9', kind: 'bot' })).toBeNull();
  expect(levelOf({ id: 'robot3', kind: 'member' })).toBeNull();
  expect(levelOf({ id: 'abcdefgh', kind: 'bot' })).toBeNull();
});

describe('the last level', () => {
  const storage = (kept: string | null) => ({ getItem: () => kept, setItem: (_name: string, text: string) => void (kept = text) });

  it('is kept', () => {
    const kept = storage(null);
    expect(lastLevel(kept)).toBe(3);
    rememberLevel(7, kept);
    expect(lastLevel(kept)).toBe(7);
  });

  it.each(['0', '9', '3.5', 'x', ''])('is the usual one where %s is stored', (text) => {
    expect(lastLevel(storage(text))).toBe(3);
  });

  it('is not kept where the storage is full', () => {
    const full = { getItem: () => null, setItem: () => { throw new Error('full'); } };
    expect(() => rememberLevel(7, full)).not.toThrow();
    expect(lastLevel(null)).toBe(3);
  });
});

test('hints are for low levels, and the choice is kept', () => {
  expect(LEVELS.filter(hasHints)).toEqual([1, 2, 3, 4]);
  let kept: string | null = null;
  const storage = { getItem: () => kept, setItem: (_name: string, text: string) => void (kept = text) };
  expect([lastHints(storage), lastHints(null)]).toEqual([false, false]);
  rememberHints(true, storage);
  expect(lastHints(storage)).toBe(true);
  rememberHints(false, storage);
  expect(lastHints(storage)).toBe(false);
});

test('a challenge names the game, and is casual', () => {
  expect(robotChallenge(2, 'russian', null)).toEqual({
    t: 'challenge', to: 'robot', level: 2, game: 'draughts', variant: 'russian', tc: null, color: 'random', rated: false,
  });
});
