import { html, nothing, type TemplateResult } from 'lit-html';
import { say } from '../words/words';

/** Link to the server's source, if configured (AGPL §13). */
export function sourceLink(): TemplateResult | typeof nothing {
  const address = document.querySelector<HTMLMetaElement>('meta[name="source"]')?.content;
  if (!address) return nothing;
  return html`<p class="about"><a href=${address} rel="external" data-testid="source">${say('app.source')}</a></p>`;
}
