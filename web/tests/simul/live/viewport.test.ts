import { describe, expect, it } from 'vitest';
import { scrolledTo, seen, stepped } from '../../../src/simul/live/viewport';

const CELLS = { least: 100, below: 50, gap: 10, spare: 1 };
const at = (scrollTop: number, count = 1_000) => ({ width: 430, height: 400, scrollTop, count });

describe('cells in sight', () => {
  it('fill the width', () => {
    const { columns, width, pitch } = seen(at(0), CELLS);
    expect([columns, width, pitch]).toEqual([4, 100, 160]);
  });

  it('are a few of a thousand, wherever one is', () => {
    for (const top of [0, 1_000, 17_777, 39_000, 1e9]) {
      const { from, to } = seen(at(top), CELLS);
      expect(to - from).toBeLessThanOrEqual(24);
      expect(to - from).toBeGreaterThan(0);
      expect(from % 4).toBe(0);
    }
    expect(seen(at(17_777), CELLS)).toMatchObject({ from: 4 * 110, top: 110 * 160, total: 250 * 160 - 10 });
  });

  it('are none of none, and one a row where it is narrow', () => {
    expect(seen(at(0, 0), CELLS)).toMatchObject({ from: 0, to: 0, total: 0 });
    expect(seen({ width: 60, height: 100, scrollTop: 0, count: 3 }, CELLS).columns).toBe(1);
  });
});

describe('scrolling', () => {
  it('brings a cell wholly into sight and moves no further than that', () => {
    const now = seen(at(1_600), CELLS);
    expect(scrolledTo(0, now, at(1_600))).toBe(0);
    expect(scrolledTo(48, now, at(1_600))).toBe(1_680);
    expect(scrolledTo(47, now, at(1_600))).toBe(1_600);
    expect(scrolledTo(40, now, at(1_600))).toBe(1_600);
  });
});

describe('keys', () => {
  const now = seen(at(0), CELLS);

  it.each([
    ['ArrowRight', 11],
    ['ArrowLeft', 9],
    ['ArrowDown', 14],
    ['ArrowUp', 6],
    ['PageDown', 18],
    ['Home', 0],
    ['End', 999],
    ['x', null],
  ])('%s', (key, to) => {
    expect(stepped(key, 10, 1_000, now, 400)).toBe(to);
  });

  it('stay inside', () => {
    expect(stepped('ArrowUp', 2, 1_000, now, 400)).toBe(0);
    expect(stepped('ArrowRight', 0, 0, now, 400)).toBeNull();
  });
});
