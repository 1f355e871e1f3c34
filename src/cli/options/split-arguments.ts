import { VaultError } from '../../base/vault-error.ts';
import { nearestName } from '../../tools/define/nearest-name.ts';

/**
 * What a flag takes: a `switch` takes no value; a `value` takes one, and the last one counts if it is
 * repeated; a `list` keeps the values of all its repetitions.
 */
export type FlagKind = 'switch' | 'value' | 'list';

/** The arguments of a command, told apart. */
export interface SplitArguments {
  readonly flags: ReadonlyMap<string, true | string | readonly string[]>;
  /** The arguments that are neither flags nor their values, in order. */
  readonly positionals: readonly string[];
}

/**
 * Tells apart the flags and the positional arguments of a command line. A flag is written `--name`,
 * `--name value` or `--name=value`; everything after `--` is positional. Text that begins with a dash
 * but cannot be a flag (`- milk`, `-5`, `---`) is positional too, so that it can be given as the text
 * of a note; `-name` is refused as an unknown flag. Fails with `invalid_input` for an unknown flag,
 * with the nearest one or what `instead` says, and for a missing or unexpected value. The message has
 * no full stop: the code that catches it adds where to find help.
 */
export function splitArguments(
  argv: readonly string[],
  kinds: ReadonlyMap<string, FlagKind>,
  instead: (flag: string) => string | undefined = () => undefined,
): SplitArguments {
  const flags = new Map<string, true | string | string[]>();
  const positionals: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? '';
    if (word === '--') return { flags, positionals: [...positionals, ...argv.slice(i + 1)] };
    const flag = /^--?(?<name>[a-zA-Z][\w-]*)(?:=(?<value>[\s\S]*))?$/.exec(word);
    if (flag === null) {
      positionals.push(word);
      continue;
    }
    const name = flag.groups?.['name'] ?? '';
    // `-name` has the form of a flag, but no flag is written so.
    const kind = word.startsWith('--') ? kinds.get(name) : undefined;
    if (kind === undefined) {
      const why = instead(name) ?? nearestFlag(name, kinds);
      const todo = why === undefined ? '' : `; ${why}`;
      throw refusal(`There is no option "${word.split('=')[0]}"${todo}`);
    }
    let value = flag.groups?.['value'];
    if (kind === 'switch') {
      if (value !== undefined) throw refusal(`"--${name}" takes no value`);
      flags.set(name, true);
      continue;
    }
    if (value === undefined) {
      value = argv[++i];
      if (value === undefined) throw refusal(`"--${name}" needs a value`);
      // This is probably the next flag, and the value was forgotten.
      if (/^--[a-zA-Z]/.test(value)) {
        throw refusal(
          `"--${name}" needs a value; if "${value}" is the value, write "--${name}=${value}"`,
        );
      }
    }
    const before = flags.get(name);
    if (kind === 'value') flags.set(name, value);
    else if (Array.isArray(before)) before.push(value);
    else flags.set(name, [value]);
  }
  return { flags, positionals };
}

function nearestFlag(name: string, kinds: ReadonlyMap<string, FlagKind>): string | undefined {
  const nearest = nearestName(name, kinds.keys());
  return nearest && `use "--${nearest}"`;
}

function refusal(reason: string): VaultError {
  return new VaultError('invalid_input', reason);
}
