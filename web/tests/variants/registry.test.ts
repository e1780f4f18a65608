import { expect, test } from 'vitest';
import { abilitiesOf, DEFAULT_VARIANT, families, gameOf, losingOf, plainOf, scoreFormatOf, turnIn, VARIANTS } from '../../src/variants/registry';
import { shortName } from '../../src/variants/short-name';
import { isKey, variantName } from '../../src/words/words';

test('every variant of the server has a name, one among its family, and a text on how it is played', () => {
  for (const variant of VARIANTS) {
    expect(isKey(`variant.${variant}`), variant).toBe(true);
    expect(isKey(`family.${gameOf(variant).game}`), variant).toBe(true);
    expect(isKey(`how.${plainOf(variant)}`), variant).toBe(true);
    for (const profile of gameOf(variant).profiles) expect(isKey(`rules.${profile}`), profile).toBe(true);
  }
  expect(new Set(VARIANTS.map(variantName)).size).toBe(VARIANTS.length);
  for (const [, variants] of families()) expect(new Set(variants.map(shortName)).size).toBe(variants.length);
});

test('families keep the order of their variants, and lose none', () => {
  expect(families().flatMap(([, variants]) => variants)).toEqual(VARIANTS);
  expect(families(['standard'])).toEqual([['chess', ['standard']]]);
  expect(families([])).toEqual([]);
});

test('what goes without saying is standard chess', () => {
  expect(DEFAULT_VARIANT).toBe('standard');
  expect(gameOf('standard')).toMatchObject({ game: 'chess', begins: 'w', starts: 1 });
  expect(scoreFormatOf('chess960')).toBe('pgn');
  expect(abilitiesOf('chess960')).toMatchObject({ claims: true, textMode: true });
});

test('of a variant that is not known yet nothing is expected', () => {
  expect(gameOf('three-checks').profiles).toEqual(['online']);
  expect(abilitiesOf('three-checks')).toMatchObject({ claims: false, textMode: false });
  expect(losingOf('three-checks')).toBeNull();
  expect(plainOf('losing-three-checks')).toBe('losing-three-checks');
  expect(gameOf('toString').game).toBe('');
});

test.each([
  ['rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1', 'b'],
  ['8/8/8/8 w', 'w'],
  ['W:W31-50:B1-20', 'w'],
  [' b:Wc3:Bh8.', 'b'],
  ['1/2/3/4w2/10b b', 'b'],
  ['8/8/8/8', null],
  ['', null],
])('in %s %s is to move', (position, turn) => {
  expect(turnIn(position)).toBe(turn);
});

test('what is played to lose is another variant of the same game', () => {
  for (const variant of VARIANTS) {
    expect(gameOf(plainOf(variant)).game).toBe(gameOf(variant).game);
    const losing = losingOf(variant);
    if (losing !== null) expect(plainOf(losing)).toBe(variant);
  }
});
