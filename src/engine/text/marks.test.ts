import { describe, expect, it } from 'vitest';
import { openWrittenVault } from '../../../test/support/written-vault.ts';
import type { Marks } from '../ports/view.ts';
import { changedMarks, marksIn } from './marks.ts';

const marks: Marks = {
  tags: ['private', 'Área/Só'],
  properties: ['status=Secret', 'level=2', 'hidden=true', 'empty=', 'wer=[[Ich]]'],
};

const props = (yaml: string): string => `---\n${yaml}\n---\ntext\n`;
const unreadable = ['unreadable properties'];

/** Each text of a note, and the marks that it has. */
const rows: readonly (readonly [text: string, found: readonly string[]])[] = [
  ['plain', []],
  ['', []],
  ['a #private word', ['#private']],
  ['a #PRIVATE word', ['#private']],
  ['nested #private/family', ['#private']],
  ['another #privately, #not-private and #a/private', []],
  ['#ÁREA/SÓ/x in another spelling', ['#Área/Só']],
  ['#\u0061\u0301rea/so\u0301 in another Unicode form', ['#Área/Só']],
  ['`#private` in code', []],
  ['an escaped \\#private', []],
  ['[[Note#private]] is a link', []],
  [props('tags: [a, private]'), ['#private']],
  [props('tags:\n  - "#Private/x"'), ['#private']],
  [props('tags: private'), ['#private']],
  [props('"Status ": secret'), ['status=Secret']],
  [props('" tags ": [private]'), ['#private']],
  [props('tags: a, private'), ['#private']],
  [props('tags: a private/b'), ['#private']],
  [props('tag: private'), ['#private']],
  [props('TAGS: [private]'), ['#private']],
  [props('tags: []\nTags: [private]'), ['#private']],
  [props('keywords: [private]'), []],
  [props('status: secret'), ['status=Secret']],
  [props('Status: " SECRET "'), ['status=Secret']],
  [props('status: [open, secret]'), ['status=Secret']],
  [props('status: { of: secret }'), ['status=Secret']],
  [props('status: secretly'), []],
  [props('state: secret'), []],
  [props('status:'), []],
  [props('level: 2'), ['level=2']],
  [props('level: 2.0'), ['level=2']],
  [props('level: "2"'), ['level=2']],
  [props('level: 22'), []],
  [props('hidden: true'), ['hidden=true']],
  [props('hidden: false'), []],
  [props('empty:'), ['empty=']],
  [props('empty: ""'), ['empty=']],
  [props('empty: x'), []],
  [props('wer: "[[ich]]"'), ['wer=[[Ich]]']],
  [props('status: secret\ntags: [private]'), ['status=Secret', '#private']],
  [props('tags: [private'), unreadable],
  [props('a: 1\na: 2'), unreadable],
  [props('status: &x secret\nother: *x'), ['status=Secret']],
];

describe('the marks of a note', () => {
  it.each(rows)('%j', (text, found) => {
    expect([...marksIn(text, 'note', marks)].sort()).toEqual([...found].sort());
  });

  it('are the same in the index', async () => {
    const notes = rows.map(([text], at) => [`${at}.md`, text] as const);
    const { keeper, close } = await openWrittenVault(Object.fromEntries(notes));
    const found = new Set<string>(await (await keeper.store()).marked(marks));
    const expected = rows.flatMap(([, some], at) => (some.length > 0 ? [`${at}.md`] : []));
    expect(Array.from(found).sort()).toEqual(expected.sort());
    await close();
  });

  it('are none of other files, whatever is in them', () => {
    expect(marksIn('{"text":"#private"}', 'canvas', marks)).toEqual([]);
    expect(marksIn('status: secret', 'base', marks)).toEqual([]);
  });
});

describe('what a change does to marks', () => {
  const note = (text: string) => ({ text, kind: 'note' as const });
  it.each([
    [undefined, note('#private'), { had: [], added: ['#private'] }],
    [note('#private'), undefined, { had: ['#private'], added: [] }],
    [note('a'), note('b'), { had: [], added: [] }],
    [note('#private'), note('#private/x'), { had: ['#private'], added: [] }],
    [note(props('level: 2')), note('#private'), { had: ['level=2'], added: ['#private'] }],
  ])('%j to %j', (before, after, changed) => {
    expect(changedMarks(before, after, marks)).toEqual(changed);
  });
});
