import { signal } from '@preact/signals';
import type { VaultErrorCode } from '../../base/vault-error.ts';
import type { ConsoleFailure } from '../../doors/console/console-wire.ts';
import { strings } from '../words/strings.ts';
import { place } from './address.ts';

const storedKey = 'vaultdoor-console';

/** Whether the page has its half of the sign-in. The other half is a cookie that no script sees. */
export const isSignedIn = signal(sessionStorage.getItem(storedKey) !== null);

/** Keeps the page's half of the sign-in as long as this tab is open; undefined forgets it. */
export function keepKey(key: string | undefined): void {
  if (key === undefined) sessionStorage.removeItem(storedKey);
  else sessionStorage.setItem(storedKey, key);
  isSignedIn.value = key !== undefined;
}

/** A request that failed: with the server's words, or `no_answer` when there was no answer at all. */
export class ApiFailure extends Error {
  readonly code: VaultErrorCode | 'signed_out' | 'no_answer';
  readonly details: Readonly<Record<string, unknown>>;

  constructor({ code, message, details }: Pick<ApiFailure, 'code' | 'message' | 'details'>) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

type Query = Readonly<Record<string, string | number | undefined>>;

/** Asks for something. Rejects with an `ApiFailure`, or with an `AbortError`. */
export function get<Answer>(
  path: string,
  query: Query = {},
  signal?: AbortSignal,
): Promise<Answer> {
  return call('GET', path, query, undefined, signal);
}

/** Asks the server to do something. */
export function post<Answer>(path: string, body: object, signal?: AbortSignal): Promise<Answer> {
  return call('POST', path, {}, body, signal);
}

/** Asks the server to end or revoke something. */
export function remove(path: string): Promise<unknown> {
  return call('DELETE', path, {});
}

/** Sends a request with the page's half of the sign-in, for the vault that the address names. */
export function send(
  method: string,
  path: string,
  query: Query,
  init: Pick<RequestInit, 'body' | 'signal'> = {},
): Promise<Response> {
  const words = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined) words.set(key, String(value));
  }
  const { vault } = { vault: undefined, ...place.peek() };
  if (vault !== undefined) words.set('vault', vault);
  const key = sessionStorage.getItem(storedKey);
  return fetch(`/c/api${path}${words.size === 0 ? '' : `?${words}`}`, {
    ...init,
    method,
    cache: 'no-store',
    redirect: 'error',
    headers: {
      ...(key === null ? {} : { 'X-Vaultdoor-Console': key }),
      ...(init.body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
  });
}

async function call<Answer>(
  method: string,
  path: string,
  query: Query,
  body?: object,
  signal?: AbortSignal,
): Promise<Answer> {
  let response: Response;
  try {
    response = await send(method, path, query, {
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw noAnswer();
  }
  if (response.ok) return response.status === 204 ? (undefined as Answer) : response.json();
  throw await failureOf(response);
}

/** What a refused request says. A sign-in that is over ends this page's half too. */
export async function failureOf(response: Response): Promise<ApiFailure> {
  const body = (await response.json().catch(() => undefined)) as ConsoleFailure | undefined;
  if (body?.error === undefined) return noAnswer();
  if (body.error.code === 'signed_out') keepKey(undefined);
  return new ApiFailure(body.error);
}

function noAnswer(): ApiFailure {
  return new ApiFailure({ code: 'no_answer', message: strings.noAnswer, details: {} });
}

/** Any failure as an `ApiFailure`; undefined for a request that was aborted by the page itself. */
export function asFailure(error: unknown): ApiFailure | undefined {
  if (error instanceof ApiFailure) return error;
  if (error instanceof DOMException && error.name === 'AbortError') return undefined;
  return new ApiFailure({
    code: 'internal',
    message: error instanceof Error ? error.message : strings.failed,
    details: {},
  });
}
