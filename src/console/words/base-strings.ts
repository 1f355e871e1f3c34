import { count, numberText } from '../../tools/wording/counted.ts';

/** The texts of a base that is shown. */
export const baseStrings = {
  view: 'View',
  noStyle: 'A part of the page could not be loaded.',
  rows: (rows: number) => count(rows, 'row'),
  rowsOf: (rows: number, matching: number) =>
    `${numberText(rows)} of ${count(matching, 'row')}, as many as the view allows`,
  asTable: (type: string) => `A view of the type “${type}”, shown here as a table.`,
  noRows: 'No file matches.',
  more: (rows: number) => `Show ${numberText(rows)} more`,
  shown: (shown: number, all: number) => `${numberText(shown)} of ${count(all, 'row')} are shown.`,
  mostShown: 'The console shows no more of them; Obsidian does.',
  tooLarge: 'What is in them is too much to show more here.',
  columnsCut: (shown: number, all: number) =>
    `The first ${numberText(shown)} of ${count(all, 'column')} are shown.`,
  viewsCut: (shown: number, all: number) =>
    `The first ${numberText(shown)} of ${count(all, 'view')} can be chosen here.`,
  tableOf: (view: string) => `Rows of ${view}`,
  noGroup: 'None',
  problems: (problems: number) =>
    problems === 1
      ? 'Something in this base is wrong'
      : `${numberText(problems)} things in this base are wrong`,
  place: (where: string, line: number | undefined, column: number | undefined) =>
    line === undefined ? where : `${where} (line ${line}, column ${column ?? 1})`,
  inFiles: (files: number) => `In ${count(files, 'file')}.`,
  aFilter: 'A filter of the base',
  aViewFilter: 'A filter of the view',
  aFormula: (name: string) => `The formula “${name}”`,
  aSummary: (name: string) => `The summary of “${name}”`,
  aColumn: (name: string) => `The column “${name}”`,
  itsText: 'The text of this base',
  yes: 'yes',
  no: 'no',
  moreItems: (items: number) => `and ${numberText(items)} more`,
  /** What a cell says whose value could not be worked out. */
  errors: {
    parse: 'not an expression',
    unknown_function: 'no such function',
    unknown_member: 'no such field',
    type: 'wrong type',
    cycle: 'needs itself',
    budget: 'too much work',
    unknown_summary: 'no such summary',
  } as Readonly<Record<string, string>>,
  otherError: 'error',
  units: ['year', 'month', 'day', 'hour', 'minute', 'second'] as const,
} as const;
