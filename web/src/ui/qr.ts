/** A QR code as SVG: the Content-Security-Policy allows no data: images. */

import { generate } from 'lean-qr';
import { svg, html, type TemplateResult } from 'lit-html';

/** White margin that scanners need (ISO/IEC 18004: four modules). */
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
