/** Ten controls, one click each: the click looks for an opponent at once, another one stops. */

import { html, type TemplateResult } from 'lit-html';
import type { App } from '../app';
import type { Seek } from '../protocol';
import { PRESETS, presetControl, speedOf } from '../tempo';
import { nameOf, say } from '../words';
import { ownSeek } from './own-seek';

export class QuickGames {
  constructor(private readonly app: App) {}

  draw(seeks: readonly Seek[]): TemplateResult {
    return html`<section class="quick" aria-labelledby="quick-title">
      <h1 id="quick-title">${say('quick.title')}</h1>
      <div class="tiles">${PRESETS.map((preset) => this.tile(preset, ownSeek(seeks, this.app.socket.user?.id, seekOf(preset))))}</div>
      <p class="hint">${say('quick.hint')}</p>
    </section>`;
  }

  private tile(tempo: string, seek: Seek | undefined): TemplateResult {
    const waiting = seek !== undefined || this.app.asking.isUnderway(seekOf(tempo));
    const speed = nameOf('speed', speedOf(presetControl(tempo)));
    return html`<button
      class="tile"
      data-testid="quick-${tempo}"
      aria-pressed=${waiting ? 'true' : 'false'}
      aria-label=${say(waiting ? 'quick.stop' : 'quick.play', { tempo, speed })}
      @click=${({ detail }: MouseEvent) => detail > 1 || this.click(tempo, seek)}
    >
      <strong>${tempo}</strong> <small>${waiting ? say('quick.waiting') : speed}</small>
    </button>`;
  }

  /** The second click of a double click is none: it would stop what the first one began. */
  private click(tempo: string, seek: Seek | undefined): void {
    void this.app.asking.ask(seek ? { t: 'unseek', seek: seek.seek } : seekOf(tempo));
  }
}

const seekOf = (tempo: string) => ({
  t: 'seek',
  game: 'chess',
  variant: 'standard',
  tc: presetControl(tempo),
  color: 'random',
});
