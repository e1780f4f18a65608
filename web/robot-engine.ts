import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

const SOURCE = `${import.meta.dirname}/node_modules/fairy-stockfish-nnue.wasm`;

const TARGET = `${import.meta.dirname}/../robots/engines/chess/wasm`;

const FILES = ['stockfish.js', 'stockfish.wasm', 'stockfish.worker.js', 'package.json', 'Copying.txt', 'AUTHORS'];

/** Puts the robots' chess engine, with its licence, into the Python package that runs it. Nothing of it is in the page. */
export function robotEngine(): Plugin {
  return {
    name: 'robot-engine',
    apply: 'build',
    async closeBundle() {
      await mkdir(TARGET, { recursive: true });
      await Promise.all(FILES.map(async (file) => writeFile(`${TARGET}/${file}`, await readFile(`${SOURCE}/${file}`))));
    },
  };
}
