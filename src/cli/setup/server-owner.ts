import { resolve } from 'node:path';
import { limits } from '../../base/limits.ts';
import { toVaultError, VaultError } from '../../base/vault-error.ts';
import { nodeOAuthCrypto } from '../../node/oauth/node-oauth-crypto.ts';
import { readSecretFile } from '../../node/system/private-files.ts';
import type { Issuer } from '../../oauth/grants/issuer.ts';
import { OwnerSignIn } from '../../oauth/owner/owner-sign-in.ts';
import { passphraseProblem } from '../../oauth/owner/passphrase.ts';
import { readPassphrase } from '../shell/read-passphrase.ts';
import type { Shell } from '../shell/shell.ts';
import { openSignInBooks } from '../vaults/server-files.ts';
import { askYes } from './ask-question.ts';

/** The owner of the server, who signs in to allow clients. */
export function ownerOf(shell: Pick<Shell, 'env'>, issuer: Issuer): OwnerSignIn {
  return new OwnerSignIn({
    book: openSignInBooks(shell.env).owner,
    crypto: nodeOAuthCrypto,
    nowMs: Date.now,
    names: namesOf(issuer),
  });
}

/**
 * The passphrase to set: that of the file, or the one that a person types where there is no owner yet.
 * Undefined when the person wants to choose it in the browser, or when setup asks no questions. The
 * caller sets it.
 */
export async function passphraseToSet(
  shell: Shell,
  {
    issuer,
    file,
    isAsked,
  }: { readonly issuer: Issuer; readonly file?: string | undefined; readonly isAsked: boolean },
): Promise<string | undefined> {
  if (file !== undefined) {
    const path = resolve(shell.currentFolder, file);
    return accepted(readSecretFile(path, '--passphrase-file').replace(/\r?\n$/, ''), issuer);
  }
  if (!isAsked || (await ownerOf(shell, issuer).hasOwner())) return undefined;
  const isNow = await askYes(
    shell,
    'You are the owner of the server, and sign in with a passphrase. Choose it now? (With n you get a code, to choose it in a browser on another machine.)',
  );
  if (!isNow) return undefined;
  for (let tries = 1; ; tries++) {
    try {
      return await readPassphrase(shell, (typed) => passphraseProblem(typed, namesOf(issuer)));
    } catch (error) {
      const { code, message } = toVaultError(error);
      if (code !== 'invalid_input' || tries === limits.answersMax) throw error;
      shell.stderr.write(`${message}\n`);
    }
  }
}

function accepted(passphrase: string, issuer: Issuer): string {
  const problem = passphraseProblem(passphrase, namesOf(issuer));
  if (problem === undefined) return passphrase;
  throw new VaultError('invalid_input', problem);
}

function namesOf({ host, url }: Issuer): readonly string[] {
  return [host, new URL(url).hostname];
}
