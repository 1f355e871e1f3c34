import type { Caller, Scopes } from '../../base/caller.ts';
import { clusterLimits } from '../../base/door-limits.ts';
import type { Logger } from '../../base/logger.ts';
import { toVaultError } from '../../base/vault-error.ts';
import type { HttpHandler } from '../../net/http-handler.ts';
import type { Outcome } from '../../tools/define/outcome.ts';
import {
  type CallEvent,
  type ForwardedCall,
  type ToldCall,
  wireFailure,
  wireOutcome,
} from './call-message.ts';
import { commonScopes } from './common-scopes.ts';
import { callPath, tellPath } from './forward-call.ts';
import { digestOf, type SignatureChecker } from './signature.ts';

/** What the cluster port needs of the node. */
interface CallHandlerParts {
  readonly signatures: SignatureChecker;
  readonly logger: Logger;
  /** What a caller may do at this node at most, and what the owner may in the console. */
  readonly scopes: Scopes;
  readonly consoleScopes: Scopes;
  /** How often a running call shows that it is running. */
  readonly aliveMs: number;
  /** Whether another living node owns this vault, as far as this node knows or finds out quickly. */
  readonly isElsewhere: (vault: number) => Promise<boolean>;
  /** Carries a request out; `undefined` when this node cannot become the owner of the vault. */
  readonly serve: (
    call: Pick<ForwardedCall, 'vault' | 'toolsets' | 'vaults' | 'method' | 'args'>,
    caller: Caller,
    onChanged: (hasChanged: boolean) => void,
  ) => Promise<{ readonly outcome: Outcome } | { readonly answer: unknown } | undefined>;
  /** The text of `/metrics`. */
  readonly metrics: () => string;
}

/** A forwarded call that runs here. */
interface Running {
  readonly abort: AbortController;
  readonly questions: Map<number, (yes: boolean) => void>;
}

const metricsPath = '/metrics';

/**
 * Handles the requests of the cluster port: calls from other nodes, which are signed, and the figures
 * of this node. This port is never to be reached from outside.
 */
export function callHandler(parts: CallHandlerParts): HttpHandler {
  const running = new Map<string, Running>();
  return {
    admit(head) {
      const { method, path, address } = head;
      const scopes: Scopes = { effects: [], folders: [], hide: [] };
      if (path === metricsPath && method === 'GET') return { scopes, address };
      if ((path !== callPath && path !== tellPath) || method !== 'POST') return refusal(404);
      const digest = parts.signatures.check(head);
      if (digest !== undefined) return { scopes, address, token: digest };
      parts.logger.log('warn', 'cluster request refused', { address });
      return refusal(401);
    },
    bodyBytesMax: ({ method }) => (method === 'POST' ? clusterLimits.forwardBytesMax : 0),
    async handle(request, { token: digest }) {
      const { pathname } = new URL(request.url);
      if (pathname === metricsPath) {
        return new Response(parts.metrics(), {
          headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
        });
      }
      const body = new Uint8Array(await request.arrayBuffer());
      if (digestOf(body) !== digest) return refusal(401);
      const message: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
      if (pathname === tellPath) {
        hear(running, message as ToldCall);
        return new Response(undefined, { status: 204 });
      }
      const call = message as ForwardedCall;
      if (call.protocol !== 1) return refusal(400);
      if (await parts.isElsewhere(call.vault)) return refusal(421);
      return new Response(eventStream(parts, { running, call, left: request.signal }), {
        headers: { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' },
      });
    },
    refuse: ({ status }) => refusal(status),
  };
}

function refusal(status: number): Response {
  return new Response(undefined, { status });
}

function hear(running: Map<string, Running>, { run, cancel, answer }: ToldCall): void {
  const found = running.get(run);
  if (cancel) found?.abort.abort();
  if (answer !== undefined) found?.questions.get(answer.question)?.(answer.yes);
}

/** Carries out a call and sends what happens as lines of JSON. */
function eventStream(
  parts: CallHandlerParts,
  at: {
    readonly running: Map<string, Running>;
    readonly call: ForwardedCall;
    readonly left: AbortSignal;
  },
): ReadableStream<Uint8Array> {
  const { running, call, left } = at;
  const encoder = new TextEncoder();
  const run: Running = { abort: new AbortController(), questions: new Map() };
  let isOver = false;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (event: CallEvent): void => {
        if (!isOver) controller.enqueue(encoder.encode(`${JSON.stringify(event)}\n`));
      };
      send({ alive: true });
      const alive = setInterval(() => send({ alive: true }), parts.aliveMs);
      const abort = (): void => run.abort.abort();
      left.addEventListener('abort', abort, { once: true });
      running.set(call.run, run);
      const served = parts.serve(call, callerOf(parts, call, run, send), (changed) =>
        send({ changed }),
      );
      const ending = served.then(
        (end): CallEvent => {
          if (end === undefined) return { moved: true };
          return 'outcome' in end ? { outcome: wireOutcome(end.outcome) } : { answer: end.answer };
        },
        (error: unknown): CallEvent => ({ failure: wireFailure(toVaultError(error)) }),
      );
      void ending.then((event) => {
        clearInterval(alive);
        running.delete(call.run);
        left.removeEventListener('abort', abort);
        for (const answer of run.questions.values()) answer(false);
        send(event);
        if (!isOver) controller.close();
        isOver = true;
      });
    },
    cancel() {
      isOver = true;
      run.abort.abort();
    },
  });
}

/** The caller of a forwarded call. It may do no more than the first node says, nor than this one allows. */
function callerOf(
  { scopes, consoleScopes }: CallHandlerParts,
  { caller: facts }: ForwardedCall,
  run: Running,
  send: (event: CallEvent) => void,
): Caller {
  const { canAsk, ...caller } = facts;
  const ask = (text: string, enter?: 'yes'): Promise<boolean> =>
    new Promise((resolve) => {
      const question = run.questions.size + 1;
      run.questions.set(question, resolve);
      send({ ask: { question, text, ...(enter === undefined ? {} : { enter }) } });
    });
  return {
    ...caller,
    // The other node has signed that this is the owner.
    scopes: commonScopes(caller.scopes, caller.door === 'console' ? consoleScopes : scopes),
    signal: run.abort.signal,
    progress: (progress) => send({ progress }),
    onCommit: (committed) => send({ committed }),
    onTakenBack: () => send({ takenBack: true }),
    ...(canAsk ? { ask } : {}),
  };
}
