/** The form of a new game: every control of the rules, variant, colour, rated or casual. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { App } from '../app';
import type { Outgoing } from '../protocol';
import { controlOf, faultOf, newTempo, PRESETS } from '../tempo';
import { nameOf, say, VARIANTS, type PlainKey } from '../words';
import { askForGame } from './asking';
import { TempoFields } from './tempo-fields';

const COLORS = ['random', 'w', 'b'] as const;
const RULES = ['online', 'fide', 'uscf'] as const;
/** The rest is refused by the server until it is built. */
const RULES_BUILT: readonly string[] = ['online'];

export class CreateForm {
  private readonly tempo = newTempo();
  private readonly fields: TempoFields;
  private variant: string = 'standard';
  private color: string = 'random';
  private rated = false;
  private rules: string = 'online';
  private fault: PlainKey | null = null;

  /** `to`: the name of who is invited; null for whoever comes. */
  constructor(
    private readonly app: App,
    private readonly to: string | null,
  ) {
    this.fields = new TempoFields(this.tempo, () => this.edited());
  }

  draw(): TemplateResult {
    return html`<section class="card" aria-labelledby="create-title">
      <h2 id="create-title">${this.to === null ? say('create.title') : say('create.for', { name: this.to })}</h2>
      <form @submit=${(event: Event) => event.preventDefault()}>
        <fieldset>
          <legend>${say('create.time')}</legend>
          <div class="choices tempi">
            ${PRESETS.map((preset) => this.pick(preset, preset))} ${this.pick('custom', say('create.custom'))}
            ${this.pick('days', say('create.days'))} ${this.pick('none', say('create.none'))}
          </div>
          ${this.fields.draw()}
        </fieldset>
        ${this.group('variant', say('create.variant'), Object.entries(VARIANTS), this.variant, (value) => (this.variant = value))}
        ${this.group('color', say('create.color'), COLORS.map(named('side')), this.color, (value) => (this.color = value))}
        <div class="pair">${this.ratedChoice()} ${this.rulesChoice()}</div>
        <p class="fault" role="alert">${this.fault === null ? nothing : say(this.fault)}</p>
        <div class="buttons">${this.to === null ? this.openButtons() : this.inviteButton(this.to)}</div>
      </form>
    </section>`;
  }

  private openButtons(): TemplateResult {
    return html`<button class="main" data-testid="seek" @click=${() => this.ask({ t: 'seek' })}>${say('create.seek')}</button>
      <button data-testid="challenge" @click=${() => this.ask({ t: 'challenge' })}>${say('create.link')}</button>
      <button data-testid="self" @click=${() => this.ask({ t: 'challenge', to: 'self', rated: false })}>${say('create.self')}</button>`;
  }

  private inviteButton(name: string): TemplateResult {
    return html`<button class="main" data-testid="invite" @click=${() => this.ask({ t: 'challenge', to: name })}>
      ${say('create.invite', { name })}
    </button>`;
  }

  private pick(value: string, label: string): TemplateResult {
    return this.choice('tempo', value, label, this.tempo.pick === value, () => {
      this.tempo.pick = value;
    });
  }

  private ratedChoice(): TemplateResult {
    const guest = this.app.socket.user?.kind !== 'member';
    return html`<fieldset>
      <legend>${say('create.rated')}</legend>
      <div class="choices">
        ${this.choice('rated', 'no', say('create.casual'), !this.rated, () => (this.rated = false))}
        ${this.choice('rated', 'yes', say('create.rated.yes'), this.rated, () => (this.rated = true), guest)}
      </div>
      ${guest ? html`<p class="hint">${say('create.rated.hint')}</p>` : nothing}
    </fieldset>`;
  }

  private rulesChoice(): TemplateResult {
    return html`<fieldset>
      <legend id="rules-label">${say('create.rules')}</legend>
      <select
        aria-labelledby="rules-label"
        @change=${(event: Event) => (this.rules = (event.target as HTMLSelectElement).value)}
      >
        ${RULES.map((rules) => {
          const built = RULES_BUILT.includes(rules);
          const name = nameOf('rules', rules);
          return html`<option value=${rules} ?disabled=${!built} ?selected=${rules === this.rules}>
            ${built ? name : say('create.rules.later', { rules: name })}
          </option>`;
        })}
      </select>
    </fieldset>`;
  }

  private group(
    name: string,
    legend: string,
    options: readonly (readonly [value: string, label: string])[],
    chosen: string,
    set: (value: string) => void,
  ): TemplateResult {
    return html`<fieldset>
      <legend>${legend}</legend>
      <div class="choices">
        ${options.map(([value, label]) => this.choice(name, value, label, value === chosen, () => set(value)))}
      </div>
    </fieldset>`;
  }

  private choice(name: string, value: string, label: string, checked: boolean, pick: () => void, disabled = false): TemplateResult {
    const onchange = () => {
      pick();
      this.edited();
    };
    return html`<label class="choice"
      ><input type="radio" name=${name} value=${value} .checked=${checked} ?disabled=${disabled} @change=${onchange} /><span
        >${label}</span
      ></label
    >`;
  }

  private edited(): void {
    this.fault = null;
    this.app.changed();
  }

  private ask(message: Outgoing): void {
    this.fault = faultOf(this.tempo);
    this.app.changed();
    if (this.fault !== null) return;
    const { variant, color, rated, rules } = this;
    void askForGame(this.app, { game: 'chess', variant, color, rated, rules, tc: controlOf(this.tempo), ...message });
  }
}

const named =
  (prefix: string) =>
  (value: string): readonly [string, string] => [value, nameOf(prefix, value)];
