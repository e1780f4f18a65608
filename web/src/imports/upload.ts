/** Uploads PGN; the server reads it as it arrives, so the progress is that of reading too. */

import { Refused, type Failure, type Imported } from '../net/protocol';
import { say } from '../words/words';

export class Upload {
  /** Bytes sent. */
  sent = 0;
  readonly total: number;
  readonly answer: Promise<Imported>;
  private readonly request = new XMLHttpRequest(); // fetch has no upload progress

  /** `changed` is called for each progress event. */
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

  /** Abort; the server keeps nothing. */
  stop(): void {
    this.request.abort();
  }
}

/** A proxy may answer with something that is not JSON. */
function refusal({ status, responseText }: XMLHttpRequest): Refused {
  let error: Partial<Failure['error']> | undefined;
  try {
    error = (JSON.parse(responseText) as Partial<Failure>).error;
  } catch {
    error = undefined;
  }
  return new Refused(error?.code ?? 'unavailable', error?.message ?? say('refused.status', { status }));
}
