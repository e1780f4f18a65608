import type { Plugin } from 'vite';
import { EN } from './src/words/en.ts';

/** What the page of an embedded game and the modules that it shares with the others say; tests hold it to them. */
export const SAID = [
  ...['app.name', 'app.loading', 'missing.game', 'nobody', 'count.watching', 'person.bot', 'person.bot.called'],
  ...['rating.provisional', 'embed.link', 'embed.noscript'],
  ...['line.', 'refused.', 'tempo.', 'clock.', 'speed.', 'variant.', 'side.', 'reason.', 'end.', 'later.', 'shown.', 'watch.spoken'],
] as const;

/** Whether the small page has the text `key`: those that end with a dot stand for all that begin so. */
export const isSaid = (key: string): boolean => SAID.some((said) => key === said || (/\.$|^watch/.test(said) && key.startsWith(said)));

/** The catalogue without what the page never says: most of it. */
export function embedWords(): Plugin {
  return {
    name: 'embed-words',
    enforce: 'pre',
    load(id) {
      if (!id.endsWith('/src/words/en.ts')) return null;
      const few = Object.fromEntries(Object.entries(EN).filter(([key]) => isSaid(key)));
      return `export const EN = ${JSON.stringify(few)};`;
    },
  };
}
