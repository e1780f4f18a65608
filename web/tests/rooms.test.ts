/** The rooms of `src` and what each may import, type-only imports included. */

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it, test } from 'vitest';

const SRC = resolve(import.meta.dirname, '../src');

/**
 * All rooms: a file imports only from its own room and from those above it in this list. A file that lies in `src`
 * itself is a room of its own.
 */
const ROOMS = [
  'words/en', // the texts of the page
  'words', // reads the texts, and dates
  'net', // socket, requests, subscriptions, HTTP, protocol
  'time', // clocks, time controls, speeds, public delays
  'variants', // games and their variants, rating categories
  'notation', // pieces, FEN, UCI, moves read, written and told
  'browser', // storage, sound, notifications, wake lock
  'settings', // the person's settings
  'session', // who is at the page; what App gives to all
  'state', // folds of messages: game, lobby, invitations
  'board/core', // interfaces of boards and game kinds
  'board/ground', // the board of our own
  'board/draughts', // draughts on it
  'board/star', // Chinese checkers on it
  'board/chess', // chess, on Chessground
  'board', // the board of any game
  'ui', // templates and widgets that pages share
  'access', // keyboard, screen readers, text mode
  'board/editor', // positions set up by hand, of any game
  'lobby/challenges', // invitations
  'lobby/waiting', // requests, pool and seeks that every page shows
  'simul/state', // a simul and what follows from it, pure
  'simul/text', // a simul in words
  'frame', // navigation, header, menus, toasts
  'app.ts', // the application
  'people', // accounts, profiles, lists of games, moderation
  'game/replay', // stepping through the moves
  'game/play', // seat, board and moves of a player
  'game/view', // templates of a game
  'simul/player', // a simul on the page of a player's game
  'game/laws', // games by the Laws as over a board
  'game/page', // the page of a game
  'watch', // mini boards, TV, the wall
  'lobby/seeks', // open challenges: list, graph, and who may accept them
  'lobby/page', // the other parts of the lobby's page: pools, simuls, who is online
  'lobby/form', // the form of a new game
  'simul/setup', // a simul before it starts
  'simul/live', // a simul for its host and spectators
  'imports', // games imported as PGN
  'pages', // one file per page
  'embed', // the embedded page
  'routes.ts', // addresses and pages
  'main.ts', // the entry point
] as const;

/** A room with more modules should be split. */
const MOST_MODULES = 25;

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .sort();

/** Matches `from '…'`, `import '…'`, `import('…')` and `typeof import('…')`. */
const IMPORT = /\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g;

const imports = new Map(
  files.map((file) => {
    const found = [...readFileSync(join(SRC, file), 'utf8').matchAll(IMPORT)].map(([, from]) => {
      const path = relative(SRC, resolve(SRC, dirname(file), from!));
      return path.endsWith('.ts') || path.includes('.css') ? path : `${path}.ts`;
    });
    return [file, found.filter((path) => path.endsWith('.ts'))] as const;
  }),
);

const roomOf = (file: string): string => (dirname(file) === '.' ? file : dirname(file));

/** Files that import each other, directly or through others: the strongly connected components (R. Tarjan, 1972). */
function cycles(): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (file: string) => {
    index.set(file, index.size);
    low.set(file, index.get(file)!);
    stack.push(file);
    for (const next of imports.get(file) ?? []) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(file, Math.min(low.get(file)!, low.get(next)!));
    }
    if (low.get(file) !== index.get(file)) return;
    const component = stack.splice(stack.indexOf(file));
    if (component.length > 1) found.push(component);
  };
  for (const file of files) if (!index.has(file)) visit(file);
  return found;
}

test('every import names a file of src', () => {
  const unknown = [...imports].flatMap(([file, found]) => found.filter((path) => !imports.has(path)).map((path) => `${file}: ${path}`));
  expect(unknown).toEqual([]);
});

test('no files import each other in a circle', () => {
  expect(cycles()).toEqual([]);
});

describe('rooms', () => {
  it('are all in the list', () => {
    expect([...new Set(files.map(roomOf))].sort()).toEqual([...ROOMS].sort());
  });

  it('import only from rooms above them', () => {
    const place = (file: string) => (ROOMS as readonly string[]).indexOf(roomOf(file));
    const wrong = [...imports].flatMap(([file, found]) => found.filter((path) => place(path) > place(file)).map((path) => `${file} -> ${path}`));
    expect(wrong).toEqual([]);
  });

  it('have a size that can be taken in', () => {
    const large = ROOMS.filter((room) => files.filter((file) => roomOf(file) === room).length > MOST_MODULES);
    expect(large).toEqual([]);
  });
});
