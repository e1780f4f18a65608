import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { oncePerBrowser } from '../../src/browser/once-per-browser';
import { Bans } from '../../src/frame/bans';
import { OpponentField } from '../../src/lobby/form/opponent-field';
import type { Challenge, Notice } from '../../src/net/protocol';
import { Invitations } from '../../src/state/invitations';

const challenge = (id: string, from: string) => ({ t: 'challenge', challenge: id, from: { id: from }, to: null }) as Challenge;

beforeEach(() => vi.useFakeTimers());

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('invitations are told apart by who sent them, and go when they are gone', () => {
  const invitations = new Invitations();
  invitations.receive(challenge('a', 'me'));
  invitations.receive(challenge('b', 'other'));
  invitations.receive(challenge('b', 'other'));
  expect(invitations.by('me').map((card) => card.challenge)).toEqual(['a']);
  expect(invitations.to('me').map((card) => card.challenge)).toEqual(['b']);
  invitations.receive({ t: 'challenge.away', challenge: 'b', away: true });
  expect(invitations.isAway('b')).toBe(true);
  invitations.receive({ t: 'challenge.away', challenge: 'b', away: false });
  expect(invitations.isAway('b')).toBe(false);
  invitations.receive({ t: 'challenge.away', challenge: 'b', away: true });
  invitations.receive({ t: 'challenge.gone', challenge: 'b', why: 'expired' });
  expect(invitations.to('me')).toEqual([]);
  expect(invitations.isAway('b')).toBe(false);
  invitations.clear();
  expect(invitations.get('a')).toBeUndefined();
});

test('of several tabs the one that is looked at tells, and only it', () => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
  };
  const [hidden, seen] = [vi.fn(), vi.fn()];
  vi.stubGlobal('document', { hidden: true });
  oncePerBrowser(storage, 'a', hidden);
  vi.stubGlobal('document', { hidden: false });
  oncePerBrowser(storage, 'a', seen);
  vi.runAllTimers();
  expect(seen).toHaveBeenCalledOnce();
  expect(hidden).not.toHaveBeenCalled();

  vi.stubGlobal('document', { hidden: true });
  oncePerBrowser(storage, 'b', hidden);
  vi.runAllTimers();
  expect(hidden).toHaveBeenCalledOnce();
});

test('where the browser keeps nothing every tab tells', () => {
  vi.stubGlobal('document', { hidden: false });
  const tell = vi.fn();
  const full = {
    getItem: () => null,
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  };
  oncePerBrowser(null, 'a', tell);
  oncePerBrowser(full, 'a', tell);
  expect(tell).toHaveBeenCalledTimes(2);
});

test('a ban lasts until its end, and is news once', () => {
  const changed = vi.fn();
  const bans = new Bans(() => Date.now(), changed);
  const ban: Notice & { until: number } = { t: 'notice', code: 'ban', text: 'You may not …', until: Date.now() + 40 * 86_400_000, what: 'left' };
  expect(bans.receive(ban)).toBe(false);
  expect(bans.receive({ ...ban })).toBe(true);
  expect(bans.receive({ ...ban, until: ban.until + 1 })).toBe(false);
  // Longer than a browser can wait at once.
  vi.advanceTimersByTime(39 * 86_400_000);
  expect(changed).not.toHaveBeenCalled();
  vi.advanceTimersByTime(2 * 86_400_000);
  expect(changed).toHaveBeenCalledOnce();
  bans.receive({ ...ban, until: Date.now() + 1_000 });
  bans.receive({ t: 'notice', code: 'unban', text: 'You can play again.', until: null, what: null });
  expect(bans.receive({ ...ban, until: Date.now() + 1_000 })).toBe(false);
  expect(bans.receive({ t: 'paired', g: 'a', missed: true })).toBe(false);
  bans.clear();
});

test.each([
  ['Anna', null],
  [' Anna ', null],
  ['Guest-DJ5BD', null],
  ['a', 'create.fault.name'],
  ['self please', 'create.fault.name'],
  ['../x', 'create.fault.name'],
  ['', null],
])('the name %j is a name: %s', (name, fault) => {
  expect(new OpponentField(name, { min: '', max: '' }, () => undefined).nameFault('Berta')).toBe(fault);
});

test('nobody invites himself by name, however he writes it', () => {
  expect(new OpponentField('berta', { min: '', max: '' }, () => undefined).nameFault('Berta')).toBe('create.fault.self');
});

test('a range is for whoever comes, not for a name', () => {
  const range = { min: '1600', max: '' };
  expect(new OpponentField('Anna', range, () => undefined).bounds()).toEqual({ min_rating: null, max_rating: null });
  expect(new OpponentField(null, range, () => undefined).bounds()).toEqual({ min_rating: 1600, max_rating: null });
  expect(new OpponentField(null, { min: '1800', max: '1600' }, () => undefined).rangeFault()).toBe('create.fault.range');
});
