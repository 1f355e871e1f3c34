import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { allScopes } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { Issuer } from '../../oauth/grants/issuer.ts';
import type { ProgramPaths } from '../install/program-paths.ts';
import type { VaultChoice } from '../options/choose-vault.ts';
import { lastFailure } from '../shell/report.ts';
import type { Shell } from '../shell/shell.ts';
import { progressLine } from '../shell/terminal.ts';
import { openVaultTokens } from '../vaults/server-files.ts';
import { callServer, checkSignIn, type ServerPlace, untilUp } from './call-server.ts';
import type { FirstCall } from './first-call.ts';
import { type Settings, serveWords } from './service-files.ts';
import type { Systemd } from './systemd.ts';

/** A server to be called for the first time. */
interface CheckedServer {
  readonly vault: VaultChoice;
  /** Its address as this machine reaches it. */
  readonly origin: string;
  /** The token that clients have; absent when it is not known, or none is needed. */
  readonly token?: string;
  readonly asksToken: boolean;
  /** Absent when clients do not sign in. */
  readonly issuer?: Issuer;
}

/**
 * Makes the first call to a server that runs or is starting. `ended` says why it will not run. Where
 * the token of clients is not known any more, it is called with one that is revoked afterwards.
 */
export async function callRunning(
  shell: Shell,
  server: CheckedServer,
  ended: () => Promise<string | undefined>,
): Promise<FirstCall> {
  const { origin, issuer, asksToken, vault } = server;
  const place: ServerPlace = { origin, signal: shell.signal };
  await untilUp(place, ended);
  if (issuer !== undefined) await checkSignIn(place, issuer);
  const progress = progressLine(shell.stderr, Date.now);
  const parts = {
    version: shell.version,
    onWait: (message: string) => progress.show({ message, done: 0 }),
  };
  try {
    const { token } = server;
    if (token !== undefined) return await callServer(place, { ...parts, token });
    if (!asksToken) return await callServer(place, parts);
    return await withCheckToken(shell, vault, (made) =>
      callServer(place, { ...parts, token: made }),
    );
  } finally {
    progress.clear();
  }
}

/** Makes a token that may only read, and revokes it again. */
async function withCheckToken<T>(
  { env }: Shell,
  vault: VaultChoice,
  use: (token: string) => Promise<T>,
): Promise<T> {
  const book = openVaultTokens([vault], env);
  const { token, kept } = await book.create({
    name: `setup-check-${randomBytes(4).toString('hex')}`,
    effects: ['read'],
    folders: allScopes.folders,
    expiresMs: Date.now() + limits.firstCallMs,
  });
  try {
    return await use(token);
  } finally {
    await book.revoke(kept.id);
  }
}

/** The reason why a service does not run; undefined while it may still start. */
export function serviceEnded(systemd: Systemd): () => Promise<string | undefined> {
  return async () => ((await systemd.isActive()) ? undefined : systemd.lastFailure());
}

/** Starts the server as the service would be started, makes the first call, and ends it again. */
export async function callStarted(
  shell: Shell,
  server: CheckedServer,
  { paths, settings }: { readonly paths: ProgramPaths; readonly settings: Settings },
): Promise<FirstCall> {
  const child = spawn(paths.node, [paths.script, ...serveWords], {
    env: { ...shell.env, ...settings },
    stdio: ['ignore', 'ignore', 'pipe'],
    windowsHide: true,
  });
  let errors = '';
  let reason: string | undefined;
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = `${errors}${text}`.slice(-limits.programErrorBytesMax);
  });
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      reason = error.message;
    });
    child.once('close', (code) => {
      reason ??= lastFailure(errors) ?? `It ended with the exit code ${code}.`;
      resolve();
    });
  });
  try {
    return await callRunning(shell, server, async () => reason);
  } catch (error) {
    if (reason === undefined || shell.signal.aborted) throw error;
    throw new VaultError('unavailable', reason, { cause: error });
  } finally {
    child.kill('SIGTERM');
    const kill = setTimeout(() => child.kill('SIGKILL'), 2 * limits.shutdownMs);
    await ended;
    clearTimeout(kill);
  }
}
