/** What a command sees of the process it runs in. */
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
  /** Where the program keeps what makes its next start shorter; absent where it keeps nothing. */
  readonly startCache?: StartCache;
  readonly signal: AbortSignal;
  /** A server calls this first when it handles failing output streams itself. */
  readonly ownStreams?: () => void;
}

/** The folders of V8's code caches, which the launcher (`launch.cjs`) manages; and of other caches. */
export interface StartCache {
  /** Which build of the program this is; file names begin with it. */
  readonly id: string;
  /** The folders to look in. */
  readonly folders: () => readonly string[];
  /** The folder to write to; undefined where nothing is to be kept. */
  readonly own: () => string | undefined;
}

/** A command that is not a tool: it serves the vault, or sets something up. */
export interface Program {
  /**
   * The text of `vaultdoor <name> --help`, which ends with a newline. A function where it is long, and
   * the program is one that must start fast.
   */
  readonly help: string | (() => Promise<string>);
  /**
   * Runs with the arguments after its name and answers the exit code. When it throws a `VaultError`,
   * that is printed to stderr and `exitCodes` has the exit code.
   */
  readonly run: (shell: Shell, argv: readonly string[]) => Promise<number>;
}

/** The text of `vaultdoor <name> --help`. */
export async function helpOf({ help }: Program): Promise<string> {
  return typeof help === 'string' ? help : help();
}

/** A program in the list of commands. Its code is loaded only when it is run. */
export interface ListedProgram {
  readonly name: string;
  /** How to type it, e.g. `install <client>`. */
  readonly usage: string;
  /** What it does, in one sentence. */
  readonly title: string;
  /** The title in the help under which it stands. */
  readonly group: string;
  readonly load: () => Promise<Program>;
}
