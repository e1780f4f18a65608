import { expect, test } from 'vitest';
import { COUNTRIES, countryName, emojiFlag } from '../../src/people/countries';

test('a flag is two regional indicators', () => {
  expect(emojiFlag('NL')).toBe('🇳🇱');
  expect(emojiFlag('ZW')).toBe('🇿🇼');
});

test('countries have English names, in their order', () => {
  expect(COUNTRIES).toHaveLength(249);
  expect(countryName('DE')).toBe('Germany');
  expect(COUNTRIES[0]).toEqual(['AF', 'Afghanistan']);
  for (const [code, name] of COUNTRIES) expect(name).not.toBe(code);
});
