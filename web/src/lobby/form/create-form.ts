/** Form of a new game: time control, variant, colour, rated or casual, opponent or level of the robot, handicap, position. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { App } from '../../app';
import { browserStorage } from '../../browser/storage';
import { WITHHELD, type Outgoing, type Refused, type Seek } from '../../net/protocol';
import { controlOf, faultOf, tempoOf } from '../../time/control-draft';
import { delayText } from '../../time/delay';
import { kindOf, type LawsKind } from '../../time/laws-kind';
import { choice } from '../../ui/choice';
import { VARIANTS } from '../../variants/registry';
import { rulesText } from '../../variants/rules-text';
import { sayLaws } from '../../words/laws';
import { isKey, nameOf, refusal, say } from '../../words/words';
import { ownSeek } from '../seeks/own-seek';
import { ratingRange } from '../seeks/rating-range';
import type { NewGame } from '../waiting/new-game';
import { rememberLevel, whyNoRobot, whyText } from '../waiting/robots';
import { delayField, delayOf } from './delay-field';
import { GameTerms, hasClock } from './game-terms';
import { LawsField } from './laws-field';
import { LevelField } from './level-field';
import { OddsField } from './odds-field';
import { OpponentField } from './opponent-field';
import { PositionField } from './position-field';
import { COLORS, remember, remembered, type Choices } from './remembered';
import { StartField } from './start-field';
import { TempoChoice } from './tempo-choice';
import { startTwoPlayers } from './two-players';
import { VariantField } from './variant-field';

export class CreateForm {
  private readonly chosen: Choices = remembered(browserStorage('local'), VARIANTS);
  private readonly tempo: TempoChoice;
  private readonly variant: VariantField;
  private readonly opponent: OpponentField;
  /** Null for games between people. */
  private readonly level: LevelField | null;
  private readonly odds: OddsField;
  private readonly start960: StartField;
  private readonly position: PositionField;
  private readonly laws: LawsField;
  private readonly terms: GameTerms;
  private fault: string | null = null;
  private advanced = false;
  private closed = false;

  /** `done`: what was asked for is waiting, and the form is no longer needed. */
  constructor(
    private readonly app: App,
    { to, robot, level, variant, terms, editor = false }: NewGame,
    private readonly done: () => void,
  ) {
    if (terms !== undefined) {
      const { tc, rated, laws: _, ...rest } = terms;
      Object.assign(this.chosen, { ...rest, rated, tempo: tempoOf(tc) });
    }
    if (variant !== undefined && VARIANTS.includes(variant)) this.chosen.variant = variant;
    const edited = () => this.edited();
    this.tempo = new TempoChoice(this.chosen.tempo, 'tempo', edited, ['days', 'none']);
    this.variant = new VariantField((variant) => this.pick(() => (this.chosen.variant = variant)));
    this.opponent = new OpponentField(to ?? null, this.chosen.range, edited, () => app.changed());
    this.level = robot ? new LevelField(edited, level) : null;
    // It tells whether a robot is there.
    if (robot) app.seeks.watch(true);
    this.odds = new OddsField(edited);
    this.start960 = new StartField(edited);
    this.position = new PositionField(edited, () => app.changed());
    this.laws = new LawsField(browserStorage('local'), app.settings, edited);
    this.laws.begin(terms?.laws);
    if (editor) this.position.open();
    this.advanced = editor;
    const isGuest = () => (app.socket.user?.kind ?? 'guest') === 'guest';
    const { opponent, odds, start960, position, laws } = this;
    this.terms = new GameTerms(this.chosen, { opponent, odds, start960, position, laws }, isGuest);
  }

  close(): void {
    if (this.level !== null && !this.closed) this.app.seeks.watch(false);
    this.closed = true;
    this.opponent.close();
    this.position.close();
  }

  /** Whether closing it would throw away a position. */
  holdsPosition(): boolean {
    return this.position.isSetUp();
  }

  title(): string {
    if (this.level !== null) return say('robot.title');
    const to = this.opponent.to();
    return to === null ? say('create.title') : say('create.for', { name: to });
  }

  /** `seeks`: of the lobby. */
  draw(seeks: readonly Seek[]): TemplateResult {
    const to = this.opponent.to();
    return html`<form @submit=${(event: Event) => event.preventDefault()}>
      <div class="create-fields">
        ${this.level?.draw() ?? nothing}
        ${this.tempo.draw(say(this.terms.hasOdds() ? 'create.odds.yours' : 'create.time'))} ${this.variant.draw(this.chosen.variant)}
        <div class="pair">${this.colors()} ${this.level === null ? this.ratedChoice() : nothing}</div>
        ${this.level === null ? this.opponent.nameField() : nothing}
        ${this.advancedFields()}
      </div>
      <footer>
        ${this.level === null && this.terms.isSpecial() ? html`<p class="hint">${say('create.invited-only')}</p>` : nothing}
        <p class="fault" role="alert" data-testid="create-fault">${this.fault ?? this.robotFault() ?? nothing}</p>
        <div class="buttons">${this.level !== null ? this.robotButton(this.level) : to === null ? this.openButtons(seeks) : this.inviteButton(to)}</div>
      </footer>
    </form>`;
  }

  /** Only what can apply to the other choices. Closed, it says what is set in it. */
  private advancedFields(): TemplateResult {
    const { chosen } = this;
    const toggled = (event: Event) => {
      const details = event.target as HTMLDetailsElement;
      if (details !== event.currentTarget) return;
      this.advanced = details.open;
      if (details.open) details.scrollIntoView({ block: 'nearest' });
      this.app.changed();
    };
    const set = this.advanced ? '' : this.advancedText();
    return html`<details class="create-advanced" data-testid="advanced" .open=${this.advanced} @toggle=${toggled}>
      <summary>${say('create.advanced')}${set === '' ? nothing : html` <small data-testid="advanced-set">${set}</small>`}</summary>
      ${this.level === null && this.opponent.to() === null ? this.opponent.rangeFields() : nothing} ${this.rulesChoice()}
      ${chosen.tempo.pick === 'days' ? nothing : this.laws.draw(this.terms.rules(), this.kind(), this.level === null)}
      ${this.level === null ? delayField(chosen.later, (choice) => this.pick(() => (chosen.later = choice))) : nothing}
      ${this.level === null && hasClock(chosen.tempo) ? this.odds.draw() : nothing}
      ${this.position.on ? nothing : this.start960.draw(chosen.variant)} ${this.position.draw(chosen.variant)}
    </details>`;
  }

  /** The kind of game by the Laws. */
  private kind(): LawsKind {
    const kinds = [this.chosen.tempo, ...(this.terms.hasOdds() ? [this.odds.draft] : [])].filter((draft) => faultOf(draft) === null).map((draft) => kindOf(controlOf(draft)));
    return kinds.includes('standard') ? 'standard' : kinds.includes('rapid') ? 'rapid' : 'blitz';
  }

  private advancedText(): string {
    const { variant, later } = this.chosen;
    const { min_rating, max_rating } = this.opponent.bounds();
    const number = this.terms.number();
    const people = this.level === null;
    const parts = [
      !people || (min_rating === null && max_rating === null) ? '' : ratingRange(min_rating, max_rating),
      rulesText({ variant, rules: this.terms.rules() }),
      people ? delayText(delayOf(later)) : '',
      this.terms.hasOdds() ? say('create.odds.set') : '',
      number === null ? '' : say('create.start.preview', { n: number }),
      this.position.on ? say('inbox.position') : '',
    ];
    return parts.filter(Boolean).join(' · ');
  }

  private openButtons(seeks: readonly Seek[]): TemplateResult {
    return html`${this.terms.isSpecial() ? nothing : this.seekButton(seeks)}
    ${this.button('challenge', () => this.terms.invitation(null), say('create.link'), this.terms.isSpecial() ? 'main' : '')}
    ${this.terms.isByLaws() ? this.twoButton() : nothing}
    ${this.terms.hasOdds() || this.terms.isByLaws()
      ? nothing
      : this.button('self', () => this.terms.passAndPlay(), say('create.self'))}`;
  }

  /** A game by the Laws between two people at this device, each with their own session. */
  private twoButton(): TemplateResult {
    const click = ({ detail }: MouseEvent) => {
      if (detail > 1 || this.app.gameRequests.isUnderway()) return;
      if (this.check()) void this.startTwo();
    };
    return html`<button data-testid="two" title=${sayLaws('form.two.hint')} aria-disabled=${String(this.app.gameRequests.isUnderway())} @click=${click}>${sayLaws('form.two')}</button>`;
  }

  private async startTwo(): Promise<void> {
    const { app } = this;
    this.remember();
    const invitation = this.terms.atOneDevice();
    const reply = await app.gameRequests.begin('two', () => app.attempt(() => startTwoPlayers(app, invitation)));
    if (reply !== undefined && !this.closed) this.done();
  }

  /** Shows that the seek of this form is open and stops it, since the list may be out of view. */
  private seekButton(seeks: readonly Seek[]): TemplateResult {
    const { app } = this;
    const wanted = this.terms.seek();
    const seek = this.found() === null ? ownSeek(seeks, app.socket.user?.id, wanted) : undefined;
    const waits = seek !== undefined || app.gameRequests.isUnderway(wanted);
    const click = ({ detail }: MouseEvent) => {
      if (detail > 1) return;
      if (seek !== undefined) void app.gameRequests.ask({ t: 'unseek', seek: seek.seek });
      else if (!waits) this.ask(() => this.terms.seek());
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

  private robotButton(field: LevelField): TemplateResult {
    return this.button('robot-play', () => this.terms.robot(field), say('robot.play'), 'main', this.robotFault() !== null);
  }

  /** Why no robot takes this game; null for games between people. */
  private robotFault(): string | null {
    const why = this.level === null ? null : whyNoRobot(this.app.seeks.robots(), this.chosen.variant);
    return why === null ? null : whyText(why);
  }

  private inviteButton(name: string): TemplateResult {
    return this.button('invite', () => this.terms.invitation(name), say('create.invite', { name }), 'main');
  }

  private button(id: string, message: () => Outgoing, label: string, kind = '', off = false): TemplateResult {
    // Not `disabled`, which would drop the focus.
    const busy = off || this.app.gameRequests.isUnderway();
    // Ignores the second click of a double click.
    const click = ({ detail }: MouseEvent) => detail > 1 || this.ask(message);
    return html`<button class=${kind} data-testid=${id} aria-disabled=${String(busy)} @click=${click}>
      ${label}
    </button>`;
  }

  /** Where a game cannot be rated, the reason stands instead. */
  private ratedChoice(): TemplateResult {
    const why = this.terms.whyCasual();
    const rated = this.terms.rated();
    const option = (yes: boolean, label: string) =>
      choice({
        name: 'rated',
        value: yes ? 'yes' : 'no',
        label,
        checked: rated === yes,
        pick: () => this.pick(() => (this.chosen.rated = yes)),
      });
    return html`<fieldset>
      <legend>${say('create.rated')}</legend>
      ${why === null
        ? html`<div class="choices">${option(false, say('create.casual'))} ${option(true, say('create.rated.yes'))}</div>`
        : html`<p class="hint" data-testid="casual">${say(why)}</p>`}
    </fieldset>`;
  }

  private rulesChoice(): TemplateResult | typeof nothing {
    const profiles = this.terms.profiles();
    if (profiles.length < 2) return nothing;
    const now = this.terms.rules();
    const hint = `rules.hint.${now}`;
    const change = (event: Event) => this.pick(() => (this.chosen.rules = (event.target as HTMLSelectElement).value));
    return html`<fieldset>
      <label class="stacked" for="rules">${say('create.rules')}</label>
      <select id="rules" aria-describedby="rules-hint" data-testid="rules" .value=${now} @change=${change}>
        ${profiles.map((rules) => html`<option value=${rules} ?selected=${rules === now}>${nameOf('rules', rules)}</option>`)}
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
    if (this.app.gameRequests.isUnderway() || !this.check()) return;
    this.remember();
    void this.send(message());
  }

  /** Whether the form has no error; the first one is shown. */
  private check(): boolean {
    const found = this.found();
    this.fault = found?.fault ?? null;
    this.advanced ||= found?.advanced ?? false;
    this.app.changed();
    return this.fault === null;
  }

  private remember(): void {
    remember(browserStorage('local'), this.chosen);
    this.laws.remember();
    if (this.level !== null) rememberLevel(this.level.level);
  }

  /** A refusal is shown here, or as a toast if the form was closed meanwhile. */
  private async send(asked: Outgoing): Promise<void> {
    const refusals: Refused[] = [];
    const reply = await this.app.gameRequests.ask(asked, (why) => !this.closed && refusals.push(why) > 0);
    if (this.closed) return;
    if (reply !== undefined) return this.done();
    const [why] = refusals;
    if (why?.code === WITHHELD) return;
    if (why === undefined) this.fault = say('toast.unreachable');
    else this.refused(asked, why);
    this.app.changed();
  }

  /** Refusals of the name or the position are shown at the field while it still has that value. */
  private refused(asked: Outgoing, why: Refused): void {
    const to = this.opponent.to();
    if (to !== null && to === asked.to && /^to: /.test(why.message)) this.opponent.refuse(refusal(why));
    else if (typeof asked.fen === 'string' && /^fen: /.test(why.message)) {
      this.advanced = true;
      if (!this.position.refuse(asked.fen, why)) this.fault = refusal(why);
    } else this.fault = refusal(why);
  }

  /** The first error in the form, and whether its field is an advanced one. */
  private found(): { fault: string; advanced: boolean } | null {
    const { tempo, variant } = this.chosen;
    const own = faultOf(tempo);
    if (own !== null) return { fault: say(own), advanced: false };
    const absence = this.robotFault();
    if (absence !== null) return { fault: absence, advanced: false };
    const name = this.level === null ? this.opponent.nameFault(this.app.socket.user?.name) : null;
    if (name !== null) return { fault: say(name), advanced: false };
    const key =
      (this.terms.hasOdds() ? this.odds.fault() : null) ??
      (this.level === null ? this.opponent.rangeFault() : null) ??
      (this.position.on ? null : this.start960.fault(variant));
    const fault = key === null ? (this.laws.fault(this.terms.rules()) ?? this.position.fault(variant)) : say(key);
    return fault === null ? null : { fault, advanced: true };
  }
}
