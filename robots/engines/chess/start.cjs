// Runs Fairy-Stockfish of the npm package fairy-stockfish-nnue.wasm as a UCI engine: node start.cjs PATH/stockfish.js
//
// Emscripten's loader would fetch its .wasm file if there is a global fetch, which Node has and which reads no files.
delete globalThis.fetch;

const readline = require('node:readline');

const load = require(process.argv[2]);

load().then((engine) => {
  const lines = readline.createInterface({ input: process.stdin });
  lines.on('line', (line) => (line === 'quit' ? process.exit() : engine.postMessage(line)));
  lines.on('close', () => process.exit());
});
