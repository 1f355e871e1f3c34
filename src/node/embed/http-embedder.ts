import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { Embedder } from '../../engine/ports/meaning.ts';
import type { EmbedApi } from './embed-api.ts';
import { readVectors } from './read-vectors.ts';

/** What each API is asked, and where in its answer the vectors are. */
const apis: Readonly<
  Record<
    EmbedApi,
    { readonly path: string; readonly end: string; readonly vectors: (answer: unknown) => unknown }
  >
> = {
  openai: {
    path: '/v1/embeddings',
    end: '/embeddings',
    vectors: (answer) => {
      const data = fieldOf(answer, 'data');
      if (!Array.isArray(data)) return undefined;
      const rows = data.map((row, at) => ({
        at: Number(fieldOf(row, 'index') ?? at),
        row: fieldOf(row, 'embedding'),
      }));
      return rows.sort((one, other) => one.at - other.at).map(({ row }) => row);
    },
  },
  ollama: {
    path: '/api/embed',
    end: '/api/embed',
    vectors: (answer) => fieldOf(answer, 'embeddings'),
  },
};

/**
 * Asks an HTTP server for vectors. What it is sent goes to the address that the owner named and
 * nowhere else: redirects are refused. The key is sent as `Authorization: Bearer` and never logged.
 */
export function openHttpEmbedder(options: {
  readonly url: string;
  readonly model: string;
  readonly api: EmbedApi;
  readonly key?: string;
}): Embedder {
  const { model, api, key } = options;
  const address = embedAddress(options.url, api);
  const closed = new AbortController();
  const headers = {
    'content-type': 'application/json',
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  };
  return {
    // Another server may have another model of this name.
    model: `${address} ${model}`,
    close: async () => closed.abort(),
    embed: async (texts, { signal, timeMs }) => {
      if (texts.length === 0) return [];
      const over = AbortSignal.any([
        signal as globalThis.AbortSignal,
        closed.signal,
        AbortSignal.timeout(timeMs),
      ]);
      try {
        const response = await fetch(address, {
          method: 'POST',
          headers,
          body: JSON.stringify({ model, input: texts }),
          redirect: 'manual',
          signal: over,
        });
        if (!response.ok) {
          await response.body?.cancel();
          throw refusal(response.status);
        }
        const answer: unknown = JSON.parse(await boundedText(response));
        return readVectors(apis[api].vectors(answer), texts.length);
      } catch (error) {
        if (signal.aborted || closed.signal.aborted)
          throw new VaultError('cancelled', 'The vault was closed in the meantime.');
        if (error instanceof VaultError) throw error;
        throw new VaultError('unavailable', reasonOf(error, over.aborted), { cause: error });
      }
    },
  };
}

/** The address that is asked: the owner may give that of the server, or that of the API itself. */
function embedAddress(url: string, api: EmbedApi): string {
  const parsed = new URL(url);
  const { path, end } = apis[api];
  const own = parsed.pathname.replace(/\/+$/, '');
  parsed.pathname = own === '' ? path : own.endsWith(end) ? own : own + end;
  return parsed.href;
}

/** The texts themselves are refused with 400, 413 and 422; everything else may be over later. */
function refusal(status: number): VaultError {
  const code = [400, 413, 422].includes(status) ? 'too_large' : 'unavailable';
  const more =
    status >= 300 && status < 400
      ? ': it leads elsewhere, which is not followed'
      : status === 401 || status === 403
        ? ': look at the key'
        : status === 404
          ? ': look at the address, the API and the model'
          : '';
  return new VaultError(code, `The embedding endpoint answered with status ${status}${more}.`);
}

async function boundedText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > limits.embedAnswerBytesMax) {
      throw new VaultError('unavailable', 'The embedding endpoint answered with too many bytes.');
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function reasonOf(error: unknown, isLate: boolean): string {
  if (isLate) return 'The embedding endpoint did not answer in time.';
  if (error instanceof SyntaxError) return 'The embedding endpoint did not answer with JSON.';
  const { code } = (error instanceof Error ? (error.cause ?? error) : {}) as { code?: unknown };
  return `The embedding endpoint cannot be reached${typeof code === 'string' ? ` (${code})` : ''}.`;
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
