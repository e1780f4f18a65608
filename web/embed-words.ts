import type { Plugin } from 'vite';
import { EN } from './src/words/en.ts';

/** Keys of the texts that the embedded page and the modules it shares with the others use. Tests hold it to them. */
export const SAID = [
  ...['app.name', 'app.loading', 'missing.game', 'nobody', 'count.watching', 'person.bot', 'person.bot.called'],
  ...['rating.provisional', 'embed.link', 'embed.noscript', 'own.move', 'do.simul', 'count.boards'],
  ...['line.', 'refused.', 'tempo.', 'clock.', 'speed.', 'variant.', 'side.', 'reason.', 'end.', 'later.', 'shown.', 'watch.spoken'],
] as const;

/** Whether the embedded page has the text `key`. An entry that ends with a dot is a prefix. */
export const isSaid = (key: string): boolean => SAID.some((said) => key === said || (/\.$|^watch/.test(said) && key.startsWith(said)));

/** The catalogue without the texts that the embedded page never uses, which are most of it. */
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
