/** Form to announce or edit a simul: few decisions at first, the others under “Advanced”. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { App } from '../../app';
import { PositionField } from '../../lobby/form/position-field';
import { TempoChoice } from '../../lobby/form/tempo-choice';
import { Refused, type SimulSnapshot } from '../../net/protocol';
import { choice } from '../../ui/choice';
import { NameSuggestions } from '../../ui/name-suggestions';
import { nameOf, refusal, say } from '../../words/words';
import { advancedOf, type Draft, draftOf, faultOf, HOST_TIMES, isAdvanced, mayBeRated, mayHaveStandIn, messageOf, newDraft, unchangedNames } from './draft';
import { box, number, pick } from './fields';
import { variantBoxes } from './variant-boxes';

const COLORS = ['alternating', 'w', 'b', 'random'] as const;
const WHO = ['all', 'members', 'people', 'invited'] as const;
const LATE = ['none', 'move', 'minutes'] as const;
const DRAWS = ['free', 'after', 'none'] as const;
/** Refusals of a field under “Advanced”. */
const ADVANCED = /^(?!name|tc|host_tc|mode|variants?|max_boards)[a-z_]+: /;

export class SimulForm {
  private readonly draft: Draft;
  private readonly tempo: TempoChoice;
  private readonly hostTempo: TempoChoice;
  private readonly position: PositionField;
  private fault: string | null = null;
  private refused = '';
  private busy = false;
  /** Whether the fields under “Advanced” are shown. */
  private advanced = false;
  private readonly people: NameSuggestions;

  /** `simul`: the announced simul; `done` is called with its id when it is saved. */
  constructor(
    private readonly app: App,
    private readonly simul: SimulSnapshot | null,
    private readonly done: (simul: string) => void,
  ) {
    this.draft = simul === null ? newDraft() : draftOf(simul);
    const edited = () => this.edited();
    this.tempo = new TempoChoice(this.draft.tempo, 'simul-tempo', () => this.tempoChosen(), ['none']);
    this.hostTempo = new TempoChoice(this.draft.hostTempo, 'simul-host-tempo', edited, []);
    const moved = () => this.set('fen')(this.position.text());
    this.position = new PositionField(moved, () => app.changed(), this.draft.fen);
    this.people = new NameSuggestions('simul-people', () => app.changed());
  }

  close(): void {
    this.position.close();
    this.people.close();
  }

  /** `cancel`: close the form. */
  draw(cancel: () => void): TemplateResult {
    const { draft } = this;
    const round = draft.mode === 'round';
    const why = this.fault ?? this.refused;
    return html`<form class="simul-form" data-testid="simul-form" novalidate @submit=${(event: Event) => this.submit(event)}>
      <div class="simul-first">
        <label class="wide"
          >${say('simul.form.name')}
          <input type="text" name="name" maxlength="60" required data-testid="simul-name" .value=${draft.name} @input=${this.text('name')} />
        </label>
        <div class="simul-fields">${number(say('simul.form.boards'), draft.max_boards, [1, 1000], this.set('max_boards'), 'simul-boards')}</div>
      </div>
      <fieldset>
        <legend>${say('simul.term.mode')}</legend>
        <div class="choices">
          ${(['clock', 'round'] as const).map((mode) => this.choose('mode', mode, say(`simul.mode.name.${mode}`)))}
        </div>
        <p class="hint">${say(`simul.mode.${draft.mode}`)}</p>
      </fieldset>
      ${this.tempo.draw(say('simul.form.time'))} ${round ? this.round() : nothing} ${this.variants()}
      <fieldset>
        <legend>${say('simul.term.color')}</legend>
        <div class="choices">${COLORS.map((color) => this.choose('host_color', color, nameOf('simul.color.short', color)))}</div>
      </fieldset>
      ${box(say('simul.form.auto-accept'), draft.auto_accept, this.set('auto_accept'), false, 'simul-auto-accept')} ${this.more()}
      <div class="simul-submit">
        <p class="fault" role="alert" data-testid="simul-fault">${why}</p>
        <div class="buttons">
          <button class="main" data-testid="simul-create" aria-disabled=${String(this.busy)}>${say(this.simul === null ? 'simul.form.go' : 'simul.save')}</button>
          <button type="button" data-testid="simul-form-cancel" @click=${cancel}>${say('form.cancel')}</button>
        </div>
      </div>
    </form>`;
  }

