import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { say } from '../src/words/words';
import { filled } from '../words-in-files';

const WEB = `${import.meta.dirname}/..`;

const text = async (path: string) => new TextDecoder().decode(await readFile(`${WEB}/${path}`));

test('a key stands for its text', () => {
  expect(filled('<p>{{offline.title}}</p>')).toBe(`<p>${say('offline.title')}</p>`);
});

test('a key that the catalogue lacks is an error', () => {
  expect(() => filled('{{offline.nonsense}}')).toThrow('the catalogue has no text offline.nonsense');
  expect(() => filled('{{toString}}')).toThrow();
});

describe('files say nothing but what is in the catalogue', () => {
  test('pages', async () => {
    for (const path of ['index.html', 'templates/offline.html']) {
      const html = await text(path);
      const said = html.replace(/\{\{[^}]*\}\}/g, '').replace(/<[^>]*>/g, '');
      expect(said.trim(), path).toBe('');
      expect(html.match(/\b(?:title|alt|aria-label|placeholder)="[^"{]+"/g), path).toBeNull();
      expect(filled(html), path).not.toContain('{{');
    }
  });

  test('the manifest', async () => {
    const manifest = JSON.parse(filled(await text('templates/manifest.webmanifest'))) as Record<string, unknown>;
    expect(manifest.name).toBe(say('app.name'));
    const raw = await text('templates/manifest.webmanifest');
    expect(raw.match(/"(?:short_)?(?:name|description)": "(?!\{\{)/g)).toBeNull();
  });

  test('nothing else of the root is a text to be read', async () => {
    const names = await readdir(`${WEB}/public`, { recursive: true });
    expect(names.filter((name) => /\.(html|webmanifest)$/.test(name))).toEqual([]);
  });
});
