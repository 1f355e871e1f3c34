import { describe, expect, it } from 'vitest';
import { openNotes } from '../../../test/support/notes-service.ts';
import { limits } from '../../base/limits.ts';

const max = limits.answerCharsMax;

/** Asks for notes of a small vault; each row is arguments and what comes back. */
async function read(files: Record<string, string | Uint8Array>, tool: string, args: object) {
  const notes = await openNotes(files);
  const answer = await notes.call(tool, args);
  await notes.close();
  return answer;
}

/** The arguments that a closing line names: `offset=1, skip=5`. */
const argumentsIn = (next: string) =>
  Array.from(next.matchAll(/(\w+)=(\d+)/g), ([, name, value]) => [name, value] as const);

describe('read_note', () => {
  const files = {
    'Plan.md': '---\ntags: [a]\n---\r\nBody\r\n',
    'Sub/Plan.md': 'in Sub',
    'Four.md': 'one\ntwo\nthree\nfour\n',
    'Empty.md': '',
    'Bom.md': '\ufeffafter a BOM',
    'Data.csv': 'a,b\n',
  };

  it.each<[object, string]>([
    [{ name: 'Plan.md' }, '---\ntags: [a]\n---\r\nBody\r\n'],
    [{ path: 'Sub/Plan' }, 'in Sub'],
    [{ name: '', path: 'Sub/Plan' }, 'in Sub'],
    [{ name: 'Four', path: null, offset: null, limit: '' }, 'one\ntwo\nthree\nfour\n'],
    [{ name: 'Four', offset: 2 }, 'three\nfour\n'],
    [
      { name: 'Four', offset: '1', limit: '2' },
      'two\nthree\n[Lines 2-3 of 4: go on with offset=3.]',
    ],
    [{ name: 'Four', limit: 1 }, 'one\n[Lines 1-1 of 4: go on with offset=1.]'],
    [{ name: 'Four', offset: 3, limit: 9 }, 'four\n'],
    [{ name: 'Four', offset: 2, skip: '2' }, 'ree\nfour\n'],
    [{ name: 'Four', skip: 0, limit: 1 }, 'one\n[Lines 1-1 of 4: go on with offset=1.]'],
    [{ name: 'Empty' }, ''],
    [{ name: 'Bom' }, 'after a BOM'],
    [{ name: 'Data.csv' }, 'a,b\n'],
  ])('%j is %j', async (args, expected) => {
    const { ok, text } = await read(files, 'read_note', args);
    expect(text).toBe(expected);
    expect(ok).toBe(true);
  });

  it.each<[object, RegExp]>([
    [{}, /^Wrong arguments for read_note: "name": it is missing\.$/],
    [{ name: '' }, /"name": it is missing/],
    [{ name: 'Four', path: 'Sub/Plan' }, /"path": give only one of "name", "path" and "names"/],
    [{ name: 'Four', path: 'Four' }, /"path": give only one of "name", "path" and "names"/],
    [{ name: 'Four', offset: 4 }, /"Four\.md" has 4 lines/],
    [{ name: 'Four', offset: 2, skip: 6 }, /^Line 3 has 6 characters; skip must be less than that/],
    [{ name: 'Empty', skip: 1 }, /^Line 1 has 0 characters/],
    [{ name: 'Four', offset: -1 }, /"offset": it must be at least 0/],
    [{ name: 'Four', offset: 'two' }, /"offset": it must be a number/],
    [{ name: 'Four', limit: 0 }, /"limit": it must be at least 1/],
    [{ name: 'Fuor' }, /There is no note "Fuor".*"Four"/],
    [{ path: 'Plans' }, /There is no note "Plans"/],
  ])('refuses %j', async (args, expected) => {
    const { ok, text } = await read(files, 'read_note', args);
    expect(text).toMatch(expected);
    expect(ok).toBe(false);
  });

  it('refuses what is not text', async () => {
    const image = { 'i.zip': Uint8Array.of(0x50, 0x4b, 0, 0xff) };
    const { code, text } = await read(image, 'read_note', { name: 'i.zip' });
    expect(code).toBe('invalid_input');
    expect(text).toBe('"i.zip" is not text, so it cannot be read as a note.');
  });

  it('tells path and version beside the text', async () => {
    const { meta } = await read(files, 'read_note', { name: 'Four' });
    expect(meta).toEqual({
      'vaultdoor/path': 'Four.md',
      'vaultdoor/version': expect.stringMatching(/^[0-9a-f]{12}$/),
    });
  });

  it('comes in parts that together are the note', async () => {
    const whole = Array.from({ length: 9_000 }, (_, n) => `Line ${n + 1} of it.\r\n`).join('');
    const notes = await openNotes({ 'Long.md': whole });
    let joined = '';
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const { text } = await notes.call('read_note', { name: 'Long', offset });
      expect(text.length).toBeLessThanOrEqual(max);
      const closing = /\[Lines (\d+)-(\d+) of 9000\. The answer .*: go on with offset=(\d+)\.\]$/;
      const found = closing.exec(text);
      expect(found === null || Number(found[1]) === offset + 1).toBe(true);
      joined += text.replace(closing, '');
      offset = found === null ? undefined : Number(found[3]);
    }
    expect(joined).toBe(whole);
    await notes.close();
  });

  it.each<[string, string]>([
    ['exactly as long as an answer', 'x'.repeat(max - 1)],
    ['exactly as long as an answer, with two lines', `${'x'.repeat(max - 3)}\ny`],
  ])('shows all of a note that is %s', async (_what, text) => {
    expect((await read({ 'A.md': `${text}\n` }, 'read_note', { name: 'A' })).text).toBe(
      `${text}\n`,
    );
  });

  it('cuts a line that is longer than an answer, and says so', async () => {
    const files = { 'A.md': `first\n${'😀'.repeat(max)}\nlast\n` };
    const { text } = await read(files, 'read_note', { name: 'A', offset: 1 });
    expect(text.length).toBeLessThanOrEqual(max);
    expect(text).toMatch(/^(😀)+\n\[Line 2 is cut after .*: go on with offset=1, skip=\d+\.\]$/u);
    const { text: start } = await read(files, 'read_note', { name: 'A' });
    expect(start).toBe(
      `first\n[Lines 1-1 of 3. The answer is limited to ${max} characters: go on with offset=1.]`,
    );
  });

  it.each([
    ['read_note', {}, '## One\n'],
    ['read_section', { section: 'One' }, ''],
  ])(
    'reads a line that is longer than an answer to its end, begun with %s',
    async (tool, also, head) => {
      const body = `${'😀'.repeat(max)}\nlast\n`;
      const notes = await openNotes({ 'A.md': `## One\n${body}` });
      let joined = '';
      let next: [string, object] | undefined = [tool, { name: 'A', ...also }];
      while (next !== undefined) {
        const { text } = await notes.call(...next);
        expect(text.length).toBeLessThanOrEqual(max);
        const closing = /(?:\n\[Line|\[Lines) .*: go on with (.*)\.\]$/;
        joined += text.replace(closing, '');
        const found = closing.exec(text)?.[1];
        next =
          found === undefined
            ? undefined
            : ['read_note', { name: 'A', ...Object.fromEntries(argumentsIn(found)) }];
      }
      expect(joined).toBe(head + body);
      await notes.close();
    },
  );

  it('remembers what was shown: a note that was read in part is not replaced', async () => {
    const files = { 'A.md': 'one\ntwo\n' };
    const notes = await openNotes(files);
    await notes.call('read_note', { name: 'A', limit: 1 });
    const part = await notes.call('update_note', { name: 'A', content: 'new' });
    expect(part.code).toBe('conflict');
    expect(part.text).toMatch(/read_note.*replace_note, insert_note or append_section/);
    await notes.call('read_note', { name: 'A', offset: 1 });
    expect((await notes.call('update_note', { name: 'A', content: 'new' })).ok).toBe(true);
    await notes.close();
  });
});

