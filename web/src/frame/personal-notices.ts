/** Notices to the person: a toast, a sound and, if they allow it, a system notification. */

import { Notifications } from '../browser/notifications';
import { oncePerBrowser } from '../browser/once-per-browser';
import { invitationText } from '../lobby/challenges/controls';
import type { Challenge, ChallengeGone, MissedPairing, Paired, PersonalMessage, SimulStandIn } from '../net/protocol';
import type { AppServices } from '../session/services';
import type { Invitations } from '../state/invitations';
import { personText } from '../ui/person-name';
import { isKey, say } from '../words/words';

export class PersonalNotices {
  private readonly notifications: Notifications;

  constructor(
    private readonly app: AppServices & { readonly invitations: Invitations },
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
      if (!this.app.isPlaying()) this.app.say(text, { href: to, label: say('inbox.look') });
      this.app.sounds.play('challenge');
      if (document.hidden) this.notifications.show('challenge', text, to);
    });
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
