import { expect, it } from 'vitest';
import { LawsField } from '../../../src/lobby/form/laws-field';
import { SettingsStore } from '../../../src/settings/store';

const nothing = () => undefined;
const settings = new SettingsStore(null);

function storage(text: string | null) {
  const kept = { text };
  return { kept, getItem: () => kept.text, setItem: (_name: string, value: string) => void (kept.text = value) };
}

it('asks for the usual terms at first', () => {
  const field = new LawsField(null, settings, nothing);
  expect(field.terms('fide')).toEqual({ supervised: true, draw_from: 0, default_s: 60 });
  expect(field.terms('uscf')).toEqual({ draw_from: 0, default_s: 60 });
  expect([field.terms('official'), field.terms('online')]).toEqual([null, null]);
});

it('starts with the terms of a game, which are not remembered', () => {
  const place = storage(null);
  const field = new LawsField(place, settings, nothing);
  field.begin({ supervised: false, draw_from: 20, default_s: 300, score_sheet: false });
  expect(field.terms('fide')).toEqual({ supervised: false, draw_from: 20, default_s: 300 });
  expect(field.terms('official')).toEqual({ draw_from: 20, default_s: 300 });
  field.remember();
  const next = new LawsField(place, settings, nothing);
  expect(next.terms('fide')).toEqual({ supervised: true, draw_from: 0, default_s: 60 });
  expect(next.terms('official')).toBeNull();
  next.begin({ supervised: true, draw_from: null, default_s: 60, score_sheet: false });
  expect(next.terms('fide')).toEqual({ supervised: true, draw_from: null, default_s: 60 });
});

it('does not trust what was stored', () => {
  for (const text of ['{"draws":"never","from":0,"default_s":5,"supervised":"no"}', 'nonsense', '7']) {
    expect(new LawsField(storage(text), settings, nothing).terms('fide')).toEqual({ supervised: true, draw_from: 0, default_s: 60 });
  }
});

it('finds a number of moves that is none', () => {
  const field = new LawsField(storage('{"draws":"from","from":30}'), settings, nothing);
  expect(field.fault('fide')).toBeNull();
  field.begin({ supervised: true, draw_from: 0.5, default_s: 60, score_sheet: false });
  expect(field.fault('fide')).toMatch(/^Draw offers/);
  expect(field.fault('online')).toBeNull();
});

it('asks for score sheets between two people only', () => {
  const field = new LawsField(storage('{"sheet":true}'), settings, nothing);
  expect(field.terms('fide')).toHaveProperty('score_sheet', true);
  expect(field.terms('fide', false)).not.toHaveProperty('score_sheet');
});
