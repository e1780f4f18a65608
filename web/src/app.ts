/** The application: connection, user, settings, and the frame around the pages. */

import { html, render } from 'lit-html';
import { Sounds } from './browser/sounds';
import { StalePageReloader } from './browser/stale-page-reloader';
import { browserStorage } from './browser/storage';
import { TabTitle } from './browser/tab-title';
import { Activity } from './frame/activity';
import { Bans } from './frame/bans';
import { header } from './frame/header';
import { HostedSimuls } from './frame/hosted-simuls';
import { Inbox, type InboxServices } from './frame/inbox';
import { LogOut } from './frame/log-out';
import { Navigation } from './frame/navigation';
import { NewGameForm } from './frame/new-game-form';
import { OwnGames } from './frame/own-games';
import { PersonMenu } from './frame/person-menu';
import { PersonalNotices } from './frame/personal-notices';
import { StartGuard } from './frame/start-guard';
import { keepInReach, Toasts, type ToastAct, type ToastLink } from './frame/toasts';
import { GameRequests } from './lobby/waiting/game-requests';
import type { NewGame } from './lobby/waiting/new-game';
import { PoolWait } from './lobby/waiting/pool-wait';
import { RecentRequests } from './lobby/waiting/recent-requests';
import { SeekWait } from './lobby/waiting/seek-wait';
import { isUnreachable } from './net/api';
import { Refused, WITHHELD, type Outgoing, type PersonalMessage, type Reply } from './net/protocol';
import type { Socket } from './net/socket';
import { Roles } from './session/roles';
import type { SecondSeat } from './session/second-seat';
import type { AppServices } from './session/services';
import { Session, type Channel } from './session/session';
import { applyAppearance } from './settings/appearance';
import { settingsRemote } from './settings/remote';
import { prefersReducedMotion } from './settings/settings';
import { SettingsStore } from './settings/store';
import { Invitations } from './state/invitations';
import type { Dialog, Page } from './ui/page';
import { personText } from './ui/person-name';
import { refusal, say, sentence } from './words/words';

/** Pages in a chunk of their own are loaded first. */
export type PageOf = (app: App, path: string) => Page | Promise<Page>;

/** The form of a new game, in a chunk of its own; `closed` is called when it has closed. */
export type FormOf = (app: App, wanted: NewGame, closed: () => void) => Promise<Dialog>;

export interface PageRegions {
  bar: HTMLElement;
  page: HTMLElement;
  toasts: HTMLElement;
}

export class App implements AppServices, InboxServices {
  readonly session: Session;
  readonly settings = new SettingsStore(browserStorage('local'), settingsRemote);
  readonly sounds = new Sounds(this.settings);
  readonly ownGames: OwnGames;
  private readonly hostedSimuls: HostedSimuls;
  private readonly startGuard: StartGuard;
  readonly invitations = new Invitations();
  readonly gameRequests = new GameRequests(this, new RecentRequests(browserStorage('local')));
  readonly pool: PoolWait;
  readonly seeks: SeekWait;
  readonly bans: Bans;
  private readonly inbox = new Inbox(this);
  private readonly activity: Activity;
  private readonly notices = new PersonalNotices(this, browserStorage('local'));
  readonly logOut = new LogOut(this);
  readonly roles = new Roles(() => this.changed());
  secondSeat: SecondSeat | null = null;
  private readonly menu = new PersonMenu(this);
  private readonly toasts = new Toasts(() => this.changed());
  private readonly tabTitle = new TabTitle();
  private readonly stalePage = new StalePageReloader(browserStorage('session'), location);
  private readonly navigation: Navigation;
  private readonly form: NewGameForm;
  private scheduled = false;

