/** What the application gives to every part of the page. `App` provides it; nothing below knows `App` itself. */

import type { Sounds } from '../browser/sounds';
import type { Outgoing, Reply } from '../net/protocol';
import type { Socket } from '../net/socket';
import type { SettingsStore } from '../settings/store';
import type { Roles } from './roles';
import type { SecondSeat } from './second-seat';
import type { Session } from './session';

export interface AppServices {
  readonly socket: Socket;
  readonly session: Session;
  readonly settings: SettingsStore;
  readonly sounds: Sounds;
  readonly roles: Roles;
  /** The second player on this device. */
  secondSeat: SecondSeat | null;
  /** Draw soon; many calls in one task draw once. */
  changed(): void;
  /** Show a toast. */
  say(text: string, link?: { href: string; label: string }): void;
  /** Run `what`; show why when the server refuses or cannot be reached. Undefined then. */
  attempt<T>(what: () => Promise<T>): Promise<T | undefined>;
  navigate(path: string): void;
  /** Whether to send this request: a host with running clocks is asked before one from which a game may come. */
  mayStart(message: Outgoing): true | Promise<boolean>;
  /**
   * Send a change if it may be sent.
   *
   * @throws Refused also `withheld`, about which nothing need be said
   */
  change(message: Outgoing): Promise<Reply>;
  /** Whether the person plays a game on the open page. */
  isPlaying(): boolean;
}
