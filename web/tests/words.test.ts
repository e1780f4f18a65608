import { expect, test } from 'vitest';
import { isKey, nameOf, say } from '../src/words';

test('a text is filled with its parameters', () => {
  expect(say('strip.against', { name: 'Ada' })).toBe('Your game with Ada');
});

test('what is put in is not filled again', () => {
  expect(say('strip.against', { name: '{name}' })).toBe('Your game with {name}');
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
