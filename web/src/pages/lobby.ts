/** The lobby: who waits for a game, and how to ask for one. */

import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { App, Page } from '../app';
import { describe } from '../clock';
import type { Incoming, Outgoing, Seek, TimeControl } from '../protocol';
import { LobbyStore } from '../store';
import { SIDES, VARIANTS, variantName } from '../words';

const PRESETS: readonly (readonly [minutes: number, inc_s: number])[] = [
  [1, 0],
  [3, 2],
  [5, 0],
  [10, 5],
  [15, 10],
  [30, 20],
];

const COLORS = { random: 'Either', w: 'White', b: 'Black' } as const;

export class LobbyPage implements Page {
  private readonly store = new LobbyStore();
  private readonly subscription;
  private tempo: string = '5+0';
  private minutes = 20;
  private inc_s = 10;
  private variant: keyof typeof VARIANTS = 'standard';
  private color: keyof typeof COLORS = 'random';

  constructor(private readonly app: App) {
    this.subscription = app.socket.subscribe('lobby', this.store);
    document.title = 'Zeitnot';
  }

  close(): void {
    this.subscription.close();
  }

  draw(root: HTMLElement): void {
    render(
      html`<div class="lobby">
        <section class="card" aria-labelledby="new-game">
          <h1 id="new-game">New game</h1>
          ${this.form()}
        </section>
        <section class="card" aria-labelledby="waiting">
          <h2 id="waiting">Waiting for an opponent</h2>
          ${this.list()} ${this.ownGames()}
          <p class="count" data-testid="count">${count(this.store.games, 'game', 'games')}, ${count(this.store.online, 'person', 'people')} here</p>
        </section>
      </div>`,
      root,
    );
  }

  private form(): TemplateResult {
    return html`<form @submit=${(event: Event) => event.preventDefault()}>
      <fieldset>
        <legend>Time a player: minutes + seconds a move</legend>
        <div class="choices">
          ${PRESETS.map(([minutes, inc_s]) => this.tempoChoice(`${minutes}+${inc_s}`, `${minutes}+${inc_s}`))}
          ${this.tempoChoice('custom', 'Other')} ${this.tempoChoice('none', 'No clock')}
        </div>
        ${this.tempo === 'custom' ? this.customTempo() : nothing}
      </fieldset>
      <fieldset>
        <legend>Start</legend>
        <div class="choices">
          ${Object.entries(VARIANTS).map(([value, label]) =>
            this.choice('variant', value, label, this.variant === value, () => {
              this.variant = value as keyof typeof VARIANTS;
            }),
          )}
        </div>
      </fieldset>
      <fieldset>
        <legend>Your colour</legend>
        <div class="choices">
          ${Object.entries(COLORS).map(([value, label]) =>
            this.choice('color', value, label, this.color === value, () => {
              this.color = value as keyof typeof COLORS;
            }),
          )}
        </div>
      </fieldset>
      <div class="buttons">
        <button class="main" data-testid="seek" @click=${() => this.seek()}>Find an opponent</button>
        <button data-testid="challenge" @click=${() => this.challenge()}>Invite by link</button>
        <button data-testid="self" @click=${() => this.self()}>Both sides on this screen</button>
      </div>
    </form>`;
  }

  private customTempo(): TemplateResult {
    const field = (label: string, value: number, max: number, step: string, set: (n: number) => void) =>
      html`<label
        >${label}
        <input
          type="number"
          min="0"
          max=${max}
          step=${step}
          .value=${String(value)}
          @input=${(event: InputEvent) => set((event.target as HTMLInputElement).valueAsNumber || 0)}
        />
      </label>`;
    return html`<div class="custom">
      ${field('Minutes', this.minutes, 180, '0.25', (n) => (this.minutes = n))}
      ${field('Seconds a move', this.inc_s, 180, '1', (n) => (this.inc_s = n))}
    </div>`;
  }

  private tempoChoice(value: string, label: string): TemplateResult {
    return this.choice('tempo', value, label, this.tempo === value, () => {
      this.tempo = value;
    });
  }

  private choice(name: string, value: string, label: string, checked: boolean, pick: () => void): TemplateResult {
    const onchange = () => {
      pick();
      this.app.changed();
    };
    return html`<label class="choice"
      ><input type="radio" name=${name} value=${value} .checked=${checked} @change=${onchange} /><span>${label}</span>
    </label>`;
  }

  private list(): TemplateResult {
    if (this.store.seeks.length === 0) return html`<p class="empty">Nobody just now.</p>`;
    return html`<ul class="seeks" data-testid="seeks">
      ${this.store.seeks.map((seek) => this.row(seek))}
    </ul>`;
  }

  private row(seek: Seek): TemplateResult {
    const own = seek.user.id === this.app.socket.user?.id;
    const color = seek.color === 'random' ? '' : ` · plays ${SIDES[seek.color]}`;
    return html`<li data-seek=${seek.seek}>
      <span><strong>${describe(seek.tc)}</strong> ${seek.user.name}<small>${variantName(seek.variant)}${color}</small></span>
      ${own
        ? html`<button data-testid="unseek" @click=${() => this.answer('unseek', seek)}>Withdraw</button>`
        : html`<button data-testid="accept" @click=${() => this.answer('accept', seek)}>Play</button>`}
    </li>`;
  }

  private ownGames(): TemplateResult | typeof nothing {
    const { games } = this.app.socket;
    if (games.length === 0) return nothing;
    return html`<h2>Your games</h2>
      <ul class="seeks">
        ${games.map((g) => html`<li><a href="/game/${g}" data-page>Back to game ${g}</a></li>`)}
      </ul>`;
  }

  private tc(): TimeControl {
    if (this.tempo === 'none') return null;
    const [minutes = 0, inc_s = 0] = this.tempo === 'custom' ? [this.minutes, this.inc_s] : this.tempo.split('+').map(Number);
    return { base_s: Math.round(minutes * 60), inc_s: Math.round(inc_s) };
  }

  private spec(): { game: string; variant: string; tc: TimeControl; color: string } {
    return { game: 'chess', variant: this.variant, tc: this.tc(), color: this.color };
  }

  private seek(): void {
    void this.ask({ t: 'seek', ...this.spec() });
  }

  private self(): void {
    void this.ask({ t: 'challenge', to: 'self', ...this.spec() });
  }

  private answer(t: 'accept' | 'unseek', { seek }: Seek): void {
    void this.ask({ t, seek });
  }

  private async challenge(): Promise<void> {
    const reply = await this.ask({ t: 'challenge', ...this.spec() });
    if (typeof reply?.challenge === 'string') this.app.navigate(`/challenge/${reply.challenge}`);
  }

  private async ask(message: Outgoing): Promise<Incoming | undefined> {
    const reply = await this.app.attempt(async () => {
      await this.app.session.ensure();
      return this.app.socket.change(message);
    });
    if (typeof reply?.g === 'string' && location.pathname === '/') this.app.navigate(`/game/${reply.g}`);
    return reply;
  }
}

const count = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;
