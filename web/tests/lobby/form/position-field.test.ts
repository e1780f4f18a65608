import { expect, it } from 'vitest';
import { PositionField } from '../../../src/lobby/form/position-field';

const FEN = '8/8/8/4k3/8/8/4P3/4K3 w - - 0 1';
const nothing = () => undefined;

it('a refusal is shown at the field only while it has that position', () => {
  const field = new PositionField(nothing, nothing, FEN);
  expect(field.refuse('8/8/8/8/8/8/8/8 w - - 0 1', { message: 'fen: each side needs a king' })).toBe(false);
});

it('a position is set up once there is one', () => {
  expect(new PositionField(nothing, nothing, FEN).isSetUp()).toBe(true);
  expect(new PositionField(nothing, nothing).isSetUp()).toBe(false);
});
