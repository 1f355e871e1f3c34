import { freePort } from '../../support/bridge-client.ts';
import { HttpProcess } from '../../support/http-process.ts';
import { OwnerBrowser } from '../../support/owner-browser.ts';
import { runCli } from '../../support/run-cli.ts';
import { tempFolder } from '../../support/temp-folder.ts';

export const passphrase = 'correct horse battery';

/** A server at a public address on this machine, with an owner whose browser is signed in. */
export interface OwnedServer {
  /** Its public address, without `/mcp`. */
  readonly base: string;
  readonly program: HttpProcess;
  readonly browser: OwnerBrowser;
  readonly folder: string;
  /** Runs a command of the owner; answers what it prints, with its exit code where it fails. */
  readonly cli: (...argv: readonly string[]) => Promise<string>;
}

/** Starts the built program on a vault with these files, and makes the passphrase that of its owner. */
export async function startOwnedServer(
  start: {
    readonly files?: Readonly<Record<string, string>>;
    /** Further arguments of `vaultdoor serve`. */
    readonly args?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
    /** The path of the public address, such as `/notes`. */
    readonly path?: string;
  } = {},
): Promise<OwnedServer> {
  const { files = { 'A.md': 'text of A', 'Work/B.md': 'text of B' }, args = [], path = '' } = start;
  const port = await freePort();
  const base = `http://localhost:${port}${path}`;
  const folder = tempFolder(files);
  const program = await HttpProcess.start({
    folder,
    args: ['--port', String(port), '--public-url', base, ...args],
    ...(start.env === undefined ? {} : { env: start.env }),
  });
  const browser = new OwnerBrowser(base, path);
  const { status } = await browser.setUp(setUpCode(program), passphrase);
  if (status !== 303) throw new Error(`The owner was not set up: ${status}`);
  const cli = async (...argv: readonly string[]) => {
    const { stdout, stderr, code } = await runCli(argv, program.env);
    return code === 0 ? stdout : `${stderr}[exit ${code}]`;
  };
  return { base, program, browser, folder, cli };
}

/** The code that the program has printed because there is no owner. */
function setUpCode({ stdout }: HttpProcess): string {
  return /\n {2}([0-9A-Z]{4}(?:-[0-9A-Z]{4}){4})\n/.exec(stdout)?.[1] ?? '';
}
