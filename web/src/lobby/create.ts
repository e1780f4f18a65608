/** The form of a new game: every control of the rules, variant, colour, rated or casual. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { App } from '../app';
import type { Outgoing, Seek } from '../protocol';
import { controlOf, faultOf, PRESETS } from '../tempo';
import { nameOf, say, VARIANTS, type PlainKey } from '../words';
import { shelf } from '../game/shelf';
import { ownSeek } from './own-seek';
import { COLORS, remember, remembered, type Choices } from './remembered';
import { TempoFields } from './tempo-fields';

const RULES = ['online', 'fide', 'uscf'] as const;
/** The rest is refused by the server until it is built. */
const RULES_BUILT: readonly string[] = ['online'];

export class CreateForm {
  private readonly chosen: Choices = remembered(shelf('local'), Object.keys(VARIANTS), RULES_BUILT);
  private readonly fields: TempoFields;
  private fault: PlainKey | null = null;

  /** `to`: the name of who is invited; null for whoever comes. */
  constructor(
    private readonly app: App,
    private readonly to: string | null,
  ) {
    this.fields = new TempoFields(this.chosen.tempo, () => this.edited());
  }

  /** `seeks`: those of the lobby. */
  draw(seeks: readonly Seek[]): TemplateResult {
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
        ${this.group('variant', say('create.variant'), Object.entries(VARIANTS))}
        ${this.group('color', say('create.color'), COLORS.map(named('side')))}
        <div class="pair">${this.ratedChoice()} ${this.rulesChoice()}</div>
        <p class="fault" role="alert">${this.fault === null ? nothing : say(this.fault)}</p>
        <div class="buttons">${this.to === null ? this.openButtons(seeks) : this.inviteButton(this.to)}</div>
      </form>
    </section>`;
  }

  private openButtons(seeks: readonly Seek[]): TemplateResult {
    return html`${this.seekButton(seeks)}
    ${this.button('challenge', { t: 'challenge' }, say('create.link'))}
    ${this.button('self', { t: 'challenge', to: 'self', rated: false }, say('create.self'))}`;
  }

  /** While the game of the form is looked for, it says so and stops it: the list may be out of sight. */
  private seekButton(seeks: readonly Seek[]): TemplateResult {
    const { app } = this;
    const wanted = { ...this.terms(), t: 'seek' };
    const seek = faultOf(this.chosen.tempo) === null ? ownSeek(seeks, app.socket.user?.id, wanted) : undefined;
    const waits = seek !== undefined || app.asking.isUnderway(wanted);
    const click = ({ detail }: MouseEvent) => {
      if (detail > 1) return;
      if (seek !== undefined) void app.asking.ask({ t: 'unseek', seek: seek.seek });
      else if (!waits) this.ask({ t: 'seek' });
    };
    return html`<button
      class="main"
      data-testid="seek"
      data-waits=${String(waits)}
      aria-disabled=${String(!waits && app.asking.isUnderway())}
      @click=${click}
    >
      ${say(waits ? 'create.stop' : 'create.seek')}
    </button>`;
  }

  private inviteButton(name: string): TemplateResult {
    return this.button('invite', { t: 'challenge', to: name }, say('create.invite', { name }), 'main');
  }

  private button(id: string, message: Outgoing, label: string, kind = ''): TemplateResult {
    // Not `disabled`, which would take the focus from under the hand that pressed it.
    const busy = this.app.asking.isUnderway();
    // The second click of a double click asks for nothing, however fast the server is.
    const click = ({ detail }: MouseEvent) => detail > 1 || this.ask(message);
    return html`<button class=${kind} data-testid=${id} aria-disabled=${String(busy)} @click=${click}>
      ${label}
    </button>`;
  }

  private pick(value: string, label: string): TemplateResult {
    const { tempo } = this.chosen;
    return this.choice('tempo', value, label, tempo.pick === value, () => (tempo.pick = value));
  }

  private ratedChoice(): TemplateResult {
    const guest = !this.maybeRated();
    const rated = this.rated();
    return html`<fieldset>
      <legend>${say('create.rated')}</legend>
      <div class="choices">
        ${this.choice('rated', 'no', say('create.casual'), !rated, () => (this.chosen.rated = false))}
        ${this.choice('rated', 'yes', say('create.rated.yes'), rated, () => (this.chosen.rated = true), guest)}
      </div>
      ${guest ? html`<p class="hint">${say('create.rated.hint')}</p>` : nothing}
    </fieldset>`;
  }

  private rulesChoice(): TemplateResult {
    return html`<fieldset>
      <legend id="rules-label">${say('create.rules')}</legend>
      <select
        aria-labelledby="rules-label"
        @change=${(event: Event) => (this.chosen.rules = (event.target as HTMLSelectElement).value)}
      >
        ${RULES.map((rules) => {
          const built = RULES_BUILT.includes(rules);
          const name = nameOf('rules', rules);
          return html`<option value=${rules} ?disabled=${!built} ?selected=${rules === this.chosen.rules}>
            ${built ? name : say('create.rules.later', { rules: name })}
          </option>`;
        })}
      </select>
    </fieldset>`;
  }

  private group(
    name: 'variant' | 'color',
    legend: string,
    options: readonly (readonly [value: string, label: string])[],
  ): TemplateResult {
    const { chosen } = this;
    return html`<fieldset>
      <legend>${legend}</legend>
      <div class="choices">
        ${options.map(([value, label]) => this.choice(name, value, label, value === chosen[name], () => (chosen[name] = value)))}
      </div>
    </fieldset>`;
  }

  private choice(name: string, value: string, label: string, checked: boolean, pick: () => unknown, disabled = false): TemplateResult {
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

  /** One thing at a time. */
  private ask(message: Outgoing): void {
    if (this.app.asking.isUnderway()) return;
    this.fault = faultOf(this.chosen.tempo);
    this.app.changed();
    if (this.fault !== null) return;
    remember(shelf('local'), this.chosen);
    void this.app.asking.ask({ ...this.terms(), ...message });
  }

  private terms() {
    const { tempo, variant, color, rules } = this.chosen;
    return { game: 'chess', variant, color, rated: this.rated(), rules, tc: controlOf(tempo) };
  }

  /** What a guest chose as a member once waits until he is one again. */
  private rated(): boolean {
    return this.chosen.rated && this.maybeRated();
  }

  private maybeRated(): boolean {
    return this.app.socket.user?.kind === 'member';
  }
}

const named =
  (prefix: string) =>
  (value: string): readonly [string, string] => [value, nameOf(prefix, value)];
