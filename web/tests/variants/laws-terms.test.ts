import { expect, it } from 'vitest';
import { isByLaws, isSameLaws, lawsText } from '../../src/variants/laws-terms';
import { rulesText } from '../../src/variants/rules-text';

const TERMS = { supervised: true, draw_from: 0, default_s: 60, score_sheet: false };

it('terms are told where they differ from the usual ones', () => {
  expect(lawsText(TERMS)).toBe('touch-move, clock button');
  expect(lawsText({ ...TERMS, supervised: false, draw_from: 30, default_s: 300 })).toBe(
    'touch-move, clock button, players claim illegal moves, no draw offers before move 30, default time 300 s',
  );
  expect(lawsText({ ...TERMS, draw_from: null })).toBe('touch-move, clock button, no draw offers');
});

it('stand behind the rules', () => {
  expect(rulesText({ variant: 'standard', rules: 'fide', laws: TERMS })).toBe('FIDE rules: touch-move, clock button');
  expect(rulesText({ variant: 'international', rules: 'official' })).toBe('Official rules');
  expect(rulesText({ variant: 'standard', rules: 'online' })).toBe('');
});

it('games under FIDE and US rules are always by the Laws', () => {
  expect(['fide', 'uscf', 'official', 'online'].map(isByLaws)).toEqual([true, true, false, false]);
});

it('terms are compared with their defaults', () => {
  expect(isSameLaws(TERMS, { draw_from: 0, default_s: 60 })).toBe(true);
  expect(isSameLaws(TERMS, { ...TERMS, supervised: false })).toBe(false);
  expect(isSameLaws(undefined, null)).toBe(true);
  expect(isSameLaws(TERMS, undefined)).toBe(false);
});
