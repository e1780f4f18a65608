/** An exhibition: announced, played or over; of its host, its players, and whoever watches. */

import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { App } from '../app';
import type { Incoming, SimulSnapshot } from '../net/protocol';
import type { Subscription, Taken } from '../net/subscriptions';
import { Gallery } from '../simul/live/live-simul';
import type { Join } from '../simul/setup/join';
import { People } from '../simul/setup/participants';
import { WaitingRoom } from '../simul/setup/waiting-room';
import { Exhibition } from '../simul/state/simul-store';
import { Frames } from '../ui/frame-limiter';
import { message } from '../ui/message';
import type { Page } from '../ui/page';
import { say } from '../words/words';

export class SimulPage implements Page {
  private readonly exhibition: Exhibition;
  private readonly subscription: Subscription;
  private readonly room: WaitingRoom;
  private readonly late: { people: People; join: Join };
  private gallery: Gallery | null = null;
  private missing = false;
  /** A thousand boards tell much within a frame: after one drawing of them the next is in the next frame. */
  private readonly frames = new Frames(() => this.app.changed());

  constructor(
    private readonly app: App,
    private readonly id: string,
  ) {
    const { socket } = app;
    document.title = say('app.title', { page: say('simuls.title') });
    this.exhibition = new Exhibition(() => socket.time.now());
    this.room = new WaitingRoom(app, id, () => {
      const { now } = this.exhibition;
      return now?.status === 'created' ? now.start_at : null;
    });
    this.late = { people: new People(app, id), join: this.room.join };
    const topic = { seq: () => this.exhibition.seq(), take: (message: Incoming) => this.take(message) };
    this.subscription = socket.subscribe(`simul:${id}`, topic, {});
  }

  close(): void {
    this.frames.close();
    this.subscription.close();
    this.room.close();
    this.gallery?.close();
  }

  yourMove(): boolean {
    return this.exhibition.now?.you === 'host' && (this.gallery?.yourMove() ?? false);
  }

  /** Who gives an exhibition is not taken away from it by another game. */
  playing(): boolean {
    const { now } = this.exhibition;
    return now?.status === 'running' && now.you === 'host';
  }

  awaits(): boolean {
    const { now } = this.exhibition;
    return now?.status !== 'finished' && (now?.you === 'player' || now?.you === 'applicant');
  }

  draw(root: HTMLElement): void {
    const { now } = this.exhibition;
    if (now === null) {
      render(this.missing ? message(say('simul.missing'), say('missing.text')) : html`<p class="empty">${say('app.loading')}</p>`, root);
      return;
    }
    if (now.status === 'created' || this.exhibition.boards.size === 0) {
      render(this.room.draw(now), root);
      return;
    }
    this.gallery ??= new Gallery(this.app, this.id, this.exhibition);
    if (!this.frames.take()) return;
    const running = now.status === 'running';
    render(
      html`${this.gallery.draw(now, running ? this.joining(now) : nothing)}${running ? html`<div class="simul-below">${this.late.people.late(now)}</div>` : ''}`,
      root,
    );
  }

  /** Joining while it runs; the host is told of who would, and brought there. */
  private joining(now: SimulSnapshot): TemplateResult | typeof nothing {
    if (now.you !== 'host') return this.late.join.draw(now);
    if (now.applicants.length === 0) return nothing;
    return html`<button class="main" data-testid="simul-late" @click=${toApplicants}>${say('simul.applicants', { n: now.applicants.length })}</button>`;
  }

  private take(message: Incoming): Taken {
    if (message.t === 'error') {
      this.missing = this.exhibition.now === null;
      return 'done';
    }
    const was = typeof message.board === 'number' ? this.exhibition.boards.get(message.board) : undefined;
    const name = this.exhibition.now?.name;
    const taken = this.exhibition.take(message);
    if (taken !== 'done') return taken;
    const { now } = this.exhibition;
    if (now !== null && now.name !== name) document.title = say('app.title', { page: now.name });
    this.room.join.took(message);
    this.gallery?.took(message, was);
    return taken;
  }
}

function toApplicants(): void {
  const title = document.querySelector<HTMLElement>('#late-title');
  title?.scrollIntoView({ block: 'start' });
  title?.focus({ preventScroll: true });
}
