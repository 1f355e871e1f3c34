import { stat } from 'node:fs/promises';
import { limits } from '../../../base/limits.ts';
import { Semaphore } from '../../../base/semaphore.ts';
import { VaultError } from '../../../base/vault-error.ts';
import { isInside, type VaultFolder } from '../../../base/vault-path.ts';
import type {
  FileSearch,
  FoundLine,
  LineSearch,
  LineSearchRequest,
} from '../../../engine/ports/line-search.ts';
import { writtenWordsPattern } from '../../../engine/search/written-words.ts';
import { holdFolder } from '../../disk/hold-path.ts';
import { using } from '../../disk/path-handle.ts';
import { vaultGone } from '../../place/vault-gone.ts';
import { errnoOf } from '../../system/disk-error.ts';
import { findProgram, isProgram, type ProgramPlace } from '../find-program.ts';
import { type ProgramEnd, streamProgram } from '../run-program.ts';
import {
  CutLines,
  foundLine,
  pathOrderKey,
  printedPaths,
  sortPrintedLines,
} from './printed-lines.ts';
import { ripgrepArguments, ripgrepFilesArguments } from './ripgrep-arguments.ts';

interface RipgrepOptions extends ProgramPlace {
  /** The vault's real path. */
  readonly root: string;
  /** Finds the ripgrep that npm has installed; tests replace it. */
  readonly packaged?: () => Promise<string | undefined>;
  /** How many bytes of output are sorted here at most; tests replace it. */
  readonly unsortedBytesMax?: number;
}

/**
 * Line search by ripgrep: the one that npm has installed, else `rg` on PATH. It is looked for at the
 * first search, and again at the next one if it was not found.
 */
export function openRipgrep(options: RipgrepOptions): LineSearch & FileSearch {
  return new Ripgrep(options);
}

class Ripgrep implements LineSearch, FileSearch {
  readonly #options: RipgrepOptions;
  readonly #turns = new Semaphore(limits.lineSearchesMax);
  #program: string | undefined;

  constructor(options: RipgrepOptions) {
    this.#options = options;
  }

  async search(request: LineSearchRequest): Promise<FoundLines> {
    const program = await this.#find();
    return this.#turns.run(() => this.#run(program, request), request.signal);
  }

  async mentioning({
    beginnings,
    signal,
    deadlineMs,
  }: Parameters<FileSearch['mentioning']>[0]): ReturnType<FileSearch['mentioning']> {
    const { root: cwd, env } = this.#options;
    const args = ripgrepFilesArguments(writtenWordsPattern(beginnings));
    const printed: Buffer[] = [];
    const onOutput = (bytes: Buffer): undefined => void printed.push(bytes);
    const options = { env, cwd, signal, deadlineMs, says: { late: 'The search took too long.' } };
    try {
      const program = await this.#find();
      const end = await this.#turns.run(
        () => streamProgram(program, args, { ...options, onOutput }),
        signal,
      );
      // Exit code 2 without a word means that some files could not be read.
      if (end.exitCode === undefined || end.exitCode > 2 || end.stderr !== '') return undefined;
    } catch {
      return undefined;
    }
    return printedPaths(Buffer.concat(printed));
  }

  async #find(): Promise<string> {
    if (this.#program !== undefined && isProgram(this.#program)) return this.#program;
    this.#program = (await findRipgrep(this.#options))?.file;
    if (this.#program === undefined) throw notInstalled();
    return this.#program;
  }

  async #run(program: string, request: LineSearchRequest): Promise<FoundLines> {
    const { root } = this.#options;
    const folders = await foldersToSearch(root, request.folders);
    if (folders.length === 0) return { lines: [], more: false };
    const beganMs = performance.now();
    const run: Run = async (order, onOutput) => {
      const { signal, deadlineMs } = request;
      const end = await streamProgram(program, ripgrepArguments(request, folders, order), {
        env: this.#options.env,
        cwd: root,
        signal,
        deadlineMs: Math.max(1, deadlineMs - (performance.now() - beganMs)),
        says: {
          late: `The search took longer than ${deadlineMs} ms; make the expression simpler, or look into fewer files.`,
        },
        onOutput,
      }).catch((error: unknown) => notStarted(error, root));
      return () => checkEnd(end, root);
    };
    const { unsortedBytesMax = limits.unsortedLinesBytesMax } = this.#options;
    const found = await findInAnyOrder(run, { ...request, unsortedBytesMax });
    return found ?? findInOrder(run, request);
  }
}

/**
 * Runs ripgrep and passes on what it prints. Resolves with a function that fails if ripgrep failed;
 * it is not called when ripgrep was ended early.
 */
type Run = (
  order: 'any' | 'path',
  onOutput: (bytes: Buffer) => 'enough' | undefined,
) => Promise<() => Promise<void>>;

/**
 * Searches on all cores and sorts the lines afterwards. Undefined when there are too many lines to
 * hold; then `findInOrder` is fast, since the first lines are soon found.
 */
async function findInAnyOrder(
  run: Run,
  { unsortedBytesMax, ...request }: LineSearchRequest & { readonly unsortedBytesMax: number },
): Promise<FoundLines | undefined> {
  const parts: Buffer[] = [];
  let bytesCollected = 0;
  const check = await run('any', (bytes) => {
    parts.push(bytes);
    bytesCollected += bytes.length;
    return bytesCollected > unsortedBytesMax ? 'enough' : undefined;
  });
  if (bytesCollected > unsortedBytesMax) return undefined;
  const found = new WantedLines(request);
  for (const line of sortPrintedLines(Buffer.concat(parts))) {
    if (found.take(line.subarray(0, limits.foundLineBytesMax)) === 'enough') return found;
  }
  await check();
  return found;
}

