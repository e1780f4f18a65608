/** Dialog with the HTML to embed this game in another page. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { ref } from 'lit-html/directives/ref.js';
import type { GameSnapshot } from '../../net/protocol';
import { snippet, type EmbedLook } from '../../settings/embed-look';
import { RULES } from '../../settings/settings';
import { icon } from '../../ui/icons';
import { nameOf, say, SIDES } from '../../words/words';

type Choice = 'theme' | 'board' | 'bottom';

const OPTIONS = { theme: RULES.theme.options, board: RULES.boardTheme.options, bottom: ['w', 'b'] } as const;

export class EmbedDialog {
  private open = false;
  private looks: Pick<EmbedLook, Choice> = { theme: RULES.theme.initial, board: RULES.boardTheme.initial, bottom: null };

  constructor(
    private readonly changed: () => void,
    private readonly say: (text: string) => void,
  ) {}

  show(): void {
    this.open = true;
    this.changed();
  }

  draw(game: GameSnapshot): TemplateResult | typeof nothing {
    if (!this.open) return nothing;
    const { w, b } = game.players;
    const title = say('game.title', { white: w.user?.name ?? say('nobody'), black: b.user?.name ?? say('nobody') });
    const code = snippet(location.origin, game.g, title, this.looks);
    return html`<dialog
      class="embed-dialog"
      aria-labelledby="embed-title"
      data-testid="embed-dialog"
      ${ref(shown)}
      @close=${() => this.closed()}
      @keydown=${(event: Event) => event.stopPropagation()}
    >
      <form method="dialog">
        <div class="titled">
          <h2 id="embed-title">${say('embed.title')}</h2>
          <button class="plain" aria-label=${say('embed.close')} data-testid="embed-close">${icon('cross')}</button>
        </div>
        <p class="hint">${say('embed.hint')}</p>
        <div class="embed-looks">
          ${this.choice('theme', this.looks.theme, (value) => nameOf('theme', value))}
          ${this.choice('board', this.looks.board, (value) => nameOf('boardTheme', value))}
          ${this.choice('bottom', this.looks.bottom ?? game.simul_host ?? 'w', (value) => SIDES[value as keyof typeof SIDES])}
        </div>
        <label
          >${say('embed.code')}
          <textarea rows="5" readonly spellcheck="false" data-testid="embed-code" .value=${code} @focus=${all}></textarea>
        </label>
        <div class="buttons">
          <button type="button" class="main" data-testid="embed-copy" @click=${() => void this.copy(code)}>${say('embed.copy')}</button>
        </div>
      </form>
    </dialog>`;
  }

  private choice(name: Choice, chosen: string, called: (value: string) => string): TemplateResult {
    return html`<label
      >${nameOf('embed', name)}
      <select data-testid="embed-${name}" @change=${(event: Event) => this.choose(name, (event.target as HTMLSelectElement).value)}>
        ${OPTIONS[name].map((value) => html`<option value=${value} ?selected=${value === chosen}>${called(value)}</option>`)}
      </select>
    </label>`;
  }

  private choose(name: Choice, value: string): void {
    this.looks = { ...this.looks, [name]: value };
    this.changed();
  }

  private closed(): void {
    this.open = false;
    this.changed();
  }

  private async copy(code: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(code);
      this.say(say('toast.copied'));
    } catch {
      // The clipboard needs a secure context and permission: select the text instead.
      document.querySelector<HTMLTextAreaElement>('.embed-dialog textarea')?.select();
    }
  }
}

function shown(element?: Element): void {
  if (element instanceof HTMLDialogElement && !element.open) queueMicrotask(() => element.isConnected && element.showModal());
}

const all = (event: Event): void => (event.target as HTMLTextAreaElement).select();
