import { stdioFlags } from '../options/stdio-options.ts';
import { commandText } from '../shell/command-text.ts';
import type { ClientId } from './client-places.ts';

/** An option with its value, as one or two words. */
interface Option {
  readonly name: string;
  readonly value?: string;
  readonly words: readonly string[];
}

/** The two options that say what an app may do with notes: only one of them can hold. */
const exclusive = ['read-only', 'propose'];

/**
 * The options of an entry with others added to them. An option that may be repeated (`--hide`) is
 * added to those of its name, any other takes the place of the one of its name, and `--read-only` and
 * `--propose` take each other's place. What is not named again stays: an option that restricts an app
 * must not get lost because another one was added.
 */
export function joinFlags(
  existing: readonly string[],
  given: readonly string[],
): readonly string[] {
  let options: readonly Option[] = optionsIn(existing);
  for (const option of optionsIn(given)) {
    const { name, value } = option;
    const isSame = (other: Option): boolean => other.name === name && other.value === value;
    if (options.some(isSame)) continue;
    const isReplaced = (other: Option): boolean =>
      exclusive.includes(name)
        ? exclusive.includes(other.name)
        : stdioFlags.get(name) !== 'list' && other.name === name;
    const at = options.findIndex(isReplaced);
    const kept = options.filter((other) => !isReplaced(other));
    options = at === -1 ? [...kept, option] : kept.toSpliced(at, 0, option);
  }
  return options.flatMap(({ words }) => words);
}

/** The options of `before` that are not among those of `after`, each as it would be typed. */
export function flagsGone(before: readonly string[], after: readonly string[]): readonly string[] {
  const left = optionsIn(after);
  const isLeft = ({ name, value }: Option): boolean =>
    left.some((other) => other.name === name && other.value === value);
  return optionsIn(before)
    .filter((option) => !isLeft(option))
    .flatMap(({ words }) => words);
}

/** Splits words into options. A word that is no option of `vaultdoor stdio` stands for itself. */
export function optionsIn(words: readonly string[]): Option[] {
  const options: Option[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    const [, name = word, inline] = /^--([\w-]+)(?:=([\s\S]*))?$/.exec(word) ?? [];
    const takesNext = inline === undefined && /^(value|list)$/.test(stdioFlags.get(name) ?? '');
    const next = takesNext ? words[++i] : undefined;
    const value = inline ?? next;
    options.push({
      name,
      ...(value === undefined ? {} : { value }),
      words: next === undefined ? [word] : [word, next],
    });
  }
  return options;
}

/** What to write where an option of `vaultdoor stdio` was given to `install` or `setup` itself. */
export function behindDashes(client: ClientId): (flag: string) => string | undefined {
  return (flag) => {
    const kind = stdioFlags.get(flag);
    if (kind === undefined) return undefined;
    const command = commandText(['install', client, '--', `--${flag}`], undefined);
    return `it goes behind "--": "${command}${kind === 'switch' ? '' : ' …'}"`;
  };
}
