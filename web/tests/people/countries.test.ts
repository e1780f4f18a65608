import { expect, test } from 'vitest';
import { COUNTRIES, countryName } from '../../src/people/countries';
import { FLAG_FILES } from '../../src/people/flag-files';

test('every country has a flag', () => {
  for (const [code] of COUNTRIES) expect(Object.keys(FLAG_FILES).filter((path) => path.endsWith(`/${code}.svg`))).toHaveLength(1);
});

test('countries have English names, in their order', () => {
  expect(COUNTRIES).toHaveLength(249);
  expect(countryName('DE')).toBe('Germany');
  expect(COUNTRIES[0]).toEqual(['AF', 'Afghanistan']);
  for (const [code, name] of COUNTRIES) expect(name).not.toBe(code);
});
