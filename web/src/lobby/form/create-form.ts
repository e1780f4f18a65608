/** Form of a new game: time control, variant, colour, rated or casual, opponent, handicap, position. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { App } from '../../app';
import { browserStorage } from '../../browser/storage';
import type { Outgoing, Seek } from '../../net/protocol';
import { controlOf, faultOf } from '../../time/control-draft';
import { choice } from '../../ui/choice';
import { abilitiesOf, gameOf, VARIANTS } from '../../variants/registry';
import { isKey, nameOf, refusal, say, type PlainKey } from '../../words/words';
import { ownSeek } from '../seeks/own-seek';
import { DELAY_CHOICES, delayField, delayOf } from './delay-field';
import { OddsField } from './odds-field';
import { OpponentField } from './opponent-field';
import { PositionField } from './position-field';
import { COLORS, remember, remembered, type Choices } from './remembered';
import { StartField } from './start-field';
import { TempoChoice } from './tempo-choice';
import { VariantField } from './variant-field';

/** All rules; which of them a variant has is looked up. */
const RULES = [...new Set(VARIANTS.flatMap((variant) => gameOf(variant).profiles))];

export class CreateForm {
  private readonly chosen: Choices = remembered(browserStorage('local'), VARIANTS, RULES, DELAY_CHOICES);
  private readonly tempo: TempoChoice;
  private readonly variant: VariantField;
  private readonly opponent: OpponentField;
  private readonly odds: OddsField;
  private readonly start960: StartField;
  private readonly position: PositionField;
  private fault: PlainKey | null = null;

  /** `to`: name of the invited person; null for anyone. */
  constructor(
    private readonly app: App,
    to: string | null,
  ) {
    const edited = () => this.edited();
    this.tempo = new TempoChoice(this.chosen.tempo, 'tempo', edited, ['days', 'none']);
    this.variant = new VariantField((variant) => this.pick(() => (this.chosen.variant = variant)));
    this.opponent = new OpponentField(to, this.chosen.range, edited, () => app.changed());
    this.odds = new OddsField(edited);
    this.start960 = new StartField(edited);
    this.position = new PositionField(edited);
  }

  close(): void {
    this.opponent.close();
  }

  /** `seeks`: of the lobby. */
  draw(seeks: readonly Seek[]): TemplateResult {
    const to = this.opponent.to();
    // Conflicting choices are reported at once, invalid input when the form is sent.
    const fault = this.fault ?? this.odds.clash(this.chosen.tempo);
    return html`<section class="card" aria-labelledby="create-title">
      <h2 id="create-title">${to === null ? say('create.title') : say('create.for', { name: to })}</h2>
      <form @submit=${(event: Event) => event.preventDefault()}>
        ${this.tempo.draw(say(this.odds.on ? 'create.odds.yours' : 'create.time'))}
        ${this.variant.draw(this.chosen.variant)}
        ${this.position.on ? nothing : this.start960.draw(this.chosen.variant)}
        ${this.colors()}
        <div class="pair">${this.ratedChoice()} ${this.rulesChoice()}</div>
        ${this.opponent.draw()} ${delayField(this.chosen.later, (choice) => this.pick(() => (this.chosen.later = choice)))}
        ${this.odds.draw()} ${this.position.draw(this.chosen.variant)}
        ${this.isSpecial() ? html`<p class="hint">${say('create.invited-only')}</p>` : nothing}
        <p class="fault" role="alert">${fault === null ? nothing : say(fault)}</p>
        <div class="buttons">${to === null ? this.openButtons(seeks) : this.inviteButton(to)}</div>
      </form>
    </section>`;
  }

  private openButtons(seeks: readonly Seek[]): TemplateResult {
    return html`${this.isSpecial() ? nothing : this.seekButton(seeks)}
    ${this.button('challenge', () => this.invitation(), say('create.link'), this.isSpecial() ? 'main' : '')}
    ${this.button('self', () => ({ ...this.start(), t: 'challenge', to: 'self', rated: false }), say('create.self'))}`;
  }

  /** Shows that the seek of this form is open and stops it, since the list may be out of view. */
  private seekButton(seeks: readonly Seek[]): TemplateResult {
    const { app } = this;
    const wanted = { ...this.terms(), ...this.opponent.bounds(), t: 'seek' };
    const seek = this.found() === null ? ownSeek(seeks, app.socket.user?.id, wanted) : undefined;
    const waits = seek !== undefined || app.gameRequests.isUnderway(wanted);
    const click = ({ detail }: MouseEvent) => {
      if (detail > 1) return;
      if (seek !== undefined) void app.gameRequests.ask({ t: 'unseek', seek: seek.seek });
      else if (!waits) this.ask(() => ({ ...this.opponent.bounds(), t: 'seek' }));
    };
    return html`<button
      class="main"
      data-testid="seek"
      data-waits=${String(waits)}
      aria-disabled=${String(!waits && app.gameRequests.isUnderway())}
      @click=${click}
    >
      ${say(waits ? 'create.stop' : 'create.seek')}
    </button>`;
  }

  private inviteButton(name: string): TemplateResult {
    return this.button('invite', () => ({ ...this.invitation(), to: name }), say('create.invite', { name }), 'main');
  }

  /** `message`: what is added to the terms. */
  private button(id: string, message: () => Outgoing, label: string, kind = ''): TemplateResult {
    // Not `disabled`, which would drop the focus.
    const busy = this.app.gameRequests.isUnderway();
    // Ignores the second click of a double click.
    const click = ({ detail }: MouseEvent) => detail > 1 || this.ask(message);
    return html`<button class=${kind} data-testid=${id} aria-disabled=${String(busy)} @click=${click}>
      ${label}
    </button>`;
  }

