import type { Answer, ContractCase } from './contract-case.ts';

const issue = 'issue 19: conflict copies merged';
const copy = 'N.sync-conflict-20261109-101112-ABCDEFG.md';
const name = copy.slice(0, -'.md'.length);

/** The token of the last answer. */
function tokenOf(answers: readonly Answer[]): string {
  return /"token":"(\w+)"/.exec(answers.at(-1)?.text ?? '')?.[1] ?? '';
}

/** `merge_conflict`; the operation has its own tests. The first runs through every door. */
export const conflictCases: readonly ContractCase[] = [
  {
    id: 'NM01',
    source: `${issue}: what does not overlap is merged, the rest is shown as choices, undo`,
    given: {
      'N.md': 'one\n\ntwo\n\nthree\n',
      'L.md': `[[${name}]]\n`,
      'Secret/S.md': 'quagga\n',
      'Secret/S.conflict1.md': 'quagga too\n',
    },
    options: { hide: ['Secret/**'] },
    steps: [
      {
        call: 'replace_note',
        args: { name: 'N', old_text: 'one', new_text: 'one A' },
        expect: {},
      },
      { edit: { [copy]: 'one B\n\ntwo\n\nthree B\n' } },
      {
        call: 'list_vault',
        args: { what: 'conflicts' },
        eventually: true,
        expect: { jsonIs: { total: 1, conflicts: { [copy]: 'N.md' } } },
      },
      {
        call: 'merge_conflict',
        args: { name: 'N' },
        expect: {
          json: {
            path: 'N.md',
            copy,
            merged: false,
            from_copy: 1,
            common_version: true,
            choices: [{ number: 1, line: 1, original: 'one A', copy: 'one B' }],
            change: null,
          },
          files: { 'N.md': 'one A\n\ntwo\n\nthree\n' },
        },
      },
      {
        call: 'merge_conflict',
        args: (answers) => ({ name, choose: '1=both', token: tokenOf(answers) }),
        expect: {
          json: { path: 'N.md', merged: true, trash: `.trash/${copy}`, links: 1 },
          lacks: ['choices'],
          files: {
            'N.md': 'one A\none B\n\ntwo\n\nthree B\n',
            [copy]: undefined,
            [`.trash/${copy}`]: 'one B\n\ntwo\n\nthree B\n',
            'L.md': '[[N]]\n',
          },
        },
      },
      {
        call: 'undo_change',
        args: (answers) => ({ id: Number(/"change":(\d+)/.exec(answers.at(-1)?.text ?? '')?.[1]) }),
        expect: {
          files: {
            'N.md': 'one A\n\ntwo\n\nthree\n',
            [copy]: 'one B\n\ntwo\n\nthree B\n',
            'L.md': `[[${name}]]\n`,
          },
        },
      },
      {
        call: 'merge_conflict',
        args: { name: 'Secret/S.conflict1', choose: 'both' },
        expect: {
          fails: true,
          lacks: ['quagga'],
          files: { 'Secret/S.conflict1.md': 'quagga too\n', 'Secret/S.md': 'quagga\n' },
        },
      },
    ],
  },
  {
    id: 'NM02',
    source: `${issue}: without a common version nothing is guessed`,
    given: { 'N.md': 'a\nb\nc\n', [copy]: 'a\nx\nc\nd\n' },
    steps: [
      {
        call: 'merge_conflict',
        args: { path: copy },
        expect: {
          json: {
            merged: false,
            common_version: false,
            choices: [
              { number: 1, line: 2, original: 'b', copy: 'x' },
              { number: 2, line: 4, original: '', copy: 'd' },
            ],
          },
        },
      },
      { edit: { 'N.md': 'a\nb\nc!\n' } },
      {
        call: 'merge_conflict',
        args: (answers) => ({ name, choose: '1=copy,2=copy', token: tokenOf(answers) }),
        expect: {
          fails: true,
          says: ['has changed since they were shown', 'without "choose" and "token" shows them'],
          files: { 'N.md': 'a\nb\nc!\n', [copy]: 'a\nx\nc\nd\n' },
        },
      },
      {
        call: 'merge_conflict',
        args: { name, choose: 'copy' },
        expect: { json: { merged: true }, files: { 'N.md': 'a\nx\nc\nd\n', [copy]: undefined } },
      },
    ],
  },
  {
    id: 'NM03',
    source: `${issue}: attachments are taken whole`,
    given: { 'p.png': '\0one', 'p.sync-conflict-20261109-101112-ABCDEFG.png': '\0two' },
    steps: [
      {
        call: 'merge_conflict',
        args: { name: 'p.png' },
        expect: {
          json: { merged: false },
          says: ['"both" to keep the copy'.replaceAll('"', '\\"')],
        },
      },
      {
        call: 'merge_conflict',
        args: { name: 'p.png', choose: 'both' },
        expect: {
          json: { merged: true, kept_as: 'p 2.png' },
          files: { 'p.png': '\0one', 'p 2.png': '\0two' },
        },
      },
    ],
  },
];
