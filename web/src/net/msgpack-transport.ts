/** WebSocket with the subprotocol `zeitnot.v1.msgpack`. */

import { decode, encode } from '@msgpack/msgpack';
import type { Incoming, Outgoing } from './protocol';
import type { Codec, Transport } from './socket';

/** `token`: of a session that is not the page's own. */
export function openMsgpackTransport(token?: string): Transport {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  const session = token === undefined ? [] : [`zeitnot.token.${token}`];
  const socket = new WebSocket(`${scheme}://${location.host}/ws`, ['zeitnot.v1.msgpack', ...session]);
  socket.binaryType = 'arraybuffer';
  return socket as Transport;
}

export const msgpack: Codec = {
  encode: (message: Outgoing) => encode(message, { ignoreUndefined: true }),
  decode: (data: unknown) => decode(data as ArrayBuffer) as Incoming,
};
