/** What every page is given: the line, the person, and the way to other pages. */

import { html, render } from 'lit-html';
import { Refused, type Incoming, type Paired } from './protocol';
import { Session } from './session';
import type { Socket } from './socket';

export interface Page {
  /** Draw what is known now. Called after anything changed; cheap enough to be called often. */
  draw(root: HTMLElement): void;
  close(): void;
}

const SAY_FOR_MS = 6_000;

export class App {
  readonly session: Session;
  private page: Page | null = null;
  private said = '';
  private silent: ReturnType<typeof setTimeout> | undefined;
  private scheduled = false;

  constructor(
    readonly socket: Socket,
    private readonly pageOf: (app: App, path: string) => Page,
    private readonly bar: HTMLElement,
    private readonly root: HTMLElement,
  ) {
    this.session = new Session(socket);
    socket.onchange = () => this.changed();
    socket.onpush = (message) => this.pushed(message);
    socket.onrefused = () => void this.session.check();
    addEventListener('popstate', () => this.show());
    addEventListener('online', () => socket.connect());
    document.addEventListener('visibilitychange', () => document.hidden || socket.connect());
    document.addEventListener('click', (event) => this.follow(event));
  }

  start(): void {
    this.socket.connect();
    this.show();
  }

  navigate(path: string): void {
    history.pushState(null, '', path);
    this.show();
  }

  /** Tell the person something for a moment. */
  say(text: string): void {
    this.said = text;
    clearTimeout(this.silent);
    this.silent = setTimeout(() => this.say(''), SAY_FOR_MS);
    this.changed();
  }

  /** Do something that may be refused, and say so when it is. */
  async attempt<T>(what: () => Promise<T>): Promise<T | undefined> {
    try {
      return await what();
    } catch (error) {
      if (!(error instanceof Refused)) {
        this.say('The server cannot be reached.');
        if (!(error instanceof TypeError)) throw error; // what fetch raises without a network is expected
      } else {
        this.say(sentence(error.message));
      }
      return undefined;
    }
  }

  /** Draw soon; many calls in one go draw once. */
  changed(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    queueMicrotask(() => {
      this.scheduled = false;
      this.page?.draw(this.root);
      this.drawBar();
    });
  }

  private show(): void {
    this.page?.close();
    render(html``, this.root);
    this.page = this.pageOf(this, location.pathname);
    this.changed();
  }

  /** Links of our own change the page without loading it again. */
  private follow(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest('a[data-page]') : null;
    if (!(link instanceof HTMLAnchorElement) || event.button !== 0) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.navigate(link.pathname);
  }

  private pushed(message: Incoming): void {
    if (message.t === 'paired') {
      const { g } = message as unknown as Paired;
      if (!this.socket.games.includes(g)) this.socket.games = [...this.socket.games, g];
      // Not away from a game that is being played or watched: its page has its own way to the next one.
      if (!location.pathname.startsWith('/game/')) this.navigate(`/game/${g}`);
    } else if (message.t === 'notice' && typeof message.text === 'string') {
      this.say(message.text);
    }
  }

  private drawBar(): void {
    const { line, user } = this.socket;
    const state = { open: 'connected', connecting: 'connecting…', lost: 'reconnecting…' }[line];
    render(
      html`<a class="brand" href="/" data-page>Zeitnot</a>
        <span class="said" role="status" data-testid="said">${this.said}</span>
        <span class="who" data-testid="user">${user?.name ?? ''}</span>
        <span class="line" data-testid="line" data-line=${line} role="status">${state}</span>`,
      this.bar,
    );
  }
}

const sentence = (text: string) => (text ? `${text.charAt(0).toUpperCase()}${text.slice(1)}.` : '');
