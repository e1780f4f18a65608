import { readdir, readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';
import { EN } from './src/words/en.ts';
import { say, type PlainKey } from './src/words/words.ts';

const TEMPLATES = `${import.meta.dirname}/templates`;

const PLACE = /\{\{([^}]*)\}\}/g;

/**
 * Texts outside scripts: `{{key}}` in index.html and in the files of templates/, which go to the root, is replaced by a
 * text of the catalogue. An unknown key fails the build.
 */
export function wordsInFiles(): Plugin {
  return {
    name: 'words-in-files',
    transformIndexHtml: (html) => filled(html),
    async generateBundle() {
      for (const fileName of await readdir(TEMPLATES, { recursive: true })) {
        const template = new TextDecoder().decode(await readFile(`${TEMPLATES}/${fileName}`));
        this.emitFile({ type: 'asset', fileName, source: filled(template) });
      }
    },
  };
}

/** Texts that are safe in both HTML and JSON. */
export function filled(template: string): string {
  return template.replace(PLACE, (_whole, key: string) => {
    if (!Object.hasOwn(EN, key)) throw new Error(`the catalogue has no text ${key}`);
    return escaped(say(key as PlainKey));
  });
}

function escaped(text: string): string {
  if (/["\\&<>]/.test(text)) throw new Error(`neither HTML nor JSON takes this as it is: ${text}`);
  return text;
}
