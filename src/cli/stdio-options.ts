import { limits } from '../base/limits.ts';
import { type LogLevel, logLevels } from '../base/logger.ts';
import { VaultError } from '../base/vault-error.ts';
import { type TagPolicy, tagPolicies } from '../engine/tag-rules.ts';
import type { PollChoice } from '../node/worker-data.ts';
import { type FlagKind, readWords, type Words } from './read-words.ts';

/** What `vaultdoor stdio` is told on its command line. */
export interface StdioOptions {
  /** As they were given; none where the environment or the current folder tells. */
  readonly vaults: readonly string[];
  readonly toolsets: readonly StdioToolset[];
  /** Serves vaults that are not there yet, and opens each as soon as it is. */
  readonly waitForVault: boolean;
  readonly allowRoots: readonly string[];
  readonly hide: readonly string[];
  readonly readOnly: boolean;
  readonly tagPolicy: TagPolicy;
  readonly contextEveryMs: number;
  readonly history: boolean;
  /** How long a call may take, */
  readonly deadlineMs: number;
  /** and of tools that have their own time. */
  readonly toolDeadlinesMs: ReadonlyMap<string, number>;
  readonly logLevel: LogLevel;
  readonly poll: PollChoice;
}

export type StdioToolset = (typeof stdioToolsetNames)[number];

const stdioToolsetNames = ['notes', 'obsidian'] as const;

const polls: Readonly<Record<string, PollChoice>> = { auto: 'auto', always: true, never: false };

const kinds: ReadonlyMap<string, FlagKind> = new Map([
  ['vault', 'list'],
  ['wait-for-vault', 'switch'],
  ['allow-root', 'list'],
  ['tools', 'value'],
  ['hide', 'list'],
  ['read-only', 'switch'],
  ['tag-policy', 'value'],
  ['context-every', 'value'],
  ['no-history-tools', 'switch'],
  ['timeout', 'list'],
  ['log-level', 'value'],
  ['poll', 'value'],
]);

/** Reads the words after `stdio`. Fails with `invalid_input` and what to write instead. */
export function readStdioOptions(argv: readonly string[]): StdioOptions {
  const words = wordsOf(argv);
  const minutes = value(words, 'context-every');
  return {
    vaults: list(words, 'vault'),
    toolsets: toolsets(value(words, 'tools') ?? 'notes'),
    waitForVault: words.flags.has('wait-for-vault'),
    allowRoots: list(words, 'allow-root'),
    hide: list(words, 'hide'),
    readOnly: words.flags.has('read-only'),
    tagPolicy: choice(words, 'tag-policy', tagPolicies, 'enforce'),
    contextEveryMs:
      minutes === undefined ? limits.contextEveryMs : 60_000 * number('context-every', minutes),
    history: !words.flags.has('no-history-tools'),
    ...deadlines(list(words, 'timeout')),
    logLevel: choice(words, 'log-level', logLevels, 'info'),
    poll: polls[choice(words, 'poll', Object.keys(polls), 'auto')] ?? 'auto',
  };
}

function wordsOf(argv: readonly string[]): Words {
  let words: Words;
  try {
    words = readWords(argv, kinds);
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    throw refusal(`${error.message}.`);
  }
  if (words.others.length > 0) throw refusal('"stdio" takes options only.');
  return words;
}

/** Names with commas between, each once, in the order they are given. */
function toolsets(given: string): readonly StdioToolset[] {
  const names = given.split(',').map((name) => name.trim());
  const known = stdioToolsetNames.filter((name) => names.includes(name));
  if (known.length < new Set(names).size) {
    const all = stdioToolsetNames.join(', ');
    throw refusal(`"--tools" takes ${all}, or several of them with commas between.`);
  }
  return known.sort((a, b) => names.indexOf(a) - names.indexOf(b));
}

/** `30` is for all, `search_notes=60` for one tool; the last one counts. */
function deadlines(given: readonly string[]): Pick<StdioOptions, 'deadlineMs' | 'toolDeadlinesMs'> {
  const toolDeadlinesMs = new Map<string, number>();
  let deadlineMs: number = limits.callDeadlineMs;
  for (const word of given) {
    const { tool, seconds = '' } = /^(?:(?<tool>\w+)=)?(?<seconds>.*)$/.exec(word)?.groups ?? {};
    const ms = 1_000 * number('timeout', seconds);
    if (ms === 0) throw refusal('"--timeout" must be more than 0 seconds.');
    if (tool === undefined) deadlineMs = ms;
    else toolDeadlinesMs.set(tool, ms);
  }
  return { deadlineMs, toolDeadlinesMs };
}

function choice<T extends string>(
  words: Words,
  flag: string,
  choices: readonly T[],
  otherwise: T,
): T {
  const given = value(words, flag) ?? otherwise;
  const found = choices.find((candidate) => candidate === given);
  if (found === undefined) throw refusal(`"--${flag}" is one of ${choices.join(', ')}.`);
  return found;
}

function number(flag: string, text: string): number {
  if (!/^\d{1,9}(\.\d+)?$/.test(text)) throw refusal(`"--${flag}" takes a number.`);
  return Number(text);
}

function value(words: Words, flag: string): string | undefined {
  const given = words.flags.get(flag);
  return typeof given === 'string' ? given : undefined;
}

function list(words: Words, flag: string): readonly string[] {
  const given = words.flags.get(flag);
  return Array.isArray(given) ? given : [];
}

function refusal(reason: string): VaultError {
  return new VaultError('invalid_input', `${reason} "vaultdoor stdio --help" lists the options.`);
}
