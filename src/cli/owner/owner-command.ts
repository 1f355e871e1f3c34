import { resolve } from 'node:path';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { nodeOAuthCrypto } from '../../node/oauth/node-oauth-crypto.ts';
import { readSecretFile } from '../../node/system/private-files.ts';
import { type Issuer, issuerOf } from '../../oauth/grants/issuer.ts';
import { liveSessions } from '../../oauth/owner/owner-sessions.ts';
import { OwnerSignIn } from '../../oauth/owner/owner-sign-in.ts';
import { passphraseProblem } from '../../oauth/owner/passphrase.ts';
import type { OwnerPage, Passkey } from '../../oauth/ports/owner-book.ts';
import { counted, lines } from '../../tools/cli/text.ts';
import { clusterHelp } from '../options/cluster-options.ts';
import { readOwnerOptions } from '../options/owner-options.ts';
import { hint } from '../options/program-text.ts';
import { readPassphrase } from '../shell/read-passphrase.ts';
import { print, printJson } from '../shell/report.ts';
import type { Program, Shell } from '../shell/shell.ts';
import { askAt } from '../shell/terminal.ts';
import { type SignInBooks, withSignInBooks } from '../vaults/cluster-access.ts';
import { machineGrants, revokeAll } from '../vaults/machine-grants.ts';
import { hasRunningServer, shownStateFolder } from '../vaults/state-folder.ts';
import { momentText, shownLine } from './owner-words.ts';

const help = `Usage: vaultdoor owner set [--passphrase-file <file>]
       vaultdoor owner show
       vaultdoor owner reset [--revoke] [--yes]
       vaultdoor owner code

The owner of "vaultdoor serve" is you: you sign in to it in a browser, and allow apps such as
claude.ai and ChatGPT to use your notes. There is one owner for all vaults. All of this holds at once
for servers that run already.

  set      Set the passphrase, or another one. It is asked for twice without being shown; where there
           is no terminal, it is read from stdin, twice, as two lines. You are signed out in every
           browser. Your passkeys stay.
  show     Since when there is an owner, the passkeys, and the browsers that are signed in.
  reset    Forget the owner with all passkeys, and sign out in every browser. Apps that you have
           allowed stay connected. At a terminal it asks first.
  code     Print a new set-up code, while there is no owner. With it you choose the passphrase in a
           browser, within 30 minutes. "vaultdoor serve" prints one at its start.

  --passphrase-file <file>  Read the passphrase from this file.
  --revoke                  Also end the connections of all apps.
  --yes                     With reset, do not ask.
  --vault <folder>          Accepted and not used.
${clusterHelp}  --json                    The answer as JSON.

Examples:
  vaultdoor owner set
  vaultdoor owner show
`;

/** `vaultdoor owner`: sets, shows and resets who signs in to the server. */
export const ownerProgram: Program = { help, run };

function run(shell: Shell, argv: readonly string[]): Promise<number> {
  return withSignInBooks(shell, argv, (books, rest) => carryOut(shell, rest, books));
}

async function carryOut(
  shell: Shell,
  argv: readonly string[],
  books: SignInBooks,
): Promise<number> {
  const options = readOwnerOptions(argv);
  const { oauth, owner: book } = books;
  const issuers = issuersIn(shell.env);
  const names = issuers.flatMap(({ url, host }) => [host, new URL(url).hostname]);
  const owner = new OwnerSignIn({ book, crypto: nodeOAuthCrypto, nowMs: Date.now, names });
  const answer = (value: object, text: readonly string[]): number =>
    options.json ? printJson(shell, value) : print(shell, lines([...text, about]));
  const folder = shownStateFolder(shell.env);
  const about = `This is about servers that keep their state in ${folder}.`;
  switch (options.action) {
    case 'set': {
      const { passphraseFile } = options;
      const passphrase =
        passphraseFile === undefined
          ? await readPassphrase(shell, (typed) => passphraseProblem(typed, names))
          : passphraseIn(resolve(shell.currentFolder, passphraseFile));
      await owner.setPassphrase(passphrase);
      return answer({ set: true }, ['The passphrase is set.', ...signInAt(issuers)]);
    }
    case 'show': {
      const page = await book.read();
      return answer(shownFields(page, Date.now()), shownText(page, Date.now()));
    }
    case 'reset': {
      const hadOwner = await owner.hasOwner();
      if (!options.yes && !(await isReset(shell, { ...options, hadOwner }))) {
        throw new VaultError('cancelled', 'Nothing was changed.');
      }
      const revoked = options.revoke ? (await revokeAll(machineGrants(oauth))).length : 0;
      await owner.reset();
      return answer({ reset: true, revoked }, resetText(options.revoke, { revoked, hadOwner }));
    }
    case 'code': {
      const code = await owner.makeSetUpCode();
      const endsMs = Date.now() + limits.setUpCodeMs;
      if (!(await hasRunningServer(shell.env))) {
        shell.stderr.write(
          `vaultdoor: No server runs that keeps its state in ${folder}. If yours runs, it keeps it elsewhere: make the code as the same user, with the same HOME and XDG_STATE_HOME, or in its container.\n`,
        );
      }
      return answer({ code, endsMs }, codeText(code, issuers));
    }
  }
}

