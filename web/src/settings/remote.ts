/** The user's settings on the server. */

import type { MySettings } from '../net/protocol';
import type { Remote } from './store';

const ADDRESS = '/api/v1/me/settings';
/** Timeout; later exchanges wait for this one. */
const ANSWER_MS = 15_000;

export const settingsRemote: Remote = {
  async load() {
    const response = await fetch(ADDRESS, { signal: AbortSignal.timeout(ANSWER_MS) });
    if (!response.ok) throw failed(response);
    return ((await response.json()) as MySettings).settings;
  },

  async save(settings, leaving = false) {
    const response = await fetch(ADDRESS, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ settings }),
      ...(leaving ? { keepalive: true } : { signal: AbortSignal.timeout(ANSWER_MS) }),
    });
    if (!response.ok) throw failed(response);
  },
};

const failed = ({ status }: Response) => new Error(`the server answered ${status}`);
