import { expect, test } from 'vitest';
import { elsewhere, type Choice } from '../../../src/lobby/page/waiting-elsewhere';

const LONG_MS = 60_000;

/** People who wait: `5+0 casual`. */
const waiting =
  (...people: string[]) =>
  ({ pool, rated }: Choice): number =>
    people.filter((one) => one === `${pool} ${rated ? 'rated' : 'casual'}`).length;

const rated: Choice = { pool: '5+0', rated: true };

test('rated and casual in the same pool hear of each other at once', () => {
  expect(elsewhere(rated, 0, waiting('5+0 casual', '5+0 casual'))).toEqual({ pool: '5+0', rated: false, n: 2 });
  expect(elsewhere({ ...rated, rated: false }, 0, waiting('5+0 rated'))).toEqual({ ...rated, n: 1 });
});

test('a person who has waited hears of the nearest other pool', () => {
  const others = waiting('1+0 rated', '3+2 rated', '15+10 rated', '5+3 casual');
  expect(elsewhere(rated, 0, others)).toBeNull();
  expect(elsewhere(rated, LONG_MS, others)).toEqual({ pool: '3+2', rated: true, n: 1 });
});

test('nobody is sent away from somebody who waits for the same', () => {
  expect(elsewhere(rated, LONG_MS, waiting('5+0 rated', '5+0 casual'))).toBeNull();
  expect(elsewhere(rated, LONG_MS, waiting())).toBeNull();
});
