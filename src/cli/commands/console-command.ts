import { limits } from '../../base/limits.ts';
import { openAddress } from '../../node/programs/obsidian/open-address.ts';
import { lines, plain } from '../../tools/cli/text.ts';
import { askForConsole } from '../attach/ask-for-console.ts';
import { chooseVaults } from '../options/choose-vault.ts';
import { readConsoleOptions } from '../options/console-options.ts';
import { runServer } from '../servers/run-server.ts';
import { serveConsoleAlone } from '../servers/serve-console-alone.ts';
import type { Program, Shell } from '../shell/shell.ts';

const idleMinutes = limits.consoleIdleMs / 60_000;

const help = `Usage: vaultdoor console [options]

Open the console in your browser: the page on which you see what apps did, take it back, and decide
what waits for you. If a "vaultdoor serve" of the vault runs, this only opens a page of that server.
Otherwise it serves the console itself, to this machine only, and ends ${idleMinutes} minutes after you have
closed the last page, or with Ctrl-C.

  --vault <folder>          The vault; may be repeated, and name=folder gives it a name. Otherwise
                            OBSIDIAN_VAULT_PATH, VAULT_PATH, the vault that the current folder is in,
                            or the only one that is known.
  --no-browser              Only print the link, which opens the console once.
  --read-only               Show everything, but take nothing back. A running server does as it was told
                            itself.
  --log-level <level>       What is logged to stderr: silent, error, warn (default), info or debug.

Examples:
  vaultdoor console
  vaultdoor console --vault ~/Notes --no-browser
`;

/** `vaultdoor console`: opens the owner's web page. */
export const consoleProgram: Program = { help, run };

async function run(shell: Shell, argv: readonly string[]): Promise<number> {
  const options = readConsoleOptions(argv);
  const found = await askForConsole(chooseVaults(options.vaults, shell), shell);
  if (found !== undefined && 'link' in found) {
    const { opensBrowser } = options;
    await open(shell, found.link, { opensBrowser, after: othersText(found.others) });
    return 0;
  }
  if (found !== undefined) {
    shell.stderr.write(`vaultdoor: A server runs, but gives no link: ${found.reason}\n`);
  }
  return runServer(shell, options, async (server) => {
    shell.stdout.on('error', () => undefined); // The reader of the link may close the pipe.
    await serveConsoleAlone(shell, options, server, (link) => {
      const { opensBrowser } = options;
      return open(shell, link, { opensBrowser, after: keepOpen });
    });
    return 0;
  });
}

const keepOpen = `\nKeep this window open while you use the console; Ctrl-C ends it.\n`;

/** The links for other machines, where the server has a public address. */
function othersText(links: readonly string[]): string {
  if (links.length === 0) return '';
  return lines([
    '',
    'On another machine or a phone, use this one instead; only the first that is opened works:',
    '',
    ...links.map((link) => `  ${plain(link)}`),
  ]);
}

/** Prints the link and what to say after it, and opens the link in the browser where there is one. */
async function open(
  shell: Shell,
  link: string,
  { opensBrowser, after = '' }: { readonly opensBrowser: boolean; readonly after?: string },
): Promise<void> {
  const minutes = limits.consoleKeyMs / 60_000;
  shell.stdout.write(
    `The console; this link opens it once, within ${minutes} minutes:\n\n  ${link}\n${after}`,
  );
  if (!opensBrowser) return;
  const { env, signal } = shell;
  const isOpened = await openAddress(link, { platform: process.platform, env, signal }).catch(
    () => false,
  );
  if (!isOpened)
    shell.stderr.write('No browser could be started here: open the link above in yours.\n');
}