describe('read_note of several', () => {
  const files = {
    'A.md': '# A\ntop\n## B\ntext\n### C\ndeep\n## D\nend\n',
    'in/Two.md': 'two\n',
    'C#.md': 'sharp\n',
    'C.md': '# notes\nflat\n',
  };
  const version = expect.stringMatching(/^[0-9a-f]{12}$/);
  const one = (path: string, text: string) => ({ path, version, text });

  it.each<[readonly string[] | string, readonly object[]]>([
    [
      ['in/Two', 'A#B > C'],
      [one('in/Two.md', 'two\n'), one('A.md', 'deep\n')],
    ],
    [
      ['A#B#C', 'Two.md'],
      [one('A.md', 'deep\n'), one('in/Two.md', 'two\n')],
    ],
    [
      ['C#', 'C#notes'],
      [one('C#.md', 'sharp\n'), one('C.md', 'flat\n')],
    ],
    ['["Two"]', [one('in/Two.md', 'two\n')]],
    ['Two', [one('in/Two.md', 'two\n')]],
    [
      ['Tow', 'Two', 'A#Z', '../x'],
      [
        { name: 'Tow', error: expect.stringMatching(/no note "Tow".*Closest: "Two"/) },
        one('in/Two.md', 'two\n'),
        { name: 'A#Z', error: expect.stringMatching(/A > B/) },
        { name: '../x', error: expect.any(String) },
      ],
    ],
  ])('%j are %j', async (names, notes) => {
    const { json, ok } = await read(files, 'read_note', { names });
    expect([ok, json]).toEqual([true, { notes }]);
  });

  it('reads the first lines of each, and says how to go on', async () => {
    const { json } = await read(files, 'read_note', { names: ['A', 'A#B', 'Two'], limit: 1 });
    expect(json).toEqual({
      notes: [
        { ...one('A.md', '# A\n'), more: 'Lines 1-1 of 8: go on with offset=1.' },
        {
          ...one('A.md', 'text\n'),
          more: 'Lines 4-4 of the note; the section ends on line 6: go on with read_note, offset=4, limit=2.',
        },
        one('in/Two.md', 'two\n'),
      ],
    });
  });

  it('reads a section by name, too', async () => {
    expect((await read(files, 'read_note', { name: 'A#D' })).text).toBe('end\n');
    expect((await read(files, 'read_note', { name: 'C#' })).text).toBe('sharp\n');
    const { ok, text } = await read(files, 'read_note', { name: 'A#B', offset: 1 });
    expect([ok, text]).toEqual([false, expect.stringContaining('name="A.md" with offset')]);
  });

  it('gives each a share of one answer, and what one leaves to the others', async () => {
    const long = 'a "line" of it\n'.repeat(10_000);
    const notes = await openNotes({ 'L.md': long, 'M.md': long, 'S.md': 'short\n' });
    const { text, json } = await notes.call('read_note', { names: ['S', 'L', 'M'] });
    expect(text.length).toBeLessThanOrEqual(max);
    const parts = json['notes'] as { text: string; more?: string }[];
    expect(parts.map(({ more }) => more?.replace(/\d+/g, 'N'))).toEqual([
      undefined,
      expect.stringMatching(/^Lines N-N of N\. The answer .*: go on with offset=N\.$/),
      expect.stringMatching(/go on with offset=N/),
    ]);
    for (const part of parts.slice(1))
      expect(part.text.length).toBeGreaterThan(limits.readNotesCharsMax / 3);
    // Only what was shown counts as shown.
    const update = (name: string) => notes.call('update_note', { name, content: 'new' });
    expect([(await update('S')).ok, (await update('L')).code]).toEqual([true, 'conflict']);
    await notes.close();
  });

  it.each<[object, RegExp]>([
    [{ names: [] }, /"name": it is missing/],
    [{ names: ['A'], name: 'A' }, /only one of "name", "path" and "names"/],
    [{ names: ['A'], offset: 1 }, /offset, skip and images with name/],
    [{ names: ['A'], images: true }, /offset, skip and images with name/],
    [{ names: Array.from({ length: 21 }, () => 'A') }, /at most 20 notes/],
    [{ names: [1] }, /"names.0": it must be text/],
    [{ names: [''] }, /"names.0": it must not be empty/],
  ])('refuses %j', async (args, expected) => {
    const { ok, text } = await read(files, 'read_note', args);
    expect([ok, text]).toEqual([false, expect.stringMatching(expected)]);
  });
});

