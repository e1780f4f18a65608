import { html, nothing } from 'lit-html';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { changesOf, HostExtension } from '../../../src/simul/live/host-extension';
import { heldAt, prepares } from '../../../src/simul/state/host-distance';
import { text } from '../../ui/template-text';
import { board, snapshot } from '../boards';

const form = (filled: Record<string, string>) => ({ get: (name: string) => filled[name] ?? null });

describe('what is asked for of a board', () => {
  it('is only what has been changed', () => {
    expect(changesOf(board(1), '', form({ player: '60', host: '0', note: ' left-handed ' }))).toEqual({ player_extra_s: 60, note: 'left-handed' });
    expect(changesOf(board(1, { host_extra_s: 5 }), 'a', form({ player: '0', host: '30', note: '' }))).toEqual({ host_extra_s: 30, note: '' });
  });

  it('is nothing where nothing is', () => {
    expect(changesOf(board(1, { player_extra_s: 60 }), 'a', form({ player: '60', note: 'a' }))).toBeNull();
  });

  it('takes back no time that was given', () => {
    expect(changesOf(board(1, { player_extra_s: 60 }), '', form({ player: '20' }))).toBeNull();
    expect(changesOf(board(1, { player_extra_s: 60 }), '', form({ player: 'x' }))).toBeNull();
  });

  it('leaves alone what the form does not have', () => {
    expect(changesOf(board(1, { host_extra_s: 60 }), 'a', form({ note: 'b' }))).toEqual({ note: 'b' });
  });
});

describe('why clocks stand', () => {
  const clock = { w: 0, b: 0, run: 'b', at: 0, held: 'round' } as const;

  it('is told by the game, or without clocks by the store', () => {
    expect(heldAt(board(1, { clock }), { clock: { ...clock, held: 'countdown' } })).toBe('countdown');
    expect(heldAt(board(1, { clock }), { clock: null })).toBe('round');
    expect(heldAt(board(1, { clock }), null)).toBe('round');
  });

  it('tells whether a move is made ready', () => {
    const now = snapshot({ mode: 'round', at: 1 });
    expect(prepares(now, board(1), 'round')).toBe(true);
    expect(prepares(now, board(1), 'countdown')).toBe(false);
    expect(prepares(now, board(2), undefined)).toBe(true);
  });
});

describe('Whether the host may move', () => {
  afterEach(() => void vi.unstubAllGlobals());

  const may = (at: number | null, going: boolean, held?: string) => {
    vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined }));
    const one = board(1, held === undefined ? {} : { clock: { w: 0, b: 0, run: null, at: 0, held } });
    const store = { now: snapshot({ you: 'host', mode: 'round', status: 'running', at }), boardOf: () => one };
    return new HostExtension({ changed: () => undefined } as never, 's1', store as never, { going } as never).mayMove({ g: 'g1', clock: one.clock } as never);
  };

  it('in a round is only where they are', () => {
    expect(may(1, false)).toBe(true);
    expect(may(2, false)).toBe(false);
  });

  it('is soon where they come to', () => {
    expect(may(2, true)).toBe('soon');
    expect(may(1, false, 'round')).toBe('soon');
  });
});

describe('The tabs below the board', () => {
  afterEach(() => void vi.unstubAllGlobals());

  function tabs(small: boolean): { drawn(heard: number): string; turn(tab: 'chat' | 'tools'): void } {
    vi.stubGlobal('matchMedia', () => ({ matches: small, addEventListener: () => undefined }));
    const extension = new HostExtension({ changed: () => undefined } as never, 's1', {} as never, {} as never);
    return {
      drawn: (heard) => text(extension.beside(html`about`, { drawn: html`lines`, heard }), true),
      turn: (tab) => (extension as unknown as { turn(tab: string): void }).turn(tab),
    };
  }

  const selected = (drawn: string) => [...drawn.matchAll(/aria-selected=(\w+)/g)].map(([, is]) => is);

  it('mark what others have written since the chat was shown', () => {
    const { drawn, turn } = tabs(false);
    expect(drawn(3)).not.toContain('new messages');
    turn('tools');
    expect(drawn(3)).not.toContain('new messages');
    expect(drawn(4)).toContain('new messages');
    turn('chat');
    expect(drawn(4)).not.toContain('new messages');
    turn('tools');
    // Another board begins with none.
    expect(drawn(0)).not.toContain('new messages');
    expect(drawn(1)).toContain('new messages');
  });

  it('keep the chat in the page', () => {
    const { drawn, turn } = tabs(false);
    turn('tools');
    expect(drawn(0)).toContain('lines');
  });

  it('select none on a small screen until one is opened', () => {
    const { drawn, turn } = tabs(true);
    expect(selected(drawn(0))).toEqual(['false', 'false']);
    expect(drawn(1)).toContain('new messages');
    turn('tools');
    expect(selected(drawn(1))).toEqual(['false', 'true']);
    turn('tools');
    expect(selected(drawn(1))).toEqual(['false', 'false']);
    expect(selected(tabs(false).drawn(0))).toEqual(['true', 'false']);
  });

  it('are the tools alone without a chat', () => {
    vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined }));
    const extension = new HostExtension({ changed: () => undefined } as never, 's1', {} as never, {} as never);
    expect(selected(text(extension.beside(html`about`, { drawn: nothing, heard: 0 }), true))).toEqual(['true']);
  });
});
