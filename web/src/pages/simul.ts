/** A simul: announced, running or over; for the host, the players and spectators. */

import '../styles/simuls.css';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { App } from '../app';
import type { SimulMessage, SimulSnapshot } from '../net/protocol';
import type { Subscription, TakeResult } from '../net/subscriptions';
import { LiveSimul } from '../simul/live/live-simul';
import type { JoinForm } from '../simul/setup/join';
import { Participants } from '../simul/setup/participants';
import { WaitingRoom } from '../simul/setup/waiting-room';
import { actsAsHost, SimulStore } from '../simul/state/simul-store';
import { FrameLimiter } from '../ui/frame-limiter';
import { message } from '../ui/message';
import type { FollowedSimul, Page } from '../ui/page';
import { personText } from '../ui/person-name';
import { say } from '../words/words';

export class SimulPage implements Page {
  private readonly store: SimulStore;
  private readonly subscription: Subscription;
  private readonly room: WaitingRoom;
  private readonly late: { people: Participants; join: JoinForm };
  private live: LiveSimul | null = null;
  private missing = false;
  /** A thousand boards send many messages a frame: draw at most once per frame. */
  private readonly frameLimiter = new FrameLimiter(() => this.app.changed());

  constructor(
    private readonly app: App,
    private readonly id: string,
  ) {
    const { socket } = app;
    document.title = say('app.title', { page: say('simuls.title') });
    this.store = new SimulStore(() => socket.time.now());
    this.room = new WaitingRoom(app, id, () => {
      const { now } = this.store;
      return now?.status === 'created' ? now.start_at : null;
    });
    this.late = { people: new Participants(app, id), join: this.room.join };
    const topic = { seq: () => this.store.seq(), take: (message: SimulMessage) => this.take(message) };
    this.subscription = socket.subscribe(`simul:${id}`, topic, {});
  }

  close(): void {
    this.frameLimiter.close();
    this.subscription.close();
    this.room.close();
    this.live?.close();
  }

  yourMove(): boolean {
    return this.store.now !== null && actsAsHost(this.store.now) && (this.live?.yourMove() ?? false);
  }

  /** Another game must not take the host away from a running simul. */
  playing(): boolean {
    const { now } = this.store;
    return now?.status === 'running' && actsAsHost(now);
  }

  simul(): FollowedSimul {
    return { simul: this.id, store: this.store };
  }

  awaitsGame(): boolean {
    const { now } = this.store;
    return now?.status !== 'finished' && (now?.you === 'player' || now?.you === 'applicant');
  }

  draw(root: HTMLElement): void {
    const { now } = this.store;
    if (now === null) {
      render(this.missing ? message(say('simul.missing'), say('missing.text')) : html`<p class="empty">${say('app.loading')}</p>`, root);
      return;
    }
    if (now.status === 'created' || this.store.boards.size === 0) {
      render(this.room.draw(now), root);
      return;
    }
    this.live ??= new LiveSimul(this.app, this.id, this.store);
    if (!this.frameLimiter.take()) return;
    const running = now.status === 'running';
    render(
      html`${this.live.draw(now, running ? this.joining(now) : nothing)}${running ? html`<div class="simul-below">${this.late.people.late(now)}</div>` : ''}`,
      root,
    );
  }

  /** Late joining. The host gets a link to the applicants. */
  private joining(now: SimulSnapshot): TemplateResult | typeof nothing {
    if (now.you !== 'host') return this.late.join.draw(now);
    if (now.applicants.length === 0) return nothing;
    return html`<button class="main" data-testid="simul-late" @click=${toApplicants}>${say('simul.applicants', { n: now.applicants.length })}</button>`;
  }

  private take(message: SimulMessage): TakeResult {
    if (message.t === 'error') {
      this.missing = this.store.now === null;
      return 'done';
    }
    const was = 'board' in message && typeof message.board === 'number' ? this.store.boards.get(message.board) : undefined;
    const name = this.store.now?.name;
    const standIn = this.store.now?.stand_in;
    const taken = this.store.take(message);
    if (taken !== 'done') return taken;
    const { now } = this.store;
    if (now !== null && now.name !== name) document.title = say('app.title', { page: now.name });
    // They may have stepped down.
    if (now?.you === 'host' && standIn && message.t === 'simul.edited' && message.stand_in === null) {
      this.app.say(say('simul.stand-in.ended', { name: personText(standIn) }));
    }
    this.room.join.received(message);
    this.live?.received(message, was);
    return taken;
  }
}

function toApplicants(): void {
  const title = document.querySelector<HTMLElement>('#late-title');
  title?.scrollIntoView({ block: 'start' });
  title?.focus({ preventScroll: true });
}
