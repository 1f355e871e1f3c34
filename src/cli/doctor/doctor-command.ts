import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import { print, printJson } from '../shell/report.ts';
import type { Program, Shell } from '../shell/shell.ts';
import { paintFor, progressLine } from '../shell/terminal.ts';
import { readDoctorOptions } from './doctor-options.ts';
import { doctorReport, doctorText } from './doctor-text.ts';
import { examineAll } from './examine-all.ts';
import type { FindingGroup } from './finding.ts';
import { lookAtVault } from './look-at-vault.ts';

const help = `Usage: vaultdoor doctor [options]

Find out why something does not work: Node, SQLite and ripgrep, the vault and its drive, permissions,
watch limits, index and history, the clock, the files of apps, the server on this machine, and who
may sign in. What does not work comes first ("BAD"), then what could be better ("warn"), each with
what to do. What is fine has one line for each subject. Nothing is changed.
The exit code is ${exitCodes.unavailable} if a line is BAD, and otherwise 0, also when no app uses Vaultdoor yet.

  --vault <folder>        The vault; may be repeated. Otherwise OBSIDIAN_VAULT_PATH, VAULT_PATH or the
                          current folder; otherwise all vaults that the server of "vaultdoor setup
                          --server", apps and Obsidian know.
  --public-url <address>  Also check from outside whether apps can sign in to a server, as "vaultdoor
                          serve" has it: certificate, redirects, documents, headers, paths, clock.
                          Otherwise VAULTDOOR_PUBLIC_URL. May be repeated. Best run on a machine outside
                          of the network of the server: on the server itself it does not show that the
                          address can be reached from outside, and says so. Nothing secret is sent, and
                          every request ends after ${limits.doctorAskMs / 1000} seconds. For an authority of your own, set
                          NODE_EXTRA_CA_CERTS to the file of its root certificate.
  --port <number>         The port at which a server on this machine is looked for (default: PORT,
                          otherwise that of "vaultdoor setup --server" or "vaultdoor serve").
  --all                   Show every check with what was found, also what is fine.
  --json                  The whole answer as JSON.
  --report                All of it as Markdown for an issue, without names of notes, vaults, people and
                          machines, and without addresses.

Examples:
  vaultdoor doctor
  vaultdoor doctor --vault ~/Notes
  vaultdoor doctor --public-url https://vault.example.com
  vaultdoor doctor --report > report.md
`;

/** `vaultdoor doctor`: says what does not work on this machine or at a server, and what to do. */
export const doctorProgram: Program = { help, run };

const stepEveryMs = 200;

async function run(shell: Shell, argv: readonly string[]): Promise<number> {
  const options = readDoctorOptions(argv, shell.env);
  const { look, output } = options;
  if (look !== undefined) {
    return print(shell, JSON.stringify(lookAtVault(look.path, { ...look, env: shell.env })));
  }
  const groups = await withProgress(shell, (onStep) => examineAll(shell, options, onStep));
  const isOk = groups.every(({ findings }) => findings.every(({ state }) => state !== 'bad'));
  if (output === 'json')
    printJson(shell, { ok: isOk, version: shell.version, groups: groups.map(jsonOf) });
  else if (output === 'report') print(shell, doctorReport(groups));
  else {
    const paint = paintFor(shell.stdout, shell.env);
    const { columns, isTTY } = shell.stdout;
    print(
      shell,
      doctorText(groups, {
        paint,
        all: output === 'all',
        words: argv,
        ...(isTTY && columns > 0 ? { columns } : {}),
      }),
    );
  }
  return isOk ? 0 : exitCodes.unavailable;
}

/** Shows what is looked at while it takes longer than a moment. */
async function withProgress<T>(
  shell: Shell,
  work: (onStep: (what: string) => void) => Promise<T>,
): Promise<T> {
  const line = progressLine(shell.stderr, Date.now);
  let step = '';
  const timer = setInterval(
    () => line.show({ done: 0, message: `Looking at ${step} …` }),
    stepEveryMs,
  );
  try {
    return await work((what) => {
      step = what;
    });
  } catch (error) {
    if (!shell.signal.aborted) throw error;
    throw new VaultError('cancelled', 'The checks were interrupted.');
  } finally {
    clearInterval(timer);
    line.clear();
  }
}

function jsonOf({ name, title, findings }: FindingGroup): unknown {
  return {
    name,
    title: title.shown,
    checks: findings.map(({ check, state, says, change }) => ({
      check,
      state,
      says: says.shown,
      ...(change === undefined ? {} : { change: change.shown }),
    })),
  };
}
