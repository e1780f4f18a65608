/** Notices to the person: a toast, a sound and, if they allow it, a system notification. */

import { Notifications } from '../browser/notifications';
import { oncePerBrowser } from '../browser/once-per-browser';
import { invitationText } from '../lobby/challenges/controls';
import type { GameRequests } from '../lobby/waiting/game-requests';
import type { Challenge, ChallengeGone, MissedPairing, Paired, PersonalMessage, SimulStandIn } from '../net/protocol';
import type { AppServices } from '../session/services';
import type { Invitations } from '../state/invitations';
import { personText } from '../ui/person-name';
import { isKey, say } from '../words/words';
import type { ToastAct, ToastLink } from './toasts';

/** What it needs of the application. */
export interface NoticeServices extends Omit<AppServices, 'say'> {
  readonly gameRequests: Pick<GameRequests, 'answer'>;
  readonly invitations: Invitations;
  forget(challenge: string): void;
  say(text: string, link?: ToastLink, acts?: readonly ToastAct[]): void;
}

export class PersonalNotices {
  private readonly notifications: Notifications;

  constructor(
    private readonly app: NoticeServices,
    private readonly storage: Storage | null,
  ) {
    this.notifications = new Notifications(app.settings, (path) => app.navigate(path));
  }

  /** Call before others learn of it; `path`: of the open page. */
  receive(message: PersonalMessage, path: string): void {
    if (message.t === 'challenge') this.challenged(message, path);
    else if (message.t === 'challenge.gone') this.declined(message, path);
    else if (message.t === 'paired' && document.hidden) this.paired(message);
    else if (message.t === 'simul.stand_in') this.named(message, path);
  }

  private challenged(card: Challenge, path: string): void {
    const to = `/challenge/${card.challenge}`;
    if (card.from.id === this.app.socket.user?.id || path === to) return;
    oncePerBrowser(this.storage, card.challenge, () => {
      const text = invitationText(card);
      // During a game only the bell and the sound tell of it.
      const listed = document.querySelector('#inbox-list:popover-open') !== null;
      if (!this.app.isPlaying() && !listed) this.app.say(text, { href: to, label: say('inbox.look') }, this.answers(card));
      this.app.sounds.play('challenge');
      if (document.hidden) this.notifications.show('challenge', text, to);
    });
  }

  /** A guest who may not accept is told why on the page of the invitation. */
  private answers({ challenge, rated }: Challenge): ToastAct[] {
    const { app } = this;
    if (rated && app.socket.user?.kind === 'guest') return [];
    const answer = async (t: 'challenge.accept' | 'challenge.decline') => {
      if ((await app.gameRequests.answer({ t, challenge })) !== 'open') app.forget(challenge);
    };
    return (['accept', 'decline'] as const).map((how) => ({ label: say(`challenge.${how}`), run: () => void answer(`challenge.${how}`) }));
  }

  /** To the sender, unless the invitation's page is open. */
  private declined({ challenge, why, reason }: ChallengeGone, path: string): void {
    const card = this.app.invitations.get(challenge);
    if (why !== 'declined' || !card?.to || card.to.id === this.app.socket.user?.id) return;
    if (path === `/challenge/${card.challenge}`) return;
    const { name } = card.to;
    this.app.say(declined(name, reason));
  }

  private named({ simul, name, host }: SimulStandIn, path: string): void {
    const to = `/simul/${simul}`;
    // During a game the list of simuls tells of it.
    if (path === to || this.app.isPlaying()) return;
    this.app.say(say('toast.stand-in', { name: personText(host), simul: name }), { href: to, label: say('inbox.look') });
  }

  private paired(pairing: Paired | MissedPairing): void {
    const { g } = pairing;
    const opponent = 'opponent' in pairing ? pairing.opponent : null;
    oncePerBrowser(this.storage, g, () => {
      const text = opponent ? say('notify.paired', { name: personText(opponent) }) : say('toast.begun');
      this.notifications.show('paired', text, `/game/${g}`);
    });
  }
}

/** `reason`: as on the wire. An unknown one is left out. */
function declined(name: string, reason: unknown): string {
  const key = `decline.${String(reason)}`;
  if (reason === 'generic' || !isKey(key)) return say('declined.toast', { name });
  return say('declined.toast.why', { name, why: say(key as 'decline.later') });
}
