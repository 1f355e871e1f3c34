import { contextCases } from './context-cases.ts';
import type { ContractCase } from './contract-case.ts';
import { editingCases } from './editing-cases.ts';
import { readingCases } from './reading-cases.ts';
import { tagCases } from './tag-cases.ts';
import { writingCases } from './writing-cases.ts';

/** What seed 003 and issue 4 ask of the notes toolset, whichever door serves it. */
export const notesCases: readonly ContractCase[] = [
  ...readingCases,
  ...writingCases,
  ...editingCases,
  ...contextCases,
  ...tagCases,
];
