import { expect, it } from 'vitest';
import type { SimulCard } from '../../../src/net/protocol';
import { inShort } from '../../../src/simul/text/rows';

const THREE = ['russian', 'english', 'italian'].map((variant) => ({ game: 'draughts', variant }));

it('a few variants are named, many counted', () => {
  const terms = (variants: object[]) => inShort({ variants, tc: { base_s: 600, inc_s: 5 }, mode: 'clock', rated: false } as unknown as SimulCard);
  expect(terms(THREE)).toContain('Russian draughts, English draughts, Italian draughts');
  expect(terms([...THREE, { game: 'chess', variant: 'standard' }])).toContain('all clocks run · 4 variants ·');
});
