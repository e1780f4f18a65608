import { describe, expect, it } from 'vitest';
import { whole } from '../../src/simul/cell';

describe('the time at a small board', () => {
  it.each([
    [61_000, '1:01'],
    [10_000, '0:10'],
    [9_999, '0:10'],
    [9_001, '0:10'],
    [9_000, '0:09'],
    [1, '0:01'],
    [0, '0:00'],
  ])('%i ms is %s', (ms, shown) => {
    expect(whole(ms)).toBe(shown);
  });
});