  constructor(
    readonly socket: Socket,
    pageOf: PageOf,
    broken: () => Page,
    formOf: FormOf,
    private readonly regions: PageRegions,
  ) {
    this.session = new Session(socket, tabs());
    this.pool = new PoolWait(this, browserStorage('local'), () => this.seeks.robots());
    this.seeks = new SeekWait(this, browserStorage('local'), () => this.pool.isLong());
    this.gameRequests.onseek = (seek) => this.seeks.asked(seek);
    this.gameRequests.onunseek = (seek) => this.seeks.withdraws(seek);
    this.form = new NewGameForm(
      (wanted, closed) => formOf(this, wanted, closed),
      async () => (await this.stalePage.reloadOnce()) || this.say(say('toast.unreachable')),
      () => this.changed(),
      () => {
        this.navigation.formClosed();
        this.changed();
      },
    );
    this.navigation = new Navigation(regions.page, (path) => pageOf(this, path), broken, this.stalePage, {
      left: () => this.left(),
      changed: () => this.changed(),
      wanted: (form) => void this.create(form),
    });
    this.bans = new Bans(
      () => socket.time.now(),
      () => this.changed(),
    );
    this.ownGames = new OwnGames(socket, () => this.changed());
    this.hostedSimuls = new HostedSimuls(socket, () => this.changed());
    this.startGuard = new StartGuard(this.hostedSimuls, (path) => this.navigate(path));
    this.activity = new Activity(this.hostedSimuls, [this.pool, this.seeks, this.ownGames], () => this.ownGames.waiting());
    socket.onchange = () => this.changed();
    socket.onpush = (message) => this.pushed(message);
    socket.onchallenges = () => this.invitations.clear();
    socket.onresumed = () => this.pool.settle();
    socket.onuserchange = () => this.userChanged();
    socket.ondelay = (why) => this.say(sentence(why));
    addEventListener('online', () => this.checkSockets());
    addEventListener('storage', () => {
      this.settings.reread();
      this.changed();
    });
    addEventListener('pagehide', () => {
      this.settings.flush();
      for (const each of this.sockets()) each.leave();
    });
    // Restored from the back/forward cache.
    addEventListener('pageshow', (event) => event.persisted && this.checkSockets());
    // On a phone this may be the last event of a tab.
    document.addEventListener('visibilitychange', () => (document.hidden ? this.settings.flush() : this.checkSockets()));
    // Of a dialog; it may have held the toasts.
    document.addEventListener('close', () => this.changed(), { capture: true });
    this.settings.listen(() => {
      applyAppearance(this.settings.now, document.documentElement);
      this.changed();
    });
    applyAppearance(this.settings.now, document.documentElement);
    prefersReducedMotion().addEventListener('change', () => {
      applyAppearance(this.settings.now, document.documentElement);
      this.changed();
    });
  }

  start(): void {
    this.socket.connect();
    this.show();
  }

  navigate(path: string): void {
    this.navigation.navigate(path);
  }

  /** The page shows something else now: add `path` to the history without loading a page. */
  pushAddress(path: string): void {
    this.navigation.pushAddress(path);
  }

  /** Load the page of the current address again. */
  show(): void {
    this.navigation.show();
  }

  /** Open the form of a new game over the page. */
  create(wanted: NewGame = {}): Promise<void> {
    return this.form.open(wanted);
  }

  /** Show a toast; `acts`: buttons in it. */
  say(text: string, link?: ToastLink, acts?: readonly ToastAct[]): void {
    this.toasts.add(text, link, acts);
  }

  dropToast(href: string): void {
    this.toasts.drop(href);
  }

  /** Whether a toast has told of what is at `href`. */
  hasTold(href: string): boolean {
    return this.toasts.hasTold(href);
  }

  /** Whether the person plays a game on the open page. */
  isPlaying(): boolean {
    return this.navigation.page?.playing?.() ?? false;
  }

  /** Whether to send this request: a host with running clocks is asked before one from which a game may come. */
  mayStart(message: Outgoing): true | Promise<boolean> {
    return this.startGuard.allow(message);
  }

  /** Send a change if it may be sent. */
  change(message: Outgoing): Promise<Reply> {
    const may = this.mayStart(message);
    if (may === true) return this.socket.change(message);
    return may.then((yes) => {
      if (!yes) throw new Refused(WITHHELD, '');
      return this.socket.change(message);
    });
  }

  /** Run `what`; show why when it is refused. */
  async attempt<T>(what: () => Promise<T>): Promise<T | undefined> {
    try {
      return await what();
    } catch (error) {
      if (!(error instanceof Refused)) {
        this.say(say('toast.unreachable'));
        if (!isUnreachable(error)) throw error;
      } else if (error.code !== WITHHELD) {
        this.say(refusal(error));
      }
      return undefined;
    }
  }

