import type { Plugin } from 'vite';

const BASE64_IMAGE = /data:image\/svg\+xml;base64,([A-Za-z0-9+/=]+)/g;

/**
 * Chessground's style sheet carries its pieces in base64, which hides from the compressor that they are much alike.
 * As text they cost a third, and they stay in the sheet: as files of their own they would be a round trip and twelve
 * requests later than the board.
 */
export function piecesAsText(): Plugin {
  return {
    name: 'pieces-as-text',
    apply: 'build',
    // After Vite has put the imported sheets into one, before it names the file by its content.
    transform(code, id) {
      if (!id.endsWith('.css')) return null;
      return code.replace(BASE64_IMAGE, (_whole, base64: string) => `data:image/svg+xml,${escaped(atob(base64))}`);
    },
  };
}

/** For a CSS url() with or without quotes. */
const escaped = (svg: string) => svg.replace(/[\s"'()#%<>\\]/g, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
