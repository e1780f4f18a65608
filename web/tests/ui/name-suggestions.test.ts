import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { NameSuggestions } from '../../src/ui/name-suggestions';
import { text } from '../ui/template-text';

let asked: string[];
let respond: (q: string) => Response;
const changed = vi.fn<() => void>();
let names: NameSuggestions;

const found = (...users: string[]) => new Response(JSON.stringify({ users: users.map((name) => ({ name })), game: null }));

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  changed.mockClear();
  respond = () => found('Anna', 'Anton');
  vi.stubGlobal('fetch', (address: string) => {
    const q = address.split('q=')[1]!;
    asked.push(q);
    return Promise.resolve(respond(q));
  });
  names = new NameSuggestions('people', changed);
});

afterEach(() => {
  names.close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const type = async (...typed: string[]) => {
  for (const one of typed) names.typed(one);
  await vi.advanceTimersByTimeAsync(300);
};

it('asks once one stops typing, and offers what was found', async () => {
  await type('A', 'An', ' Ann ');
  expect(asked).toEqual(['Ann']);
  expect(changed).toHaveBeenCalledTimes(1);
  expect(text(names.draw(), true)).toContain('Anton');
});

it('does not ask for what is chosen, empty or no name', async () => {
  await type('An');
  await type('Anna');
  await type('');
  await type('no name!');
  expect(asked).toEqual(['An']);
});

it('does not ask again for a while after the server had enough of it', async () => {
  respond = () => new Response('', { status: 429, headers: { 'Retry-After': '5' } });
  await type('An');
  await type('Ann');
  expect(asked).toEqual(['An']);
  await vi.advanceTimersByTimeAsync(5_000);
  respond = () => found('Anna');
  await type('An');
  expect(asked).toEqual(['An', 'An']);
  expect(changed).toHaveBeenCalledTimes(1);
});

it('is silent once its field is gone', async () => {
  names.typed('An');
  names.close();
  await vi.advanceTimersByTimeAsync(1_000);
  expect([asked, changed.mock.calls]).toEqual([[], []]);
});
