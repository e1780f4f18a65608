/** Options of a game by the Laws: who rules on illegal moves, draw offers, default time, how pieces are touched. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { KeyValueStorage } from '../../browser/storage';
import type { LawsTerms } from '../../net/protocol';
import type { SettingsStore } from '../../settings/store';
import type { LawsKind } from '../../time/laws-kind';
import { choice } from '../../ui/choice';
import { isByLaws } from '../../variants/laws-terms';
import { sayLaws } from '../../words/laws';
import { say } from '../../words/words';

const NAME = 'create.laws';
const DRAWS = ['any', 'from', 'none'] as const;
/** In seconds. */
const DEFAULT_TIMES = [30, 60, 300, 900, 1800, 3600];
const MOST_MOVES = 200;

interface Chosen {
  supervised: boolean;
  draws: (typeof DRAWS)[number];
  /** Moves before a draw may be offered. */
  from: number;
  default_s: number;
  /** Draughts are played as over a board. */
  official: boolean;
  /** The players write their moves themselves. */
  sheet: boolean;
}

const INITIAL: Chosen = { supervised: true, draws: 'any', from: 30, default_s: 60, official: false, sheet: false };

type Storage = Pick<KeyValueStorage, 'getItem' | 'setItem'> | null;

export class LawsField {
  private readonly chosen: Chosen;
  /** What the person chose themselves: only that is remembered. */
  private readonly preferred: Chosen;

  constructor(
    private readonly storage: Storage,
    private readonly settings: Pick<SettingsStore, 'now' | 'set'>,
    private readonly edited: () => void,
  ) {
    this.preferred = stored(storage);
    this.chosen = { ...this.preferred };
  }

  /** Start with the terms of a game, which are no preference. */
  begin(terms: LawsTerms | undefined): void {
    if (terms === undefined) return;
    const { supervised, draw_from, default_s, score_sheet } = terms;
    Object.assign(this.chosen, { supervised, default_s, sheet: score_sheet, official: true, draws: draw_from === null ? 'none' : draw_from === 0 ? 'any' : 'from' });
    if (draw_from) this.chosen.from = draw_from;
  }

  /** What to ask for under `rules`; null for a game that is not by the Laws. `people`: two of them, at two devices. */
  terms(rules: string, people = true): Partial<LawsTerms> | null {
    const { supervised, draws, from, default_s, sheet } = this.chosen;
    if (!this.applies(rules)) return null;
    return {
      ...(rules === 'fide' ? { supervised } : {}),
      draw_from: draws === 'none' ? null : draws === 'from' ? from : 0,
      default_s,
      ...(sheet && people ? { score_sheet: true } : {}),
    };
  }

  /** Whether a game under `rules` is by the Laws. */
  applies(rules: string): boolean {
    return isByLaws(rules) || (rules === 'official' && this.chosen.official);
  }

  fault(rules: string): string | null {
    const { draws, from } = this.chosen;
    const isWrong = this.applies(rules) && draws === 'from' && !(Number.isInteger(from) && from >= 1 && from <= MOST_MOVES);
    return isWrong ? sayLaws('form.draws.fault') : null;
  }

  remember(): void {
    try {
      this.storage?.setItem(NAME, JSON.stringify(this.preferred));
    } catch {
      // The storage is full: the next form has the defaults.
    }
  }

  draw(rules: string, kind: LawsKind, people: boolean): TemplateResult | typeof nothing {
    if (rules !== 'official' && !this.applies(rules)) return nothing;
    const { official } = this.chosen;
    return html`<div class="laws-fields" data-testid="laws">
      ${rules === 'official'
        ? html`<fieldset>
            <label class="box"
              ><input type="checkbox" data-testid="laws-official" .checked=${official} @change=${(event: Event) => this.pick({ official: (event.target as HTMLInputElement).checked })} />
              ${sayLaws('form.official')}</label
            >
            <p class="hint">${sayLaws('form.official.hint')}</p>
          </fieldset>`
        : html`<p class="hint">${sayLaws('form.how')}</p>`}
      ${this.applies(rules) ? html`${this.arbiter(rules, kind)} ${this.draws()} ${this.defaultTime()} ${people ? this.sheets() : nothing} ${this.touching()}` : nothing}
    </div>`;
  }

