/** Every transition and animation respects the wish for less motion. */

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const SRC = resolve(import.meta.dirname, '../../src');
const read = (file: string) => readFileSync(join(SRC, file), 'utf8');
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' });

test('one rule turns off all animations of the style sheets', () => {
  const [, body = ''] = /:root\[data-still='true'\] ::after \{([^}]*)\}/.exec(read('styles/base.css')) ?? [];
  for (const property of ['animation: none', 'transition: none', 'scroll-behavior: auto']) {
    expect(body).toContain(`${property} !important;`);
  }
  // The embedded page has no settings.
  expect(read('styles/embed.css')).toMatch(/@media \(prefers-reduced-motion: reduce\) \{[^}]*animation: none !important;/);
});

test('no other rule overrides it', () => {
  const sheets = files.filter((file) => file.endsWith('.css') && !/(base|embed)\.css$/.test(file));
  for (const sheet of sheets) expect(read(sheet), sheet).not.toMatch(/(animation|transition|scroll-behavior)[^;}]*!important/);
});

test('scripts that move something ask first', () => {
  const scripts = files.filter((file) => file.endsWith('.ts'));
  const moving = scripts.filter((file) => /\.animate\(|behavior: '?smooth|behavior = |startViewTransition/.test(read(file)));
  // The pieces of a board, whose duration is 0 then, and scrolling to the board.
  expect(moving.sort()).toEqual(['board/ground/piece-animation.ts', 'game/play/game-board.ts']);
  expect(read('game/play/game-board.ts').match(/reducesMotion\(/g)).toHaveLength(2);
});
