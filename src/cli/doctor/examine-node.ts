import { release } from 'node:os';
import { limits } from '../../base/limits.ts';
import { findRipgrep, howToInstallRipgrep } from '../../node/programs/ripgrep/ripgrep.ts';
import { runProgram } from '../../node/programs/run-program.ts';
import { hasFullText, sqliteLibrary } from '../../sqlite/connection/open-database.ts';
import type { Shell } from '../shell/shell.ts';
import { examineEmbedding } from './examine-embedding.ts';
import { bad, type Finding, hidden, known, ok, said, warning } from './finding.ts';

const oldestNode = 20;

/** The machine, Node, and the programs and libraries that are needed. */
export async function examineNode(
  shell: Pick<Shell, 'env' | 'signal' | 'version' | 'entryFile'>,
): Promise<readonly Finding[]> {
  const { platform, arch, versions } = process;
  return [
    ok('Vaultdoor', said`${known(shell.version)}.`),
    ok('Node', said`${known(versions.node)}; ${oldestNode} or newer is needed.`),
    ok('platform', said`${known(`${platform} ${arch}`)}${hidden(` (${release()})`, '')}.`),
    await examineSqlite(),
    await examineRipgrep(shell),
    ...(await examineEmbedding(shell)),
  ];
}

async function examineSqlite(): Promise<Finding> {
  try {
    const { origin, version } = await sqliteLibrary();
    const library = known(`${version} of ${origin}`);
    if (await hasFullText()) return ok('SQLite', said`${library}, with full-text search (FTS5).`);
    return bad(
      'SQLite',
      said`${library} has no full-text search (FTS5).`,
      said`Use Node 22.16 or newer, or install Vaultdoor again: its package brings an SQLite that has it.`,
    );
  } catch (error) {
    return bad(
      'SQLite',
      said`It cannot be loaded${hidden(` (${messageOf(error)})`, '')}: no index and no history can be opened.`,
      said`Install Vaultdoor again without "--omit" and "--no-optional", or use Node 22.16 or newer, which has an SQLite of its own.`,
    );
  }
}

const withoutRipgrep = 'Searching by line does not work without it; everything else does.';

async function examineRipgrep({ env, signal }: Pick<Shell, 'env' | 'signal'>): Promise<Finding> {
  const found = await findRipgrep({ env, platform: process.platform });
  if (found === undefined) {
    return warning(
      'ripgrep',
      said`It is not installed. ${known(withoutRipgrep)}`,
      known(howToInstallRipgrep),
    );
  }
  const place =
    found.from === 'package'
      ? said`the one of the package`
      : said`on PATH${hidden(` (${found.file})`, '')}`;
  try {
    const { exitCode, stdout } = await runProgram(found.file, ['--version'], {
      env,
      signal,
      deadlineMs: limits.doctorProgramMs,
      outputBytesMax: limits.doctorAnswerBytesMax,
      says: { late: 'It does not end.', tooMuch: 'It prints too much.', stopped: '' },
    });
    const [, version] = /^ripgrep (\S+)/.exec(new TextDecoder().decode(stdout)) ?? [];
    if (exitCode === 0 && version !== undefined) {
      return ok('ripgrep', said`${known(version)}, ${place}.`);
    }
    throw new Error(`exit code ${exitCode}`);
  } catch (error) {
    signal.throwIfAborted();
    return bad(
      'ripgrep',
      said`The program ${place} does not run${hidden(` (${messageOf(error)})`, '')}. ${known(withoutRipgrep)}`,
      known(howToInstallRipgrep),
    );
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
