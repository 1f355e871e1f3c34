/** What the command line runs in. */
export interface Shell {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly currentFolder: string;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly version: string;
  /** The bundled program, which workers run too. */
  readonly entryFile: string;
  readonly signal: AbortSignal;
  /** A program that looks after failing output streams itself calls this first. */
  readonly ownStreams?: () => void;
}

/** A command that is no tool: it serves, or sets something up. */
export interface Program {
  /** What `vaultdoor <name> --help` prints, with its last line end. */
  readonly help: string;
  /**
   * Runs with the words after its name and answers the exit code. A `VaultError` that it throws is
   * printed to stderr and becomes the exit code of the table.
   */
  readonly run: (shell: Shell, argv: readonly string[]) => Promise<number>;
}

/** A program as the list of commands shows it. Its code is loaded only when it is asked for. */
export interface ListedProgram {
  readonly name: string;
  /** How it is typed, e.g. `install <client>`. */
  readonly usage: string;
  /** What it does, in one sentence. */
  readonly title: string;
  readonly load: () => Promise<Program>;
}
