import { afterEach, describe, expect, it } from 'vitest';
import { type MemoryVault, openWrittenVault } from '../../../../test/support/written-vault.ts';
import { allScopes } from '../../../base/caller.ts';
import { setNoteProperty, setNotesProperties, setOrRemoveProperty } from './set-note-property.ts';

let vault: MemoryVault;
afterEach(() => vault.close());

const files = {
  '.obsidian/types.json': '{"types":{"typed":"text","score":"number"}}',
  'N.md':
    '---\nrating: 7\nname: Ann\ndone: true\nday: 2026-01-02\nlist: [a]\nmap: {a: 1}\nempty:\ntyped: 5\n---\n',
  'One.md': '---\nsize: 1\nwhen: 2026-01-02\npeople: [x]\nempty: 3\nflag: true\n---\n',
  'Two.md': '---\nsize: 2\nwhen: soon\npeople: [y]\nshape: {a: 1}\n---\n',
  'Three.md': '---\nsize: large\nwhen: 2026-01-03\nflag: yes\n---\n',
};

describe('the type of a property', () => {
  it.each<[string, string, unknown, unknown]>([
    ['that of the settings, for text', 'score', '8', 8],
    ['that of the settings, before that of the note', 'typed', 6, '6'],
    ['a number of the note', 'rating', '8', 8],
    ['in any case', 'Rating', '8', 8],
    ['text of the note', 'name', '8', '8'],
    ['text of the note, for a number', 'name', 8, '8'],
    ['a checkbox of the note', 'done', 'false', false],
    ['a date of the note', 'day', '2026-03-04', '2026-03-04'],
    ['a list of the note', 'list', 'b', ['b']],
    ['a list of the note, with commas', 'list', 'b, [[c, d]]', ['b', '[[c, d]]']],
    ['a list of the note, for a number', 'list', 8, [8]],
    ['an object of the note', 'map', '{"b":2}', { b: 2 }],
    ['a list in place of something else', 'rating', [1, 2], [1, 2]],
    ['an object in place of something else', 'name', { a: 1 }, { a: 1 }],
    ['most other notes', 'size', '3', 3],
    ['most other notes, for a list', 'people', 'Ann', ['Ann']],
    ['other notes, where this one has it empty', 'empty', '4', 4],
    ['the lists of the app', 'aliases', 'a, b', ['a', 'b']],
    ['what the value says: a list', 'new', '["a", 1]', ['a', 1]],
    ['what the value says: an object', 'new', ' {"a": [true]} ', { a: [true] }],
    ['what the value says: a number', 'new', '-2.5', -2.5],
    ['what the value says: true', 'new', 'true', true],
    ['what the value says: null', 'new', 'null', null],
    ['what the value says: text', 'new', '[[Link]] and {x}', '[[Link]] and {x}'],
    ['what the value says: a text of JSON', 'new', '"x"', '"x"'],
    ['what the value says: a link to a number', 'new', ' [[2024]]', ' [[2024]]'],
    ['a number with too many digits', 'new', '12345678901234567890', '12345678901234567890'],
    ['a date', 'new', '2026-03-04', '2026-03-04'],
  ])('is %s', async (_, key, value, stored) => {
    vault = await openWrittenVault(files);
    const request = { name: 'N', key, value: value as never };
    const answer = await vault.change(setNoteProperty, request);
    expect(answer).toMatchObject({ value: stored, warnings: [] });
    await vault.close();
    vault = await openWrittenVault(files);
    const other = await vault.change(setOrRemoveProperty, request);
    expect(other.value).toEqual(stored);
  });

  it.each<[string, unknown, string]>([
    ['rating', 'high', '"rating" is a number in this note'],
    ['day', 'soon', '"day" is a date in this note'],
    ['map', 'x', '"map" is an object in this note'],
    ['size', 'huge', '"size" is a number in most other notes'],
    ['when', 'later', '"when" is a date in most other notes'],
  ])('is only a warning where %s is %j elsewhere', async (key, value, warning) => {
    vault = await openWrittenVault(files);
    const answer = await vault.change(setNoteProperty, { name: 'N', key, value: value as never });
    expect(answer).toMatchObject({ value, warnings: [expect.stringContaining(warning)] });
  });

  it('of notes that the caller may not see is not told', async () => {
    vault = await openWrittenVault(files);
    const limited = vault.as({ scopes: { ...allScopes, hide: ['One.md', 'Two.md'] } });
    const request = { name: 'N', key: 'people', value: 'Ann', dryRun: true };
    expect((await limited.change(setNoteProperty, request)).value).toBe('Ann');
  });
});

describe('setNotesProperties', () => {
  it('changes all or nothing, each note by its own types', async () => {
    vault = await openWrittenVault(files);
    const before = vault.files();
    const properties = { size: '4', people: null, done: 'x' };
    const refused = { names: ['One', 'Nobody'], properties };
    await expect(vault.change(setNotesProperties, refused)).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('Nobody'),
    });
    expect(vault.files()).toEqual(before);
    const answer = await vault.change(setNotesProperties, { names: ['One', 'Three'], properties });
    expect(answer.files.map(({ path }) => path)).toEqual(['One.md', 'Three.md']);
    expect(vault.text('One.md')).toBe(
      '---\nsize: 4\nwhen: 2026-01-02\nempty: 3\nflag: true\ndone: x\n---\n',
    );
    expect(vault.text('Three.md')).toBe(
      '---\nsize: "4"\nwhen: 2026-01-03\nflag: yes\ndone: x\n---\n',
    );
  });

  it.each([
    ['b', '---\nk: 1\n---\nb'],
    ['\ufeffb', '\ufeff---\nk: 1\n---\nb'],
    ['---\r\nold: 1\r\n---\r\nb\r\n', '---\r\nk: 1\r\n---\r\nb\r\n'],
    ['---\nK: 0 # kept\nold: [1,\n  2]\na: b\n---\nb\n', '---\nK: 1 # kept\na: b\n---\nb\n'],
    ['---\nold: 1\n---\n---\nk: 1\n---\n', '---\nk: 1\n---\n---\nk: 1\n---\n'],
  ])('changes nothing else of a note: %j', async (before, after) => {
    vault = await openWrittenVault({ 'A.md': before });
    await vault.change(setNotesProperties, { names: ['A', 'A'], properties: { old: null, k: 1 } });
    expect(vault.text('A.md')).toBe(after);
  });

  it('refuses a value for all when it does not fit the settings', async () => {
    vault = await openWrittenVault(files);
    const before = vault.files();
    const request = { names: ['One', 'Two'], properties: { k: 1, score: 'many' } };
    await expect(vault.change(setNotesProperties, request)).rejects.toMatchObject({
      code: 'invalid_input',
      details: { key: 'score', type: 'number' },
    });
    expect(vault.files()).toEqual(before);
  });
});
