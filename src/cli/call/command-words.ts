import { statSync } from 'node:fs';
import { join } from 'node:path';
import { appFolders } from '../../node/place/app-folders.ts';
import { keptText } from '../../node/system/private-files.ts';
import type { ListedProgram, Shell } from '../shell/shell.ts';

/** What an argument names, so that a shell can complete it. */
export type WordKind = 'note' | 'folder' | 'tag' | 'command' | 'file' | 'directory';

/** What can stand after an option, or at a place of a command. */
export interface WordSource {
  readonly kind?: WordKind;
  /** The words that are possible, where they are few. */
  readonly words?: readonly string[];
}

/** An option, with what its value may be; a switch has none. */
export interface OptionWords extends WordSource {
  readonly option: string;
  readonly takesValue: boolean;
}

/** All that can be typed after one command. */
export interface CommandWords {
  readonly name: string;
  readonly options: readonly OptionWords[];
  /** The arguments without a flag, in order. */
  readonly places: readonly WordSource[];
  /** Whether the last of these may be repeated. */
  readonly repeats?: true;
}

const fileName = 'completion.json';

/**
 * The words of all commands. They are made once for each build of the program and kept in a file of
 * the cache folder: to make them, every command has to be loaded, which takes too long for each Tab.
 */
export async function commandWords(
  { env, entryFile }: Pick<Shell, 'env' | 'entryFile'>,
  programs: readonly ListedProgram[],
): Promise<readonly CommandWords[]> {
  const kept = keptText(join(appFolders(env, process.platform).cache, fileName));
  const build = buildOf(entryFile);
  const known = build === undefined ? undefined : wordsIn(await kept.load().catch(() => ''), build);
  if (known !== undefined) return known;
  const { makeCommandWords } = await import('./make-command-words.ts');
  const commands = await makeCommandWords(programs);
  // Without the file, the next Tab takes a little longer.
  if (build !== undefined) {
    await kept.save(JSON.stringify({ build, commands })).catch(() => undefined);
  }
  return commands;
}

/** What changes with every build of the program; undefined when the file cannot be looked at. */
function buildOf(entryFile: string): string | undefined {
  try {
    const { size, mtimeMs } = statSync(entryFile);
    return `${size} ${mtimeMs}`;
  } catch {
    return undefined;
  }
}

/** The words in a kept file of this build; undefined for any other file. */
function wordsIn(text: string | undefined, build: string): readonly CommandWords[] | undefined {
  try {
    const kept: unknown = JSON.parse(text ?? '');
    if (typeof kept !== 'object' || kept === null) return undefined;
    if (!('build' in kept) || kept.build !== build) return undefined;
    // Only this program writes the file, and this build wrote it.
    return 'commands' in kept ? (kept.commands as readonly CommandWords[]) : undefined;
  } catch {
    return undefined;
  }
}
