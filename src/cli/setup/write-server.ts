import { allScopes } from '../../base/caller.ts';
import { toVaultError, VaultError } from '../../base/vault-error.ts';
import type { Issuer } from '../../oauth/grants/issuer.ts';
import { askForConsole } from '../attach/ask-for-console.ts';
import type { PlannedFile } from '../install/apply-plan.ts';
import type { ProgramPaths } from '../install/program-paths.ts';
import type { VaultChoice } from '../options/choose-vault.ts';
import type { Shell } from '../shell/shell.ts';
import { openVaultTokens } from '../vaults/server-files.ts';
import { callRunning, callStarted, serviceEnded } from './check-server.ts';
import type { FirstCall } from './first-call.ts';
import { ownerOf } from './server-owner.ts';
import { type DecidedServer, decidedIn, type ServerFiles } from './server-plan.ts';
import type { ServerResult } from './server-text.ts';
import type { Settings } from './service-files.ts';
import type { Systemd } from './systemd.ts';
import { revokeKept } from './undo-server.ts';
import {
  keptAsText,
  keptText,
  takeBack,
  type WrittenFile,
  writeTogether,
} from './write-together.ts';

/** Everything that was decided about a server, and what it is now. */
interface ServerWork {
  readonly decided: DecidedServer;
  readonly vault: VaultChoice;
  readonly before: ServerFiles;
  /** The files that change. */
  readonly changed: readonly PlannedFile[];
  readonly settings: Settings;
  readonly paths: ProgramPaths;
  /** Whether the service runs now. */
  readonly isRunning: boolean;
  /** Absent where no systemd runs. */
  readonly systemd?: Systemd;
  /** Absent when clients need none. */
  readonly token?: { readonly name: string; readonly isNew: boolean };
  /** Absent when clients do not sign in. */
  readonly issuer?: Issuer;
  readonly passphrase?: string;
  /** The address for clients. */
  readonly url: string;
  /** The address at which this machine reaches the server. */
  readonly origin: string;
  readonly says: (text: string) => void;
}

/**
 * Makes the token, writes the files, sets the passphrase and starts the service, and then makes the
 * first call. When a file cannot be written or the service cannot be started, what was made before it
 * is taken back, except for the passphrase.
 */
export async function writeServer(shell: Shell, work: ServerWork): Promise<ServerResult> {
  const { vault, systemd, issuer, url, origin, isRunning, changed, says } = work;
  const token = await makeToken(shell, work);
  const owner = issuer === undefined ? undefined : ownerOf(shell, issuer);
  let written: readonly WrittenFile[] = [];
  try {
    // The settings may get secrets later: nobody else may read these files, from the beginning on.
    const umask = process.umask(0o077);
    try {
      written = await writeTogether(changed);
    } finally {
      process.umask(umask);
    }
    // A server that starts without an owner prints a set-up code into its log.
    if (work.passphrase !== undefined) await owner?.setPassphrase(work.passphrase);
    if (systemd !== undefined && (changed.length > 0 || !isRunning)) await systemd.start();
  } catch (error) {
    const { code, message, details } = toVaultError(error);
    // Without its unit, systemd would try to start the service again and again, and could not stop it.
    if (written.length > 0 && !isRunning) await systemd?.stop().catch(() => undefined);
    const kept = await takeBack(written);
    const again = isRunning ? systemd?.start : systemd?.reload;
    if (written.length > 0) await again?.().catch(() => undefined);
    if (token !== undefined) await openVaultTokens([vault], shell.env).revoke(token.id);
    const says = kept.length === 0 ? message : `${message} ${keptText(kept)}`;
    throw new VaultError(code, says, { cause: error, details });
  }
  // The token that setup made before may be for another vault, or not be needed any more.
  const { kept: old } = work.before;
  const isSame = decidedIn(old).vaultPath === vault.path && work.token?.name === old?.token;
  if (!isSame) await revokeKept(shell, old).catch((error) => says(toVaultError(error).message));
  for (const { planned, backup } of written) {
    says(`Written: ${planned.file.path}${keptAsText(backup)}`);
  }
  says('\nMaking the first call, as an app does …');
  const called = await firstCallOf(shell, work, token?.token);
  const needsOwner = owner !== undefined && !(await owner.hasOwner());
  // Each start of the server makes a code, and only the newest holds.
  const code = needsOwner && systemd !== undefined ? await owner.makeSetUpCode() : undefined;
  const found = systemd === undefined ? undefined : await askForConsole([vault], shell);
  return {
    url,
    origin,
    files: written.map(({ planned }) => planned.file.path),
    ...(token === undefined ? {} : { token: token.token }),
    ...(work.token === undefined ? {} : { tokenName: work.token.name }),
    ...called,
    ...(issuer === undefined ? {} : { ownerPage: `${issuer.url}/owner` }),
    needsOwner,
    ...(code === undefined ? {} : { setUpCode: code }),
    ...(found !== undefined && 'link' in found ? { consoleLink: found.link } : {}),
  };
}

/** The token for clients, when a new one is needed: `serve` does not start without any. */
async function makeToken(
  { env }: Shell,
  { vault, token }: ServerWork,
): Promise<{ readonly id: string; readonly token: string } | undefined> {
  if (token?.isNew !== true) return undefined;
  const made = await openVaultTokens([vault], env).create({
    name: token.name,
    effects: allScopes.effects,
    folders: allScopes.folders,
  });
  return { id: made.kept.id, token: made.token };
}

async function firstCallOf(
  shell: Shell,
  work: ServerWork,
  token: string | undefined,
): Promise<Partial<FirstCall> & { readonly failure?: string }> {
  const { vault, origin, issuer, systemd, decided, paths, settings } = work;
  const server = {
    vault,
    origin,
    asksToken: decided.access !== undefined,
    ...(token === undefined ? {} : { token }),
    ...(issuer === undefined ? {} : { issuer }),
  };
  try {
    return systemd === undefined
      ? await callStarted(shell, server, { paths, settings })
      : await callRunning(shell, server, serviceEnded(systemd));
  } catch (error) {
    // The token is printed all the same: it is shown only once.
    if (shell.signal.aborted) return { failure: 'The first call was interrupted.' };
    return { failure: toVaultError(error).message };
  }
}
