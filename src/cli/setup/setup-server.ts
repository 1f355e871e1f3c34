import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { VaultError } from '../../base/vault-error.ts';
import { hostNameFrom, isLoopback } from '../../net/host-name.ts';
import { mayBePublic } from '../../node/oauth/public-addresses.ts';
import { issuerOf } from '../../oauth/grants/issuer.ts';
import { lines, plain } from '../../tools/cli/text.ts';
import { isChange, type PlannedFile } from '../install/apply-plan.ts';
import type { Machine } from '../install/client-places.ts';
import { pathWarnings, programPaths } from '../install/program-paths.ts';
import type { VaultChoice } from '../options/choose-vault.ts';
import { defaultServePort } from '../options/serve-options.ts';
import { ownAddresses } from '../servers/own-addresses.ts';
import { addressesOf } from '../servers/serve-text.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import { printJson } from '../shell/report.ts';
import type { Shell } from '../shell/shell.ts';
import { askAt } from '../shell/terminal.ts';
import { openVaultTokens } from '../vaults/server-files.ts';
import { askYes } from './ask-question.ts';
import {
  accessFor,
  askAddress,
  checkFree,
  movedWarnings,
  readAddress,
  sayTaken,
} from './server-address.ts';
import { passphraseToSet } from './server-owner.ts';
import {
  type DecidedServer,
  decidedIn,
  originOf,
  planServer,
  readServerFiles,
  type ServerFiles,
  serverDiffs,
  settingsFor,
  showServerChanges,
} from './server-plan.ts';
import { commandOf, type ServerResult, serverText } from './server-text.ts';
import { othersNames } from './service-files.ts';
import type { ServerSetupOptions, SetupOptions } from './setup-options.ts';
import { vaultToSetUp } from './setup-vault.ts';
import { userSystemd } from './systemd.ts';
import { undoServer } from './undo-server.ts';
import { writeServer } from './write-server.ts';

const usualToken = 'setup';
const isLinux = process.platform === 'linux';

interface Parts {
  readonly machine: Machine;
  readonly isAsked: boolean;
}

/** Sets up a server as a service of this user, and answers the exit code. */
export async function setUpServer(
  shell: Shell,
  options: SetupOptions,
  server: ServerSetupOptions,
  { machine, isAsked }: Parts,
): Promise<number> {
  const { stdout, stderr } = shell;
  const now = await readServerFiles(machine);
  const systemd = await userSystemd(shell);
  if (isAsked) {
    stderr.write(
      'This sets up a server with which apps on other machines and on phones use your notes. Nothing is written before you agree.\n',
    );
  }
  const isRunning =
    systemd !== undefined && now.unit.text !== undefined && (await systemd.isActive());
  const before = decidedIn(now.kept);
  const port = server.port ?? before.port ?? defaultServePort;
  // The port is our own when the service runs on it already.
  const isOwn = isRunning && before.port === port;
  if (!isOwn && isAsked) {
    // A taken port is found before the questions, so that nobody answers them in vain.
    const { host } = readAddress(server.address ?? 'this-machine');
    await checkFree({ host, port }, { before, env: shell.env });
  }
  const { vault, ...decided } = await decide(shell, options, {
    server,
    machine,
    isAsked,
    now: before,
    port,
  });
  const { address, access } = decided;
  if (!isOwn) await checkFree({ host: address.host, port }, { before, env: shell.env });
  const issuer = access === 'sign-in' ? issuerOf(address.publicUrl ?? '') : undefined;
  const passphrase =
    issuer === undefined
      ? undefined
      : await passphraseToSet(shell, { issuer, file: server.passphraseFile, isAsked });

  const settings = settingsFor(decided, shell.env);
  const token = access === 'token' ? await tokenName(shell, vault, now) : undefined;
  const kept = { settings, ...(token === undefined ? {} : { token: token.name }) };
  const paths = programPaths(shell);
  const files: readonly PlannedFile[] = isLinux ? planServer(now, kept, paths) : [];
  const changed = files.filter(isChange);
  const does = [
    ...files.flatMap((planned, at) => (isChange(planned) ? [writesText(planned, at)] : [])),
    ...(token?.isNew ? [`makes the token "${token.name}" for apps`] : []),
    ...(passphrase === undefined ? [] : ['sets your passphrase']),
    ...(systemd === undefined || (changed.length === 0 && isRunning) ? [] : ['starts the server']),
  ];
  const warnings = [
    ...movedWarnings(before, decided),
    ...insideWarnings(decided),
    ...rootWarnings(),
    ...pathWarnings(paths),
  ];
  const isDry = options.mode === 'dry-run' || (options.mode === undefined && !isAsked);
  if (!options.json) {
    showPlan(shell, { does, warnings });
    // The text of a new file says little to a person, who is told what it is and can ask for it.
    const isShown = ({ file }: PlannedFile): boolean => isDry || file.text !== undefined;
    showServerChanges(shell, changed.filter(isShown));
  }
  const show = changed.length === 0 ? undefined : () => showServerChanges(shell, changed);
  const asks = show === undefined ? 'Do this?' : 'Do this? (s shows the text of the files)';
  const isWritten =
    options.mode !== 'dry-run' &&
    (does.length === 0 || (!isDry && (!isAsked || (await askYes(shell, asks, show)))));
  const command = commandOf(decided, vault);
  if (!isWritten) {
    if (options.json) {
      return printJson(shell, {
        written: false,
        vault,
        ...decided,
        diffs: serverDiffs(files),
        warnings,
        command,
      });
    }
    const how = isAsked ? [] : ['This does it:', '', `  ${command}`];
    stdout.write(lines(['Nothing was written.', ...how]));
    return 0;
  }
  if (shell.signal.aborted) throw new VaultError('cancelled', 'Nothing was written.');
  const result: ServerResult = await writeServer(shell, {
    decided,
    vault,
    before: now,
    changed,
    settings,
    paths,
    isRunning,
    ...(systemd === undefined ? {} : { systemd }),
    ...(token === undefined ? {} : { token }),
    ...(issuer === undefined ? {} : { issuer }),
    ...(passphrase === undefined ? {} : { passphrase }),
    url: urlOf(decided),
    origin: originOf(decided),
    says: (text) => {
      if (!options.json) stderr.write(`${text}\n`);
    },
  });
  if (options.json) {
    printJson(shell, { written: does.length > 0, vault, ...decided, warnings, ...result });
  } else {
    const isService = systemd !== undefined;
    const added = othersNames(now.env.text ?? '');
    const caddyfile = await shippedCaddyfile(shell);
    stdout.write(lines(serverText(result, { decided, vault, isService, added, caddyfile })));
  }
  if (result.failure === undefined) return 0;
  if (shell.signal.aborted) return exitCodes.cancelled;
  if (isAsked && now.kept === undefined) {
    const ask = askAt(shell.stdin, stderr, shell.signal);
    if (await ask?.('\nTake all of it back?')) {
      await undoServer(shell, { ...options, mode: 'write' }, { machine, isAsked });
    }
  }
  return exitCodes.unavailable;
}

