import type { Caller, Scopes } from '../../base/caller.ts';
import type { Logger } from '../../base/logger.ts';
import { faultOrigin } from '../../base/logger.ts';
import { oneLine } from '../../base/one-line.ts';
import type { Content, Outcome } from '../../tools/define/outcome.ts';
import type { Service } from '../../tools/service/service.ts';
import { callStatus } from './call-status.ts';
import type { CallArguments } from './read-call.ts';

export interface BridgeCall {
  readonly name: string;
  readonly args: CallArguments;
  readonly headers: Headers;
  readonly signal: AbortSignal;
}

export interface CallParts {
  readonly service: Service;
  readonly logger: Logger;
  readonly scopes: Scopes;
  /** How long a call of this tool may take. */
  readonly deadlineMs: (tool?: string) => number;
  readonly nowMs: () => number;
}

/** Longer names of clients are cut: history and log keep them. */
const clientCharsMax = 100;

/** Runs a tool and answers how it ended. A tool's failure is an answer, too. */
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
 * Who calls. Only a client that names a session is remembered from one call to the next, and told of
 * the vault: scripts take the answer as it is.
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

function callAnswer(outcome: Outcome): Response {
  if (outcome.ok) return Response.json({ success: true, content: outcome.content });
  const { error, content } = outcome;
  return Response.json(
    { success: false, content: content.map(asError), isError: true },
    { status: callStatus[error.code] },
  );
}

/** A failure's text as the protocol shows it; nothing else of the content is touched. */
function asError(piece: Content, at: number): Content {
  if (at > 0 || piece.type !== 'text' || piece.text.startsWith('Error')) return piece;
  return { ...piece, text: `Error: ${piece.text}` };
}
