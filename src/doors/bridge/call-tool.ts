import type { Caller, Scopes } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import { faultOrigin, type Logger } from '../../base/logger.ts';
import { oneLine } from '../../base/one-line.ts';
import type { VaultError, VaultErrorCode } from '../../base/vault-error.ts';
import type { Content, Outcome } from '../../tools/define/outcome.ts';
import type { Service } from '../../tools/service/service.ts';
import { refuseBridge } from './bridge-refusal.ts';
import type { CallArguments } from './read-arguments.ts';

interface BridgeCall {
  readonly name: string;
  readonly args: CallArguments;
  readonly headers: Headers;
  readonly signal: AbortSignal;
}

/** What running a call needs from the program. */
export interface CallParts {
  readonly service: Service;
  readonly logger: Logger;
  readonly scopes: Scopes;
  /** How long a call of this tool may take. */
  readonly deadlineMs: (tool?: string) => number;
  readonly nowMs: () => number;
}

/** Longer names of clients are cut, because history and log keep them. */
const clientCharsMax = 100;

/** Runs a tool and answers with its result, which may be a failure. */
export async function callTool(parts: CallParts, call: BridgeCall): Promise<Response> {
  const { service, logger, nowMs } = parts;
  const { name, args } = call;
  const startMs = nowMs();
  const outcome = await service.call(name, args, callerOf(parts, call));
  const ms = nowMs() - startMs;
  if (outcome.ok) {
    logger.log('info', 'call', { door: 'bridge', tool: name, ms, ok: true });
  } else {
    const { code, cause } = outcome.error;
    logger.log('info', 'call', { door: 'bridge', tool: name, ms, ok: false, code });
    if (code === 'internal') logger.log('error', 'bug', faultOrigin(cause ?? outcome.error));
  }
  return callAnswer(outcome);
}

/**
 * The caller that the service sees. Only a client that names a session gets a connection: then the
 * service remembers what the client was shown, and adds context about the vault to its first answer,
 * which would disturb a script.
 */
function callerOf({ scopes, deadlineMs }: CallParts, call: BridgeCall): Caller {
  const { name, headers, signal } = call;
  const session = headers.get('x-vaultdoor-session') ?? '';
  const client = oneLine(headers.get('user-agent') ?? '', clientCharsMax);
  return {
    door: 'bridge',
    scopes,
    signal,
    deadlineMs: deadlineMs(name),
    ...(/^[\w-]{16,64}$/.test(session) ? { connection: `bridge:${session}` } : {}),
    ...(client === '' ? {} : { client }),
  };
}

/**
 * The HTTP status of a call that has failed. It is 200 for the failure of a tool: HTTP errors are for
 * requests that never reached a tool, as when too many calls run (`busy`).
 */
const callStatus: Readonly<Record<VaultErrorCode, number>> = {
  invalid_input: 200,
  outside_vault: 200,
  not_found: 200,
  vault_not_found: 200,
  already_exists: 200,
  ambiguous: 200,
  conflict: 200,
  not_a_folder: 200,
  is_a_folder: 200,
  forbidden: 200,
  tag_not_allowed: 200,
  too_large: 200,
  app_not_running: 200,
  unavailable: 200,
  busy: 429,
  timeout: 200,
  cancelled: 200,
  io_failed: 200,
  internal: 200,
};

function callAnswer(outcome: Outcome): Response {
  if (outcome.ok) return Response.json({ success: true, content: outcome.content });
  const { error, content } = outcome;
  if (error.code === 'busy') return tooBusy(error);
  return Response.json(
    { success: false, content: content.map(asError), isError: true },
    { status: callStatus[error.code] },
  );
}

/** The refusal of a call that may be sent again later; the header says when, in seconds. */
function tooBusy({ code, message, details }: VaultError): Response {
  const waitMs = Number(details['retryAfterMs'] ?? limits.busyRetryMs);
  const headers = { 'Retry-After': String(Math.ceil(waitMs / 1_000)) };
  return refuseBridge({ status: callStatus[code], error: message, headers });
}

/**
 * Begins the first text of a failure with "Error", as the protocol wants; the rest stays as it is.
 */
function asError(piece: Content, at: number): Content {
  if (at > 0 || piece.type !== 'text' || piece.text.startsWith('Error')) return piece;
  return { ...piece, text: `Error: ${piece.text}` };
}
