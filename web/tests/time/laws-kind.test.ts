import { expect, test } from 'vitest';
import type { TimeControl } from '../../src/net/protocol';
import { kindOf } from '../../src/time/laws-kind';

test.each([
  [{ base_s: 300, inc_s: 9 }, 'blitz'],
  [{ base_s: 300, inc_s: 10 }, 'rapid'],
  [{ base_s: 1800, inc_s: 29 }, 'rapid'],
  [{ base_s: 1800, delay_s: 30 }, 'standard'],
  [{ periods: [{ moves: 40, base_s: 1200 }, { base_s: 900 }] }, 'rapid'],
  [null, 'standard'],
] as [TimeControl, string][])('%o is %s', (tc, kind) => {
  expect(kindOf(tc)).toBe(kind);
});
