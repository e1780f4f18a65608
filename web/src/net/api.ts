/** HTTP API. Authentication is a cookie that scripts cannot read. */

import { say } from '../words/words';
import { Refused, type Failure, type FieldFailure } from './protocol';

/** Timeout. Hashing a password takes a second under load. */
const ANSWER_MS = 15_000;

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * The answer; undefined if there is no content.
 *
 * @param body sent as JSON @throws Refused the server's error, or `offline` without an answer
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

/** A query string without empty values: `?a=1&b=2`. */
export function query(values: Readonly<Record<string, string | number | null | undefined>>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== null && value !== undefined && value !== '') params.set(name, String(value));
  }
  const text = params.toString();
  return text && `?${text}`;
}

/** API address of a person, and of what is below it. */
export const userAddress = (name: string, below = ''): string => `/api/v1/users/${encodeURIComponent(name)}${below}`;

async function sent(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    throw new Refused('offline', say('refused.offline'));
  }
}

/** Whether fetch failed without an answer: no network, or a timeout. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError');

/** A proxy may answer with something that is not JSON. */
async function refusal(response: Response): Promise<Refused> {
  const body = (await response.json().catch(() => null)) as Partial<Failure & FieldFailure> | null;
  const error: Partial<FieldFailure['error']> | Failure['error'] | undefined = body?.error;
  const message = error?.message ?? say('refused.status', { status: response.status });
  return new Refused(error?.code ?? 'unavailable', message, error && 'field' in error ? (error.field ?? null) : null);
}
