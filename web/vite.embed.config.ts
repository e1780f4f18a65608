import { defineConfig } from 'vite';
import { compressed } from './compressed.ts';
import { embedWords } from './embed-words.ts';
import { piecesAsText } from './pieces-as-text.ts';
import { filled } from './words-in-files.ts';

/** The page of an embedded game, beside what the first build has made: it shares no file with the others, and is small. */
export default defineConfig({
  plugins: [
    { name: 'words-in-embed', transformIndexHtml: (html) => filled(html) },
    embedWords(),
    piecesAsText(),
    compressed(),
  ],
  publicDir: false,
  build: {
    outDir: '../realtime/static',
    emptyOutDir: false,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: 'embed.html' },
  },
});
