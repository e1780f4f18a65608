import type { Plugin } from 'vite';

const DATA_IMAGE = /data:image\/svg\+xml;base64,([A-Za-z0-9+/=]+)/g;

/**
 * Chessground's style sheet carries its pieces as data: addresses, which the page's
 * Content-Security-Policy (img-src 'self') refuses: write each one out as an asset beside the sheet.
 */
export function piecesAsFiles(): Plugin {
  return {
    name: 'pieces-as-files',
    apply: 'build',
    generateBundle(_options, bundle) {
      for (const sheet of Object.values(bundle)) {
        if (sheet.type !== 'asset' || !sheet.fileName.endsWith('.css')) continue;
        const css = typeof sheet.source === 'string' ? sheet.source : new TextDecoder().decode(sheet.source);
        sheet.source = css.replace(DATA_IMAGE, (_whole, base64: string) => {
          const source = Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0));
          const file = this.getFileName(this.emitFile({ type: 'asset', name: 'piece.svg', source }));
          return file.slice(file.lastIndexOf('/') + 1);
        });
      }
    },
  };
}
