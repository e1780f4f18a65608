import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isSaid } from '../../embed-words';
import { embedLookOf, snippet } from '../../src/settings/embed-look';
import { EN } from '../../src/words/en';

const looks = (search: string) => embedLookOf(new URLSearchParams(search));

describe('an embedded game', () => {
  it('looks as its address says', () => {
    expect(looks('theme=dark&board=green&pieces=letters&bottom=b')).toEqual({ theme: 'dark', board: 'green', pieces: 'letters', bottom: 'b' });
  });

  it('looks as usual where nobody knows what is said', () => {
    expect(looks('theme=pink&board=<x>&bottom=up')).toEqual({ theme: 'system', board: 'brown', pieces: 'cburnett', bottom: null });
    expect(looks('')).toEqual(looks('theme=system'));
  });

  it('is put into a page by a line of HTML', () => {
    expect(snippet('https://example.org', 'abc', 'A – "B" & <C>', { theme: 'system', board: 'brown', bottom: null })).toBe(
      '<iframe src="https://example.org/embed/game/abc" width="400" height="480" title="A – &quot;B&quot; &amp; &lt;C&gt;" style="border:0" allow="fullscreen" loading="lazy"></iframe>',
    );
    expect(snippet('https://example.org', 'abc', '', { theme: 'dark', board: 'blue', bottom: 'b' })).toContain(
      'src="https://example.org/embed/game/abc?theme=dark&amp;board=blue&amp;bottom=b"',
    );
  });
});

/** Modules that the small page imports, without the catalogue. */
function modulesOf(path: string, known = new Set<string>()): Set<string> {
  if (known.has(path) || path.includes('/words/')) return known;
  known.add(path);
  for (const [, from] of readFileSync(path, 'utf8').matchAll(/^(?:import|export)\s(?!type\b)[^;]*?from '(\.[^']+)'/gm)) {
    modulesOf(resolve(dirname(path), from!.endsWith('.ts') ? from! : `${from}.ts`), known);
  }
  return known;
}

it('the small page has all the texts that its modules say', () => {
  const modules = [...modulesOf(resolve(import.meta.dirname, '../../src/embed/main.ts'))];
  expect(modules.length).toBeGreaterThan(15);
  const lacking = modules.flatMap((path) => {
    // Message types are named like texts in some places.
    const source = readFileSync(path, 'utf8').replace(/\/\*[^]*?\*\//g, '').replace(/message\.t === '[\w.]+'/g, '');
    if (path.endsWith('protocol.gen.ts')) return [];
    const keys = Object.keys(EN).filter((key) => source.includes(`'${key}'`));
    // Of a computed key the start is there.
    const begun = [...source.matchAll(/`([a-z-]+(?:\.[a-z-]+)*\.)\$\{/g)].map(([, start]) => start!);
    const named = [...source.matchAll(/nameOf\('([\w.-]+)'/g)].map(([, prefix]) => `${prefix}.`);
    const whole = Object.keys(EN).filter((key) => [...begun, ...named].some((start) => key.startsWith(start)));
    return [...keys, ...whole].filter((key) => !isSaid(key)).map((key) => `${path.split('/src/')[1]}: ${key}`);
  });
  expect(lacking).toEqual([]);
});
