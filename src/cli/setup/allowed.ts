import { shellWord } from '../../base/shell-word.ts';
import { optionsIn } from '../install/join-flags.ts';
import type { Shell } from '../shell/shell.ts';
import { askQuestion, numbered } from './ask-question.ts';

export const allowed = ['change', 'propose', 'read'] as const;
/** What clients may do with the notes. */
export type Allowed = (typeof allowed)[number];

/** What clients may do that are new, unless the person says something else: all can be undone. */
export const usualAllowed: Allowed = 'change';

/** The flags of `vaultdoor stdio` and `vaultdoor serve` that say it. */
const flagOf: Readonly<Record<Allowed, readonly string[]>> = {
  propose: ['--propose'],
  change: [],
  read: ['--read-only'],
};

const choices: Readonly<Record<Allowed, string>> = {
  propose: 'Read notes and propose changes. A note changes only when you accept.',
  change: 'Read and change notes. You can undo every change.',
  read: 'Only read notes.',
};

/** The same as part of a sentence, behind "may". */
export const mayWords: Readonly<Record<Allowed, string>> = {
  propose: 'only propose changes',
  change: 'change notes',
  read: 'only read',
};

/** What clients may do whose command has these flags. */
export function allowedBy(flags: readonly string[]): Allowed {
  return allowed.find((right) => flagOf[right].some((flag) => flags.includes(flag))) ?? 'change';
}

/** The options of `vaultdoor stdio` that hide notes. */
const hiding = ['hide', 'hide-tag', 'hide-property'];

/** What these flags hide from a client, as they are typed; undefined when they hide nothing. */
export function hiddenBy(flags: readonly string[]): string | undefined {
  const found = optionsIn(flags).filter(({ name }) => hiding.includes(name));
  const typed = found.flatMap(({ words }) =>
    words.map((word) => shellWord(word, process.platform)),
  );
  return typed.length === 0 ? undefined : typed.join(' ');
}

/** The same flags, with those that say what clients may do. */
export function flagsWith(right: Allowed, flags: readonly string[] = []): readonly string[] {
  // They stay where they are when nothing changes, so that nothing is written.
  if (allowedBy(flags) === right) return flags;
  const others = flags.filter((flag) => !Object.values(flagOf).flat().includes(flag));
  return [...others, ...flagOf[right]];
}

/**
 * Asks what clients with these titles may do. `now` is what they may do already; undefined for new
 * ones. `held` is what an entry may do that theirs comes beside, if it is less.
 */
export function askAllowed(
  shell: Shell,
  titles: readonly string[],
  {
    now,
    held,
  }: {
    readonly now: Allowed | undefined;
    readonly held?: { readonly right: Allowed; readonly entry: string } | undefined;
  },
): Promise<Allowed> {
  const usual = held?.right ?? now ?? usualAllowed;
  const advice =
    held !== undefined
      ? `This is what "${held.entry}" may do.`
      : now === undefined
        ? 'Take this if you are unsure.'
        : 'This is how it is now.';
  return askQuestion(shell, {
    question: `What may ${titles.length === 1 ? titles[0] : 'they'} do?`,
    choices: allowed.map((right) =>
      right === usual ? `${choices[right]} ${advice}` : choices[right],
    ),
    hint: now === undefined ? 'Type a number; you can change it later.' : 'Type a number.',
    usual: String(allowed.indexOf(usual) + 1),
    read: (answer) => numbered(answer, allowed),
  });
}
