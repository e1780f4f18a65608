/** The board that pops over beside a name: a tile that follows the game, as any spectator sees it. */

import '../styles/preview.css';
import { html } from 'lit-html';
import type { Color } from '../net/protocol';
import type { AppServices } from '../session/services';
import { placeMenu } from '../ui/popover';
import { say } from '../words/words';
import { MiniGames } from './mini-games';
import { Tiles } from './tiles';

const ID = 'game-preview';
/** The page may drop the name, or follow the game itself. */
const LOOKS_MS = 500;

export class GamePreview {
  private readonly element = document.createElement('div');
  private readonly minis: MiniGames;
  private readonly tiles: Tiles;
  private readonly ticker: ReturnType<typeof setInterval>;
  private isShown = false;

  /** `name`: the link, `person`: whose it is; `gone`: the link is not on the page any more. */
  constructor(
    { socket, settings }: Pick<AppServices, 'settings' | 'socket'>,
    private readonly name: HTMLElement,
    person: string,
    private readonly g: string,
    gone: () => void,
  ) {
    this.minis = new MiniGames(socket, { games: () => [] }, () => this.changed());
    this.tiles = new Tiles(this.minis, socket.time, settings.now.clockTenths !== 'never');
    this.tiles.show({ games: [g], frame: (_g, _index, inside) => html`${inside}`, bottom: () => this.bottom(person) });
    this.element.id = ID;
    this.element.popover = 'manual';
    this.element.role = 'region';
    this.element.ariaLabel = say('players.playing');
    this.element.dataset.testid = ID;
    this.element.append(this.tiles.element);
    this.ticker = setInterval(() => name.isConnected || gone(), LOOKS_MS);
    this.minis.want([g]);
  }

  contains(target: EventTarget | null): boolean {
    return target instanceof Node && this.element.contains(target);
  }

  close(): void {
    clearInterval(this.ticker);
    this.minis.close();
    this.tiles.close();
    this.element.remove();
    this.name.removeAttribute('aria-describedby');
  }

  /** The person whose name it is plays from below; of a simul the host. */
  private bottom(person: string): Color {
    const mini = this.minis.get(this.g);
    const isBlack = mini?.players.b.user?.name.toLowerCase() === person.toLowerCase();
    return mini?.simul_host ?? (isBlack ? 'b' : 'w');
  }

  /** It appears with the game, so that it never is empty. */
  private changed(): void {
    this.tiles.changed();
    if (this.isShown || this.minis.get(this.g) === null) return;
    this.isShown = true;
    requestAnimationFrame(() => {
      if (!this.name.isConnected) return;
      document.body.append(this.element);
      this.element.showPopover();
      placeMenu(this.element, this.name);
      this.name.setAttribute('aria-describedby', ID);
    });
  }
}
