import { VaultError } from '../../base/vault-error.ts';
import { type FlagKind, readWords, type Words } from './read-words.ts';

/** The options that a program was given, asked for one by one. Every refusal says where help is. */
export class OptionWords {
  readonly others: readonly string[];
  readonly #program: string;
  readonly #flags: Words['flags'];

  /** Fails with `invalid_input` for options that are not among these. */
  constructor(
    program: string,
    argv: readonly string[],
    kinds: readonly (readonly [string, FlagKind])[],
  ) {
    this.#program = program;
    try {
      const { flags, others } = readWords(argv, new Map(kinds));
      this.#flags = flags;
      this.others = others;
    } catch (error) {
      if (!(error instanceof VaultError)) throw error;
      throw this.refusal(`${error.message}.`);
    }
  }

  has(flag: string): boolean {
    return this.#flags.has(flag);
  }

  value(flag: string): string | undefined {
    const given = this.#flags.get(flag);
    return typeof given === 'string' ? given : undefined;
  }

  list(flag: string): readonly string[] {
    const given = this.#flags.get(flag);
    return Array.isArray(given) ? given : [];
  }

  /** One of several words; undefined where none was given. */
  choice<T extends string>(flag: string, choices: readonly T[]): T | undefined {
    const given = this.value(flag);
    const found = choices.find((candidate) => candidate === given);
    if (given !== undefined && found === undefined) {
      throw this.refusal(`"--${flag}" is one of ${choices.join(', ')}.`);
    }
    return found;
  }

  /** Words with commas between, each once, in the order they are given. */
  several<T extends string>(flag: string, choices: readonly T[]): readonly T[] | undefined {
    const given = this.value(flag);
    if (given === undefined) return undefined;
    const names = given.split(',').map((name) => name.trim());
    const known = choices.filter((name) => names.includes(name));
    if (known.length < new Set(names).size) {
      throw this.refusal(
        `"--${flag}" takes ${choices.join(', ')}, or several of them with commas between.`,
      );
    }
    return known.sort((a, b) => names.indexOf(a) - names.indexOf(b));
  }

  /** A number that is not negative; undefined where none was given. */
  number(flag: string, text: string | undefined = this.value(flag)): number | undefined {
    if (text === undefined) return undefined;
    if (!/^\d{1,9}(\.\d+)?$/.test(text)) throw this.refusal(`"--${flag}" takes a number.`);
    return Number(text);
  }

  refusal(reason: string): VaultError {
    return new VaultError(
      'invalid_input',
      `${reason} "vaultdoor ${this.#program} --help" lists the options.`,
    );
  }
}
