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

/** The same flags, with those that say what clients may do. */
export function flagsWith(right: Allowed, flags: readonly string[] = []): readonly string[] {
  // They stay where they are when nothing changes, so that nothing is written.
  if (allowedBy(flags) === right) return flags;
  const others = flags.filter((flag) => !Object.values(flagOf).flat().includes(flag));
  return [...others, ...flagOf[right]];
}

/**
 * Asks what clients with these titles may do. `now` is what they may do already; undefined for new
 * ones.
 */
export function askAllowed(
  shell: Shell,
  titles: readonly string[],
  now: Allowed | undefined,
): Promise<Allowed> {
  const usual = now ?? usualAllowed;
  const advice = now === undefined ? 'Take this if you are unsure.' : 'This is how it is now.';
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