  private arbiter(rules: string, kind: LawsKind): TemplateResult | typeof nothing {
    if (rules === 'uscf') return html`<p class="hint">${sayLaws(kind === 'blitz' ? 'form.uscf.blitz' : 'form.uscf')}</p>`;
    if (rules !== 'fide') return nothing;
    const { supervised } = this.chosen;
    const hint = supervised || kind === 'standard' ? 'at_once' : kind;
    const option = (yes: boolean) =>
      choice({
        name: 'supervised',
        value: yes ? 'yes' : 'no',
        label: sayLaws(yes ? 'form.arbiter.yes' : 'form.arbiter.no'),
        checked: supervised === yes,
        pick: () => this.pick({ supervised: yes }),
      });
    return html`<fieldset data-testid="laws-arbiter">
      <legend>${sayLaws('form.arbiter')}</legend>
      <div class="choices">${option(true)} ${option(false)}</div>
      <p class="hint">${sayLaws(`form.arbiter.${hint}`)}</p>
    </fieldset>`;
  }

  private draws(): TemplateResult {
    const { draws, from } = this.chosen;
    return html`<fieldset data-testid="laws-draws">
      <legend>${sayLaws('form.draws')}</legend>
      <div class="choices">
        ${DRAWS.map((value) => choice({ name: 'laws-draws', value, label: sayLaws(`form.draws.${value}`), checked: draws === value, pick: () => this.pick({ draws: value }) }))}
        ${draws === 'from'
          ? html`<input
              type="number"
              min="1"
              max=${MOST_MOVES}
              data-testid="laws-from"
              aria-label=${sayLaws('form.draws.move')}
              .value=${String(from)}
              @input=${(event: Event) => this.pick({ from: (event.target as HTMLInputElement).valueAsNumber })}
            />`
          : nothing}
      </div>
    </fieldset>`;
  }

  private defaultTime(): TemplateResult {
    const { default_s } = this.chosen;
    const text = (s: number) => (s % 60 === 0 ? sayLaws('form.default.minutes', { n: s / 60 }) : sayLaws('form.default.seconds', { n: s }));
    return html`<fieldset>
      <label class="stacked" for="laws-default">${sayLaws('form.default')}</label>
      <select id="laws-default" data-testid="laws-default" aria-describedby="laws-default-hint" @change=${(event: Event) => this.pick({ default_s: Number((event.target as HTMLSelectElement).value) })}>
        ${[...new Set([...DEFAULT_TIMES, default_s])].sort((one, other) => one - other).map((s) => html`<option value=${s} ?selected=${s === default_s}>${text(s)}</option>`)}
      </select>
      <p id="laws-default-hint" class="hint">${sayLaws('form.default.hint')}</p>
    </fieldset>`;
  }

  private sheets(): TemplateResult {
    return html`<fieldset>
      <label class="box"
        ><input type="checkbox" data-testid="laws-sheet" .checked=${this.chosen.sheet} @change=${(event: Event) => this.pick({ sheet: (event.target as HTMLInputElement).checked })} />
        ${sayLaws('form.sheet')}</label
      >
      <p class="hint">${sayLaws('form.sheet.hint')}</p>
    </fieldset>`;
  }

  private touching(): TemplateResult {
    const { touch } = this.settings.now;
    return html`<fieldset data-testid="laws-touch">
      <legend>${sayLaws('form.touch')}</legend>
      <div class="choices">
        ${(['select', 'hold'] as const).map((value) =>
          choice({
            name: 'laws-touch',
            value,
            label: say(`touch.${value}`),
            checked: touch === value,
            pick: () => {
              this.settings.set('touch', value);
              this.edited();
            },
          }),
        )}
      </div>
      <p class="hint">${sayLaws('form.touch.hint')}</p>
    </fieldset>`;
  }

  private pick(change: Partial<Chosen>): void {
    Object.assign(this.chosen, change);
    Object.assign(this.preferred, change);
    this.edited();
  }
}

/** Stored values are not trusted. */
function stored(storage: Storage): Chosen {
  let found: Partial<Record<keyof Chosen, unknown>> = {};
  try {
    const value: unknown = JSON.parse(storage?.getItem(NAME) ?? '{}');
    if (typeof value === 'object' && value !== null) found = value;
  } catch {
    // The defaults.
  }
  const flag = (name: 'supervised' | 'official' | 'sheet') => (typeof found[name] === 'boolean' ? found[name] : INITIAL[name]);
  const within = (value: unknown, low: number, high: number, other: number) =>
    typeof value === 'number' && Number.isInteger(value) && value >= low && value <= high ? value : other;
  return {
    supervised: flag('supervised'),
    official: flag('official'),
    sheet: flag('sheet'),
    draws: DRAWS.find((value) => value === found.draws) ?? INITIAL.draws,
    from: within(found.from, 1, MOST_MOVES, INITIAL.from),
    default_s: within(found.default_s, 10, 3600, INITIAL.default_s),
  };
}
