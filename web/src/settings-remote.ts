/** A person's settings on the server. */

import type { MySettings } from './protocol';
import type { Remote } from './settings';

const ADDRESS = '/api/v1/me/settings';

export const settingsRemote: Remote = {
  async load() {
    const response = await fetch(ADDRESS);
    if (!response.ok) return null;
    return ((await response.json()) as MySettings).settings;
  },

  async save(settings) {
    const response = await fetch(ADDRESS, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ settings }),
    });
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
  },
};
