import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { BridgeHttp } from '../../doors/bridge/bridge-http.ts';
import type { HttpHandler } from '../../net/http-handler.ts';
import { type HttpListener, listenHttp } from '../../net/http-listener.ts';
import { nodeTimers } from '../../node/system/node-ports.ts';
import { readSecretFile } from '../../node/system/private-files.ts';
import type { AuthChoice, BridgeServeOptions, ServeOptions } from '../options/serve-options.ts';
import type { Shell } from '../shell/shell.ts';
import { RefusalLog } from './refusal-log.ts';
import type { Server } from './run-server.ts';

/** A running server of Bridge v1. */
interface ServedBridge {
  readonly port: number;
  readonly asksToken: boolean;
  /** Takes no more calls; resolves when all are answered. Calls are aborted after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/** Never another address: the protocol has no sign-in of its own. */
const host = '127.0.0.1';

/** A shorter token could be guessed. */
const tokenCharsMin = 16;

const tokenVariable = 'VAULTDOOR_BRIDGE_TOKEN';

/**
 * Serves Bridge v1 to programs of this machine, over the vaults of the server; undefined when the
 * options do not ask for it. Fails with `invalid_input` for origins or a token that are not valid, and
 * with `unavailable` when it cannot listen.
 */
export async function serveBridge(
  shell: Shell,
  options: ServeOptions,
  server: Server,
): Promise<ServedBridge | undefined> {
  if (options.bridge === undefined) return undefined;
  const { logger, scopes, deadlineMs } = server;
  const { toolsets, allowOrigins, port } = options.bridge;
  const token = tokenOf(shell, options.auth, options.bridge);
  const bridge = new BridgeHttp({
    service: await server.makeService(toolsets),
    logger,
    version: shell.version,
    scopes,
    deadlineMs,
    allowOrigins,
    ...(token === undefined ? {} : { token: createHash('sha256').update(token).digest() }),
    timers: nodeTimers,
    nowMs: Date.now,
  });
  const handler = withRefusalLog(bridge, new RefusalLog(logger, Date.now));
  const listener = await listen({ host, port, handler, logger });
  return {
    port: listener.port,
    asksToken: token !== undefined,
    close: async (graceMs) => {
      // Later than the door: calls that it aborts at the end of that time are still answered.
      await Promise.all([listener.close(graceMs + limits.lastAnswersMs), bridge.close(graceMs)]);
    },
  };
}

/** The same door, which also logs the requests that it refuses. */
function withRefusalLog(bridge: BridgeHttp, refusals: RefusalLog): HttpHandler {
  return {
    bodyBytesMax: () => bridge.bodyBytesMax(),
    handle: (request) => bridge.handle(request),
    async admit(head) {
      const answer = await bridge.admit(head);
      if (answer instanceof Response && [401, 403].includes(answer.status)) {
        const { details } = (await answer.clone().json()) as { readonly details: string };
        refusals.refused({ status: answer.status, message: details }, head.address);
      }
      return answer;
    },
    refuse(refusal) {
      refusals.refused(refusal);
      return bridge.refuse(refusal);
    },
  };
}

/** Listens; a failure names `--bridge-port`, the option for this port. */
async function listen(options: Parameters<typeof listenHttp>[0]): Promise<HttpListener> {
  try {
    return await listenHttp(options);
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    const reason = String(error.details['reason']);
    const why =
      reason === 'EADDRINUSE'
        ? `is in use, perhaps by Obsidian's Bridge plugin or another Vaultdoor. Stop that program, or choose`
        : `cannot be listened on (${reason}). Choose`;
    throw new VaultError(
      'unavailable',
      `Port ${options.port} of ${options.host}, for Bridge v1, ${why} another port with --bridge-port.`,
      { cause: error, details: error.details },
    );
  }
}

/** The token that clients must send, from the file or the environment; undefined when they need none. */
function tokenOf(
  { env, currentFolder }: Shell,
  auth: AuthChoice,
  { tokenFile }: BridgeServeOptions,
): string | undefined {
  const given =
    tokenFile === undefined
      ? env[tokenVariable]?.trim() || undefined
      : readSecretFile(resolve(currentFolder, tokenFile), '--bridge-token-file').trim();
  if (given === undefined && auth === 'token') {
    throw new VaultError(
      'invalid_input',
      `With "--auth token" every app needs a token, and Bridge v1 needs one of its own: give it with --bridge-token-file or ${tokenVariable}.`,
    );
  }
  if (given !== undefined && !(given.length >= tokenCharsMin && /^[\x21-\x7e]+$/.test(given))) {
    throw new VaultError(
      'invalid_input',
      `The token of Bridge v1 (${tokenFile === undefined ? tokenVariable : '--bridge-token-file'}) must have at least ${tokenCharsMin} characters, all of them ASCII letters, digits or punctuation, and no spaces; "openssl rand -hex 32" makes one.`,
    );
  }
  return given;
}