  /** The invitation with this id was answered here. */
  forget(challenge: string): void {
    this.invitations.drop(challenge);
    this.toasts.drop(`/challenge/${challenge}`);
    this.changed();
  }

  /** Draw soon; many calls in one task draw once. */
  changed(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    queueMicrotask(() => {
      this.scheduled = false;
      this.draw();
    });
  }

  /** Of each player on this device. */
  private sockets(): Socket[] {
    return [this.socket, ...(this.secondSeat === null ? [] : [this.secondSeat.socket])];
  }

  private checkSockets(): void {
    for (const socket of this.sockets()) socket.check();
  }

  /** Skip the header. A link would add an entry to the history. */
  private skip(): void {
    this.regions.page.focus();
    this.regions.page.scrollIntoView();
  }

  private left(): void {
    this.form.close();
    // A list of the header led here, or the game that was accepted there.
    for (const list of this.regions.bar.querySelectorAll<HTMLElement>(':popover-open')) list.hidePopover();
    this.toasts.drop(location.pathname);
  }

  private draw(): void {
    const { bar, page: region, toasts } = this.regions;
    const { page, path } = this.navigation;
    void this.settings.setUser(this.socket.user?.id ?? null);
    this.ownGames.keep(page?.game?.() ?? gameIn(path));
    this.hostedSimuls.keep(page?.simul?.() ?? null);
    this.seeks.keep();
    page?.draw(region);
    this.form.draw();
    const held = bar.contains(document.activeElement);
    const tools = html`${this.activity.draw()} ${this.inbox.draw(path)} ${this.menu.draw(path)}`;
    const line = this.sockets().find(({ state }) => state !== 'open')?.state ?? 'open';
    render(header(line, path, tools, () => this.skip()), bar);
    // The focused element is gone: move the focus to the page.
    if (held && !bar.contains(document.activeElement)) region.focus({ preventScroll: true });
    keepInReach(toasts);
    render(this.toasts.draw(), toasts);
    this.tabTitle.show((page?.yourMove?.() ?? false) || this.ownGames.waiting() > 0);
  }

  private pushed(message: PersonalMessage): void {
    const awaited = this.gameRequests.waits() || (this.navigation.page?.awaitsGame?.() ?? false);
    this.gameRequests.receive(message);
    this.pool.receive(message);
    this.seeks.receive(message);
    this.navigation.page?.onPush?.(message);
    this.notices.receive(message, this.navigation.path);
    this.invitations.receive(message);
    if (message.t === 'challenge.gone') this.toasts.drop(`/challenge/${message.challenge}`);
    // The lobby shows a ban at its top already.
    const stands = message.t === 'notice' && message.code === 'ban' && this.navigation.path === '/' && scrollY === 0;
    const known = this.bans.receive(message) || stands;
    if (message.t === 'paired') {
      const { g } = message;
      const missed = 'missed' in message;
      const opponent = missed ? null : message.opponent;
      if (!this.socket.games.includes(g)) this.socket.games = [...this.socket.games, g];
      const path = `/game/${g}`;
      // Of several tabs the one that asked goes to the game, or the visible one; not for a pairing of long ago.
      const here = awaited || (!missed && !document.hidden);
      if (here && !this.busy()) this.navigate(path);
      else if (location.pathname !== path) {
        // Do not leave a game in progress: a toast and the header show the new one.
        const text = opponent ? say('toast.paired', { name: personText(opponent) }) : say('toast.begun');
        this.say(text, { href: path, label: say('toast.to-game') });
      }
    } else if (message.t === 'notice' && !known) {
      this.say(sentence(message.text));
    }
  }

  /** Logged in or out from another tab: the page reloads its data by itself. */
  private userChanged(): void {
    const { user } = this.socket;
    this.bans.clear();
    if (this.session.changing) return;
    this.say(user === null ? say('toast.logged-out') : say('toast.other', { name: user.name }));
  }

  private busy(): boolean {
    return this.navigation.page?.playing?.() ?? gameIn(location.pathname) !== null;
  }
}

const gameIn = (path: string): string | null => /^\/game\/([^/]+)/.exec(path)?.[1] ?? null;

/** Channel to the other tabs. */
const tabs = (): Channel | null => ('BroadcastChannel' in window ? new BroadcastChannel('session') : null);
