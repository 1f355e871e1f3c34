import { limits } from '../../../base/limits.ts';
import { VaultError } from '../../../base/vault-error.ts';
import type { AppCommand } from '../../../engine/ports/obsidian-app.ts';

/**
 * The arguments of the CLI for a command: the vault, which must come first, then the command, its
 * file, its values and its flags. Fails with `invalid_input` for a value that the CLI cannot accept,
 * and with `too_large` for more bytes than all platforms accept.
 */
export function obsidianArguments(vault: string, command: AppCommand): readonly string[] {
  const { name, path, values = {}, flags = [] } = command;
  const args = [
    pair('vault', vault),
    name,
    ...(path === undefined ? [] : [pair('path', path)]),
    ...Object.entries(values).flatMap(([key, value]) =>
      value === undefined ? [] : [pair(key, value)],
    ),
    ...flags,
  ];
  if (args.reduce((sum, arg) => sum + Buffer.byteLength(arg), 0) <= limits.appArgumentBytesMax) {
    return args;
  }
  throw new VaultError(
    'too_large',
    `The Obsidian CLI takes at most ${limits.appArgumentBytesMax} bytes; give it less.`,
  );
}

/**
 * One argument `key=value`. The CLI reads `\n` and `\t` as newline and tab, and has no way to write
 * a backslash before an n or t: even `\\n` becomes a newline. Such a value is refused.
 */
function pair(key: string, value: string): string {
  const text = value.replaceAll('\r\n', '\n');
  if (/\\[nt]/.test(text)) {
    throw new VaultError(
      'invalid_input',
      `"${key}" has a backslash before "n" or "t", which the Obsidian CLI would read as a newline or a tab; leave it out.`,
      { details: { parameter: key } },
    );
  }
  const written = text.replaceAll('\n', '\\n').replaceAll('\t', '\\t');
  if (/[\p{Cc}\p{Cs}]/u.test(written)) {
    throw new VaultError(
      'invalid_input',
      `"${key}" has a control character or half a character, which the Obsidian CLI cannot be given; leave it out.`,
      { details: { parameter: key } },
    );
  }
  return `${key}=${written}`;
}
