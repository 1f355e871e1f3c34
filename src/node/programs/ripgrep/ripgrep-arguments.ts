import { limits } from '../../../base/limits.ts';
import { VaultError } from '../../../base/vault-error.ts';
import type { VaultFolder } from '../../../base/vault-path.ts';
import type { LineSearchRequest } from '../../../engine/ports/line-search.ts';

/**
 * The options of every search: settings of the user or the vault are ignored, symlinks are not
 * followed, and each line of output is one line found. The output is not JSON, because its records
 * have no limit: a line of 1 MB that matches at every character would become 50 MB.
 */
const always = [
  '--no-config',
  '--no-ignore',
  // Says nothing about files that cannot be read; errors in the expression or glob are still printed.
  '--no-messages',
  // A mapped file that another program truncates would crash ripgrep.
  '--no-mmap',
  '--color=never',
  '--null',
  '--path-separator=/',
  `--max-filesize=${limits.noteBytesMax}`,
  `--regex-size-limit=${limits.expressionBytesMax}`,
  `--dfa-size-limit=${limits.expressionBytesMax}`,
  // A glob that includes files overrules these types, so the caller checks the kind again.
  '--type-add=vault:*.[mM][dD]',
  '--type-add=vault:*.[cC][aA][nN][vV][aA][sS]',
  '--type-add=vault:*.[bB][aA][sS][eE]',
  '--type=vault',
];

/** The options of a search for lines. `$` also matches before the line ends of Windows. */
const forLines = ['--no-heading', '--with-filename', '--line-number', '--column', '--crlf'];

/**
 * These come last and so overrule the caller's glob. The first keeps out names that begin with a dot,
 * which a glob would include. The second keeps out names with line breaks, which would make the output
 * ambiguous.
 */
const lastGlobs = ['--glob=!.*', '--glob=!*\n*'];

/**
 * The arguments for a search in some folders of the vault; ripgrep must run in the vault's folder.
 * Sorted by path it uses one core, in any order all of them. Fails with `invalid_input` for a NUL
 * character, which no argument can contain.
 */
export function ripgrepArguments(
  { pattern, glob, linesMax }: Pick<LineSearchRequest, 'pattern' | 'glob' | 'linesMax'>,
  folders: readonly VaultFolder[],
  order: 'any' | 'path',
): readonly string[] {
  if (pattern.includes('\0') || glob?.includes('\0')) {
    throw new VaultError('invalid_input', 'An expression or a glob cannot have a NUL character.');
  }
  return [
    ...always,
    ...forLines,
    ...(order === 'path' ? ['--sort=path'] : []),
    // No more lines of one file than the answer can hold, and one to know that there are more.
    `--max-count=${linesMax + 1}`,
    ...globsOf(glob).map((each) => `--glob=${each}`),
    ...lastGlobs,
    '-e',
    pattern,
    '--',
    // With "./", since a bare name might begin with a dash.
    ...folders.map((folder) => `./${folder}`),
  ];
}

/**
 * The arguments for a search for files in the whole vault: every byte counts, also in files that are
 * binary or in UTF-16.
 */
export function ripgrepFilesArguments(pattern: string): readonly string[] {
  return [
    ...always,
    '--files-with-matches',
    '--text',
    '--encoding=none',
    '-e',
    pattern,
    '--',
    './',
  ];
}

/**
 * The caller's glob for ripgrep: without a leading `./`, with a leading `#` escaped, because it would
 * begin a comment, and with `**` after a folder. Given in both Unicode forms, since a name may have
 * either on disk.
 */
function globsOf(glob = ''): readonly string[] {
  const [, not = '', path = ''] = /^(!?)(?:\.\/)*(.*)$/s.exec(glob.trim()) ?? [];
  if (path === '') return [];
  const whole = not + path.replace(/^#/, '\\#').replace(/\/$/, '/**');
  return [...new Set([whole, whole.normalize('NFC'), whole.normalize('NFD')])];
}
