/** The settings; each choice takes effect at once. */

import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { App } from '../app';
import { CHESS } from '../board/grounds';
import { miniBoard } from '../board/mini-board';
import { allow, isAllowed, isRefused } from '../browser/notifications';
import type { User } from '../net/protocol';
import { PIECE_LETTERS } from '../notation/notation.gen';
import { tellNotation } from '../notation/tell-move';
import { writeMove } from '../notation/write-move';
import { InvisibleSetting } from '../people/invisible-setting';
import { DEFAULTS, RULES, type SettingName, type Settings } from '../settings/settings';
import { SPEEDS } from '../time/speed';
import type { Page } from '../ui/page';
import { sourceLink } from '../ui/source-link';
import { nameOf, say, type PlainKey } from '../words/words';

type Flag = { [K in SettingName]: Settings[K] extends boolean ? K : never }[SettingName];
type Choice = { [K in SettingName]: (typeof RULES)[K] extends { options: readonly string[] } ? K : never }[SettingName];

/** Example of each notation. */
const EXAMPLE = ['g1f3', 'Nf3'] as const;
const ANIMATIONS = [0, 100, 150, 400] as const;
/** After 1. e4 e5 2. Nf3 Nc6 3. Bb5. */
const SHOWN = 'r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3';

export class SettingsPage implements Page {
  private readonly invisible: InvisibleSetting;

  constructor(private readonly app: App) {
    this.invisible = new InvisibleSetting(app);
    document.title = say('app.title', { page: say('settings.title') });
  }

  close(): void {
    // Nothing to release.
  }

  draw(root: HTMLElement): void {
    const { user } = this.app.socket;
    render(
      html`<div class="column settings" data-testid="settings">
        <h1>${say('settings.title')}</h1>
        <p class="about">${kept(user)}</p>
        ${this.section('settings.looks', [
          html`<div class="looks">
            ${preview(this.app.settings.now.coordinates)}
            <div>
              ${this.choice('theme')} ${this.choice('boardTheme')} ${this.choice('pieceSet')} ${this.choice('pieceColours')}
              ${this.choice('coordinates')} ${this.animation()} ${this.choice('reducedMotion')}
            </div>
          </div>`,
        ])}
        ${this.section('settings.hands', [
          this.choice('moveInput'),
          this.choice('touch'),
          this.choice('autoQueen'),
          this.confirmMoves(),
          this.flag('confirmResign'),
          this.flag('confirmDraw'),
          this.flag('premove'),
          this.flag('zen'),
        ])}
        ${this.section('settings.reading', [
          this.choice('clockTenths'),
          this.choice('notation', (notation) => writeMove(...EXAMPLE, { ...this.app.settings.now, notation })),
          this.letters(),
          this.choice('tellMoves', (tellMoves) => tellNotation(...EXAMPLE, { ...this.app.settings.now, tellMoves }).text),
        ])}
        ${this.section('settings.hearing', [
          this.flag('sound'),
          this.volume(),
          this.flag('speech'),
          this.flag('textMode'),
          this.notify(),
        ])}
        ${this.invisible.draw()}
        <div class="buttons">
          <button data-testid="reset" @click=${() => this.reset()}>${say('settings.reset')}</button>
        </div>
        ${sourceLink()}
      </div>`,
      root,
    );
  }

  private section(title: PlainKey, parts: TemplateResult[]): TemplateResult {
    return html`<section class="card">
      <h2>${say(title)}</h2>
      ${parts}
    </section>`;
  }

  /** `example`: the effect of an option. */
  private choice<K extends Choice>(name: K, example?: (value: Settings[K]) => string): TemplateResult {
    const options: readonly string[] = RULES[name].options;
    const label = (value: string) => nameOf(name, value).replace('{move}', example?.(value as Settings[K]) ?? '');
    const chosen: string = this.app.settings.now[name];
    return html`<fieldset data-testid="set-${name}">
      <legend>${nameOf('set', name)}</legend>
      <div class="choices">
        ${options.map((value) =>
          radio(name, value, label(value), value === chosen, () =>
            this.app.settings.set(name, value as Settings[K]),
          ),
        )}
      </div>
    </fieldset>`;
  }

  /** Too many for a row of buttons. */
  private letters(): TemplateResult {
    const { settings } = this.app;
    const chosen = settings.now.letters;
    return html`<fieldset>
      <legend>${nameOf('set', 'letters')}</legend>
      <select
        data-testid="set-letters"
        aria-label=${nameOf('set', 'letters')}
        @change=${(event: Event) => settings.set('letters', (event.target as HTMLSelectElement).value as Settings['letters'])}
      >
        ${languages().map(
          (language) => html`<option value=${language} lang=${language === 'figurine' ? nothing : language} .selected=${language === chosen}>
            ${nameOf('letters', language)} – ${PIECE_LETTERS[language].slice(0, -1).join(' ')}
          </option>`,
        )}
      </select>
    </fieldset>`;
  }