  private ratedChoice(): TemplateResult {
    const locked = !this.maybeRated();
    const rated = this.rated();
    const option = (yes: boolean, label: string) =>
      choice({
        name: 'rated',
        value: yes ? 'yes' : 'no',
        label,
        checked: rated === yes,
        pick: () => this.pick(() => (this.chosen.rated = yes)),
        disabled: yes && locked,
      });
    return html`<fieldset>
      <legend>${say('create.rated')}</legend>
      <div class="choices">${option(false, say('create.casual'))} ${option(true, say('create.rated.yes'))}</div>
      ${this.ratedHint()}
    </fieldset>`;
  }

  private ratedHint(): TemplateResult | typeof nothing {
    if (this.isGuest()) return html`<p class="hint">${say('create.rated.hint')}</p>`;
    if (this.chosen.tempo.pick === 'none') return html`<p class="hint">${say('create.none.hint')}</p>`;
    return this.number() === null ? nothing : html`<p class="hint">${say('create.start.hint')}</p>`;
  }

  /** Nothing if the variant has only one, and no other is planned. */
  private rulesChoice(): TemplateResult | typeof nothing {
    const { variant } = this.chosen;
    const { profiles } = gameOf(variant);
    const { plannedProfiles: later } = abilitiesOf(variant);
    if (profiles.length + later.length < 2) return nothing;
    const now = this.rules();
    const hint = `rules.hint.${now}`;
    const change = (event: Event) => this.pick(() => (this.chosen.rules = (event.target as HTMLSelectElement).value));
    return html`<fieldset>
      <legend id="rules-label">${say('create.rules')}</legend>
      <select aria-labelledby="rules-label" aria-describedby="rules-hint" data-testid="rules" .value=${now} @change=${change}>
        ${profiles.map((rules) => html`<option value=${rules} ?selected=${rules === now}>${nameOf('rules', rules)}</option>`)}
        ${later.map((rules) => html`<option value=${rules} disabled>${say('create.rules.later', { rules: nameOf('rules', rules) })}</option>`)}
      </select>
      <p id="rules-hint" class="hint">${isKey(hint) ? nameOf('rules.hint', now) : nothing}</p>
    </fieldset>`;
  }

  private colors(): TemplateResult {
    const { chosen } = this;
    return html`<fieldset>
      <legend>${say('create.color')}</legend>
      <div class="choices">
        ${COLORS.map((color) =>
          choice({
            name: 'color',
            value: color,
            label: nameOf('side', color),
            checked: color === chosen.color,
            pick: () => this.pick(() => (chosen.color = color)),
          }),
        )}
      </div>
    </fieldset>`;
  }

  private pick(how: () => void): void {
    how();
    this.edited();
  }

  private edited(): void {
    this.fault = null;
    this.app.changed();
  }

  /** One request at a time. */
  private ask(message: () => Outgoing): void {
    if (this.app.gameRequests.isUnderway()) return;
    this.fault = this.found();
    this.app.changed();
    if (this.fault !== null) return;
    remember(browserStorage('local'), this.chosen);
    const asked: Outgoing = { ...this.terms(), ...message() };
    const to = this.opponent.to();
    void this.app.gameRequests.ask(asked, (why) => {
      // Refusals of the name or the position are shown at the field while it still has that value.
      const isOfName = to !== null && /^to: /.test(why.message);
      if (isOfName && this.opponent.to() === to) this.opponent.refuse(refusal(why));
      const isOfPosition = typeof asked.fen === 'string' && /^fen: /.test(why.message);
      if (isOfPosition) this.position.refuse(asked.fen as string, refusal(why));
      return isOfName || isOfPosition;
    });
  }

  /** The first error in the form. */
  private found(): PlainKey | null {
    const read = this.position.read(this.chosen.variant);
    return (
      faultOf(this.chosen.tempo) ??
      this.odds.fault(this.chosen.tempo) ??
      this.opponent.fault(this.app.socket.user?.name) ??
      (this.position.on ? null : this.start960.fault(this.chosen.variant)) ??
      (read !== null && 'fault' in read ? read.fault : null)
    );
  }

  private terms() {
    const { tempo, variant, color, later } = this.chosen;
    const position = this.number();
    const { game } = gameOf(variant);
    const terms = { game, variant, color, rated: this.rated(), rules: this.rules(), tc: controlOf(tempo), ...delayOf(later) };
    return position === null ? terms : { ...terms, position };
  }

  private invitation(): Outgoing {
    const opponent_tc = this.odds.control();
    return {
      ...this.opponent.bounds(),
      ...this.start(),
      ...(opponent_tc === null ? {} : { opponent_tc }),
      t: 'challenge',
    };
  }

  /** Rules chosen for another variant are kept until it is chosen again. */
  private rules(): string {
    const { variant, rules } = this.chosen;
    const { profiles } = gameOf(variant);
    return profiles.includes(rules) ? rules : profiles[0]!;
  }

  /** Empty for the usual start position. */
  private start(): { fen?: string } {
    const read = this.position.read(this.chosen.variant);
    return read !== null && 'fen' in read ? { fen: read.fen } : {};
  }

  /** Number of the chosen start position; null if it is drawn or given as FEN. */
  private number(): number | null {
    return this.position.on ? null : this.start960.chosen(this.chosen.variant);
  }

  /** Terms that no seek can have. */
  private isSpecial(): boolean {
    return this.odds.on || this.position.on;
  }

  /** What a member chose does not apply while they are a guest. */
  private rated(): boolean {
    return this.chosen.rated && this.maybeRated();
  }

  private maybeRated(): boolean {
    return !this.isGuest() && !this.isSpecial() && this.number() === null && this.chosen.tempo.pick !== 'none';
  }

  private isGuest(): boolean {
    return (this.app.socket.user?.kind ?? 'guest') === 'guest';
  }
}
