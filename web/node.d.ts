/** The parts of Node that the build and its tests use. With all of @types/node pages could import it too. */

declare module 'node:fs' {
  export function readdirSync(path: string, options: { recursive: true; encoding: 'utf8' }): string[];
  export function readFileSync(path: string, encoding: 'utf8'): string;
}

declare module 'node:path' {
  export function dirname(path: string): string;
  export function join(...paths: string[]): string;
  export function relative(from: string, to: string): string;
  export function resolve(...paths: string[]): string;
}

declare module 'node:fs/promises' {
  export function mkdir(path: string, options: { recursive: true }): Promise<string | undefined>;
  export function readdir(path: string, options: { recursive: true }): Promise<string[]>;
  export function readFile(path: string): Promise<Uint8Array>;
  export function writeFile(path: string, data: Uint8Array): Promise<void>;
}

declare module 'node:zlib' {
  export const constants: { BROTLI_PARAM_MODE: number; BROTLI_MODE_TEXT: number; BROTLI_PARAM_SIZE_HINT: number };
  export function brotliCompressSync(data: Uint8Array, options: { params: Record<number, number> }): Uint8Array;
  export function gzipSync(data: Uint8Array, options: { level: number }): Uint8Array;
}

interface ImportMeta {
  /** The directory of the module. */
  readonly dirname: string;
}
