import { beforeEach, expect, it } from 'vitest';
import { ScoreSheet } from '../../../src/game/laws/score-sheet';

let sent: object[];
let answer: (done: object | undefined) => void;
let sheet: ScoreSheet;

beforeEach(() => {
  sent = [];
  const change = (message: object) => {
    sent.push(message);
    return new Promise((resolve) => (answer = resolve as typeof answer));
  };
  const app = { attempt: (what: () => Promise<unknown>) => what(), changed: () => undefined, settings: { now: { letters: 'en' } } };
  type Arguments = ConstructorParameters<typeof ScoreSheet>;
  const seat = { socketOf: () => ({ change }) };
  sheet = new ScoreSheet(...([app, 'abc', seat, null] as unknown as Arguments));
});

it('empties the field as it sends what was written', async () => {
  const input = { value: ' e4 ' };
  const writing = sheet.write('w', 0, input);
  expect(input.value).toBe('');
  expect(sent).toEqual([{ t: 'write', g: 'abc', ply: 0, text: 'e4', language: 'en' }]);
  input.value = 'e5';
  answer({ t: 'ok' });
  await writing;
  expect(input.value).toBe('e5');
});

it('puts back what was refused, unless the next text has been begun', async () => {
  const input = { value: 'e4' };
  let writing = sheet.write('w', 0, input);
  answer(undefined);
  await writing;
  expect(input.value).toBe('e4');
  writing = sheet.write('w', 0, input);
  input.value = 'e5';
  answer(undefined);
  await writing;
  expect(input.value).toBe('e5');
});

it('writes one move at a time', async () => {
  const input = { value: 'e4' };
  const writing = sheet.write('w', 0, input);
  input.value = 'e5';
  await sheet.write('w', 0, input);
  expect(sent).toHaveLength(1);
  expect(input.value).toBe('e5');
  answer({ t: 'ok' });
  await writing;
});
