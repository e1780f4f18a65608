import { expect, it } from 'vitest';
import type { SimulCard } from '../../../src/net/protocol';
import { inShort, scoreOf } from '../../../src/simul/text/rows';
import { text } from '../../ui/template-text';

const THREE = ['russian', 'english', 'italian'].map((variant) => ({ game: 'draughts', variant }));

it('a few variants are named, many counted', () => {
  const terms = (variants: object[]) => inShort({ variants, tc: { base_s: 600, inc_s: 5 }, mode: 'clock', rated: false } as unknown as SimulCard);
  expect(terms(THREE)).toContain('Russian draughts, English draughts, Italian draughts');
  expect(terms([...THREE, { game: 'chess', variant: 'standard' }])).toContain('all clocks run · 4 variants ·');
});

it('says who takes part before the start, and how it stands afterwards', () => {
  const score = { wins: 2, draws: 1, losses: 0, aborted: 0, live: 3 };
  const card = (status: string, more: object = {}) => ({ status, score, players: 4, applicants: 2, max_boards: 20, ...more }) as unknown as SimulCard;
  expect(text(scoreOf(card('created')))).toContain('4 of 20 players · 2 applicants');
  expect(text(scoreOf(card('created', { applicants: 0 })))).not.toContain('applicant');
  expect(text(scoreOf(card('running')))).toContain('2 wins · 1 draw · 0 losses');
  expect(text(scoreOf(card('cancelled')))).toBe('');
});
