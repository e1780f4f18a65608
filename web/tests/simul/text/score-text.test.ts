import { expect, test } from 'vitest';
import { scoreText } from '../../../src/simul/text/score-text';

test.each([
  [{ wins: 0, draws: 0, losses: 0 }, '0 wins · 0 draws · 0 losses'],
  [{ wins: 1, draws: 1, losses: 1 }, '1 win · 1 draw · 1 loss'],
])('%j is %s', (score, text) => {
  expect(scoreText(score)).toBe(text);
});
