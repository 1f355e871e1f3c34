import { allScopes, type Scopes } from '../base/caller.ts';
import { faultOrigin } from '../base/fault-origin.ts';
import { limits } from '../base/limits.ts';
import type { Logger } from '../base/logger.ts';
import { toVaultError } from '../base/vault-error.ts';
import { serveMcpStdio } from '../doors/mcp/serve-mcp-stdio.ts';
import { lookForVault } from '../node/look-for-vault.ts';
import { nodeClock, nodeTimers } from '../node/node-ports.ts';
import { openStderrLogger } from '../node/stderr-logger.ts';
import { createService } from '../tools/service.ts';
import { chooseVaults, type VaultChoice } from './choose-vault.ts';
import { checkVault, openVault } from './compose.ts';
import { exitCodes } from './exit-codes.ts';
import { hideInVaults } from './hide-in-vaults.ts';
import type { Program } from './programs.ts';
import type { Shell } from './run.ts';
import { stdioWords } from './stdio-env.ts';
import { readStdioOptions, type StdioOptions } from './stdio-options.ts';
import { stdioToolsets } from './stdio-toolsets.ts';
import { WaitingVault } from './waiting-vault.ts';

const help = `Usage: vaultdoor stdio [options]

Serve vaults to an MCP client over stdin and stdout, until the client closes them. Clients start
this themselves: "vaultdoor install <client>" tells them how. The log goes to stderr.

  --vault <folder>          The vault; otherwise OBSIDIAN_VAULT_PATH or VAULT_PATH. May be repeated;
                            <name>=<folder> gives it a name of its own.
  --wait-for-vault          Start even if a vault cannot be opened: calls say what to do until it
                            can.
  --allow-root <folder>     Symlinks in the vaults may lead there; may be repeated.
  --tools <notes|obsidian>  The toolset (default: notes), or both with a comma between.
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
  const choices = chosenVaults(shell, options);
  const names = choices.map(({ name }) => name);
  const toolsets = stdioToolsets(options, names);
  if (!options.waitForVault) for (const choice of choices) checkVault(choice, shell.env);
  const logger = openStderrLogger({
    stream: shell.stderr,
    level: options.logLevel,
    nowMs: Date.now,
  });
  const vaults = choices.map((choice) => waitingVault(choice, { shell, options, logger }));
  const crashed = (error: unknown): void => {
    logger.log('error', 'crash', faultOrigin(error));
    process.exit(exitCodes.internal);
  };
  process.on('uncaughtException', crashed);
  const begin = once(() => void openInTurn(vaults, logger));
  const cancelBegin = nodeTimers.after(beginAfterMs, begin);
  try {
    shell.ownStreams?.();
    shell.stderr.on('error', () => undefined); // A log that nobody reads is no reason to leave.
    const { version } = shell;
    const tools = options.toolsets.join(',');
    logger.log('info', 'start', { version, vault: names.join(', '), tools });
    await serveMcpStdio({
      service: createService(vaults, toolsets, nodeTimers),
      input: shell.stdin,
      output: shell.stdout,
      logger,
      signal: shell.signal,
      version,
      scopes: scopesOf(options, choices),
      deadlineMs: (tool = '') => options.toolDeadlinesMs.get(tool) ?? options.deadlineMs,
      onNeeded: begin,
    });
    logger.log('info', 'end');
  } finally {
    cancelBegin();
    await closeInTime(vaults, logger);
    process.off('uncaughtException', crashed);
  }
  return 0;
}

/** Vaults are opened and indexed when the first answer is out, or after this time. */
const beginAfterMs = 1_000;

/** The vaults that are meant; a server that waits does so, too, until one is chosen. */
function chosenVaults(shell: Shell, options: StdioOptions): readonly VaultChoice[] {
  const { vaults, waitForVault } = options;
  try {
    return chooseVaults(vaults, shell.env, shell.currentFolder);
  } catch (error) {
    if (!waitForVault || vaults.length > 0) throw error;
    return [{ name: 'none chosen', path: '' }];
  }
}

/** A vault that is opened when it is first needed, or found. */
function waitingVault(
  choice: VaultChoice,
  parts: { readonly shell: Shell; readonly options: StdioOptions; readonly logger: Logger },
): WaitingVault {
  const { shell, options, logger } = parts;
  const { name, path } = choice;
  return new WaitingVault({
    name,
    clock: nodeClock,
    timers: nodeTimers,
    look: async () => {
      if (options.waitForVault) await lookForVault({ name, path, platform: process.platform });
    },
    open: () =>
      openVault(choice, {
        entryFile: shell.entryFile,
        env: shell.env,
        allowRoots: options.allowRoots,
        watch: true,
        poll: options.poll,
        onRecovered: ({ id, tool, outcome }) =>
          logger.log('warn', 'recovered', { vault: name, change: id, tool, outcome }),
      }),
  });
}

function scopesOf({ readOnly, hide }: StdioOptions, choices: readonly VaultChoice[]): Scopes {
  const folders = choices.map(({ path }) => path);
  return {
    ...allScopes,
    effects: readOnly ? ['read'] : allScopes.effects,
    hide: hideInVaults(hide, folders),
  };
}

/** The next vault is opened when one is indexed, or after this time. */
const openNextAfterMs = 1_000;

/** Opens vaults one by one: all at once, they would keep a first call in one of them waiting. */
async function openInTurn(vaults: readonly WaitingVault[], logger: Logger): Promise<void> {
  for (const vault of vaults) {
    const late = new Promise<void>((resolve) => nodeTimers.after(openNextAfterMs, resolve));
    await Promise.race([logFound(vault, logger), late]);
  }
}

/** Opens a vault as soon as it is there, and tells the log, now and when it is indexed. */
async function logFound(vault: WaitingVault, logger: Logger): Promise<void> {
  const { name } = vault;
  await vault.found((error) => {
    const { code, message } = toVaultError(error);
    logger.log('warn', 'waiting for the vault', { vault: name, code, message });
  });
  const startMs = Date.now();
  try {
    const { keeper } = (await vault.open()).parts;
    await keeper.wait('facts', { waitMs: Number.POSITIVE_INFINITY });
    logger.log('info', 'indexed', { vault: name, ms: Date.now() - startMs });
  } catch {
    // We left before, or calls say what is wrong.
  }
}

/** Leaves in any case: what a disk that hangs keeps us from closing is recovered at the next start. */
async function closeInTime(vaults: readonly WaitingVault[], logger: Logger): Promise<void> {
  const cancel = nodeTimers.after(limits.shutdownMs, () => {
    logger.log('warn', 'left without closing the vault');
    process.exit(0);
  });
  await Promise.all(vaults.map((vault) => vault.close()));
  cancel();
}

function once(call: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    call();
  };
}
