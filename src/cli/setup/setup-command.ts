import { thisMachine } from '../install/this-machine.ts';
import type { Program, Shell } from '../shell/shell.ts';
import { setUpClients } from './setup-clients.ts';
import { readSetupOptions } from './setup-options.ts';
import { setUpServer } from './setup-server.ts';
import { undoClients } from './undo-clients.ts';
import { undoServer } from './undo-server.ts';

const help = `Usage: vaultdoor setup [options]
       vaultdoor setup --server [options]

Connect the AI apps on this computer with your notes. It finds your vaults and apps, asks which vault,
which apps (if there are several) and what they may do, shows the change, writes it when you agree, and
makes the first call to see that it works. If an app has another server for the vault, it then asks
whether to take that out.
Run it again at any time: it changes only what differs. --undo takes it back, and leaves a server as it
is; --server --undo takes back the server, and leaves the apps.

  --vault <folder>   The vault; otherwise you choose one of those that Obsidian knows.
  --client <app>     Only this app: claude-desktop, claude-code, cursor or vscode; may be repeated
                     (default: all that are found).
  --allow <right>    What the apps may do: change (read and change notes, which you can undo; the default
                     for an app that is new), propose (read, and propose changes that you accept or
                     refuse) or read. Without it, an app that is set up keeps what it may do, and
                     a new one only reads if its other server for the vault does.
  --undo             Take Vaultdoor out of the apps' files again, and put back the entries of other
                     servers that setup has taken out. A file that setup has made is removed;
                     everything else in the files stays. --vault and --client limit it.
  --yes              Ask nothing, take what Enter at each question takes, and write. Without it, a
                     script only gets what would be written.
  --dry-run          Only show the change.
  --json             The whole answer as JSON; asks nothing.

With --server, it sets up a server for the apps on other machines and on phones, as a service of your
user (systemd, on Linux), and starts it. --undo stops and removes the service, and says what is left
(such as the proxy) and how to take that back.

  --address <where>  Who reaches the server: this-machine, network (your home network), an address of
                     this machine, or an https address on the internet that a proxy or tunnel of yours
                     leads here, such as https://vault.example.com.
  --port <number>    Its port (default: 1065).
  --access <how>     How apps come in: sign-in (the default for an https address), or token.
  --passphrase-file <file>
                     The passphrase with which you, the owner, sign in; otherwise it is asked for.

Every file that is replaced is kept beside the new one (.vaultdoor-backup). "vaultdoor undo" takes back
changes of notes; what setup writes is taken back by "vaultdoor setup --undo" (apps' files) and
"vaultdoor setup --server --undo" (the service and its settings).

Examples:
  vaultdoor setup
  vaultdoor setup --yes --vault ~/Notes --client claude-desktop --allow propose
  vaultdoor setup --undo
  vaultdoor setup --server --yes --vault ~/Notes --address network
`;

/** `vaultdoor setup`: connects the apps on this machine, or sets up a server, and takes it back. */
export const setupProgram: Program = { help, run };

async function run(shell: Shell, argv: readonly string[]): Promise<number> {
  const options = readSetupOptions(argv);
  const machine = thisMachine(shell);
  const { stdin, stdout, stderr } = shell;
  const isTerminal = [stdin, stdout, stderr].every(({ isTTY }) => isTTY === true);
  const isAsked = isTerminal && !options.json && options.mode !== 'write';
  const parts = { machine, isAsked };
  if (options.server !== undefined) {
    return options.undo
      ? undoServer(shell, options, parts)
      : setUpServer(shell, options, options.server, parts);
  }
  return options.undo ? undoClients(shell, options, parts) : setUpClients(shell, options, parts);
}