  /** The host's time, of their own only in a round. */
  private round(): TemplateResult {
    const { draft } = this;
    return html`<fieldset>
      <legend>${say('simul.term.host-time')}</legend>
      <div class="choices">${HOST_TIMES.map((how) => this.choose('hostTime', how, say(`simul.form.host.${how}`)))}</div>
      ${draft.hostTime === 'move' ? html`<div class="simul-fields">${number(say('simul.form.move'), draft.move_s, [1, 3600], this.set('move_s'))}</div>` : nothing}
      ${draft.hostTime === 'own' ? this.hostTempo.draw(say('simul.form.host.time')) : nothing}
    </fieldset>`;
  }

  /** Closed, it says what is set in it. */
  private more(): TemplateResult {
    const { draft } = this;
    const toggled = (event: Event) => {
      if (event.target !== event.currentTarget) return;
      this.advanced = (event.currentTarget as HTMLDetailsElement).open;
      this.app.changed();
    };
    const set = this.advanced ? '' : this.advancedText();
    return html`<details class="simul-more" data-testid="simul-advanced" .open=${this.advanced} @toggle=${toggled}>
      <summary>${say('simul.form.more')}${set === '' ? nothing : html` <small data-testid="simul-advanced-set">${set}</small>`}</summary>
      <label class="wide"
        >${say('simul.form.text')}
        <textarea name="text" rows="3" maxlength="1000" .value=${draft.text} @input=${this.text('text')}></textarea>
      </label>
      ${this.whoMayJoin()} ${draft.variants.length === 1 ? this.position.draw(draft.variants[0]!) : nothing} ${this.extras()} ${this.start()}
    </details>`;
  }

  private advancedText(): string {
    const { draft } = this;
    const texts: Partial<Record<keyof Draft, string>> = {
      who: say(`simul.form.who.${draft.who}`),
      rated: mayBeRated(draft) ? say('simul.form.rated') : '',
      fen: draft.variants.length === 1 && this.position.on ? say('inbox.position') : '',
      stand_in: mayHaveStandIn(draft) ? say('simul.term.stand-in') : '',
      delay_s: say('simul.term.delay'),
      late: say('simul.term.late'),
      start: say('simul.term.start'),
    };
    return advancedOf(draft)
      .map((name) => texts[name] ?? '')
      .filter(Boolean)
      .join(' · ');
  }

  /** Without clocks for the players the host has none for all boards either. */
  private tempoChosen(): void {
    const { draft } = this;
    if (draft.tempo.pick === 'none' && draft.hostTime === 'own') draft.hostTime = 'none';
    this.edited();
  }

  private variants(): TemplateResult {
    const { draft } = this;
    return html`<fieldset>
      <legend>${say('simul.term.variants')}</legend>
      ${variantBoxes(draft.variants, this.set('variants'))}
      ${draft.variants.length === 1 ? nothing : html`<p class="hint">${say('simul.form.variants')}</p>`}
    </fieldset>`;
  }

  private whoMayJoin(): TemplateResult {
    const { draft } = this;
    const isGuest = (this.app.socket.user?.kind ?? 'guest') === 'guest';
    const locked = !mayBeRated(draft) || isGuest;
    return html`<fieldset>
      <legend>${say('simul.term.who')}</legend>
      <div class="choices">${WHO.map((who) => this.choose('who', who, say(`simul.form.who.${who}`)))}</div>
      ${draft.who === 'invited'
        ? html`<label class="wide"
            >${say('simul.form.invited')}
            <textarea name="invited" rows="2" .value=${draft.invited} @input=${this.text('invited')}></textarea>
          </label>`
        : nothing}
      <div class="simul-fields">
        ${number(say('create.opponent.from'), draft.min_rating, [0, 4000], this.set('min_rating'))}
        ${number(say('create.opponent.to'), draft.max_rating, [0, 4000], this.set('max_rating'))}
      </div>
      ${box(say('simul.form.rated'), draft.rated && !locked, this.set('rated'), locked)}
      ${locked ? html`<p class="hint">${say('simul.form.rated.hint')}</p>` : nothing}
    </fieldset>`;
  }

