/** A button of the action bar. */

import type { TemplateResult } from 'lit-html';
import type { Outgoing } from '../../net/protocol';
import type { IconName } from '../../ui/icons';

export interface Action {
  name: string;
  label: string;
  icon: IconName;
  message: Outgoing;
  /** A longer label. */
  long?: string;
  /** Must be confirmed: the button then, and what is asked. */
  grave?: { label: string; question: string };
  /** Disabled. It keeps its place, so that no other button moves under the pointer. */
  off?: boolean;
  main?: boolean;
  /** More than sending the message. */
  act?: () => unknown;
  /** It is on. */
  pressed?: boolean;
}

export type DrawButton = (action: Action) => TemplateResult;
