import { expect, test } from 'vitest';
import { instant } from '../../src/words/dates';
import { isKey, nameOf, refusal, say, sentence } from '../../src/words/words';

test('a text is filled with its parameters', () => {
  expect(say('toast.paired', { name: 'Ada' })).toBe('Your game against Ada has started.');
});

test('what is put in is not filled again', () => {
  expect(say('toast.paired', { name: '{name}' })).toBe('Your game against {name} has started.');
});

test('one and several are told apart', () => {
  expect(say('count.games', { n: 1 })).toBe('1 game');
  expect(say('count.games', { n: 0 })).toBe('0 games');
});

test('a name from the wire that the catalogue lacks stands for itself', () => {
  expect(nameOf('variant', 'chess960')).toBe('Chess960');
  expect(nameOf('variant', 'three_checks')).toBe('three checks');
  expect(isKey('toString')).toBe(false);
});

test('what the server says is a sentence in the time of the person', () => {
  const at = Date.UTC(2026, 10, 21, 16, 11);
  expect(sentence('you may not write until 2026-11-21 16:11 UTC: insults')).toBe(
    `You may not write until ${instant(at)}: insults.`,
  );
  expect(sentence('no day is 2026-99-99 16:11 UTC!')).toBe('No day is 2026-99-99 16:11 UTC!');
  expect(sentence('')).toBe('');
});

test('a refusal leaves out the field, which programs are told', () => {
  expect(refusal({ message: 'to: there is no user Xerxes' })).toBe('There is no user Xerxes.');
  expect(refusal({ message: 'somebody was faster: that seek is taken' })).toBe('Somebody was faster: that seek is taken.');
});
