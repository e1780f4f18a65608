/** A wall of chosen games side by side. The address names them. */

import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { App } from '../app';
import { browserStorage } from '../browser/storage';
import { icon, type IconName } from '../ui/icons';
import type { Page } from '../ui/page';
import { MiniGames } from '../watch/mini-games';
import { Tiles } from '../watch/tiles';
import { columnsFor, gamesIn, gamesNamed, MOST_GAMES, movedTo, sideFor, StoredWall, wallAddress, wallOf } from '../watch/wall-games';
import { say } from '../words/words';

/** Height around a board, and the gap between tiles, in pixels. */
const AROUND = 140;
const GAP = 10;
/** Smallest board; a larger wall scrolls. */
const LEAST = 150;

export class WallPage implements Page {
  private games: readonly string[];
  private readonly kept = new StoredWall(browserStorage('local'));
  private readonly minis: MiniGames;
  private readonly tiles: Tiles;
  private readonly size = new ResizeObserver(() => this.fit());
  /** Error about what was typed. */
  private fault = '';
  private dragged: string | null = null;

  constructor(private readonly app: App) {
    document.title = say('app.title', { page: say('wall.title') });
    this.minis = new MiniGames(app.socket, app.ownGames, (g) => this.news(g));
    this.tiles = new Tiles(this.minis, app.socket.time, true);
    this.tiles.element.classList.add('wall');
    const { element } = this.tiles;
    element.addEventListener('dragstart', (event) => this.take(event));
    element.addEventListener('dragover', (event) => this.drag(event));
    element.addEventListener('drop', (event) => event.preventDefault());
    element.addEventListener('dragend', () => this.drop());
    this.size.observe(document.documentElement);
    this.games = gamesIn(location.search);
    if (this.games.length === 0 && this.kept.games.length > 0) this.set(this.kept.games);
    else this.show();
  }

  close(): void {
    this.minis.close();
    this.tiles.close();
    this.size.disconnect();
  }

  draw(root: HTMLElement): void {
    // The person's own games are followed elsewhere until they are over.
    this.minis.want(this.games);
    const none = this.games.length === 0;
    render(
      html`<div class="wall-page" data-empty=${String(none)}>
        <div class="titled">
          <h1>${say('wall.title')}</h1>
          ${this.form()}
          ${none ? nothing : html`<button data-testid="share" @click=${() => void this.share()}>${icon('share')} ${say('wall.share')}</button>`}
        </div>
        ${this.fault === '' ? nothing : html`<p class="fault" role="alert" data-testid="fault">${this.fault}</p>`}
        ${none
          ? html`<div class="card" data-testid="empty-wall">
              <p>${say('wall.empty')}</p>
              <p><a class="button main" href="/live" data-page>${say('to.live')}</a></p>
            </div>`
          : nothing}
        ${this.tiles.element}
      </div>`,
      root,
    );
  }

  private form(): TemplateResult {
    return html`<form class="wall-add" @submit=${(event: SubmitEvent) => this.submit(event)}>
      <input
        type="text"
        name="games"
        autocomplete="off"
        autocapitalize="none"
        spellcheck="false"
        aria-label=${say('wall.add.long')}
        placeholder=${say('wall.add.long')}
        data-testid="wall-add"
      />
      <button>${say('wall.add')}</button>
    </form>`;
  }

  private submit(event: SubmitEvent): void {
    event.preventDefault();
    const field = (event.target as HTMLFormElement).elements.namedItem('games') as HTMLInputElement;
    const { games, unknown } = gamesNamed(field.value);
    this.fault = '';
    if (unknown.length > 0) this.fault = say('wall.fault.unknown', { what: unknown.join(' ').slice(0, 80) });
    else if (new Set([...this.games, ...games]).size > MOST_GAMES) this.fault = say('wall.fault.full', { n: MOST_GAMES });
    else field.value = '';
    // Valid ids are added all the same.
    if (games.length > 0) this.set([...this.games, ...games]);
    else this.app.changed();
  }

  /** Set the games: here, in the address, and for the next visit. */
  private set(games: readonly string[]): void {
    this.games = wallOf(games);
    this.kept.games = this.games;
    history.replaceState(history.state, '', wallAddress(this.games));
    this.show();
  }

  private show(): void {
    this.minis.keep(this.games);
    this.minis.want(this.games);
    this.fit();
    this.tiles.show({ games: this.games, frame: (g, index, inside) => this.frame(g, index, inside) });
    this.app.changed();
  }

