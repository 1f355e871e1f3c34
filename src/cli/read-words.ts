import { VaultError } from '../base/vault-error.ts';

/** What a flag takes: nothing, one value (the last one counts), or one each time it is given. */
export type FlagKind = 'switch' | 'value' | 'list';

export interface Words {
  readonly flags: ReadonlyMap<string, true | string | readonly string[]>;
  /** The words that are no flags, in order. */
  readonly others: readonly string[];
}

/**
 * Sorts the words of a command line into flags and others. Flags are `--name`, `--name value` and
 * `--name=value`, and none comes after `--`. Text that begins with a dash, as a list item does, is
 * no flag: `- milk`, `-5` and `---` are what they are.
 */
export function readWords(words: readonly string[], kinds: ReadonlyMap<string, FlagKind>): Words {
  const flags = new Map<string, true | string | string[]>();
  const others: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (word === '--') return { flags, others: [...others, ...words.slice(i + 1)] };
    const flag = /^--?(?<name>[a-zA-Z][\w-]*)(?:=(?<value>[\s\S]*))?$/.exec(word);
    if (flag === null) {
      others.push(word);
      continue;
    }
    const name = flag.groups?.['name'] ?? '';
    const kind = word.startsWith('--') ? kinds.get(name) : undefined;
    if (kind === undefined) throw refusal(`There is no option "${word.split('=')[0]}"`);
    let value = flag.groups?.['value'];
    if (kind === 'switch') {
      if (value !== undefined) throw refusal(`"--${name}" takes no value`);
      flags.set(name, true);
      continue;
    }
    if (value === undefined) {
      value = words[++i];
      if (value === undefined) throw refusal(`"--${name}" needs a value`);
      if (/^--[a-zA-Z]/.test(value)) {
        throw refusal(`"--${name}" needs a value; "--${name}=${value}" if that is one`);
      }
    }
    const before = flags.get(name);
    if (kind === 'value') flags.set(name, value);
    else if (Array.isArray(before)) before.push(value);
    else flags.set(name, [value]);
  }
  return { flags, others };
}

function refusal(reason: string): VaultError {
  return new VaultError('invalid_input', reason);
}