  private animation(): TemplateResult {
    const { settings } = this.app;
    return html`<fieldset>
      <legend>${nameOf('set', 'animation')}</legend>
      <div class="choices">
        ${ANIMATIONS.map((ms) =>
          radio('animation', String(ms), nameOf('animation', String(ms)), ms === settings.now.animation, () =>
            settings.set('animation', ms),
          ),
        )}
      </div>
    </fieldset>`;
  }

  private flag(name: Flag): TemplateResult {
    return box(nameOf('set', name), name, this.app.settings.now[name], (on) => this.app.settings.set(name, on));
  }

  /** The browser asks when it is turned on; each browser must be allowed. */
  private notify(): TemplateResult {
    const { settings } = this.app;
    const turn = async (on: boolean) => {
      settings.set('notify', on && (isAllowed() || (await allow())));
      this.app.changed();
    };
    const refused = isRefused();
    return html`${box(nameOf('set', 'notify'), 'notify', settings.now.notify && isAllowed(), (on) => void turn(on), refused)}
    ${refused ? html`<p class="hint">${say('set.notify.refused')}</p>` : nothing}`;
  }

  private confirmMoves(): TemplateResult {
    const { settings } = this.app;
    const chosen = settings.now.confirmMoves.split(' ').filter(Boolean);
    const turn = (speed: string, on: boolean) =>
      settings.set('confirmMoves', SPEEDS.filter((other) => (other === speed ? on : chosen.includes(other))).join(' '));
    return html`<fieldset>
      <legend>${nameOf('set', 'confirmMoves')}</legend>
      <div class="choices">
        ${SPEEDS.map((speed) =>
          box(nameOf('speed', speed), `confirm-${speed}`, chosen.includes(speed), (on) => turn(speed, on)),
        )}
      </div>
    </fieldset>`;
  }

  private volume(): TemplateResult {
    const { settings } = this.app;
    return html`<label class="slider"
      >${nameOf('set', 'volume')}
      <input
        type="range"
        min="0"
        max="1"
        step="0.05"
        data-testid="set-volume"
        ?disabled=${!settings.now.sound}
        .value=${String(settings.now.volume)}
        @input=${(event: Event) => settings.set('volume', (event.target as HTMLInputElement).valueAsNumber)}
      />
    </label>`;
  }

  private reset(): void {
    for (const name of Object.keys(DEFAULTS) as SettingName[]) this.app.settings.set(name, DEFAULTS[name]);
  }
}

/** A guest exists in one browser only. */
function kept(user: User | null): string {
  if (user === null) return say('settings.kept.browser');
  return user.kind === 'guest' ? say('settings.kept.guest', { name: user.name }) : say('settings.kept.person', { name: user.name });
}

/** In view while anything is chosen. */
function preview(coordinates: Settings['coordinates']): TemplateResult {
  const marks = (kind: string, names: string) =>
    html`<span class="preview-${kind}" aria-hidden="true">${[...names].map((name) => html`<i>${name}</i>`)}</span>`;
  return html`<div class="preview" role="img" aria-label=${say('settings.preview')}>
    <div class="preview-board" data-coordinates=${coordinates}>
      ${miniBoard(CHESS, SHOWN, 'f1b5')}
      ${coordinates === 'none' ? nothing : html`${marks('files', 'abcdefgh')} ${marks('ranks', '87654321')}`}
    </div>
  </div>`;
}

/** By name, figurines first. */
const languages = (): readonly Settings['letters'][] =>
  [...RULES.letters.options].sort((one, other) =>
    one === 'figurine' ? -1 : other === 'figurine' ? 1 : nameOf('letters', one).localeCompare(nameOf('letters', other)),
  );

function radio(name: string, value: string, label: string, checked: boolean, pick: () => void): TemplateResult {
  return html`<label class="choice"
    ><input type="radio" name=${name} value=${value} .checked=${checked} @change=${pick} /><span data-value="${name}-${value}"
      >${label}</span
    ></label
  >`;
}

function box(label: string, name: string, checked: boolean, set: (on: boolean) => void, disabled = false): TemplateResult {
  return html`<label class="box"
    ><input
      type="checkbox"
      data-testid="set-${name}"
      .checked=${checked}
      ?disabled=${disabled}
      @change=${(event: Event) => set((event.target as HTMLInputElement).checked)}
    />
    ${label}</label
  >`;
}
