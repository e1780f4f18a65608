/** Tools of the page: flip, share, sound, full screen. */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { App } from '../../app';
import type { GameSnapshot } from '../../net/protocol';
import { icon, type IconName } from '../../ui/icons';
import { scoreFormatOf } from '../../variants/registry';
import { say } from '../../words/words';
import type { EmbedDialog } from './embed-dialog';

export class GameTools {
  /** Loaded when it is opened: few people embed a game. */
  private embed: EmbedDialog | null = null;

  constructor(
    private readonly app: App,
    private readonly flip: () => void,
    /** The game is the whole page, so zen mode is possible. */
    private readonly whole: boolean,
  ) {
    document.addEventListener('fullscreenchange', this.changed);
  }

  close(): void {
    document.removeEventListener('fullscreenchange', this.changed);
  }

  draw(game: GameSnapshot): TemplateResult {
    const { sound, zen } = this.app.settings.now;
    const kind = scoreFormatOf(game.variant);
    const score = say(`do.${kind}.long`);
    return html`<div class="tools">
      ${this.tool('flip', 'turn', say('do.flip'), say('tool.flip'), this.flip)}
      ${this.tool('sound', sound ? 'loud' : 'mute', say(sound ? 'do.sound.off' : 'do.sound.on'), say('tool.sound'), () =>
        this.app.settings.set('sound', !sound),
      )}
      ${this.whole ? this.tool('zen', 'eye', say('do.zen'), say('tool.zen'), () => this.app.settings.set('zen', !zen), zen) : nothing}
      ${document.fullscreenEnabled
        ? this.tool('full', 'full', say('do.full'), say('do.full'), () => void toggleFullScreen(), document.fullscreenElement !== null)
        : nothing}
      ${this.tool('share', 'share', say('do.share'), say('do.share'), () => void this.share(game))}
      ${this.tool('embed', 'code', say('embed.title'), say('tool.embed'), () => void this.showEmbed())}
      <a
        class="button plain"
        data-testid=${kind}
        href="/api/v1/games/${game.g}/${kind}"
        download="zeitnot-${game.g}.${kind}"
        aria-label=${score}
        >${icon('save')}<span>${say(`do.${kind}`)}</span></a
      >
    </div>
    ${this.embed?.draw(game)}`;
  }

  /** Escape leaves full screen without a click here. */
  private readonly changed = (): void => this.app.changed();

  /** `short`: the text below the icon, where no pointer can hover over it. */
  private tool(name: string, picture: IconName, label: string, short: string, act: () => void, pressed?: boolean): TemplateResult {
    return html`<button
      class="plain"
      data-testid=${name}
      aria-label=${label}
      aria-pressed=${pressed ?? nothing}
      @click=${act}
    >
      ${icon(picture)}<span>${short}</span>
    </button>`;
  }

  private async showEmbed(): Promise<void> {
    const { app } = this;
    const room = await import('./embed-dialog').catch(() => null);
    if (room === null) return app.say(say('toast.unreachable'));
    this.embed ??= new room.EmbedDialog(this.changed, (text) => app.say(text));
    this.embed.show();
  }

  /** With the system's share sheet on touch devices, else to the clipboard. */
  private async share(game: GameSnapshot): Promise<void> {
    const url = `${location.origin}/game/${game.g}`;
    try {
      if (matchMedia('(pointer: coarse)').matches && 'share' in navigator) {
        await navigator.share({ title: document.title, url });
      } else {
        await navigator.clipboard.writeText(url);
        this.app.say(say('toast.copied'));
      }
    } catch (error) {
      // Cancelled, or the clipboard needs a secure context or permission.
      if (!(error instanceof DOMException && error.name === 'AbortError')) this.app.say(say('do.share.link', { url }));
    }
  }
}

async function toggleFullScreen(): Promise<void> {
  await (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(
    () => undefined,
  );
}
