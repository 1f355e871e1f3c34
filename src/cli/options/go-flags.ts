import { VaultError } from '../../base/vault-error.ts';
import { nearestName } from '../../tools/define/nearest-name.ts';

/** A `text` flag takes a value; a `switch` is written `--name`, `--name=true` or `--name=false`. */
type GoFlagKind = 'text' | 'switch';

/** The words that Go reads as true or false. */
const booleans = new Map<string, boolean>([
  ...['1', 't', 'T', 'true', 'TRUE', 'True'].map((word) => [word, true] as const),
  ...['0', 'f', 'F', 'false', 'FALSE', 'False'].map((word) => [word, false] as const),
]);

/**
 * Reads flags as Go's standard library does, because the daemon takes the place of one written in Go
 * and is started with the same command line. A flag is written `-name`, `--name` or `--name=value`; a
 * text flag may also be `--name value`, even if that value begins with a dash. If a flag is repeated,
 * the last one counts. Fails with `invalid_input` for unknown flags and for words that are not flags.
 */
export function readGoFlags<Name extends string>(
  argv: readonly string[],
  kinds: Readonly<Record<Name, GoFlagKind>>,
): Partial<Record<Name, string | boolean>> {
  const given: Partial<Record<Name, string | boolean>> = {};
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? '';
    const [, name = '', value] = /^--?([^-=][^=]*)(?:=([\s\S]*))?$/.exec(word) ?? [];
    if (name === '') throw refusal(`"${word}" is not a flag`);
    if (!isKnown(name, kinds)) {
      const nearest = nearestName(name, Object.keys(kinds));
      const todo = nearest === undefined ? '' : `; use "--${nearest}"`;
      throw refusal(`There is no flag "${word.split('=')[0]}"${todo}`);
    }
    if (kinds[name] === 'switch') {
      const isOn = booleans.get(value ?? 'true');
      if (isOn === undefined) throw refusal(`"--${name}" must be true or false`);
      given[name] = isOn;
    } else {
      const text = value ?? argv[++i];
      if (text === undefined) throw refusal(`"--${name}" needs a value`);
      given[name] = text;
    }
  }
  return given;
}

function isKnown<Name extends string>(
  name: string,
  kinds: Readonly<Record<Name, GoFlagKind>>,
): name is Name {
  return Object.hasOwn(kinds, name);
}

function refusal(reason: string): VaultError {
  return new VaultError('invalid_input', `${reason}.`);
}
