/** What the application gives to every part of the page. `App` provides it; nothing below knows `App` itself. */

import type { Sounds } from '../browser/sounds';
import type { Socket } from '../net/socket';
import type { SettingsStore } from '../settings/store';
import type { Roles } from './roles';
import type { Session } from './session';

export interface AppServices {
  readonly socket: Socket;
  readonly session: Session;
  readonly settings: SettingsStore;
  readonly sounds: Sounds;
  readonly roles: Roles;
  /** Draw soon; many calls in one task draw once. */
  changed(): void;
  /** Show a toast. */
  say(text: string, link?: { href: string; label: string }): void;
  /** Run `what`; show why when the server refuses or cannot be reached. Undefined then. */
  attempt<T>(what: () => Promise<T>): Promise<T | undefined>;
  navigate(path: string): void;
  /** Whether to go ahead with a request for a game: a host with running clocks is asked first. */
  mayPlay(): true | Promise<boolean>;
  /** Whether the person plays a game on the open page. */
  isPlaying(): boolean;
}
