import { defineConfig } from 'vitest/config';
import { compressed } from './compressed.ts';
import { piecesAsText } from './pieces-as-text.ts';
import { robotEngine } from './robot-engine.ts';
import { wordsInFiles } from './words-in-files.ts';

const SERVER = 'http://127.0.0.1:8000';

export default defineConfig({
  plugins: [wordsInFiles(), piecesAsText(), compressed(), robotEngine()],
  build: {
    outDir: '../realtime/static',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // a file keeps its own name and hash
    modulePreload: { polyfill: false }, // the polyfill would be an inline script
    // The first page is one chunk. Otherwise each module that a later chunk shares would be its own, and a browser with
    // six connections would wait another round trip for the board.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } } },
  },
  server: {
    proxy: { '/api': SERVER, '/ws': { target: SERVER, ws: true } },
  },
  test: { include: ['tests/**/*.test.ts'], css: true },
});