/** Searches on one core in the order of the paths, and stops as soon as there are enough lines. */
async function findInOrder(run: Run, request: LineSearchRequest): Promise<FoundLines> {
  const found = new WantedLines(request);
  const printed = new CutLines(limits.foundLineBytesMax);
  const check = await run('path', (bytes) => {
    for (const line of printed.push(bytes)) {
      if (found.take(line) === 'enough') return 'enough';
    }
    return undefined;
  });
  if (!found.more) await check();
  return found;
}

/** Collects the first wanted lines that ripgrep prints, and notices whether there are more. */
class WantedLines implements FoundLines {
  readonly lines: FoundLine[] = [];
  more = false;
  readonly #request: LineSearchRequest;

  constructor(request: LineSearchRequest) {
    this.#request = request;
  }

  /** Takes a printed line; returns `enough` when there are more lines than the answer can hold. */
  take(printed: Buffer): 'enough' | undefined {
    const found = foundLine(printed, this.#request);
    if (found === undefined) return undefined;
    this.more = this.lines.length === this.#request.linesMax;
    if (this.more) return 'enough';
    this.lines.push(found);
    return undefined;
  }
}

type FoundLines = Awaited<ReturnType<LineSearch['search']>>;

/** The ripgrep that is used, and where it comes from; undefined when there is none. */
export async function findRipgrep({
  packaged = packagedProgram,
  ...place
}: ProgramPlace & Pick<RipgrepOptions, 'packaged'>): Promise<
  { readonly file: string; readonly from: 'package' | 'PATH' } | undefined
> {
  const own = await packaged();
  if (own !== undefined && isProgram(own)) return { file: own, from: 'package' };
  const file = findProgram([place.platform === 'win32' ? 'rg.exe' : 'rg'], place);
  return file === undefined ? undefined : { file, from: 'PATH' };
}

/** The ripgrep that npm has installed for this platform; undefined when there is none. */
async function packagedProgram(): Promise<string | undefined> {
  try {
    const { rgPath } = await import('@vscode/ripgrep');
    return rgPath;
  } catch {
    return undefined;
  }
}

/**
 * The folders to search, sorted, without those that are inside another one. Missing folders are left
 * out, and so are symlinks, since ripgrep would follow a symlink that it is given.
 */
async function foldersToSearch(
  root: string,
  folders: readonly VaultFolder[],
): Promise<readonly VaultFolder[]> {
  await checkRoot(root);
  const outermost = [...new Set(folders)].filter(
    (folder) => !folders.some((other) => other !== folder && isInside(folder, other)),
  );
  const found: VaultFolder[] = [];
  for (const folder of outermost.sort(byName)) {
    if (await isFolder(root, folder)) found.push(folder);
  }
  return found;
}

function byName(one: string, other: string): number {
  const keyOf = (path: string): string => pathOrderKey(Buffer.from(path).toString('latin1'));
  return keyOf(one) < keyOf(other) ? -1 : 1;
}

async function isFolder(root: string, folder: VaultFolder): Promise<boolean> {
  try {
    const opening = holdFolder({ root, allowed: [] }, folder);
    return await using(opening, async ({ path }) => (await stat(path)).isDirectory());
  } catch (error) {
    if (error instanceof VaultError || errnoOf(error) !== undefined) return false;
    throw error;
  }
}

/**
 * Fails with `vault_not_found` when the vault's folder is missing: the vault is then gone, not empty.
 */
async function checkRoot(root: string): Promise<void> {
  try {
    await stat(root);
  } catch (error) {
    throw vaultGone('gone', error);
  }
}

/**
 * Fails if ripgrep failed. Its exit code is 0 when it has found something, 1 when not, and 2 after
 * any failure: an error in the expression or the glob, which it explains, or a file that it could
 * not read, which is ignored.
 */
async function checkEnd({ exitCode, stderr }: ProgramEnd, root: string): Promise<void> {
  if (exitCode === 0 || exitCode === 1) return;
  const said = explanationOf(stderr);
  if (exitCode !== 2 || /^(unrecognized|error parsing) flag|^error: /.test(said)) throw failed();
  if (said !== '') {
    throw new VaultError('invalid_input', `ripgrep cannot run this search: ${said}`);
  }
  await checkRoot(root);
}

/** What ripgrep says is wrong, without its advice to use options that callers do not have. */
function explanationOf(stderr: string): string {
  const [said = ''] = stderr.replace(/^rg: /, '').split(/\n\s*Consider /);
  return said.trim();
}

/** Throws the error of a run; if ripgrep could not be started, with the reason. */
async function notStarted(error: unknown, root: string): Promise<never> {
  const errno = errnoOf(error);
  if (error instanceof VaultError || errno === undefined) throw error;
  await checkRoot(root);
  throw new VaultError(
    'unavailable',
    `ripgrep could not be started (${errno}). ${howToInstallRipgrep}`,
    {
      cause: error,
      details: { errno },
    },
  );
}

function failed(): VaultError {
  return new VaultError('unavailable', `ripgrep failed, or is too old. ${howToInstallRipgrep}`);
}

function notInstalled(): VaultError {
  return new VaultError('unavailable', `Searching by line needs ripgrep. ${howToInstallRipgrep}`);
}

/** What to do where ripgrep is missing or does not work. */
export const howToInstallRipgrep =
  'Install it so that "rg" is on PATH (apt install ripgrep, brew install ripgrep, winget install BurntSushi.ripgrep.MSVC), then try again.';
