import { expect, test } from 'vitest';
import { newGameAt } from '../../../src/lobby/waiting/new-game';

test.each([
  ['/', '', null],
  ['/', '?create', {}],
  ['/', '?create=turkish', { variant: 'turkish' }],
  ['/', '?editor', { editor: true }],
  ['/', '?to=Nora', { to: 'Nora' }],
  ['/', '?to=', {}],
  ['/', '?to=a%20b&create', { to: 'a b' }],
  ['/', '?robot', { robot: true }],
  ['/', '?robot=8', { robot: true, level: 8 }],
  ['/', '?robot=9', { robot: true }],
  ['/user/Nora', '?create', null],
  ['/game/abc', '?to=Nora', null],
])('the address %s%s opens the form with %o', (pathname, search, wanted) => {
  expect(newGameAt({ pathname, search })).toEqual(wanted);
});
