import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { confirmsMoves, DEFAULTS, settingsFrom, type Settings } from '../../src/settings/settings';
import { SettingsStore, type Remote } from '../../src/settings/store';

class Shelf {
  readonly kept = new Map<string, string>();
  getItem = (name: string) => this.kept.get(name) ?? null;
  setItem = (name: string, value: string) => void this.kept.set(name, value);
  removeItem = (name: string) => void this.kept.delete(name);
}

class Server implements Remote {
  saved: Settings[] = [];
  /** Saves by pages that were left. */
  left: Settings[] = [];
  constructor(public has: unknown = {}) {}
  load = (): Promise<unknown> => Promise.resolve(this.has);
  save = (settings: Settings, leaving = false): Promise<void> => {
    (leaving ? this.left : this.saved).push(settings);
    this.has = settings;
    return Promise.resolve();
  };
}

/** A page whose user is known. */
async function page(storage: Shelf | null, server: Remote, user: string | null = 'ada'): Promise<SettingsStore> {
  const store = new SettingsStore(storage, server);
  await store.setUser(user);
  return store;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('what is chosen is kept for the next page', () => {
  const storage = new Shelf();
  new SettingsStore(storage).set('boardTheme', 'blue');
  expect(new SettingsStore(storage).now.boardTheme).toBe('blue');
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

test.each([
  ['german', 'de'],
  ['figurine', 'figurine'],
  ['klingon', 'en'],
])('letters that were called %s are %s', (stored, letters) => {
  expect(settingsFrom({ letters: stored }).letters).toBe(letters);
});

test('broken storage gives the defaults', () => {
  const storage = new Shelf();
  storage.setItem('settings', '{oops');
  expect(new SettingsStore(storage).now).toEqual(DEFAULTS);
});

test("the server's settings come with the person", async () => {
  const settings = new SettingsStore(new Shelf(), new Server({ boardTheme: 'green' }));
  await settings.setUser('ada');
  expect(settings.now.boardTheme).toBe('green');
});

test('what was chosen before there was a person goes to the server', async () => {
  const server = new Server({ boardTheme: 'green' });
  const settings = new SettingsStore(new Shelf(), server);
  settings.set('boardTheme', 'blue');
  await settings.setUser('ada');
  await vi.runAllTimersAsync();
  expect(server.saved.map(({ boardTheme }) => boardTheme)).toEqual(['blue']);
});

test('a slider that moves is saved once', async () => {
  const server = new Server();
  const settings = new SettingsStore(new Shelf(), server);
  await settings.setUser('ada');
  for (const volume of [0.1, 0.2, 0.3]) settings.set('volume', volume);
  await vi.runAllTimersAsync();
  expect(server.saved.map(({ volume }) => volume)).toEqual([0.3]);
});

test('what could not be saved is saved by the next page', async () => {
  const storage = new Shelf();
  const failing = new Server();
  failing.save = () => Promise.reject(new Error('offline'));
  const first = new SettingsStore(storage, failing);
  await first.setUser('ada');
  first.set('zen', true);
  await vi.runAllTimersAsync();
  const server = new Server({ zen: false });
  const second = new SettingsStore(storage, server);
  await second.setUser('ada');
  await vi.runAllTimersAsync();
  expect(second.now.zen).toBe(true);
  expect(server.saved).toHaveLength(1);
});

test('what could not be saved takes nothing along that was chosen elsewhere meanwhile', async () => {
  const storage = new Shelf();
  const away = new Server();
  away.save = () => Promise.reject(new Error('offline'));
  (await page(storage, away)).set('zen', true);
  await vi.runAllTimersAsync();
  const server = new Server({ ...DEFAULTS, boardTheme: 'green', volume: 0.2 });
  const later = await page(storage, server);
  const both = { ...DEFAULTS, boardTheme: 'green', volume: 0.2, zen: true };
  expect(later.now).toEqual(both);
  expect(server.saved).toEqual([both]);
  // It is saved now, and does not overwrite later choices.
  server.has = { ...both, zen: false };
  expect((await page(storage, server)).now.zen).toBe(false);
  expect(storage.kept.has('settings.unsaved')).toBe(false);
});

test('a change goes to what the server has by now, not to what it had', async () => {
  const server = new Server({ ...DEFAULTS, boardTheme: 'blue' });
  const store = await page(new Shelf(), server);
  server.has = { ...DEFAULTS, boardTheme: 'green' }; // chosen on a phone
  store.set('zen', true);
  await vi.runAllTimersAsync();
  expect(server.saved).toEqual([{ ...DEFAULTS, boardTheme: 'green', zen: true }]);
  expect(store.now.boardTheme).toBe('green');
});

test('what one person could not save is not saved for another', async () => {
  const storage = new Shelf();
  const away = new Server();
  away.save = () => Promise.reject(new Error('offline'));
  (await page(storage, away)).set('zen', true);
  await vi.runAllTimersAsync();
  const server = new Server({ ...DEFAULTS, boardTheme: 'green' });
  const bert = await page(storage, server, 'bert');
  await vi.runAllTimersAsync();
  expect([bert.now.zen, server.saved]).toEqual([false, []]);
  expect((await page(storage, server)).now.zen).toBe(true);
});

test('a change that waits to be saved is not saved for who comes meanwhile', async () => {
  const server = new Server({ ...DEFAULTS });
  const store = await page(new Shelf(), server);
  store.set('zen', true);
  await store.setUser('bert');
  await vi.runAllTimersAsync();
  expect(server.saved).toEqual([]);
});

test('a page that is left saves at once, with what the server had', async () => {
  const storage = new Shelf();
  const server = new Server({ ...DEFAULTS, boardTheme: 'green' });
  const store = await page(storage, server);
  store.flush();
  expect(server.left).toEqual([]);
  store.set('zen', true);
  store.flush();
  store.flush(); // it was hidden first
  expect(server.left).toEqual([{ ...DEFAULTS, boardTheme: 'green', zen: true }]);
  await vi.runAllTimersAsync();
  expect(server.saved).toEqual([]);
  // The next page sees that it arrived.
  await page(storage, server);
  expect([server.saved, storage.kept.has('settings.unsaved')]).toEqual([[], false]);
});

test('a page that was only hidden sees to it that its settings arrive', async () => {
  const storage = new Shelf();
  const server = new Server({ ...DEFAULTS });
  const store = await page(storage, server);
  const { save } = server;
  server.save = () => Promise.reject(new Error('asleep'));
  store.set('zen', true);
  store.flush();
  server.save = save;
  await vi.runAllTimersAsync();
  expect([server.saved.map(({ zen }) => zen), storage.kept.has('settings.unsaved')]).toEqual([[true], false]);
});

test('a page that does not know what the server has saves nothing when it is left', async () => {
  const server = new Server();
  server.load = () => Promise.reject(new Error('503'));
  const store = await page(new Shelf(), server);
  store.set('zen', true);
  store.flush();
  await vi.runAllTimersAsync();
  expect([server.saved, server.left]).toEqual([[], []]);
});

test('what is chosen while something is saved is saved after it', async () => {
  const storage = new Shelf();
  const server = new Server({ ...DEFAULTS });
  const store = await page(storage, server);
  const { save } = server;
  server.save = async (settings) => {
    server.save = save;
    store.set('volume', 0.5);
    await save(settings);
  };
  store.set('zen', true);
  await vi.runAllTimersAsync();
  expect(server.saved.map(({ zen, volume }) => [zen, volume])).toEqual([[true, 0.7], [true, 0.5]]);
  expect([store.now.volume, storage.kept.has('settings.unsaved')]).toEqual([0.5, false]);
});

test('a browser that keeps nothing saves for the person all the same', async () => {
  const server = new Server({ ...DEFAULTS });
  (await page(null, server)).set('zen', true);
  await vi.runAllTimersAsync();
  expect(server.saved.map(({ zen }) => zen)).toEqual([true]);
});

test.each(['1', '{', 'null', '{"owner":7,"values":{"zen":"yes"}}'])('a note that says %s is none', async (note) => {
  const storage = new Shelf();
  storage.setItem('settings.unsaved', note);
  const server = new Server({ ...DEFAULTS, boardTheme: 'green' });
  expect((await page(storage, server)).now).toEqual({ ...DEFAULTS, boardTheme: 'green' });
  expect(server.saved).toEqual([]);
});

test('moves are confirmed at the speeds that were named', () => {
  const settings = settingsFrom({ confirmMoves: 'rapid correspondence' });
  expect(['bullet', 'rapid', 'correspondence'].map((speed) => confirmsMoves(settings, speed))).toEqual([false, true, true]);
});
