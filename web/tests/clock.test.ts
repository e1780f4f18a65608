import { describe, expect, it, test } from 'vitest';
import { describe as inWords, format_ms, left_ms, ServerTime } from '../src/clock';
import type { Clock, TimeControl } from '../src/protocol';

const running: Clock = { w: 60_000, b: 45_000, run: 'w', at: 1_000_000 };

describe('left_ms', () => {
  it('runs the clock of the side whose time it is, from the instant of the reading', () => {
    expect(left_ms(running, 'w', 1_002_500)).toBe(57_500);
    expect(left_ms(running, 'b', 1_002_500)).toBe(45_000);
  });

  it('stops at zero', () => {
    expect(left_ms(running, 'w', 1_100_000)).toBe(0);
  });

  it('never shows more than the reading, though the reading is from the future', () => {
    expect(left_ms(running, 'w', 999_000)).toBe(60_000);
  });

  it('lets the delay pass first', () => {
    const delayed = { ...running, delay_left: 2_000 };
    expect(left_ms(delayed, 'w', 1_001_500)).toBe(60_000);
    expect(left_ms(delayed, 'w', 1_003_000)).toBe(59_000);
  });

  it('stands while it is held', () => {
    expect(left_ms({ ...running, held: 'restart' }, 'w', 1_050_000)).toBe(60_000);
  });
});

test.each([
  [0, '0:00.0'],
  [99, '0:00.0'],
  [9_990, '0:09.9'],
  [10_000, '0:10'],
  [59_999, '0:59'],
  [300_000, '5:00'],
  [3_599_999, '59:59'],
  [3_600_000, '1:00:00'],
  [5_400_000, '1:30:00'],
  [3 * 86_400_000 - 1, '2 d 23:59'],
])('%d ms is shown as %s', (ms, shown) => {
  expect(format_ms(ms)).toBe(shown);
});

test.each<[TimeControl, string]>([
  [{ base_s: 300, inc_s: 3 }, '5+3'],
  [{ base_s: 180 }, '3+0'],
  [{ base_s: 30, inc_s: 0 }, '½+0'],
  [{ base_s: 90, inc_s: 1 }, '1½+1'],
  [{ base_s: 50, inc_s: 1 }, '50 s+1'],
  [{ base_s: 0, inc_s: 5 }, '0+5'],
  [{ base_s: 300, delay_s: 3 }, '5 d3'],
  [{ base_s: 300, bronstein_s: 3 }, '5 b3'],
  [{ periods: [{ moves: 40, base_s: 5400, inc_s: 30 }, { base_s: 1800, inc_s: 30 }] }, '40/90+30, 30+30'],
  [{ days: 3 }, '3 days a move'],
  [{ days: 1 }, '1 day a move'],
  [null, 'no clock'],
])('%j reads %s', (tc, words) => {
  expect(inWords(tc)).toBe(words);
});

describe('ServerTime', () => {
  it('takes the first word for it until a round trip was measured', () => {
    const time = new ServerTime();
    time.hear(5_000, 1_000);
    expect(time.at(1_000)).toBe(5_000);
    time.measure(6_050, 2_000, 2_100);
    expect(time.at(2_050)).toBe(6_050);
    time.hear(0, 3_000);
    expect(time.at(2_050)).toBe(6_050);
  });

  it('believes the quickest round trip', () => {
    const time = new ServerTime();
    time.measure(1_010, 0, 20);
    time.measure(9_999, 100, 600);
    expect(time.at(0)).toBe(1_000);
  });

  it('claims its average round trip as lag', () => {
    const time = new ServerTime();
    expect(time.lag()).toBeNull();
    time.measure(0, 0, 100);
    time.measure(0, 0, 50);
    expect(time.lag()).toBe(90);
  });
});
