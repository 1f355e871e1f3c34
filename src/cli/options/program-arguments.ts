import { VaultError } from '../../base/vault-error.ts';
import { hint } from './program-text.ts';
import { type FlagKind, type SplitArguments, splitArguments } from './split-arguments.ts';

/**
 * The arguments after the name of a program (`stdio`, `serve`, `token` …). The program asks for its
 * options one by one. Every refusal ends with the command that lists the options.
 */
export class ProgramArguments {
  /** The arguments that are neither flags nor their values, in order. */
  readonly positionals: readonly string[];
  readonly #program: string;
  readonly #flags: SplitArguments['flags'];

  /**
   * Fails with `invalid_input` for an option that is not in `kinds`, or whose value is missing.
   * `instead` may say what to write in place of an unknown option.
   */
  constructor(
    program: string,
    argv: readonly string[],
    kinds: readonly (readonly [string, FlagKind])[],
    instead?: (flag: string) => string | undefined,
  ) {
    this.#program = program;
    try {
      const { flags, positionals } = splitArguments(argv, new Map(kinds), instead);
      this.#flags = flags;
      this.positionals = positionals;
    } catch (error) {
      if (!(error instanceof VaultError)) throw error;
      throw this.refusal(`${error.message}.`);
    }
  }

  /** Whether the option was given at all. */
  has(flag: string): boolean {
    return this.#flags.has(flag);
  }

  /** The value of an option that takes one; undefined when it was not given. */
  value(flag: string): string | undefined {
    const given = this.#flags.get(flag);
    return typeof given === 'string' ? given : undefined;
  }

  /** The values of an option that may be repeated; empty when it was not given. */
  list(flag: string): readonly string[] {
    const given = this.#flags.get(flag);
    return Array.isArray(given) ? given : [];
  }

  /** A value that must be one of `choices`; undefined when the option was not given. */
  choice<T extends string>(flag: string, choices: readonly T[]): T | undefined {
    const given = this.value(flag);
    const found = choices.find((candidate) => candidate === given);
    if (given !== undefined && found === undefined) {
      throw this.refusal(`"--${flag}" must be one of ${choices.join(', ')}.`);
    }
    return found;
  }

  /**
   * A comma-separated value whose parts must be among `choices`: each part once, in the order given.
   * Undefined when the option was not given.
   */
  several<T extends string>(flag: string, choices: readonly T[]): readonly T[] | undefined {
    const given = this.value(flag);
    if (given === undefined) return undefined;
    const names = given.split(',').map((name) => name.trim());
    const known = choices.filter((name) => names.includes(name));
    if (known.length < new Set(names).size) {
      throw this.refusal(
        `"--${flag}" takes ${choices.join(', ')}, or several of them, separated by commas.`,
      );
    }
    return known.sort((a, b) => names.indexOf(a) - names.indexOf(b));
  }

  /**
   * A number that is not negative, read from the option's value or from `text`, a part of that value.
   * Undefined when the option was not given.
   */
  number(flag: string, text: string | undefined = this.value(flag)): number | undefined {
    if (text === undefined) return undefined;
    if (!/^\d{1,9}(\.\d+)?$/.test(text)) throw this.refusal(`"--${flag}" takes a number.`);
    return Number(text);
  }

  /** The error to throw for a command line that makes no sense: `reason`, then where help is. */
  refusal(reason: string): VaultError {
    return new VaultError(
      'invalid_input',
      `${reason} ${hint(`${this.#program} --help`)} lists the options.`,
    );
  }
}
