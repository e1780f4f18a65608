/** WebSocket with the subprotocol `zeitnot.v1.json`, for the small embedded page. */

import type { Incoming, Outgoing } from './protocol';
import type { Codec, Transport } from './socket';

const TO_TEXT = new TextDecoder();
const TO_BYTES = new TextEncoder();

export function openJsonTransport(): Transport {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  const socket = new WebSocket(`${scheme}://${location.host}/ws`, 'zeitnot.v1.json');
  const wire: Transport = {
    onmessage: null,
    onclose: null,
    send: (data) => socket.send(TO_TEXT.decode(data)),
    close: (code) => socket.close(code),
  };
  socket.onmessage = ({ data }) => wire.onmessage?.({ data });
  socket.onclose = ({ code }) => wire.onclose?.({ code });
  return wire;
}

export const json: Codec = {
  encode: (message: Outgoing) => TO_BYTES.encode(JSON.stringify(message)),
  decode: (data: unknown) => JSON.parse(data as string) as Incoming,
};
