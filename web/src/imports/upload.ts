/** PGN on its way to the server, which reads it as it comes: so far as it is sent, so far it is read. */

import { Refused, type Failure, type Imported } from '../net/protocol';
import { say } from '../words/words';

export class Upload {
  /** Bytes that have left. */
  sent = 0;
  readonly total: number;
  readonly answer: Promise<Imported>;
  private readonly request = new XMLHttpRequest(); // fetch does not tell how far it is

  /** `changed` is told of every step. */
  constructor(text: Blob, name: string, changed: () => void) {
    const { request } = this;
    this.total = text.size;
    request.upload.addEventListener('progress', ({ loaded }) => {
      this.sent = loaded;
      changed();
    });
    this.answer = new Promise((resolve, reject) => {
      request.addEventListener('load', () => {
        if (request.status === 201) resolve(JSON.parse(request.responseText) as Imported);
        else reject(refusal(request));
      });
      for (const end of ['error', 'abort', 'timeout']) {
        request.addEventListener(end, () => reject(new Refused('offline', say('refused.offline'))));
      }
    });
    request.open('POST', `/api/v1/imports?name=${encodeURIComponent(name)}`);
    request.setRequestHeader('Content-Type', 'application/vnd.chess-pgn');
    request.send(text);
  }

  /** Nothing is kept of it. */
  stop(): void {
    this.request.abort();
  }
}

/** A proxy before the server may answer with something that is no JSON. */
function refusal({ status, responseText }: XMLHttpRequest): Refused {
  let error: Partial<Failure['error']> | undefined;
  try {
    error = (JSON.parse(responseText) as Partial<Failure>).error;
  } catch {
    error = undefined;
  }
  return new Refused(error?.code ?? 'unavailable', error?.message ?? say('refused.status', { status }));
}