  private extras(): TemplateResult {
    const { draft } = this;
    const round = draft.mode === 'round';
    return html`<div class="simul-fields">
        ${round ? number(say('simul.form.countdown'), draft.countdown_s, [1, 300], this.set('countdown_s')) : nothing}
        ${round ? number(say('simul.form.passes'), draft.passes, [0, 100], this.set('passes')) : nothing}
        ${number(say('simul.form.extra'), draft.host_extra_s, [0, 36_000], this.set('host_extra_s'))}
        ${number(say('simul.form.extra.board'), draft.host_extra_per_board_s, [0, 3600], this.set('host_extra_per_board_s'))}
        ${number(say('simul.form.away'), draft.away_limit_s, [60, 7200], this.set('away_limit_s'))}
        ${number(say('simul.form.delay'), draft.delay_s, [0, 900], this.set('delay_s'))}
        ${mayHaveStandIn(draft) ? this.standIn() : nothing}
        ${pick(say('simul.term.draws'), draft.draws, DRAWS.map((rule) => [rule, say(`simul.form.draws.${rule}`)] as const), this.set('draws'))}
        ${draft.draws === 'after' ? number(say('simul.form.draws.n'), draft.drawsAfter, [1, 200], this.set('drawsAfter')) : nothing}
        ${pick(say('simul.term.late'), draft.late, LATE.map((late) => [late, say(`simul.form.late.${late}`)] as const), this.set('late'))}
        ${draft.late === 'move' ? number(say('simul.form.late.n-move'), draft.lateMove, [1, 200], this.set('lateMove')) : nothing}
        ${draft.late === 'minutes' ? number(say('simul.form.late.n-minutes'), draft.lateMinutes, [1, 600], this.set('lateMinutes')) : nothing}
      </div>
      ${round ? box(say('simul.form.auto'), draft.auto_next, this.set('auto_next')) : nothing}`;
  }

  private standIn(): TemplateResult {
    const input = (event: Event) => {
      this.draft.stand_in = (event.target as HTMLInputElement).value;
      this.people.typed(this.draft.stand_in);
    };
    return html`<label title=${say('simul.form.stand-in.hint')}
      >${say('simul.form.stand-in')}
      <input
        type="text"
        maxlength="32"
        list=${this.people.id}
        autocomplete="off"
        autocapitalize="none"
        spellcheck="false"
        data-testid="simul-stand-in"
        .value=${this.draft.stand_in}
        @input=${input} />
      ${this.people.draw()}
    </label>`;
  }

  private start(): TemplateResult {
    return html`<label class="wide"
      >${say('simul.form.start')}
      <input type="datetime-local" name="start" .value=${this.draft.start} @input=${this.text('start')} />
      <small class="hint">${say('simul.form.start.hint')}</small>
    </label>`;
  }

  private choose<K extends 'mode' | 'hostTime' | 'host_color' | 'who'>(name: K, value: Draft[K], label: string): TemplateResult {
    const { draft } = this;
    return choice({ name: `simul-${name}`, value, label, checked: draft[name] === value, pick: () => this.set(name)(value) });
  }

  private set<K extends keyof Draft>(name: K): (value: Draft[K]) => void {
    return (value) => {
      this.draft[name] = value;
      this.edited();
    };
  }

  private text(name: 'name' | 'text' | 'invited' | 'start') {
    return (event: Event) => this.set(name)((event.target as HTMLInputElement | HTMLTextAreaElement).value);
  }

  /** Only with a single variant. */
  private positionFault(): string | null {
    const [variant, ...more] = this.draft.variants;
    return variant === undefined || more.length > 0 ? null : this.position.fault(variant);
  }

  private edited(): void {
    this.fault = null;
    this.refused = '';
    this.app.changed();
  }

  private async submit(event: Event): Promise<void> {
    event.preventDefault();
    if (this.busy) return;
    const { app, draft, simul } = this;
    const found = faultOf(draft, app.socket.time.now());
    this.fault = found === null ? this.positionFault() : say(found);
    this.refused = '';
    if (found === null ? this.fault !== null : isAdvanced(found)) this.advanced = true;
    this.busy = this.fault === null;
    app.changed();
    if (this.fault !== null) return;
    try {
      await app.session.ensure();
      const message = simul === null ? { t: 'simul.create' } : { t: 'simul.edit', simul: simul.simul };
      const terms: Record<string, unknown> = messageOf(draft);
      if (simul !== null) for (const name of unchangedNames(draft, draftOf(simul))) delete terms[name];
      const reply = await app.socket.change({ ...terms, ...message });
      this.done(simul?.simul ?? String(reply.simul));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      // Nobody of that name, or a field that is there.
      this.advanced ||= error.code === 'not_found' || ADVANCED.test(error.message);
      const shown = draft.fen !== '' && /^fen: /.test(error.message) && this.position.refuse(draft.fen, error);
      if (!shown) this.refused = refusal(error);
    } finally {
      this.busy = false;
      app.changed();
    }
  }
}