/** What becomes of a file; those of `planServer` are the settings and the service, in this order. */
function writesText({ file }: PlannedFile, at: number): string {
  const what = ['the settings of the server', 'the service with which systemd starts it'][at];
  return `${file.text === undefined ? 'writes' : 'changes'} ${file.path}: ${what}`;
}

/** Prints warnings, and then what is done. */
function showPlan(
  shell: Shell,
  { does, warnings }: { readonly does: readonly string[]; readonly warnings: readonly string[] },
): void {
  shell.stdout.write(
    lines([
      '',
      ...warnings.flatMap((warning) => [`! ${plain(warning)}`, '']),
      ...(does.length === 0
        ? ['The server is set up like this already.']
        : ['What setup does now:', ...does.map((each) => `- ${plain(each)}`)]),
    ]),
  );
}

/** A warning about an address that only this machine or the home network reaches. */
function insideWarnings({
  address: { publicUrl },
}: Pick<DecidedServer, 'address'>): readonly string[] {
  if (publicUrl === undefined || mayBePublic(new URL(publicUrl).hostname)) return [];
  return [
    `Nobody outside reaches ${publicUrl}: such a name leads to this machine or into your home network only, so claude.ai, ChatGPT and phones outside cannot connect.`,
  ];
}

function rootWarnings(): readonly string[] {
  if (process.getuid?.() !== 0) return [];
  return [
    'You are root, so the server runs as root. Better set it up as the user whose notes they are.',
  ];
}

/** The text of the Caddyfile that the package has; undefined where the program was copied alone. */
async function shippedCaddyfile({ entryFile }: Shell): Promise<string | undefined> {
  const file = join(dirname(entryFile), '..', 'deploy', 'Caddyfile');
  return readFile(file, 'utf8').catch(() => undefined);
}

async function decide(
  shell: Shell,
  options: SetupOptions,
  {
    server,
    machine,
    isAsked,
    now: before,
    port,
  }: Parts & {
    readonly server: ServerSetupOptions;
    readonly now: Partial<DecidedServer>;
    readonly port: number;
  },
): Promise<DecidedServer & { readonly vault: VaultChoice }> {
  if (!isAsked && server.address === undefined && before.address === undefined) {
    throw new VaultError(
      'invalid_input',
      'Say who reaches the server: --address this-machine, --address network, or --address https://…',
    );
  }
  const given = server.address === undefined ? undefined : readAddress(server.address);
  if (given !== undefined) sayTaken(shell, server.address ?? '', given);
  const vault = await vaultToSetUp(shell, {
    given: options.vault,
    now: before.vaultPath,
    machine,
    isAsked,
    isServer: true,
  });
  const kept = isAsked ? undefined : before.address;
  const address = given ?? kept ?? (await askAddress(shell, before.address));
  const access = accessFor(address, { given: server.access, before });
  return {
    vault,
    vaultPath: vault.path,
    address,
    port,
    ...(access === undefined ? {} : { access }),
    allow: options.allow ?? before.allow ?? 'change',
  };
}

/** The name of the token for clients: that of the token which setup has made, or a free one. */
async function tokenName(
  { env }: Shell,
  vault: VaultChoice,
  { kept }: ServerFiles,
): Promise<{ readonly name: string; readonly isNew: boolean }> {
  const names = (await openVaultTokens([vault], env).list()).map(({ name }) => name);
  if (kept?.token !== undefined && names.includes(kept.token)) {
    return { name: kept.token, isNew: false };
  }
  // Where no file with settings is written, the token is known by its name alone.
  if (!isLinux && names.includes(usualToken)) return { name: usualToken, isNew: false };
  let name = usualToken;
  for (let number = 2; names.includes(name); number++) name = `${usualToken}-${number}`;
  return { name, isNew: true };
}

/** The address for clients: the public one, or the first in the network, or that of this machine. */
function urlOf({ address, port }: DecidedServer): string {
  const publicUrls = address.publicUrl === undefined ? [] : [address.publicUrl];
  const [first = '', second = first] = addressesOf({
    host: address.host,
    port,
    ownAddresses: ownAddresses(),
    allowHosts: [],
    publicUrls,
    isLoopback: isLoopback(hostNameFrom(address.host) ?? ''),
  });
  return publicUrls.length > 0 ? first : second;
}
