/** The two colours. */

import type { Color } from '../net/protocol';

export const opposite = (color: Color): Color => (color === 'w' ? 'b' : 'w');
