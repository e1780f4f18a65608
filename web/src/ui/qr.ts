/** A QR code as a drawing, without an address of its own: the Content-Security-Policy allows no data: images. */

import { generate } from 'lean-qr';
import { svg, html, type TemplateResult } from 'lit-html';

/** White around the code, which cameras need to find it (ISO/IEC 18004: four modules). */
const QUIET = 4;

export function qrCode(text: string, label: string): TemplateResult {
  const code = generate(text);
  const side = code.size + 2 * QUIET;
  let path = '';
  for (let y = 0; y < code.size; y++) {
    for (let x = 0; x < code.size; x++) if (code.get(x, y)) path += `M${x + QUIET} ${y + QUIET}h1v1h-1z`;
  }
  return html`<svg class="qr" viewBox="0 0 ${side} ${side}" role="img" aria-label=${label} data-testid="qr">
    ${svg`<path d=${path} />`}
  </svg>`;
}
