import { expect, test } from 'vitest';
import { remember, remembered, type Choices } from '../../../src/lobby/form/remembered';
import { newTempo } from '../../../src/time/control-draft';

class StorageStub {
  constructor(public kept: string | null = null) {}
  getItem = () => this.kept;
  setItem = (_name: string, value: string) => void (this.kept = value);
}

const VARIANTS = ['standard', 'chess960'];
const ANY = { min: '', max: '' };
const FIRST: Choices = { tempo: newTempo(), variant: 'standard', color: 'random', rated: true, rules: 'online', later: 'none', range: ANY };

const read = (stored: unknown) => remembered(new StorageStub(JSON.stringify(stored)), VARIANTS);

test('time and variant are chosen again, and nothing else', () => {
  const storage = new StorageStub();
  const tempo = { ...newTempo(), pick: 'custom', kind: 'delay', minutes: 2.5, seconds: 3 } as const;
  const choices: Choices = { tempo, variant: 'chess960', color: 'b', rated: false, rules: 'online', later: '5 min', range: { min: '1600', max: '' } };
  remember(storage, choices);
  expect(remembered(storage, VARIANTS)).toEqual({ ...FIRST, tempo, variant: 'chess960' });
});

test.each([null, '', '{', 'null', '7', '"5+0"', '[]', '{"tempo":7,"variant":null,"rated":"yes","color":"x","range":{"min":1e9,"max":"<b>"}}'])(
  'a form with %s on the storage is the first form',
  (kept) => {
    expect(remembered(new StorageStub(kept), VARIANTS)).toEqual(FIRST);
  },
);

test('without a storage it is the first form, and nothing fails', () => {
  expect(remembered(null, VARIANTS)).toEqual(FIRST);
  remember(null, FIRST);
});

test('a full storage is no failure', () => {
  const full = {
    getItem: () => null,
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  };
  remember(full, FIRST);
});

test('one part that is not known any more does not take the others with it', () => {
  const tempo = { ...newTempo(), pick: '3+2' };
  expect(read({ tempo, variant: 'three_checks' })).toEqual({ ...FIRST, tempo });
  // An older page kept more.
  expect(read({ tempo, color: 'w', rated: false, later: '5 min' })).toEqual({ ...FIRST, tempo });
});

test.each([
  { pick: '4+4' },
  { pick: 'custom', minutes: 0, seconds: 0 },
  { pick: 'custom', minutes: 1e9 },
  { pick: 'custom', minutes: 'many' , seconds: -1 },
  { pick: 'days', days: 15 },
  { pick: 'custom', kind: 'periods', periods: [{ moves: null, minutes: 5, inc_s: 0 }, { moves: null, minutes: 5, inc_s: 0 }] },
])('a control that could not be asked for is not offered: %o', (tempo) => {
  expect(read({ tempo }).tempo).toEqual(newTempo());
});

test.each([[[]], [[null]], [[{ moves: 40 }]], ['periods'], [Array(11).fill({ moves: 1, minutes: 1, inc_s: 0 })]])(
  'periods that are none are left out: %j',
  (periods) => {
    expect(read({ tempo: { ...newTempo(), pick: '1+0', periods } }).tempo).toEqual({ ...newTempo(), pick: '1+0' });
  },
);

test('an emptied field is filled again', () => {
  const storage = new StorageStub();
  remember(storage, { ...FIRST, tempo: { ...newTempo(), pick: '1+0', minutes: NaN } });
  expect(remembered(storage, VARIANTS).tempo).toEqual({ ...newTempo(), pick: '1+0' });
});
