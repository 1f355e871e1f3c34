import { randomUUID } from 'node:crypto';
import { Agent, type IncomingMessage, request } from 'node:http';
import type { Caller } from '../../base/caller.ts';
import { clusterLimits } from '../../base/door-limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { Outcome } from '../../tools/define/outcome.ts';
import {
  type CallEvent,
  callerFacts,
  type ForwardedCall,
  failureOf,
  outcomeOf,
  type ToldCall,
} from './call-message.ts';
import { digestOf, signatureHeaders } from './signature.ts';

/** Where calls are sent, and where news about running ones. */
export const callPath = '/cluster/call';
export const tellPath = '/cluster/tell';

/**
 * Why a node did not answer a call: nothing listens at its address; it does not own the vault; or the
 * connection broke or fell silent, so that it is not known whether the call was carried out.
 */
type NotAnswered = 'refused' | 'moved' | 'lost';

/** That a node did not answer a call. */
export class ForwardFailed extends Error {
  readonly why: NotAnswered;

  constructor(why: NotAnswered) {
    super(`The other node did not answer: ${why}.`);
    this.why = why;
  }
}

interface ForwardParts {
  /** The address of the other node. */
  readonly address: string;
  readonly secret: string;
  /** After how long without a sign the other node counts as lost. */
  readonly silentMs: number;
}

/** What is passed on, without what `callerFacts` adds. */
type Forwarded = Pick<ForwardedCall, 'vault' | 'toolsets' | 'vaults' | 'method' | 'args'>;

/**
 * Passes a request on to another node, and answers what it answers: an `Outcome` for a call, else the
 * value. Progress, questions to the user and the commit reach the caller meanwhile; a cancelled call is
 * cancelled there. `onChanged` is for subscriptions: called with false when one has begun. Fails with `ForwardFailed` when the node has not answered, and with the `VaultError`
 * that it has answered.
 */
export async function forwardCall(
  parts: ForwardParts,
  forwarded: Forwarded,
  caller: Caller,
  onChanged?: (hasChanged: boolean) => void,
): Promise<unknown> {
  const run = randomUUID();
  const message: ForwardedCall = { protocol: 1, run, ...forwarded, caller: callerFacts(caller) };
  const connection = new AbortController();
  const silence = new Silence(parts.silentMs, () => connection.abort());
  const cancel = (): void => {
    if (forwarded.method === 'subscribe') connection.abort();
    else void tell(parts, { run, cancel: true });
  };
  caller.signal.addEventListener('abort', cancel, { once: true });
  try {
    const response = await post(parts, callPath, message, connection.signal);
    if (response.statusCode === 421) throw new ForwardFailed('moved');
    if (response.statusCode === 401) throw notTrusted();
    if (response.statusCode !== 200) throw new ForwardFailed('lost');
    for await (const event of eventsIn(response, () => silence.heard())) {
      const end = handle(event, {
        caller,
        onChanged,
        tell: (told) => tell(parts, { run, ...told }),
      });
      if (end !== undefined) return end.answer;
    }
    throw new ForwardFailed('lost');
  } catch (error) {
    if (error instanceof VaultError || error instanceof ForwardFailed) throw error;
    throw new ForwardFailed(isRefused(error) ? 'refused' : 'lost');
  } finally {
    silence.end();
    caller.signal.removeEventListener('abort', cancel);
    connection.abort();
  }
}

/** What an event means for the caller; the answer if it is the last one. */
function handle(
  event: CallEvent,
  {
    caller,
    onChanged,
    tell,
  }: {
    readonly caller: Caller;
    readonly onChanged: ((hasChanged: boolean) => void) | undefined;
    readonly tell: (told: Omit<ToldCall, 'run'>) => Promise<void>;
  },
): { readonly answer: unknown } | undefined {
  if ('progress' in event) caller.progress?.(event.progress);
  else if ('committed' in event) caller.onCommit?.(event.committed);
  else if ('takenBack' in event) caller.onTakenBack?.();
  else if ('changed' in event) onChanged?.(event.changed);
  else if ('ask' in event) {
    const { question, text, enter } = event.ask;
    const asking = caller.ask?.(text, enter) ?? Promise.resolve(false);
    void asking.catch(() => false).then((yes) => tell({ answer: { question, yes } }));
  } else if ('moved' in event) throw new ForwardFailed('moved');
  else if ('failure' in event) throw failureOf(event.failure);
  else if ('outcome' in event) return { answer: outcomeOf(event.outcome) satisfies Outcome };
  else if ('answer' in event) return { answer: event.answer };
  return undefined;
}

async function tell(parts: ForwardParts, told: ToldCall): Promise<void> {
  const signal = AbortSignal.timeout(parts.silentMs);
  await post(parts, tellPath, told, signal)
    .then((response) => response.resume())
    .catch(() => undefined); // The call itself then ends at its deadline.
}

/** Connections to other nodes, which are kept for the next call. */
const agent = new Agent({ keepAlive: true });

/** Not `fetch`, which repeats requests by itself, also those that were answered with 421. */
function post(
  { address, secret }: ForwardParts,
  path: string,
  message: unknown,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const body = Buffer.from(JSON.stringify(message));
  if (body.length > clusterLimits.forwardBytesMax) {
    throw new VaultError('too_large', 'The call is too large to be passed on to another machine.');
  }
  const headers = {
    'content-type': 'application/json',
    'content-length': body.length,
    ...signatureHeaders(secret, { method: 'POST', path, digest: digestOf(body) }),
  };
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', headers, agent, signal };
    request(new URL(path, address), options, resolve).on('error', reject).end(body);
  });
}

/** The events in a stream of lines. */
async function* eventsIn(
  body: AsyncIterable<Uint8Array>,
  heard: () => void,
): AsyncGenerator<CallEvent> {
  const decoder = new TextDecoder();
  let rest: string[] = [];
  for await (const bytes of body) {
    heard();
    const lines = decoder.decode(bytes, { stream: true }).split('\n');
    for (const [at, line] of lines.entries()) {
      rest.push(line);
      if (at === lines.length - 1) break;
      const whole = rest.join('');
      rest = [];
      if (whole !== '') yield JSON.parse(whole) as CallEvent;
    }
  }
}

/** Calls back when nothing was heard for a while. */
class Silence {
  readonly #ms: number;
  readonly #onSilence: () => void;
  #timer: NodeJS.Timeout;

  constructor(ms: number, onSilence: () => void) {
    this.#ms = ms;
    this.#onSilence = onSilence;
    this.#timer = setTimeout(onSilence, ms);
  }

  heard(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#onSilence, this.#ms);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
}

function notTrusted(): VaultError {
  return new VaultError(
    'unavailable',
    'The machine that serves this vault does not accept requests of this one; the owner has to check the cluster secret and the clocks of both.',
  );
}
