import { limits } from '../../base/limits.ts';
import { FrontDoor } from '../../net/front-door.ts';
import type { HttpHandler, Refusal } from '../../net/http-handler.ts';
import { listenHttp } from '../../net/http-listener.ts';
import { nodeTimers } from '../../node/system/node-ports.ts';
import type { ServerOptions } from '../options/server-options.ts';
import type { Shell } from '../shell/shell.ts';
import { openVaultTokens } from '../vaults/server-files.ts';
import type { Server } from './run-server.ts';
import { ServedConsole } from './serve-console.ts';
import { untilIdle } from './until-idle.ts';

/**
 * Serves the console and nothing else, on a free port of this machine, and calls `onLink` with the link
 * to it. Resolves when no page was open for `limits.consoleIdleMs`, or the process is told to end.
 */
export async function serveConsoleAlone(
  shell: Shell,
  options: ServerOptions,
  server: Server,
  onLink: (link: string) => Promise<void>,
): Promise<void> {
  const { choices, logger, scopes, started, begin } = server;
  const book = openVaultTokens(choices, shell.env);
  const place = { host: '127.0.0.1', port: 0 };
  const page = new ServedConsole(shell, server, {
    book,
    allowsPlainHttp: false,
    grants: () => undefined,
    mcp: () => undefined,
    port: () => place.port,
    facts: () => ({
      isAlone: true,
      addresses: [],
      publicUrls: [],
      tokens: 'asked',
      logsReads: options.logReads,
      toolsets: options.toolsets,
    }),
  });
  const front = new FrontDoor({
    allowHosts: [],
    publicUrls: [],
    tokens: 'asked',
    book,
    scopes,
    nowMs: Date.now,
  });
  const listener = await listenHttp({ ...place, handler: handlerOf(page, front), logger });
  place.port = listener.port;
  started({ host: place.host, port: place.port });
  begin();
  await onLink(await page.makeLink());
  await untilIdle({
    idleSinceMs: () => page.idleSinceMs,
    idleMs: limits.consoleIdleMs,
    nowMs: Date.now,
    timers: nodeTimers,
    signal: shell.signal,
  });
  await page.close();
  await listener.close(limits.shutdownMs);
}

function handlerOf(page: ServedConsole, front: FrontDoor): HttpHandler {
  const refuse = (refusal: Refusal, path = ''): Response => {
    const { status, message, headers = {} } = refusal;
    return page.refusal(path, refusal) ?? new Response(message, { status, headers });
  };
  return {
    async admit(head) {
      await page.ready();
      const admitted = await front.admit(head, { open: true });
      if ('status' in admitted) return refuse(admitted, head.path);
      if (page.serves(head.path)) return admitted;
      return refuse({ status: 404, message: 'There is nothing at this address.' }, head.path);
    },
    bodyBytesMax: (head) => page.bodyBytesMax(head),
    handle: (request) => page.handle(request),
    refuse,
  };
}
