import { foldName } from '../../base/vault-path.ts';
import { splitCommand } from '../options/command-line.ts';
import type { CommandWords, OptionWords, WordKind, WordSource } from './command-words.ts';

/** What the shell can offer itself. */
type ShellKind = 'file' | 'directory';

/** The words that may stand in place of the one that is typed, or what the shell should list. */
export type Completions =
  | { readonly words: readonly string[] }
  | { readonly shell: ShellKind; readonly before: string };

/** Lists what the vault has of a kind. `--vault`, if it was typed, says which vault. */
type VaultWords = (
  kind: 'note' | 'folder' | 'tag',
  typed: { readonly prefix: string; readonly vault: string | undefined },
) => Promise<readonly string[]>;

/**
 * Completes the last word of a command line. `before` are the words between `vaultdoor` and that word.
 * Case does not matter.
 */
export async function completeWords(
  commands: readonly CommandWords[],
  { before, typed }: { readonly before: readonly string[]; readonly typed: string },
  vaultWords: VaultWords,
): Promise<Completions> {
  const names = commands.map(({ name }) => name);
  if (['--vault', '--allow-root'].includes(before.at(-1) ?? '')) {
    return { shell: 'directory', before: '' };
  }
  const { name, rest } = splitCommand(before, names);
  const second = secondWords(name, names);
  const isBegun = name !== undefined && rest.every((word) => !isPlain(word, rest));
  if (name === undefined) {
    return typed.startsWith('-')
      ? begun(['--help', '--version', '--vault', '--json'], typed)
      : begun(firstWords(names), typed);
  }
  const command =
    commands.find((each) => each.name === name) ??
    commands.find((each) => each.name === `${name} list`);
  if (isBegun && second.length > 0 && !typed.startsWith('-')) {
    const own = command === undefined ? [] : await placeWords(command, 0);
    return begun([...second, ...own], typed);
  }
  if (command === undefined) return { words: [] };
  return completeArgument(command, rest);

  async function completeArgument(of: CommandWords, args: readonly string[]): Promise<Completions> {
    const { place, option, given, isOver } = readArguments(of, args);
    if (option !== undefined) return valuesOf(option, typed, '');
    if (!isOver && typed.startsWith('-')) {
      const [, flag = '', value] = /^--([a-z-]+)=(.*)$/s.exec(typed) ?? [];
      const known = of.options.find((each) => each.option === flag);
      if (known?.takesValue && value !== undefined) return valuesOf(known, value, `--${flag}=`);
      const left = of.options.filter((each) => each.takesValue || !given.has(each.option));
      return begun(
        left.map((each) => `--${each.option}`),
        typed,
      );
    }
    const at = of.repeats ? Math.min(place, of.places.length - 1) : place;
    const source = of.places[at];
    return source === undefined ? { words: [] } : valuesOf(source, typed, '');
  }

  async function placeWords(of: CommandWords, at: number): Promise<readonly string[]> {
    const source = of.places[at];
    const found = source === undefined ? undefined : await valuesOf(source, typed, '');
    return found !== undefined && 'words' in found ? found.words : [];
  }

  async function valuesOf(source: WordSource, value: string, lead: string): Promise<Completions> {
    const { kind, words = [] } = source;
    if (kind === 'file' || kind === 'directory') return { shell: kind, before: lead };
    const all = kind === undefined ? words : await ofKind(kind, value);
    const { words: found } = begun(all, value);
    return { words: found.map((word) => lead + word) };
  }

  function ofKind(
    kind: Exclude<WordKind, ShellKind>,
    prefix: string,
  ): readonly string[] | Promise<readonly string[]> {
    if (kind === 'command') return firstWords(names);
    return vaultWords(kind, { prefix, vault: vaultIn(before) });
  }
}

/** What the arguments that are typed already say about the next one. */
function readArguments(
  { options }: CommandWords,
  args: readonly string[],
): {
  /** How many arguments without a flag there are. */
  readonly place: number;
  /** The option whose value comes next. */
  readonly option?: OptionWords;
  readonly given: ReadonlySet<string>;
  /** Whether `--` has ended the options. */
  readonly isOver: boolean;
} {
  const given = new Set<string>();
  let place = 0;
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    if (word === '--') return { place: place + args.length - at - 1, given, isOver: true };
    const [, flag, value] = /^--([a-z][a-z-]*)(=.*)?$/s.exec(word) ?? [];
    if (flag === undefined) {
      place++;
      continue;
    }
    given.add(flag);
    const option = options.find((each) => each.option === flag);
    if (option?.takesValue && value === undefined) {
      if (at === args.length - 1) return { place, option, given, isOver: false };
      at++;
    }
  }
  return { place, given, isOver: false };
}

/** The folder that `--vault` names on the command line; undefined without one. */
function vaultIn(words: readonly string[]): string | undefined {
  const at = words.lastIndexOf('--vault');
  if (at !== -1) return words[at + 1];
  return words.findLast((word) => word.startsWith('--vault='))?.slice('--vault='.length);
}

/** Whether a word of `rest` is an argument and no common option in front of the command. */
function isPlain(word: string, rest: readonly string[]): boolean {
  const at = rest.indexOf(word);
  const isValue = ['--vault', '--allow-root'].includes(rest[at - 1] ?? '');
  return !word.startsWith('--') && !isValue;
}

function firstWords(names: readonly string[]): readonly string[] {
  return Array.from(new Set(names.map((name) => name.split(' ')[0] ?? '')));
}

function secondWords(name: string | undefined, names: readonly string[]): readonly string[] {
  return names.flatMap((each) => {
    const [first, second] = each.split(' ');
    return first === name && second !== undefined ? [second] : [];
  });
}

/** The words that begin with what was typed, in order. */
function begun(words: readonly string[], typed: string): { readonly words: readonly string[] } {
  const start = foldName(typed);
  const found = words.filter((word) => foldName(word).startsWith(start));
  return { words: Array.from(new Set(found)).sort() };
}