describe('read_section', () => {
  const files = { 'A.md': '# A\ntop\n## B\ntext\n### C\ndeep\n## D\nend' };

  it.each<[object, string]>([
    [{ name: 'A', section: 'B' }, 'text\n### C\ndeep\n'],
    [{ path: 'A.md', section: 'A > D' }, 'end'],
    [{ name: 'A', section: 'C' }, 'deep\n'],
  ])('%j is %j', async (args, expected) => {
    const { text, meta } = await read(files, 'read_section', args);
    expect(text).toBe(expected);
    expect(meta).toMatchObject({ 'vaultdoor/path': 'A.md' });
  });

  it('names the headings when there is none of that name', async () => {
    const { code, text } = await read(files, 'read_section', { name: 'A', section: 'Z' });
    expect(code).toBe('not_found');
    expect(text).toMatch(/A > B/);
  });

  it('goes on in read_note when it is too long', async () => {
    const section = Array.from({ length: 5_000 }, (_, n) => `line ${n} of it\n`).join('');
    const notes = await openNotes({ 'A.md': `# S\n${section}# T\nrest\n` });
    const { text } = await notes.call('read_section', { name: 'A', section: 'S' });
    expect(text.length).toBeLessThanOrEqual(max);
    const closing =
      /\[Lines 2-(\d+) of the note; the section ends on line 5001\. The answer .*: go on with read_note, offset=(\d+), limit=(\d+)\.\]$/;
    const [, last, offset, limit] = closing.exec(text) ?? [];
    expect([offset, Number(offset) + Number(limit)]).toEqual([last, 5_001]);
    const { text: rest } = await notes.call('read_note', { name: 'A', offset, limit });
    expect(rest.startsWith(`line ${Number(offset) - 1} of it\n`)).toBe(true);
    await notes.close();
  });

  it('counts as a part that was shown', async () => {
    const notes = await openNotes(files);
    await notes.call('read_section', { name: 'A', section: 'D' });
    expect((await notes.call('update_note', { name: 'A', content: 'x' })).code).toBe('conflict');
    await notes.close();
  });
});