/** Whether to forget the owner: a person at a terminal is asked, a script is not. */
async function isReset(
  { stdin, stderr, signal }: Shell,
  { revoke, hadOwner }: { readonly revoke: boolean; readonly hadOwner: boolean },
): Promise<boolean> {
  const ask = askAt(stdin, stderr, signal);
  if (ask === undefined || !(hadOwner || revoke)) return true;
  const does = [
    ...(hadOwner
      ? ['This forgets your passphrase and passkeys, and signs you out everywhere.']
      : []),
    ...(revoke ? ['It ends the connections of all apps.'] : []),
  ];
  return ask(`${does.join(' ')} Do it?`);
}

/** The addresses of the server, where the environment says them, as it does in a container. */
function issuersIn(env: Shell['env']): readonly Issuer[] {
  const texts = (env['VAULTDOOR_PUBLIC_URL'] ?? '').split(/[,\n]/);
  return texts.flatMap((text) => issuerOf(text.trim()) ?? []);
}

function signInAt(issuers: readonly Issuer[]): readonly string[] {
  if (issuers.length === 0) return ['Sign in at the page /owner of your server.'];
  return issuers.map(({ url }) => `Sign in at ${url}/owner`);
}

function passphraseIn(file: string): string {
  const passphrase = readSecretFile(file, '--passphrase-file').replace(/\r?\n$/, '');
  if (!/[\r\n]/.test(passphrase)) return passphrase;
  throw new VaultError('invalid_input', `"${file}" must have the passphrase as its only line.`);
}

function resetText(
  revoke: boolean,
  { revoked, hadOwner }: { readonly revoked: number; readonly hadOwner: boolean },
): readonly string[] {
  return [
    hadOwner ? 'The owner is forgotten, and signed out everywhere.' : 'There was no owner.',
    revoke
      ? `${counted(revoked, 'connection')} of apps ended.`
      : `Apps that were allowed stay connected; ${hint('connections list')} shows them.`,
    `Set the owner${hadOwner ? ' again' : ''} with ${hint('owner set')}, or in a browser with the code of ${hint('owner code')}.`,
  ];
}

function codeText(code: string, issuers: readonly Issuer[]): readonly string[] {
  const minutes = limits.setUpCodeMs / 60_000;
  const pages = issuers.map(({ url }) => `${url}/owner/set-up`);
  const where = pages.length === 0 ? 'the page /owner/set-up of your server' : pages.join(' or ');
  return [`Set-up code: ${code}`, `Enter it within ${minutes} minutes at ${where}.`];
}

function shownText(page: OwnerPage, nowMs: number): readonly string[] {
  const { owner } = page;
  if (owner === undefined) {
    return [
      'There is no owner yet.',
      `${hint('owner set')} sets the passphrase here; ${hint('owner code')} prints a code with which you set it in a browser.`,
    ];
  }
  const sessions = liveSessions(page, nowMs);
  return [
    `The passphrase was set ${momentText(owner.setMs)}.`,
    owner.passkeys.length === 0 ? 'There are no passkeys.' : 'Passkeys:',
    ...owner.passkeys.map(passkeyText),
    sessions.length === 0
      ? 'No browser is signed in.'
      : `${counted(sessions.length, 'browser')} signed in:`,
    ...sessions.map(
      ({ signedInMs, usedMs }) =>
        `  since ${momentText(signedInMs)}, last used ${momentText(usedMs)} (to sign in or at /owner; the console is not counted)`,
    ),
  ];
}

function passkeyText({ name, host, createdMs, usedMs }: Passkey): string {
  const used = usedMs === undefined ? 'never used' : `last used ${momentText(usedMs)}`;
  return `  "${shownLine(name)}" for ${shownLine(host)}, added ${momentText(createdMs)}, ${used}`;
}

/** The same as JSON: neither hashes nor keys are in it. */
function shownFields(page: OwnerPage, nowMs: number): object {
  const { owner } = page;
  if (owner === undefined) return { hasOwner: false };
  return {
    hasOwner: true,
    setMs: owner.setMs,
    passkeys: owner.passkeys.map(({ key: _, ...passkey }) => passkey),
    sessions: liveSessions(page, nowMs).map(({ sha256: _, ...session }) => session),
  };
}
