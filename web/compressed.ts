import { readdir, readFile, writeFile } from 'node:fs/promises';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Images and fonts are compressed already. */
const TEXT = /\.(js|css|html|svg|json|webmanifest|txt)$/;

/** A packed form is kept only if it saves at least this much. */
const WORTH = 0.9;

/**
 * Writes a .br and a .gz beside each text file of the build. The server sends them as they are and compresses nothing
 * while games run.
 */
export function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    async writeBundle({ dir }) {
      if (dir === undefined) return;
      const there = await readdir(dir, { recursive: true });
      // Files of an earlier build are done.
      const names = there.filter((name) => TEXT.test(name) && !there.includes(`${name}.br`));
      await Promise.all(names.map((name) => compressFile(`${dir}/${name}`)));
    },
  };
}

async function compressFile(path: string): Promise<void> {
  const source = await readFile(path);
  for (const [suffix, packed] of Object.entries(pack(source))) await writeFile(path + suffix, packed);
}

/** The packed forms of a text that are worth keeping, by file suffix. */
export function pack(source: Uint8Array): Record<string, Uint8Array> {
  const params = {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: source.length,
  };
  const forms = { '.br': brotliCompressSync(source, { params }), '.gz': gzipSync(source, { level: 9 }) };
  return Object.fromEntries(Object.entries(forms).filter(([, packed]) => packed.length < source.length * WORTH));
}
