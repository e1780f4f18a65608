/** WebSocket with the subprotocol `zeitnot.v1.msgpack`. */

import { decode, encode } from '@msgpack/msgpack';
import type { Incoming, Outgoing } from './protocol';
import type { Codec, Transport } from './socket';

export function openMsgpackTransport(): Transport {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  const socket = new WebSocket(`${scheme}://${location.host}/ws`, 'zeitnot.v1.msgpack');
  socket.binaryType = 'arraybuffer';
  return socket as Transport;
}

export const msgpack: Codec = {
  encode: (message: Outgoing) => encode(message, { ignoreUndefined: true }),
  decode: (data: unknown) => decode(data as ArrayBuffer) as Incoming,
};
