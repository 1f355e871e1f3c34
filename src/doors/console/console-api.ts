import type { Caller } from '../../base/caller.ts';
import { isObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { faultOrigin } from '../../base/logger.ts';
import { toVaultError, VaultError } from '../../base/vault-error.ts';
import { apiAnswer, failureAnswer, jsonAnswer, signedOutAnswer } from './console-answers.ts';
import type { ConsoleParts, OwnRequest } from './console-parts.ts';
import { type ConsoleRoute, findRoute } from './console-routes.ts';
import type { ConsoleSession } from './console-sessions.ts';
import {
  type ConsoleSite,
  consoleCookieLines,
  isForeign,
  readConsoleCookie,
} from './console-site.ts';
import type { EnterAnswer, EnterRequest, SignOutRequest } from './console-wire.ts';
import type { EventStreams } from './event-streams.ts';
import { queryArguments } from './query-arguments.ts';

/** A request to the API, with the address under which the browser has asked. */
interface ApiVisit {
  readonly request: Request;
  readonly path: string;
  readonly site: ConsoleSite;
}

const keyHeader = 'x-vaultdoor-console';

/** The API below `/c/api`: who may use it, and what answers. */
export class ConsoleApi {
  readonly #parts: ConsoleParts;
  readonly #streams: EventStreams;

  constructor(parts: ConsoleParts, streams: EventStreams) {
    this.#parts = parts;
    this.#streams = streams;
  }

  /** The console that a request has signed in for; undefined unless both halves are right. */
  session(headers: Headers, site: ConsoleSite): Promise<ConsoleSession | undefined> {
    const cookie = readConsoleCookie(headers, { port: this.#parts.cookiePort(), site });
    return this.#parts.sessions.find({ cookie, key: headers.get(keyHeader) ?? undefined });
  }

  /** Answers a request. Never rejects. */
  async answer(visit: ApiVisit): Promise<Response> {
    const { logger, nowMs } = this.#parts;
    const startMs = nowMs();
    const { method } = visit.request;
    const found = findRoute(method, visit.path);
    const response = await this.#answer(visit, found).catch((error: unknown) => {
      const failure = toVaultError(error);
      if (failure.code === 'internal') logger.log('error', 'bug', faultOrigin(error));
      return failureAnswer(failure);
    });
    const route = found !== undefined && 'route' in found ? found.route.path : 'none';
    const level = method === 'GET' && response.status === 200 ? 'debug' : 'info';
    const { status } = response;
    logger.log(level, 'console', { method, route, status, ms: nowMs() - startMs });
    return response;
  }

  async #answer(visit: ApiVisit, found: ReturnType<typeof findRoute>): Promise<Response> {
    const { request, site } = visit;
    if (isForeign(request, site)) throw new VaultError('forbidden', foreignMessage);
    if (found === undefined) throw new VaultError('not_found', 'There is nothing at this address.');
    if ('allow' in found) {
      const error = new VaultError('invalid_input', 'This address cannot be used so.');
      return failureAnswer(error, { status: 405, headers: { Allow: found.allow.join(', ') } });
    }
    const { route, id = '' } = found;
    if ('own' in route && route.own === 'enter') return this.#enter(visit);
    const session = await this.session(request.headers, site);
    if (session === undefined) return signedOutAnswer();
    const query = new URL(request.url).searchParams;
    const vault = query.get('vault') ?? undefined;
    query.delete('vault');
    const asked: OwnRequest = {
      id,
      query,
      body: await bodyOf(request),
      caller: this.#caller(request, { session, route, vault }),
      session,
      site,
    };
    return 'tool' in route ? this.#call(route, asked) : this.#own(route.own, asked, visit);
  }

  async #own(
    own: Extract<ConsoleRoute, { own: unknown }>['own'],
    asked: OwnRequest,
    { request: { headers }, site }: ApiVisit,
  ): Promise<Response> {
    const { sessions, cookiePort: port, picture } = this.#parts;
    switch (own) {
      case 'enter':
        return signedOutAnswer(); // Answered before anyone is signed in.
      case 'sign-out': {
        const { everywhere }: SignOutRequest = asked.body;
        if (everywhere === true) await sessions.endAll();
        else await sessions.end(asked.session.id);
        const cookies = consoleCookieLines(undefined, { port: port(), site, headers });
        return jsonAnswer({}, { cookies });
      }
      case 'events': {
        const hearsCalls = asked.query.get('calls') === '1';
        return this.#streams.open({ session: asked.session.id, hearsCalls });
      }
      case 'file': {
        const { bytes, type } = await picture(asked.query.get('path') ?? '', asked.caller);
        return apiAnswer(bytes as Uint8Array<ArrayBuffer>, type);
      }
      default:
        return jsonAnswer(await this.#parts.own[own](asked));
    }
  }

  async #call(
    { tool, method, path }: Extract<ConsoleRoute, { tool: string }>,
    { id, query, body, caller }: OwnRequest,
  ): Promise<Response> {
    const { service } = this.#parts;
    const listed = service.list(['read', 'write', 'destroy']).find(({ name }) => name === tool);
    if (listed === undefined) {
      throw new VaultError('unavailable', 'This version of Vaultdoor cannot answer this yet.');
    }
    if (path.endsWith('/:id')) query.set('id', id);
    const args = method === 'GET' ? queryArguments(listed, query) : body;
    const outcome = await service.call(tool, args, caller);
    if (!outcome.ok) throw outcome.error;
    return jsonAnswer(outcome.value as object);
  }

  /** POST /c/api/enter: the one-time key of a link becomes the two halves of a sign-in. */
  async #enter({ request, site }: ApiVisit): Promise<Response> {
    const { sessions, cookiePort: port, logger } = this.#parts;
    const { key }: Partial<EnterRequest> = await bodyOf(request);
    const entered = typeof key === 'string' ? await sessions.enter(key) : undefined;
    if (entered === undefined) {
      throw new VaultError('forbidden', usedMessage, { details: { link: 'used' } });
    }
    logger.log('info', 'console opened', { consoles: (await sessions.list()).length });
    const { headers } = request;
    const cookies = consoleCookieLines(entered.cookie, { port: port(), site, headers });
    const answer: EnterAnswer = { key: entered.key };
    return jsonAnswer(answer, { cookies });
  }

  #caller(
    { signal }: Request,
    asked: {
      readonly session: ConsoleSession;
      readonly route: ConsoleRoute;
      readonly vault: string | undefined;
    },
  ): Caller {
    const { session, route, vault } = asked;
    const { scopes, deadlineMs } = this.#parts;
    const isLong = 'tool' in route && route.isLong === true;
    return {
      door: 'console',
      connection: session.id,
      scopes,
      signal,
      deadlineMs: isLong
        ? limits.consoleCheckMs
        : deadlineMs('tool' in route ? route.tool : undefined),
      ...(isLong
        ? {
            progress: ({ done, total }) =>
              this.#streams.tellSession(session.id, {
                event: 'check',
                data: { done, ...(total === undefined ? {} : { total }) },
              }),
          }
        : {}),
      ...(vault === undefined ? {} : { vault }),
    };
  }
}

const foreignMessage =
  'This request was not sent from a page of this server, so it is not accepted. Open the console by its own address.';

const minutes = limits.consoleKeyMs / 60_000;
const usedMessage = `This link does not work: each opens the console once, within ${minutes} minutes.`;

/** The JSON object in a body; empty when there is none. Fails with `invalid_input` for anything else. */
async function bodyOf(request: Request): Promise<Readonly<Record<string, unknown>>> {
  const text = await request.text();
  if (text === '') return {};
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json *(?:;|$)/i.test(type)) {
    throw new VaultError('invalid_input', 'Send the body as application/json.');
  }
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // The error is thrown below.
  }
  throw new VaultError('invalid_input', 'The body is not a JSON object.');
}
