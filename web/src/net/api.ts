/** Asking the server by HTTP. Who asks is told by the cookie, which no script reads. */

import { say } from '../words/words';
import { Refused, type Failure, type FieldFailure } from './protocol';

/** Nobody waits longer than this for an answer; a password takes a second to check where many log in. */
const ANSWER_MS = 15_000;

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * The answer; undefined where there is nothing to say.
 *
 * @param body sent as JSON.
 * @throws Refused what the server says, or `offline` when it says nothing in time.
 */
export async function call<Answer = void>(method: Method, address: string, body?: unknown): Promise<Answer> {
  const response = await sent(address, {
    method,
    signal: AbortSignal.timeout(ANSWER_MS),
    ...(body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!response.ok) throw await refusal(response);
  return (response.status === 204 ? undefined : await response.json()) as Answer;
}

/** What is asked of an address, without what is empty: `?a=1&b=2`. */
export function query(values: Readonly<Record<string, string | number | null | undefined>>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== null && value !== undefined && value !== '') params.set(name, String(value));
  }
  const text = params.toString();
  return text && `?${text}`;
}

/** The address of a person in the API, and of what is below it. */
export const userAddress = (name: string, below = ''): string => `/api/v1/users/${encodeURIComponent(name)}${below}`;

async function sent(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    throw new Refused('offline', say('refused.offline'));
  }
}

/** What fetch raises without a network, and when it was given a time to answer in. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError');

/** A proxy before the server may answer with something that is no JSON. */
async function refusal(response: Response): Promise<Refused> {
  const body = (await response.json().catch(() => null)) as Partial<Failure & FieldFailure> | null;
  const error: Partial<FieldFailure['error']> | Failure['error'] | undefined = body?.error;
  const message = error?.message ?? say('refused.status', { status: response.status });
  return new Refused(error?.code ?? 'unavailable', message, error && 'field' in error ? (error.field ?? null) : null);
}
