import { errorCases } from './obsidian-error-cases.ts';
import { exampleCases } from './obsidian-example-cases.ts';
import { noteToolCases } from './obsidian-note-cases.ts';
import type { WireCase } from './run-wire-case.ts';

/** What seed 000 and issue 5 ask of the obsidian toolset, message by message. */
export const obsidianCases: readonly WireCase[] = [
  ...exampleCases,
  ...errorCases,
  ...noteToolCases,
];
