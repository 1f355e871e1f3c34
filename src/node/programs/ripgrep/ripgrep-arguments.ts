import { limits } from '../../../base/limits.ts';
import { VaultError } from '../../../base/vault-error.ts';
import type { VaultFolder } from '../../../base/vault-path.ts';
import type { LineSearchRequest } from '../../../engine/ports/line-search.ts';

/**
 * How ripgrep is asked for lines: nothing of the user's or the vault's set-up counts, links are not
 * followed, and one line of output is one line found. Not as JSON, whose records have no bound: a
 * line of a megabyte that matches at each of its characters would become fifty of them.
 */
const fixed = [
  '--no-config',
  '--no-ignore',
  // Files that cannot be read are left out; what is wrong with expression or glob is still said.
  '--no-messages',
  // A file that is cut short while it is mapped would end the program.
  '--no-mmap',
  '--color=never',
  '--no-heading',
  '--with-filename',
  '--line-number',
  '--column',
  '--null',
  '--path-separator=/',
  // `$` is the end of a line in files from Windows as well.
  '--crlf',
  `--max-filesize=${limits.noteBytesMax}`,
  `--regex-size-limit=${limits.expressionBytesMax}`,
  `--dfa-size-limit=${limits.expressionBytesMax}`,
  // A glob that admits files overrules the type: whoever reads the lines looks at the kind again.
  '--type-add=vault:*.[mM][dD]',
  '--type-add=vault:*.[cC][aA][nN][vV][aA][sS]',
  '--type-add=vault:*.[bB][aA][sS][eE]',
  '--type=vault',
];

/**
 * The last globs count most. A glob that admits files would admit hidden ones too; and names with
 * line breaks, which no vault path can spell, would make the output ambiguous.
 */
const lastGlobs = ['--glob=!.*', '--glob=!*\n*'];

/**
 * The arguments for a search in some folders of the vault, whose root is the current folder. In the
 * order of the paths it runs on one core, in any order on all. Fails with `invalid_input` for what
 * no program can be given.
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
    ...fixed,
    ...(order === 'path' ? ['--sort=path'] : []),
    // More than can be answered of a single file need not be looked for; one says that there is more.
    `--max-count=${linesMax + 1}`,
    ...globsOf(glob).map((each) => `--glob=${each}`),
    ...lastGlobs,
    '-e',
    pattern,
    '--',
    // Never a bare name, which might begin with a dash.
    ...folders.map((folder) => `./${folder}`),
  ];
}

/**
 * A caller's glob as ripgrep is to take it: `./` at its beginning and `#`, which would make it a
 * comment, mean themselves; a folder means all in it; both Unicode forms of a name are meant.
 */
function globsOf(glob = ''): readonly string[] {
  const [, not = '', path = ''] = /^(!?)(?:\.\/)*(.*)$/s.exec(glob.trim()) ?? [];
  if (path === '') return [];
  const whole = not + path.replace(/^#/, '\\#').replace(/\/$/, '/**');
  return [...new Set([whole, whole.normalize('NFC'), whole.normalize('NFD')])];
}
