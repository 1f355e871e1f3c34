import type { Right, ServedToolset } from '../../base/caller.ts';

/** `GET /c/api/me`: what the page has to know before it shows anything. */
export interface ConsoleMe {
  readonly version: string;
  readonly vaults: readonly ConsoleVault[];
  /** What the server was started with: without `destroy` nothing can be taken back. */
  readonly rights: readonly Right[];
  /** Whether it runs for the console alone (`vaultdoor console`): then there is no `/mcp`. */
  readonly isAlone: boolean;
  /** The addresses for clients, such as `https://notes.example.org/mcp`: public ones first. */
  readonly addresses: readonly string[];
  /** Those of them that a proxy or tunnel makes available. */
  readonly publicUrls: readonly string[];
  /** Whether clients need a token, may have one, or are not asked. */
  readonly tokens: 'asked' | 'optional' | 'off';
  /** Whether clients can sign in (OAuth), and where the owner's page is then. */
  readonly ownerPage?: string;
  /** Whether the page came over plain HTTP in a network (`--console-http`). */
  readonly isPlainHttp: boolean;
  /** Whether reads are logged (`--log-reads`). */
  readonly logsReads: boolean;
  /** The toolsets of a client whose token is not for certain ones. */
  readonly toolsets: readonly ServedToolset[];
  /** How a person starts the program here: `vaultdoor`, or `npx vaultdoor`. */
  readonly program: string;
  /** The command that makes the server available from elsewhere. */
  readonly setupCommand: string;
  /** The only folder in which the commands work: a clone, where npx finds the program. */
  readonly commandFolder?: string;
  /**
   * Whether its history is not where a program keeps it that an app starts by itself
   * (`XDG_STATE_HOME`): what such a program changes is then not shown here.
   */
  readonly isHistoryApart: boolean;
  /** Whether this is `npm start`: a copy of the example vault, which is deleted at the end. */
  readonly isDemo: boolean;
  /** Open consoles, this one among them. */
  readonly consoles: readonly OpenConsole[];
}

export interface ConsoleVault {
  readonly name: string;
  readonly path: string;
  /** Commands to paste into a terminal of the server's machine. */
  readonly commands: {
    readonly serve: string;
    readonly install: ByClient;
    readonly uninstall: ByClient;
  };
}

/** A command for each client that `install` knows and Connect has a page for. */
type ByClient = Readonly<Record<'claude-code' | 'claude-desktop' | 'cursor' | 'vscode', string>>;

interface OpenConsole {
  readonly id: string;
  readonly sinceMs: number;
  readonly usedMs: number;
  readonly isThis: boolean;
}
