import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it, test } from 'vitest';
import type { Clock, TimeControl } from '../../src/net/protocol';
import { ServerTime } from '../../src/net/server-time';
import { format_ms, left_ms } from '../../src/time/clock';
import { describe as inShort, describeSides, inWords, spell } from '../../src/time/control-text';
import { speedOf } from '../../src/time/speed';

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

// Tested with the same texts as `game_core/control_text.py`, by tests/game_core/test_control_text.py.
interface Written {
  tc: TimeControl;
  short: string;
  words: string;
  speed: string;
}
const TABLE = `${import.meta.dirname}/../../../tests/data/controls.json`;
const WRITTEN = JSON.parse(new TextDecoder().decode(await readFile(TABLE))) as Written[];

test.each(WRITTEN)('$tc is $short', ({ tc, short, words, speed }) => {
  expect(inShort(tc)).toBe(short);
  expect(inWords(tc)).toBe(words);
  expect(speedOf(tc)).toBe(speed);
});

test.each<[TimeControl, string]>([
  [{ base_s: 180 }, '3+0'],
  [{ periods: [{ moves: 40, base_s: 5400 }, { base_s: 1800 }] }, '40/90+0, 30+0'],
])('%j, where nothing is added, reads %s', (tc, short) => {
  expect(inShort(tc)).toBe(short);
});

test('time for every single move', () => {
  expect([inShort({ move_s: 30 }), inWords({ move_s: 30 }), spell({ move_s: 30 })]).toEqual(Array(3).fill('30 s per move'));
  const sides = describeSides({ tc: { base_s: 300, inc_s: 3 }, tcs: { w: null, b: { base_s: 300, inc_s: 3 } } });
  expect(sides).toBe('White no clock; Black 5+3');
});

test('who is asked to play reads words, but for what everybody writes in short', () => {
  expect(spell({ base_s: 300, inc_s: 3 })).toBe('5+3');
  for (const { tc, words } of WRITTEN) {
    if (tc === null || !('inc_s' in tc)) expect(spell(tc)).toBe(words);
  }
});

describe('ServerTime', () => {
  let here: number;
  let wall: number;
  let time: ServerTime;

  const pass = (ms: number) => {
    here += ms;
    wall += ms;
  };

  /** A round trip of `trip_ms` to a server whose clock is `ahead_ms` ahead of the monotonic one. */
  const ping = (trip_ms: number, ahead_ms: number) => {
    const begun = time.begin();
    pass(trip_ms);
    time.measure(begun + trip_ms / 2 + ahead_ms, begun);
  };

  beforeEach(() => {
    here = 1_000;
    wall = 1_000_000;
    time = new ServerTime(
      () => here,
      () => wall,
    );
  });

  it('is this machine’s until the server has said a word', () => {
    expect(time.now()).toBe(1_000_000);
    pass(50);
    expect(time.now()).toBe(1_000_050);
  });

  it('takes the first word for it until a round trip was measured', () => {
    time.adjust(5_000);
    expect(time.now()).toBe(5_000);
    ping(100, 6_000);
    expect(time.now()).toBe(here + 6_000);
    time.adjust(0);
    expect(time.now()).toBe(here + 6_000);
  });

  it('believes the quickest round trip', () => {
    ping(20, 1_000);
    ping(500, 9_000);
    expect(time.now()).toBe(here + 1_000);
  });

  it('believes no round trip for longer than a minute of pings', () => {
    ping(20, 1_000);
    for (let i = 0; i < 11; i++) ping(60, 1_200);
    expect(time.now()).toBe(here + 1_000);
    ping(60, 1_200);
    expect(time.now()).toBe(here + 1_200);
  });

  it('does not notice that the clock on the wall is set', () => {
    ping(40, 1_000);
    wall -= 60_000;
    expect(time.now()).toBe(here + 1_000);
    ping(400, 1_000);
    expect(time.now()).toBe(here + 1_000);
  });

  it('measures anew after a sleep, and not by a ping that slept', () => {
    ping(20, 1_000);
    const begun = time.begin();
    wall += 20_000; // the monotonic clock stood
    pass(30);
    time.measure(begun + 15 + 21_000, begun);
    expect(time.lag()).toBeNull();
    ping(60, 21_000);
    expect(time.now()).toBe(here + 21_000);
  });

  it('begins again on another line', () => {
    ping(20, 1_000);
    const begun = time.begin();
    pass(1);
    time.forget();
    time.adjust(7_000);
    expect(time.now()).toBe(7_000);
    expect(time.lag()).toBeNull();
    time.measure(0, begun);
    expect(time.now()).toBe(7_000);
  });

  it('claims its average round trip as lag', () => {
    expect(time.lag()).toBeNull();
    ping(100, 0);
    ping(50, 0);
    expect(time.lag()).toBe(90);
  });
});
