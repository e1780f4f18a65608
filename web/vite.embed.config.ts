import { defineConfig } from 'vite';
import { compressed } from './compressed.ts';
import { embedWords } from './embed-words.ts';
import { piecesAsText } from './pieces-as-text.ts';
import { filled } from './words-in-files.ts';

/** Build of the embedded page, after the main build. It shares no chunk with it, and is small. */
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
