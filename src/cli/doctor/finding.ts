import { groupedNumber } from '../../base/grouped-number.ts';
import { oneLine } from '../../base/one-line.ts';
import { commandText } from '../shell/command-text.ts';

/** A sentence as the person at the terminal sees it, and as a report has it that others may read. */
export interface Said {
  readonly shown: string;
  readonly reported: string;
}

/** What `vaultdoor doctor` has found out about one thing. */
export interface Finding {
  readonly check: string;
  /** `warning` is what still works, but worse than it could. Only `bad` makes the command fail. */
  readonly state: 'ok' | 'warning' | 'bad';
  readonly says: Said;
  /** What to do; absent where all is well. */
  readonly change?: Said;
  /** Whether there is nothing that could be fine, such as an app that is not installed. */
  readonly isAbsent?: true;
  /** Whether nothing is set up here at all: no app and no server uses Vaultdoor. */
  readonly isNothing?: true;
  /** What is worth saying also where all is well, in a few words; it names nothing private. */
  readonly inShort?: string;
}

/** Findings about one subject. */
export interface FindingGroup {
  readonly name: string;
  readonly title: Said;
  readonly findings: readonly Finding[];
  /** Whether what is fine is named also where something else could be better. */
  readonly namesFine?: true;
}

/** The longest sentence about a server has 400. */
const hiddenCharsMax = 1_000;

/**
 * A sentence with values. A value that is a text must be given as `known` or `hidden`, so that nothing
 * private comes into a report by mistake.
 */
export function said(parts: TemplateStringsArray, ...values: readonly (number | Said)[]): Said {
  const text = (of: (value: Said) => string): string =>
    parts.map((part, at) => part + textOf(values[at], of)).join('');
  return { shown: text(({ shown }) => shown), reported: text(({ reported }) => reported) };
}

function textOf(value: number | Said | undefined, of: (value: Said) => string): string {
  if (value === undefined) return '';
  return typeof value === 'number' ? groupedNumber(value) : of(value);
}

/** A text that says nothing about its user, such as a version. */
export function known(text: string): Said {
  const line = oneLine(text, hiddenCharsMax);
  return { shown: line, reported: line };
}

/** A text that may name a person, a file, a vault or a machine; a report has `alias` in its place. */
export function hidden(text: string, alias: string): Said {
  const space = text.startsWith(' ') ? ' ' : ''; // It may be the end of a sentence.
  return { shown: space + oneLine(text, hiddenCharsMax), reported: alias };
}

/** A command of ours to type next, for the vault at `path` if it is about one. */
export function command(words: readonly string[], path?: string): Said {
  const plain = commandText(words, undefined);
  if (path === undefined) return known(plain);
  return { shown: commandText(words, path), reported: `${plain} --vault …` };
}

/** Several sentences as one, with a space between them. */
export function joined(...all: readonly Said[]): Said {
  return {
    shown: all.map(({ shown }) => shown).join(' '),
    reported: all.map(({ reported }) => reported).join(' '),
  };
}

/** A finding that all is well. */
export function ok(check: string, says: Said): Finding {
  return { check, state: 'ok', says };
}

/** A finding that something is not there, and need not be. */
export function absent(check: string, says: Said): Finding {
  return { ...ok(check, says), isAbsent: true };
}

/** A finding of something that could be better, and what to do. */
export function warning(check: string, says: Said, change: Said): Finding {
  return { check, state: 'warning', says, change };
}

/** A finding of something that does not work, and what to do. */
export function bad(check: string, says: Said, change: Said): Finding {
  return { check, state: 'bad', says, change };
}
