import { describe, expect, it } from 'vitest';
import { pack } from '../compressed';

const text = new TextEncoder().encode('a board people want to play on, '.repeat(200));

describe('pack', () => {
  it('gives both forms of a text, brotli the smaller one', () => {
    const forms = pack(text);
    expect(Object.keys(forms)).toEqual(['.br', '.gz']);
    expect(forms['.br']!.length).toBeLessThan(forms['.gz']!.length);
    expect(forms['.gz']!.length).toBeLessThan(text.length / 10);
  });

  it('is the text again when unpacked', async () => {
    const stream = new Blob([pack(text)['.gz'] as BlobPart]).stream().pipeThrough(new DecompressionStream('gzip'));
    expect(new Uint8Array(await new Response(stream).arrayBuffer())).toEqual(text);
  });

  it('gives nothing where nothing is saved', () => {
    expect(pack(crypto.getRandomValues(new Uint8Array(1000)))).toEqual({});
  });
});
