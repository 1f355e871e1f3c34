import { z } from 'zod';
import { allScopes, type Caller } from '../../src/base/caller.ts';
import { VaultError } from '../../src/base/vault-error.ts';
import { ConsoleHttp } from '../../src/doors/console/console-http.ts';
import type { ConsoleParts, OwnAnswers } from '../../src/doors/console/console-parts.ts';
import { ConsoleSessions } from '../../src/doors/console/console-sessions.ts';
import type { ConsoleEvent } from '../../src/doors/console/console-wire.ts';
import { nodeOAuthCrypto } from '../../src/node/oauth/node-oauth-crypto.ts';
import { nodeTimers } from '../../src/node/system/node-ports.ts';
import { memoryBriefBooks } from '../../src/oauth/ports/brief-book.ts';
import { defineTool } from '../../src/tools/define/define-tool.ts';
import type { Toolset } from '../../src/tools/define/toolset.ts';
import { createService } from '../../src/tools/service/service.ts';
import { openWrittenVault } from './written-vault.ts';

/** What the page of a browser sends. */
interface Asked {
  readonly method?: string;
  readonly host?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Tools: one says with what it was called, one fails, and one tells how far it is. */
const echoTools: Toolset = {
  name: 'console',
  tools: [
    defineTool({
      name: 'changes',
      title: 'Echo',
      description: 'Says with what it was called.',
      effect: 'read',
      record: [],
      input: z.strictObject({
        limit: z.number().exactOptional(),
        undone: z.boolean().exactOptional(),
        path: z.string().exactOptional(),
        ids: z.array(z.union([z.number(), z.string()])).exactOptional(),
      }),
      output: z.unknown(),
      run: async ({ caller: { door, connection = '' } }, args) => ({
        at: 7,
        door,
        connection,
        args,
      }),
    }),
    defineTool({
      name: 'check',
      title: 'Progress',
      description: 'Tells how far it is.',
      effect: 'read',
      record: [],
      input: z.strictObject({}),
      output: z.unknown(),
      run: async ({ caller: { progress, deadlineMs } }) => {
        progress?.({ done: 1, message: 'begins' });
        progress?.({ done: 2, total: 3, message: 'goes on' });
        return { deadlineMs };
      },
    }),
    defineTool({
      name: 'undo',
      title: 'Fail',
      description: 'Fails.',
      effect: 'destroy',
      record: [],
      input: z.strictObject({}),
      output: z.unknown(),
      run: async () => {
        throw new VaultError('conflict', 'It has changed.', { details: { path: 'A.md' } });
      },
    }),
  ],
  voice: { result: () => [], failure: ({ message }) => [{ type: 'text', text: message }] },
};

/** The console's door with pages and tools that tell what they were asked. */
export async function openConsoleDoor(given: Partial<ConsoleParts> = {}) {
  const time = { nowMs: 1_000_000 };
  const nowMs = (): number => time.nowMs;
  const owner = { mark: 'the owner' };
  const brief = memoryBriefBooks({ crypto: nodeOAuthCrypto, nowMs });
  const sessions = new ConsoleSessions({ brief, nowMs, owner: async () => owner.mark });
  const lines: string[] = [];
  const listeners = new Set<(event: ConsoleEvent) => void>();
  const { whole } = await openWrittenVault({ 'A.md': 'a' });
  const service = createService(whole, [echoTools], nodeTimers);
  const own = new Proxy({} as OwnAnswers, {
    get: (_, name) => async (request: { id: string; body: object; caller: Caller }) => ({
      own: name,
      id: request.id,
      body: request.body,
      vault: request.caller.vault,
    }),
  });
  const door = new ConsoleHttp({
    service,
    own,
    picture: async () => ({ bytes: new Uint8Array([1, 2]), type: 'image/svg+xml' }),
    sessions,
    news: {
      latest: async () => [{ vault: 'V', at: 7 }],
      listen: (tell) => {
        listeners.add(tell);
        return () => listeners.delete(tell);
      },
    },
    files: async () =>
      new Map([
        ['index.html', Buffer.from('<!doctype html>page')],
        ['main-ABCD1234.js', Buffer.from('script')],
        ['main-ABCD1234.js.br', Buffer.from('brotli')],
      ]),
    cookiePort: () => 1065,
    publicUrls: ['https://notes.example.org'],
    allowsPlainHttp: false,
    scopes: allScopes,
    deadlineMs: () => 1_000,
    timers: nodeTimers,
    nowMs: () => time.nowMs,
    logger: { log: (...line) => void lines.push(JSON.stringify(line)) },
    version: '1.2.3',
    ...given,
  });
  const ask = (path: string, asked: Asked = {}): Promise<Response> => {
    const { method = 'GET', host = 'localhost:1065', headers = {}, body } = asked;
    const origin = host === 'notes.example.org' ? `https://${host}` : `http://${host}`;
    return door.handle(
      new Request(`http://${host}${path}`, {
        method,
        headers: {
          host,
          ...(method === 'GET' ? {} : { origin, 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
  };
  /** Opens a console; the headers with which its page asks. */
  const enter = async (asked: Asked = {}): Promise<{ cookie: string; key: string }> => {
    const body = { key: await sessions.makeKey() };
    const response = await ask('/c/api/enter', { ...asked, method: 'POST', body });
    const { key } = (await response.json()) as { key: string };
    return { cookie: response.headers.getSetCookie()[0] ?? '', key };
  };
  /** The two halves as headers. */
  const halves = ({ cookie, key }: { cookie: string; key: string }) => ({
    cookie: cookie.split(';')[0] ?? '',
    'x-vaultdoor-console': key,
  });
  const tell = (event: ConsoleEvent): void => {
    for (const listener of listeners) listener(event);
  };
  return { door, ask, enter, halves, sessions, owner, time, lines, tell, listeners };
}
