import type { ContractCase } from './contract-case.ts';

const notes = 'seed 003';
const issue = 'issue 4';
const without = {
  'mcp-http 2026-07-28': 'a request stands for itself there: nobody knows what others were shown',
} as const;

/** The tools that edit a part of a note, and what keeps edits from being lost. */
export const editingCases: readonly ContractCase[] = [
  {
    id: 'N10a',
    source: `${notes}: set_frontmatter(name, key, value) sets a property; ${issue}: string, number, boolean, list, or null to remove; the stored value; issue 18: the text of a number is a number unless it would be written otherwise`,
    given: { 'A.md': '---\nold: 1 # why\n---\nBody\n' },
    steps: [
      {
        call: 'set_frontmatter',
        args: { name: 'A', key: 'n', value: 4.5 },
        expect: {
          json: { path: 'A.md', key: 'n', value: 4.5 },
          says: [/"change":\d+/],
          files: { 'A.md': /^n: 4\.5$/m },
        },
      },
      {
        call: 'set_frontmatter',
        args: { name: 'A', key: 'b', value: true },
        expect: { json: { value: true }, files: { 'A.md': /^b: true$/m } },
      },
      {
        call: 'set_frontmatter',
        args: { name: 'A', key: 'l', value: ['x', 'y'] },
        expect: { json: { value: ['x', 'y'] } },
      },
      {
        call: 'set_frontmatter',
        args: { name: 'A', key: 's', value: '042' },
        expect: { json: { value: '042' }, files: { 'A.md': /^s: (["'])042\1$/m } },
      },
      {
        call: 'get_frontmatter',
        args: { name: 'A' },
        expect: {
          jsonIs: { old: 1, n: 4.5, b: true, l: ['x', 'y'], s: '042' },
          files: { 'A.md': /^old: 1 # why$/m },
        },
      },
      {
        call: 'set_frontmatter',
        args: { name: 'A', key: 'n', value: null },
        expect: { json: { key: 'n', value: null }, files: { 'A.md': /^(?![\s\S]*^n:)/m } },
      },
      {
        call: 'set_frontmatter',
        args: { name: 'A', key: 'never', value: null },
        expect: { json: { change: null } },
      },
    ],
  },
  {
    id: 'N10b',
    source: `${issue}: for tags also one tag, a comma-separated string or a JSON list in a string, written as a YAML list without #`,
    given: { 'All.md': '#one #two', 'A.md': '', 'B.md': '', 'C.md': '', 'D.md': '' },
    steps: [
      {
        call: 'set_frontmatter',
        args: { name: 'A', key: 'tags', value: '#one' },
        expect: { json: { value: ['one'] }, files: { 'A.md': '---\ntags:\n  - one\n---\n' } },
      },
      {
        call: 'set_frontmatter',
        args: { name: 'B', key: 'tags', value: 'one, #two' },
        expect: {
          json: { value: ['one', 'two'] },
          files: { 'B.md': '---\ntags:\n  - one\n  - two\n---\n' },
        },
      },
      {
        call: 'set_frontmatter',
        args: { name: 'C', key: 'tags', value: '["one","#two"]' },
        expect: { json: { value: ['one', 'two'] } },
      },
      {
        call: 'set_frontmatter',
        args: { name: 'D', key: 'tags', value: ['#two'] },
        expect: { json: { value: ['two'] } },
      },
    ],
  },
  {
    id: 'N12a',
    source: `${notes}: replace_note(name, old_text, new_text, replace_all?) replaces a part of the body`,
    given: { 'A.md': '---\nword: moss\n---\nmoss and moss\nfern\n' },
    steps: [
      {
        call: 'replace_note',
        args: { name: 'A', old_text: 'fern', new_text: 'oak' },
        expect: {
          json: { path: 'A.md', replaced: 1 },
          says: [/"change":\d+/],
          files: { 'A.md': '---\nword: moss\n---\nmoss and moss\noak\n' },
        },
      },
      {
        call: 'replace_note',
        args: { name: 'A', old_text: 'moss', new_text: 'ivy', replace_all: true },
        expect: {
          json: { replaced: 2 },
          files: { 'A.md': '---\nword: moss\n---\nivy and ivy\noak\n' },
        },
      },
    ],
  },
  {
    id: 'N12b',
    source: `${issue}: no match, or several without replace_all, changes nothing and is an error with the count, the nearest lines and what to do`,
    given: { 'A.md': 'The moss grows.\nThe moss stays.\n' },
    steps: [
      {
        call: 'replace_note',
        args: { name: 'A', old_text: 'The moss grow.', new_text: 'x' },
        expect: {
          fails: true,
          says: ['The moss grows.'],
          files: { 'A.md': 'The moss grows.\nThe moss stays.\n' },
        },
      },
      {
        call: 'replace_note',
        args: { name: 'A', old_text: 'moss', new_text: 'x' },
        expect: {
          fails: true,
          says: ['2', 'replace_all', 'The moss stays.'],
          files: { 'A.md': 'The moss grows.\nThe moss stays.\n' },
        },
      },
    ],
  },
  {
    id: 'N13a',
    source: `${notes}: insert_note(name, text, before?, after?) inserts text before or after a pattern`,
    given: { 'A.md': '---\nkey: line one\n---\nline one\nline two\n' },
    steps: [
      {
        call: 'insert_note',
        args: { name: 'A', text: 'between\n', before: 'line two' },
        expect: {
          json: { path: 'A.md', inserted: true },
          says: [/"change":\d+/],
          files: { 'A.md': '---\nkey: line one\n---\nline one\nbetween\nline two\n' },
        },
      },
      {
        call: 'insert_note',
        args: { name: 'A', text: '!', after: 'line one' },
        expect: { files: { 'A.md': '---\nkey: line one\n---\nline one\n!\nbetween\nline two\n' } },
      },
    ],
  },
  {
    id: 'N13b',
    source: `${issue}: literal text that occurs once in the body, else refused with the lines`,
    given: { 'A.md': 'a.c\nabc\nabc\n' },
    steps: [
      {
        call: 'insert_note',
        args: { name: 'A', text: 'x', before: 'abc' },
        expect: { fails: true, says: ['2', 'abc'], files: { 'A.md': 'a.c\nabc\nabc\n' } },
      },
      {
        call: 'insert_note',
        args: { name: 'A', text: 'x', before: 'nothing' },
        expect: { fails: true },
      },
      {
        call: 'insert_note',
        args: { name: 'A', text: 'x', before: 'a.c' },
        expect: { files: { 'A.md': 'x\na.c\nabc\nabc\n' } },
      },
    ],
  },
  {
    id: 'N15a',
    source: `${notes}: append_section(name, section, text) writes text to the end of a section`,
    given: { 'A.md': '# A\n\n## One\n\nfirst\n\n## Two\n\nsecond\n' },
    steps: [
      {
        call: 'append_section',
        args: { name: 'A', section: 'A > One', text: 'more' },
        expect: {
          json: { path: 'A.md', appended: true },
          says: [/"change":\d+/, '"section"'],
          files: { 'A.md': '# A\n\n## One\n\nfirst\nmore\n\n## Two\n\nsecond\n' },
        },
      },
      {
        call: 'append_section',
        args: { name: 'A', section: 'Three', text: 'more' },
        expect: { fails: true, says: ['One', 'Two'] },
      },
    ],
  },
  {
    id: 'NL1',
    source: `${issue}: update_note on a note that changed since it was served is refused with the diff and the narrower tools to use`,
    without,
    given: { 'A.md': 'one\ntwo\n' },
    steps: [
      { call: 'read_note', args: { name: 'A' }, expect: {} },
      { edit: { 'A.md': 'one\ntwo\nby hand\n' } },
      {
        call: 'update_note',
        args: { name: 'A', content: 'mine\n' },
        expect: {
          fails: true,
          says: ['+by hand', 'replace_note'],
          files: { 'A.md': 'one\ntwo\nby hand\n' },
        },
      },
      { call: 'read_note', args: { name: 'A' }, expect: {} },
      {
        call: 'update_note',
        args: { name: 'A', content: 'mine\n' },
        expect: { files: { 'A.md': 'mine\n' } },
      },
      {
        call: 'update_note',
        args: { name: 'A', content: 'mine again\n' },
        expect: { files: { 'A.md': 'mine again\n' } },
      },
    ],
  },
  {
    id: 'NL2',
    source: `${issue}: or was served only in part`,
    without,
    given: { 'A.md': 'one\ntwo\nthree\n' },
    steps: [
      { call: 'read_note', args: { name: 'A', limit: 1 }, expect: {} },
      {
        call: 'update_note',
        args: { name: 'A', content: 'mine\n' },
        expect: { fails: true, files: { 'A.md': 'one\ntwo\nthree\n' } },
      },
      { call: 'read_note', args: { name: 'A', offset: 1 }, expect: {} },
      {
        call: 'update_note',
        args: { name: 'A', content: 'mine\n' },
        expect: { files: { 'A.md': 'mine\n' } },
      },
    ],
  },
  {
    id: 'NL3',
    source: `${issue}: two connections, and a person editing in between: no update is lost without a refusal that shows it`,
    without,
    given: { 'A.md': 'one\n' },
    steps: [
      { on: 'a', call: 'read_note', args: { name: 'A' }, expect: {} },
      { on: 'b', call: 'read_note', args: { name: 'A' }, expect: {} },
      { on: 'b', call: 'update_note', args: { name: 'A', content: 'by b\n' }, expect: {} },
      {
        on: 'a',
        call: 'update_note',
        args: { name: 'A', content: 'by a\n' },
        expect: { fails: true, says: ['+by b'], files: { 'A.md': 'by b\n' } },
      },
      { edit: { 'A.md': 'by hand\n' } },
      {
        on: 'b',
        call: 'update_note',
        args: { name: 'A', content: 'by b again\n' },
        expect: { fails: true, says: ['+by hand'], files: { 'A.md': 'by hand\n' } },
      },
    ],
  },
  {
    id: 'NL4',
    source: `${issue}: writing tools take an optional version`,
    given: { 'A.md': 'one\n' },
    steps: [
      {
        call: 'append_note',
        args: { name: 'A', text: 'x', version: '0'.repeat(64) },
        expect: { fails: true, files: { 'A.md': 'one\n' } },
      },
      {
        call: 'append_note',
        args: { name: 'A', text: 'two\n' },
        expect: { files: { 'A.md': 'one\ntwo\n' } },
      },
      {
        call: 'replace_note',
        args: ([, last]) => ({
          name: 'A',
          old_text: 'two',
          new_text: 'three',
          version: versionOf(last?.text),
        }),
        expect: { files: { 'A.md': 'one\nthree\n' } },
      },
      {
        call: 'set_frontmatter',
        args: ([, old]) => ({ name: 'A', key: 'k', value: 1, version: versionOf(old?.text) }),
        expect: { fails: true, files: { 'A.md': 'one\nthree\n' } },
      },
    ],
  },
  {
    id: 'NL5',
    source: `${issue}: the connection remembers which version it served: links rewritten by a rename make what it knows of other notes old`,
    without,
    given: { 'Old.md': 'x\n', 'B.md': '[[Old]]\n' },
    steps: [
      { call: 'read_note', args: { name: 'B' }, expect: {} },
      {
        call: 'rename_note',
        args: { old_name: 'Old', new_name: 'New' },
        expect: { files: { 'B.md': '[[New]]\n' } },
      },
      {
        call: 'update_note',
        args: { name: 'B', content: '[[Old]] and more\n' },
        expect: { fails: true, says: ['+[[New]]'], files: { 'B.md': '[[New]]\n' } },
      },
    ],
  },
];

/** The version that an answer names. */
function versionOf(text: string | undefined): string {
  return /"version":"([0-9a-f]{12})"/.exec(text ?? '')?.[1] ?? '';
}
