import { allScopes, type Scopes } from '../base/caller.ts';
import { faultOrigin } from '../base/fault-origin.ts';
import { limits } from '../base/limits.ts';
import type { Logger } from '../base/logger.ts';
import { toVaultError, VaultError } from '../base/vault-error.ts';
import { serveMcpStdio } from '../doors/mcp/serve-mcp-stdio.ts';
import type { Vault } from '../engine/vault.ts';
import { lookForVault } from '../node/look-for-vault.ts';
import { nodeClock, nodeTimers } from '../node/node-ports.ts';
import { openStderrLogger } from '../node/stderr-logger.ts';
import { notesToolset } from '../tools/notes/notes-toolset.ts';
import { createService, type Service } from '../tools/service.ts';
import { chooseVault, type VaultChoice } from './choose-vault.ts';
import { openVault } from './compose.ts';
import { exitCodes } from './exit-codes.ts';
import type { Program } from './programs.ts';
import type { Shell } from './run.ts';
import { stdioWords } from './stdio-env.ts';
import { readStdioOptions, type StdioOptions } from './stdio-options.ts';
import { WaitingVault } from './waiting-vault.ts';

const help = `Usage: vaultdoor stdio [options]

Serve the vault to an MCP client over stdin and stdout, until the client closes them. Clients start
this themselves: "vaultdoor install <client>" tells them how. The log goes to stderr.

  --vault <folder>          The vault; otherwise OBSIDIAN_VAULT_PATH or VAULT_PATH.
  --wait-for-vault          Start even if the vault cannot be opened: calls say what to do until it
                            can.
  --allow-root <folder>     Symlinks in the vault may lead there; may be repeated.
  --tools <notes>           The toolset (default: notes).
  --hide <glob>             Files that do not exist for the client; may be repeated.
  --read-only               Change nothing; writing tools are not offered.
  --tag-policy <off|warn|enforce|strict>
                            What happens to tags the vault does not have (default: enforce).
  --context-every <minutes> Tell of the notes tagged "claude" again after so much idle time
                            (default: 15; 0: only once).
  --no-history-tools        Leave out list_changes and undo_change.
  --timeout <seconds>       How long a call may take (default: 30); <tool>=<seconds> for one tool;
                            may be repeated.
  --log-level <silent|error|warn|info|debug>
                            How much the log says (default: info).
  --poll <auto|always|never>
                            Look for changes from time to time, where the file system does not tell
                            of them (default: auto).

Words after "--" are vaults too. The environment may say VAULTDOOR_READ_ONLY=true,
VAULTDOOR_CLI_TOOLS=true (--tools obsidian), VAULTDOOR_ASK_NEW_TAGS=true or false (--tag-policy
enforce or off) and VAULTDOOR_HIDE=<glob>,<glob>; options win.
`;

/** `vaultdoor stdio`: what MCP clients start. */
export const stdioProgram: Program = { help, run };

async function run(shell: Shell, argv: readonly string[]): Promise<number> {
  const options = readStdioOptions(stdioWords(argv, shell.env));
  const choice = chooseVault(options.vault, shell.env, shell.currentFolder);
  const logger = openStderrLogger({
    stream: shell.stderr,
    level: options.logLevel,
    nowMs: Date.now,
  });
  const open = (): Vault =>
    openVault(choice, {
      entryFile: shell.entryFile,
      env: shell.env,
      allowRoots: options.allowRoots,
      watch: true,
      poll: options.poll,
      onRecovered: ({ id, tool, outcome }) =>
        logger.log('warn', 'recovered', { change: id, tool, outcome }),
    });
  const vault = options.waitForVault ? waitingVault(choice, open) : open();
  const crashed = (error: unknown): void => {
    logger.log('error', 'crash', faultOrigin(error));
    process.exit(exitCodes.internal);
  };
  process.on('uncaughtException', crashed);
  try {
    const service = serviceOver(vault, options);
    shell.ownStreams?.();
    shell.stderr.on('error', () => undefined); // A log that nobody reads is no reason to leave.
    logger.log('info', 'start', { version: shell.version, vault: choice.name, tools: 'notes' });
    if (vault instanceof WaitingVault) void logFound(vault, service, logger);
    else logReady(service, logger);
    await serveMcpStdio({
      service,
      input: shell.stdin,
      output: shell.stdout,
      logger,
      signal: shell.signal,
      version: shell.version,
      scopes: scopesOf(options),
      deadlineMs: (tool = '') => options.toolDeadlinesMs.get(tool) ?? options.deadlineMs,
    });
    logger.log('info', 'end');
  } finally {
    await closeInTime(vault, logger);
    process.off('uncaughtException', crashed);
  }
  return 0;
}

function waitingVault({ name, path }: VaultChoice, open: () => Vault): WaitingVault {
  return new WaitingVault({
    name,
    clock: nodeClock,
    timers: nodeTimers,
    look: () => lookForVault({ name, path, platform: process.platform }),
    open,
  });
}

function serviceOver(vault: Vault | WaitingVault, options: StdioOptions): Service {
  const { tagPolicy, history, contextEveryMs } = options;
  const toolset = notesToolset({ tagPolicy, history, contextEveryMs });
  const service = createService(vault, [toolset], nodeTimers);
  const unknown = [...options.toolDeadlinesMs.keys()].find((tool) => !service.has(tool));
  if (unknown === undefined) return service;
  throw new VaultError(
    'invalid_input',
    `"--timeout" names "${unknown}", and no tool has that name.`,
  );
}

function scopesOf({ readOnly, hide }: StdioOptions): Scopes {
  return { ...allScopes, effects: readOnly ? ['read'] : allScopes.effects, hide };
}

function logReady(service: Service, logger: Logger): void {
  const startMs = Date.now();
  service.ready().then(
    () => logger.log('info', 'indexed', { ms: Date.now() - startMs }),
    () => undefined, // We left before, or calls say what is wrong.
  );
}

async function logFound(vault: WaitingVault, service: Service, logger: Logger): Promise<void> {
  await vault.found((error) => {
    const { code, message } = toVaultError(error);
    logger.log('warn', 'waiting for the vault', { code, message });
  });
  logReady(service, logger);
}

/** Leaves in any case: what a disk that hangs keeps us from closing is recovered at the next start. */
async function closeInTime(vault: Vault | WaitingVault, logger: Logger): Promise<void> {
  const cancel = nodeTimers.after(limits.shutdownMs, () => {
    logger.log('warn', 'left without closing the vault');
    process.exit(0);
  });
  await vault.close();
  cancel();
}
