import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** One import of a file of ours by another. */
export interface FileImport {
  /** From the root of the repository. */
  readonly target: string;
  /** The names that are imported; `*` where it is not said which. */
  readonly names: readonly string[];
  /** Whether nothing of it is left at run time. */
  readonly isType: boolean;
  /** Whether it is an `import()`, which loads the file later. */
  readonly isLate: boolean;
}

/** Every file of the repository, from its root: what git tracks, and what it does not ignore. */
export function repositoryFiles(): string[] {
  return execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => file !== '' && existsSync(join(root, file)))
    .sort();
}

/** The text of a file of the repository. */
export function readRepositoryFile(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** Whether a file is code of the program: under `src`, and neither a test nor a declaration. */
export function isProgramCode(file: string): boolean {
  return /^src\/.*\.tsx?$/.test(file) && !/\.test\.tsx?$|\.d\.ts$/.test(file);
}

/** The room that a file of `src` is in: its folder, without `src`. */
export function roomOf(file: string): string {
  return dirname(file).slice('src/'.length);
}

/** What a file imports from other files of the repository. */
export function importsOf(file: string): FileImport[] {
  const text = readRepositoryFile(file);
  const at = (name: string): string => normalize(join(dirname(file), name));
  const found: FileImport[] = [];
  for (const match of text.matchAll(staticImport)) {
    const [, type, listed, name = ''] = match;
    if (!name.startsWith('.')) continue;
    const names = (listed ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
    const isType = type !== undefined || names.every((part) => part.startsWith('type '));
    found.push({
      target: at(name),
      names: names.map((part) => part.replace(/^type /, '').split(' as ')[0] ?? ''),
      isType: isType && (type !== undefined || names.length > 0),
      isLate: false,
    });
  }
  for (const [, listed, before, name = '', one] of text.matchAll(lateImport)) {
    if (!name.startsWith('.')) continue;
    const isType = before === 'typeof ';
    const names = (listed ?? one ?? '*').split(',').map((part) => part.trim());
    found.push({ target: at(name), names, isType, isLate: true });
  }
  return found;
}

/** The names that a file exports. */
export function exportsOf(file: string): string[] {
  const declared = readRepositoryFile(file).matchAll(exported);
  return Array.from(declared, (match) => match[1] ?? '');
}

const exported =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|interface|type|const|let|enum) (\w+)/gm;

const staticImport = /^(?:import|export) (type )?(?:\{([^}]*)\} from |\* as \w+ from )?'([^']+)'/gm;

/** `import('./file.ts')` and what is taken from it: `const { a } = await …` or `(await …).a`. */
const lateImport =
  /(?:const \{([^}]*)\} = await )?(typeof )?import\(\s*'([^']+)'\s*\)(?:\)\.(\w+))?/g;