  private frame(g: string, index: number, inside: TemplateResult | null): TemplateResult {
    const mini = this.minis.get(g);
    const last = this.games.length - 1;
    const name = mini === null ? g : say('game.title', { white: mini.players.w.user?.name ?? say('nobody'), black: mini.players.b.user?.name ?? say('nobody') });
    const tool = (testid: string, picture: IconName, label: string, act: () => void, off = false) =>
      html`<button class="plain" data-testid=${testid} aria-label=${label} ?disabled=${off} @click=${act}>${icon(picture)}</button>`;
    return html`<div class="watch-tile wall-tile" draggable="true" data-dragged=${String(this.dragged === g)}>
      ${inside ??
      html`<p class="tile-wait empty" data-testid="tile-wait">${say(this.minis.missing(g) ? 'missing.game' : 'app.loading')}</p>`}
      <div class="wall-tools" role="group" aria-label=${name}>
        ${mini?.status === 'over' && mini.next !== null && !this.games.includes(mini.next)
          ? html`<button class="plain wall-next" data-testid="wall-next" @click=${() => this.replace(g, mini.next!)}>${say('do.next')}</button>`
          : nothing}
        ${tool('wall-earlier', 'previous', say('wall.earlier', { name }), () => this.move(g, index - 1, 'wall-earlier'), index === 0)}
        ${tool('wall-later', 'following', say('wall.later', { name }), () => this.move(g, index + 1, 'wall-later'), index === last)}
        ${tool('wall-off', 'cross', say('wall.off', { name }), () => this.remove(g))}
      </div>
    </div>`;
  }

  private news(g: string): void {
    this.tiles.changed();
    if (this.minis.missing(g)) this.app.changed();
  }

  private replace(g: string, next: string): void {
    this.set(this.games.map((other) => (other === g ? next : other)));
  }

  private remove(g: string): void {
    const index = this.games.indexOf(g);
    this.set(this.games.filter((other) => other !== g));
    const nearest = this.games[Math.min(index, this.games.length - 1)];
    if (nearest === undefined) return;
    this.focus(nearest, 'wall-off');
  }

  /** With the buttons; the pressed one keeps the focus. */
  private move(g: string, to: number, pressed: string): void {
    this.set(movedTo(this.games, g, to));
    const atEnd = this.games[0] === g ? 'wall-later' : this.games.at(-1) === g ? 'wall-earlier' : pressed;
    this.focus(g, atEnd);
  }

  private focus(g: string, testid: string): void {
    requestAnimationFrame(() => this.tiles.tileOf(g)?.querySelector<HTMLElement>(`[data-testid=${testid}]`)?.focus());
  }

  private take(event: DragEvent): void {
    this.dragged = placeOf(event);
    if (this.dragged === null || !event.dataTransfer) return;
    event.dataTransfer.effectAllowed = 'move';
    // Dropped outside, it is a link to the game.
    event.dataTransfer.setData('text/uri-list', `${location.origin}/game/${this.dragged}`);
    this.tiles.changed();
  }

  private drag(event: DragEvent): void {
    const over = placeOf(event);
    if (this.dragged === null) return;
    event.preventDefault();
    if (over === null || over === this.dragged) return;
    this.games = movedTo(this.games, this.dragged, this.games.indexOf(over));
    this.show();
  }

  private drop(): void {
    this.dragged = null;
    this.set(this.games);
  }

  private async share(): Promise<void> {
    const url = location.origin + wallAddress(this.games);
    try {
      await navigator.clipboard.writeText(url);
      this.app.say(say('toast.copied'));
    } catch {
      // The clipboard needs a secure context and permission.
      this.app.say(say('do.share.link', { url }));
    }
  }

  /** Make the boards as large as the window allows. */
  private fit(): void {
    const { element } = this.tiles;
    const width = element.clientWidth || document.documentElement.clientWidth - 32;
    const height = innerHeight - (element.getBoundingClientRect().top + scrollY || 140) - 16;
    const widest = Math.max(1, Math.floor((width + GAP) / (LEAST + GAP)));
    const columns = Math.min(widest, columnsFor(this.games.length, width, height, AROUND, GAP));
    element.style.setProperty('--columns', String(columns));
    const side = sideFor(this.games.length, columns, { width, height, above: AROUND - 16, gap: GAP, least: LEAST });
    element.style.setProperty('--side', `${side}px`);
  }
}

const placeOf = ({ target }: Event): string | null =>
  (target instanceof Element && target.closest<HTMLElement>('[data-tile]')?.dataset.tile) || null;
