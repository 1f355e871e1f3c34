import { limits } from '../../base/limits.ts';
import { faultOrigin } from '../../base/logger.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { Refusal, RequestHead } from '../../net/http-handler.ts';
import { failureAnswer, messageAnswer } from './console-answers.ts';
import { ConsoleApi } from './console-api.ts';
import type { ConsoleParts } from './console-parts.ts';
import { apiPath } from './console-routes.ts';
import { type ConsoleSite, siteOf } from './console-site.ts';
import { EventStreams } from './event-streams.ts';
import { answerPage, type PageFiles } from './page-files.ts';

/**
 * The door of the console, the owner's web page: its files at `/c/`, and what they ask for at `/c/api`.
 * It does not listen itself, and it checks no Host: the front door has done so. No token and no grant
 * opens it.
 */
export class ConsoleHttp {
  readonly #parts: ConsoleParts;
  readonly #streams: EventStreams;
  readonly #api: ConsoleApi;
  #files: Promise<PageFiles | undefined> | undefined;

  constructor(parts: ConsoleParts) {
    this.#parts = parts;
    this.#streams = new EventStreams(parts);
    this.#api = new ConsoleApi(parts, this.#streams);
  }

  /** How many pages listen for events. */
  get pages(): number {
    return this.#streams.size;
  }

  /** The largest body that a request may have. */
  async bodyBytesMax({ method, path, headers }: RequestHead): Promise<number> {
    if (method === 'GET' || method === 'HEAD' || !isApi(path)) return 0;
    const session = this.#api.session(headers, this.#siteOf(headers));
    const isOwner = (await session.catch(() => undefined)) !== undefined;
    return isOwner ? limits.consoleBodyBytesMax : limits.consoleStrangerBodyBytesMax;
  }

  /** Answers a request. Never rejects. */
  async handle(request: Request): Promise<Response> {
    const { method, headers } = request;
    const { pathname: path } = new URL(request.url);
    const site = this.#siteOf(headers);
    const isPlain = site.kind === 'plain' && !this.#parts.allowsPlainHttp;
    if (isPlain) return this.#needsTls(path);
    if (isApi(path)) return this.#api.answer({ request, path, site });
    if (method !== 'GET' && method !== 'HEAD') {
      const view = { title: 'Not accepted', lines: ['This address can only be read.'] };
      return messageAnswer(view, { status: 405, headers: { Allow: 'GET, HEAD' } });
    }
    return answerPage(await this.#pageFiles(), { path, headers });
  }

  /** A refusal by the listener or the front door, in the form that this path needs. */
  refusal(path: string, { status, message, headers = {} }: Refusal): Response {
    if (!isApi(path)) {
      return messageAnswer({ title: 'This did not work', lines: [message] }, { status, headers });
    }
    const code = status >= 500 ? 'unavailable' : status === 413 ? 'too_large' : 'forbidden';
    return failureAnswer(new VaultError(code, message), { status, headers });
  }

  /** Ends all event streams. */
  close(): void {
    this.#streams.close();
  }

  #siteOf(headers: Headers): ConsoleSite {
    return siteOf(headers.get('host') ?? '', this.#parts.publicUrls);
  }

  /** Read once, at the first request; again when they were not there. */
  async #pageFiles(): Promise<PageFiles | undefined> {
    this.#files ??= this.#parts.files();
    const files = await this.#files.catch((error: unknown) => {
      this.#parts.logger.log('error', 'console files', faultOrigin(error));
      return undefined;
    });
    if (files === undefined) this.#files = undefined;
    return files;
  }

  #needsTls(path: string): Response {
    const lines = [
      'Over plain HTTP everyone in this network could read along, and use the console after you.',
      'Put a proxy or tunnel with HTTPS in front of the server, and start it with --public-url and its address: docs/server.md shows how, with Caddy, Tailscale and Cloudflare.',
      'On the machine itself, open it at http://localhost. If you trust this network, start the server with --console-http.',
    ];
    return isApi(path)
      ? failureAnswer(new VaultError('forbidden', lines.join(' ')))
      : messageAnswer({ title: 'The console needs HTTPS here', lines }, { status: 403 });
  }
}

function isApi(path: string): boolean {
  return path === apiPath || path.startsWith(`${apiPath}/`);
}
