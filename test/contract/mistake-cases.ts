import type { ContractCase } from './contract-case.ts';

const issue = 'issue 18, errors that lead on';

/** Mistakes that models make, and what leads them on. `test/mistakes.test.ts` has more of them. */
export const mistakeCases: readonly ContractCase[] = [
  {
    id: 'NE01',
    source: `${issue}: an unknown argument is refused by name with the nearest right one`,
    given: { 'Plan.md': '# Aims\n\nFew.\n' },
    steps: [
      {
        call: 'read_note',
        args: { name: 'Plan', section: 'Aims' },
        expect: { fails: true, says: ['read_note has no argument "section": use read_section.'] },
      },
      {
        call: 'read_note',
        args: { title: 'Plan' },
        expect: { fails: true, says: ['read_note has no argument "title": use "name".'] },
      },
      {
        call: 'append_note',
        args: { name: 'Plan', txet: 'x' },
        expect: {
          fails: true,
          says: ['append_note has no argument "txet": use "text".'],
          files: { 'Plan.md': '# Aims\n\nFew.\n' },
        },
      },
      {
        call: 'search_notes',
        args: { query: 'few', colour: 'red' },
        expect: {
          fails: true,
          says: [
            'search_notes has no argument "colour": it takes query, mode, limit, offset, folder.',
          ],
        },
      },
    ],
  },
  {
    id: 'NE02',
    source: `${issue}: what clients add or leave empty on their own is no mistake`,
    given: { 'Plan.md': 'text' },
    steps: [
      {
        call: 'read_note',
        args: { name: 'Plan', section: null, _meta: {} },
        expect: { text: 'text' },
      },
      {
        call: 'read_note',
        args: { name: 'Plan', toolCallId: 'call_1', sessionId: '2', action: 'sendMessage' },
        expect: { text: 'text' },
      },
    ],
  },
];
