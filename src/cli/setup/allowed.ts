import type { Shell } from '../shell/shell.ts';
import { askQuestion, numbered } from './ask-question.ts';

export const allowed = ['change', 'propose', 'read'] as const;
/** What clients may do with the notes. */
export type Allowed = (typeof allowed)[number];

/** The flags of `vaultdoor stdio` and `vaultdoor serve` that say it. */
const flagOf: Readonly<Record<Allowed, readonly string[]>> = {
  change: [],
  propose: ['--propose'],
  read: ['--read-only'],
};

const choices: Readonly<Record<Allowed, string>> = {
  change: 'Read and change notes. You can undo every change.',
  propose: 'Read notes and propose changes. A note changes only when you accept.',
  read: 'Only read notes.',
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

/** Asks what clients may do. */
export function askAllowed(shell: Shell, usual: Allowed): Promise<Allowed> {
  return askQuestion(shell, {
    question: 'What may they do?',
    choices: allowed.map((right) => choices[right]),
    hint: 'Type a number.',
    usual: String(allowed.indexOf(usual) + 1),
    read: (answer) => numbered(answer, allowed),
  });
}
