/** The score sheet that a player writes in training (8.1), and the signatures under the result (8.7). */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { App } from '../../app';
import type { Color, GameSnapshot } from '../../net/protocol';
import { opposite } from '../../notation/color';
import { sayLaws } from '../../words/laws';
import { SIDES } from '../../words/words';
import type { Seat } from '../play/seat';
import type { Requests } from './requests';

type Part = TemplateResult | typeof nothing;

export class ScoreSheet {
  /** The half-move that is being corrected; null to write the next one. */
  private at: number | null = null;
  /** An entry is on its way. */
  private writes = false;

  constructor(
    private readonly app: Pick<App, 'attempt' | 'changed' | 'settings'>,
    private readonly id: string,
    private readonly seat: Pick<Seat, 'socketOf'>,
    private readonly requests: Requests,
  ) {}

  /** While the game goes on, in place of the server's score; null if the server keeps it. */
  draw(game: GameSnapshot, me: Color): TemplateResult | null {
    const entries = game.laws?.sheets?.[me];
    if (entries === undefined || game.status === 'over') return null;
    const ply = this.at ?? entries.length;
    const open = ply < game.moves.length;
    const submit = (event: Event) => {
      event.preventDefault();
      const input = (event.target as HTMLElement).querySelector('input')!;
      void this.write(me, ply, input);
    };
    return html`<div class="own-sheet">
      <form @submit=${submit}>
        <input
          type="text"
          maxlength="20"
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          data-testid="sheet-text"
          ?disabled=${!open}
          aria-label=${sayLaws('sheet.write', { n: Math.floor(ply / 2) + 1 })}
          placeholder=${open ? sayLaws('sheet.write', { n: Math.floor(ply / 2) + 1 }) : sayLaws('sheet.done')}
        />
        <button data-testid="sheet-write" ?disabled=${!open}>${sayLaws('sheet.button')}</button>
      </form>
      <ol class="score" data-testid="moves" data-plies=${game.moves.length} aria-label=${sayLaws('sheet.name')}>
        ${Array.from({ length: Math.ceil(entries.length / 2) }, (_, row) => html`<li>${[2 * row, 2 * row + 1].map((one) => this.entry(entries[one], one))}</li>`)}
      </ol>
    </div>`;
  }

  /** After the game, who has signed the result. */
  signatures({ laws, status }: GameSnapshot, me: Color): Part {
    if (!laws || status !== 'over') return nothing;
    const { signed } = laws;
    const other = opposite(me);
    const text = sayLaws(signed[other] ? 'sign.other' : 'sign.other.not', { side: SIDES[other] });
    return html`<p class="laws-sign" data-testid="signatures">
      <span>${signed[me] ? sayLaws('sign.you') : nothing} ${text}</span>
      ${signed[me] ? nothing : html`<button data-testid="sign" @click=${() => void this.requests.send(me, { t: 'sign' })}>${sayLaws('sign')}</button>`}
    </p>`;
  }

  private entry(entry: { text: string; right: boolean } | undefined, ply: number): Part {
    if (entry === undefined) return nothing;
    const correct = () => {
      this.at = ply;
      this.app.changed();
      document.querySelector<HTMLInputElement>('[data-testid=sheet-text]')?.focus();
    };
    const label = entry.right ? entry.text : sayLaws('sheet.wrong', { move: entry.text });
    return html`<button class="ply" data-right=${String(entry.right)} aria-label=${label} title=${label} @click=${correct}><span>${entry.text}</span></button>`;
  }

  /** A refused text is put back, unless the next one has been begun. */
  async write(me: Color, ply: number, input: Pick<HTMLInputElement, 'value'>): Promise<void> {
    const text = input.value.trim();
    if (text === '' || this.writes) return;
    const { at } = this;
    this.writes = true;
    this.at = null;
    input.value = '';
    const { letters: language } = this.app.settings.now;
    const done = await this.app.attempt(() => this.seat.socketOf(me).change({ t: 'write', g: this.id, ply, text, language }));
    this.writes = false;
    if (done === undefined && input.value === '' && this.at === null) {
      input.value = text;
      this.at = at;
    }
    this.app.changed();
  }
}
