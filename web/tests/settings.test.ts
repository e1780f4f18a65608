import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { confirmsMoves, DEFAULTS, settingsFrom, SettingsStore, type Remote, type Settings } from '../src/settings';

class Shelf {
  readonly kept = new Map<string, string>();
  getItem = (name: string) => this.kept.get(name) ?? null;
  setItem = (name: string, value: string) => void this.kept.set(name, value);
  removeItem = (name: string) => void this.kept.delete(name);
}

class Server implements Remote {
  saved: Settings[] = [];
  constructor(public has: unknown = {}) {}
  load = () => Promise.resolve(this.has);
  save = (settings: Settings) => {
    this.saved.push(settings);
    return Promise.resolve();
  };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('what is chosen is kept for the next page', () => {
  const shelf = new Shelf();
  new SettingsStore(shelf).set('boardTheme', 'blue');
  expect(new SettingsStore(shelf).now.boardTheme).toBe('blue');
});

test('a listener hears of changes, and of no change', () => {
  const settings = new SettingsStore(new Shelf());
  const heard: boolean[] = [];
  const end = settings.listen((now) => heard.push(now.sound));
  settings.set('sound', false);
  settings.set('sound', false);
  end();
  settings.set('sound', true);
  expect(heard).toEqual([false]);
});

test.each([
  ['not an object', 'nonsense'],
  ['unknown names', { wings: true }],
  ['a value that is no option', { boardTheme: 'plaid' }],
  ['a number out of range', { volume: 11 }],
  ['another type', { sound: 'yes', confirmMoves: 'teatime' }],
])('%s: the default stands', (_what, stored) => {
  expect(settingsFrom(stored)).toEqual(DEFAULTS);
});

test('broken storage gives the defaults', () => {
  const shelf = new Shelf();
  shelf.setItem('settings', '{oops');
  expect(new SettingsStore(shelf).now).toEqual(DEFAULTS);
});

test("the server's settings come with the person", async () => {
  const settings = new SettingsStore(new Shelf(), new Server({ boardTheme: 'green' }));
  await settings.follow('ada');
  expect(settings.now.boardTheme).toBe('green');
});

test('what was chosen before there was a person goes to the server', async () => {
  const server = new Server({ boardTheme: 'green' });
  const settings = new SettingsStore(new Shelf(), server);
  settings.set('boardTheme', 'blue');
  await settings.follow('ada');
  await vi.runAllTimersAsync();
  expect(server.saved.map(({ boardTheme }) => boardTheme)).toEqual(['blue']);
});

test('a slider that moves is saved once', async () => {
  const server = new Server();
  const settings = new SettingsStore(new Shelf(), server);
  await settings.follow('ada');
  for (const volume of [0.1, 0.2, 0.3]) settings.set('volume', volume);
  await vi.runAllTimersAsync();
  expect(server.saved.map(({ volume }) => volume)).toEqual([0.3]);
});

test('what could not be saved is saved by the next page', async () => {
  const shelf = new Shelf();
  const failing = new Server();
  failing.save = () => Promise.reject(new Error('offline'));
  const first = new SettingsStore(shelf, failing);
  await first.follow('ada');
  first.set('zen', true);
  await vi.runAllTimersAsync();
  const server = new Server({ zen: false });
  const second = new SettingsStore(shelf, server);
  await second.follow('ada');
  await vi.runAllTimersAsync();
  expect(second.now.zen).toBe(true);
  expect(server.saved).toHaveLength(1);
});

test('moves are confirmed at the speeds that were named', () => {
  const settings = settingsFrom({ confirmMoves: 'rapid correspondence' });
  expect(['bullet', 'rapid', 'correspondence'].map((speed) => confirmsMoves(settings, speed))).toEqual([false, true, true]);
});
