// The only place that talks to the server: the typed client for what the page reads, and `send` for actions whose
// address the server itself gave.
import createClient from 'openapi-fetch';
import type { components, paths } from './schema';
import { problemOf } from './problem';

export type Schemas = components['schemas'];

/** A session's cookie counts only beside this header, which no form and no other site can send. */
export const HEADERS = { 'X-Orchestrion-Console': '1' };

type Listener = () => void;
const signedOut = new Set<Listener>();

/** Calls the listener when the server no longer knows the session. */
export function onSignedOut(listener: Listener): () => void {
  signedOut.add(listener);
  return () => signedOut.delete(listener);
}

async function fetchChecked(request: Request): Promise<Response> {
  const response = await fetch(request);
  if (response.status === 401) signedOut.forEach((each) => each());
  return response;
}

export const api = createClient<paths>({
  baseUrl: location.origin,
  headers: HEADERS,
  credentials: 'same-origin',
  fetch: fetchChecked,
});

/** The body of a typed answer, or the problem as an exception. */
export async function body<T>(
  answer: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<NonNullable<T>> {
  const { data, error, response } = await answer;
  if (error !== undefined || !response.ok) throw problemOf(response.status, error);
  return data as NonNullable<T>;
}

export interface Sending {
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** A call whose address was not known when the page was built, such as a next action. */
export async function send<T>(method: string, path: string, sending: Sending = {}): Promise<T> {
  const request = new Request(new URL(path, location.origin), {
    method,
    credentials: 'same-origin',
    headers: {
      ...HEADERS,
      ...(sending.body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...sending.headers,
    },
    body: sending.body === undefined ? undefined : JSON.stringify(sending.body),
    signal: sending.signal,
  });
  const response = await fetchChecked(request);
  const text = await response.text();
  let parsed: unknown;
  try {
    parsed = text === '' ? undefined : JSON.parse(text);
  } catch {
    parsed = text;
  }
  if (!response.ok) throw problemOf(response.status, parsed);
  return parsed as T;
}

export const idempotency = () => ({ 'Idempotency-Key': `console-${crypto.randomUUID()}` });
