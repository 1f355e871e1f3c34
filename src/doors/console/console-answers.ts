import { limits } from '../../base/limits.ts';
import type { VaultError } from '../../base/vault-error.ts';
import type { ConsoleFailure } from './console-wire.ts';

/** The HTTP status of each failure. */
const statuses: Readonly<Record<ConsoleFailure['error']['code'], number>> = {
  signed_out: 401,
  invalid_input: 400,
  outside_vault: 400,
  not_found: 404,
  vault_not_found: 503,
  already_exists: 409,
  ambiguous: 409,
  conflict: 409,
  not_a_folder: 400,
  is_a_folder: 400,
  forbidden: 403,
  tag_not_allowed: 403,
  too_large: 413,
  app_not_running: 503,
  unavailable: 503,
  busy: 429,
  timeout: 504,
  cancelled: 409,
  io_failed: 500,
  internal: 500,
};

/** The headers of every answer of this door. */
const commonHeaders: Readonly<Record<string, string>> = {
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
};

const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types vaultdoor-worker',
].join('; ');

/** For answers in which nothing may run or be shown as a page. */
const sealedPolicy = "sandbox; default-src 'none'; frame-ancestors 'none'";

/** What an answer can consist of. */
type Body = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

interface AnswerOptions {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The lines for Set-Cookie. */
  readonly cookies?: readonly string[];
}

/** A file of the page. */
export function pageAnswer(body: Body, options: AnswerOptions): Response {
  const headers = headersOf({ 'Content-Security-Policy': pagePolicy, ...options.headers }, options);
  return new Response(body, { status: options.status ?? 200, headers });
}

/** An answer of the API. Nothing of it is kept by browsers and proxies. */
export function apiAnswer(
  body: Body | undefined,
  type: string,
  options: AnswerOptions = {},
): Response {
  const headers = headersOf(
    {
      'Content-Security-Policy': sealedPolicy,
      'Cache-Control': 'no-store',
      'Content-Type': type,
      ...options.headers,
    },
    options,
  );
  return new Response(body, { status: options.status ?? 200, headers });
}

/** JSON as an answer of the API. */
export function jsonAnswer(value: object, options: AnswerOptions = {}): Response {
  return apiAnswer(JSON.stringify(value), 'application/json', options);
}

/** A failure of the API, in the words of the `VaultError`. */
export function failureAnswer(error: VaultError, options: AnswerOptions = {}): Response {
  const { code, details } = error;
  const waitMs = Number(details['retryAfterMs'] ?? limits.busyRetryMs);
  const retry = code === 'busy' ? { 'Retry-After': String(Math.ceil(waitMs / 1_000)) } : {};
  return jsonAnswer(
    { error: failureFields(error) },
    { status: statuses[code], ...options, headers: { ...retry, ...options.headers } },
  );
}

/** The fields of a failure, for the page. */
export function failureFields(error: VaultError): ConsoleFailure['error'] {
  const { code, message, details, excerpt } = error;
  return { code, message, details, ...(excerpt === undefined ? {} : { excerpt }) };
}

/** The answer to a request that does not have both halves of a sign-in. */
export function signedOutAnswer(): Response {
  const message = 'This console is signed out. Open it again with a new link.';
  const error: ConsoleFailure['error'] = { code: 'signed_out', message, details: {} };
  return jsonAnswer({ error }, { status: statuses.signed_out });
}

/** A page without style and script, for what must be said before the console can be shown. */
export function messageAnswer(
  { title, lines }: { readonly title: string; readonly lines: readonly string[] },
  options: AnswerOptions = {},
): Response {
  const paragraphs = lines.map((line) => `<p>${escaped(line)}</p>`).join('\n');
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>${escaped(title)}</title></head>
<body><main><h1>${escaped(title)}</h1>
${paragraphs}
</main></body></html>
`;
  return pageAnswer(html, {
    ...options,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      ...options.headers,
    },
  });
}

/** Leads a browser to another address of this server. */
export function leadAnswer(to: string): Response {
  const headers = headersOf({ Location: to, 'Cache-Control': 'no-store' }, {});
  return new Response(undefined, { status: 303, headers });
}

function headersOf(
  own: Readonly<Record<string, string>>,
  { cookies = [] }: AnswerOptions,
): Headers {
  const headers = new Headers({ ...commonHeaders, ...own });
  for (const cookie of cookies) headers.append('Set-Cookie', cookie);
  return headers;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
