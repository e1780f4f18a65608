/** The interface of a page. */

import type { PersonalMessage, SimulBoard, SimulSnapshot } from '../net/protocol';

/** A simul that a page follows. */
export interface FollowedSimul {
  readonly simul: string;
  readonly store: { readonly now: SimulSnapshot | null; readonly boards: ReadonlyMap<number, SimulBoard> };
}

export interface Page {
  /** Draw the current state. Called after every change. */
  draw(root: HTMLElement): void;
  close(): void;
  /** Whether the person is to move in the page's game; the tab's title says so. */
  yourMove?(): boolean;
  /** Called for pushes to the person: `paired`, `pool`, `challenge`, `notice` and their ends. */
  onPush?(message: PersonalMessage): void;
  /** Whether the person plays here, and must not be taken to another game. */
  playing?(): boolean;
  /** The page's game, if its address does not name it. */
  game?(): string | null;
  /** The simul that the page follows. */
  simul?(): FollowedSimul | null;
  /** Whether the page waits for a game to start, requested here or elsewhere. */
  awaitsGame?(): boolean;
}

/** A modal dialog over any page. */
export interface Dialog {
  /** Draw the current state. Called after every change. */
  draw(): void;
  /** Close it; the focus returns to where it was. */
  close(): void;
}
