import { conflictCases } from './conflict-cases.ts';
import { contextCases } from './context-cases.ts';
import type { ContractCase } from './contract-case.ts';
import { dailyCases } from './daily-cases.ts';
import { editingCases } from './editing-cases.ts';
import { findingCases } from './finding-cases.ts';
import { mistakeCases } from './mistake-cases.ts';
import { queryCases } from './query-cases.ts';
import { readingCases } from './reading-cases.ts';
import { renamingCases } from './renaming-cases.ts';
import { tagCases } from './tag-cases.ts';
import { taskCases } from './task-cases.ts';
import { vaultCases } from './vault-cases.ts';
import { writingCases } from './writing-cases.ts';

/** What seed 003 and the issues ask of the notes toolset, whichever door serves it. */
export const notesCases: readonly ContractCase[] = [
  ...readingCases,
  ...findingCases,
  ...writingCases,
  ...editingCases,
  ...dailyCases,
  ...contextCases,
  ...tagCases,
  ...queryCases,
  ...taskCases,
  ...vaultCases,
  ...conflictCases,
  ...renamingCases,
  ...mistakeCases,
];

/**
 * Those that depend on connections, on options, and on how a client is asked: what a door can do
 * wrong. The tools themselves are the same through every door, and the service runs all cases
 * (`notes-contract.test.ts`).
 */
export const doorCases: readonly ContractCase[] = notesCases.filter(
  (each) => contextCases.includes(each) || each.options || /^NL|^NE01/.test(each.id),
);

/** A third of these, for doors whose other half is tested as another door. */
export const someDoorCases = doorCases.filter((_, index) => index % 3 === 0);

/** Three of these: two connections, what a connection is told first, a client that is asked. */
export const fewDoorCases = doorCases.filter(({ id }) => ['NL3', 'NC01', 'NT09'].includes(id));
