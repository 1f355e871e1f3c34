import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openWrittenVault } from '../../../test/support/written-vault.ts';
import { redoChange } from '../operations/history/redo-change.ts';
import { undoChanges } from '../operations/history/undo-changes.ts';
import { moveFile } from '../operations/move/move-file.ts';
import { renameNamed } from '../operations/move/rename-named.ts';
import { replaceInNote } from '../operations/write/replace-in-note.ts';

/** Renames, then what is written by hand; the first rename is undone. */
interface Case {
  readonly text: string;
  readonly renames: readonly (readonly [name: string, newName: string])[];
  readonly edit?: (text: string) => string;
  /** The text of the note afterwards. */
  readonly left: string;
}

const cases: readonly (readonly [what: string, of: Case])[] = [
  [
    'another rename has changed a link in the same line',
    {
      text: 'See [[A]] and [[B]], also [a](A.md).\n',
      renames: [
        ['A', 'A2'],
        ['B', 'B2'],
      ],
      left: 'See [[A]] and [[B2]], also [a](A.md).\n',
    },
  ],
  [
    'links stand in a property and with a name of their own',
    {
      text: '---\nup: ["[[A]]", "[[B]]"]\n---\n[[A|first]] [[B|second]]\n',
      renames: [
        ['A', 'A2'],
        ['B', 'B2'],
      ],
      left: '---\nup: ["[[A]]", "[[B2]]"]\n---\n[[A|first]] [[B2|second]]\n',
    },
  ],
  [
    'the line was edited by hand',
    {
      text: 'See [[A]] here.\n',
      renames: [['A', 'A2']],
      edit: (text) => text.replace('See', 'Look at').replace('here', '[[A2]] there'),
      left: 'Look at [[A]] [[A]] there.\n',
    },
  ],
  [
    'a line with a link was deleted',
    {
      text: 'First [[A]].\nSecond [[A]].\n',
      renames: [['A', 'A2']],
      edit: (text) => text.replace('First [[A2]].\n', ''),
      left: 'Second [[A]].\n',
    },
  ],
  [
    'the note was renamed once more',
    {
      text: 'See [[A]].\n',
      renames: [
        ['A', 'A2'],
        ['A2', 'A3'],
      ],
      left: 'See [[A]].\n',
    },
  ],
  [
    'a name has spaces, marks and capitals, and links are written in several ways',
    {
      text: 'See [a](A.md) ![[a#H|x]] [[A.md]].\n',
      renames: [['A', 'Ä b%20 C']],
      edit: (text) => text.replace('See', 'Read'),
      left: 'Read [a](A.md) ![[A#H|x]] [[A]].\n',
    },
  ],
  [
    'a folder was renamed',
    {
      text: 'See [[F/Deep]] and [[B]].\n',
      renames: [
        ['F/', 'G/'],
        ['B', 'B2'],
      ],
      left: 'See [[F/Deep]] and [[B2]].\n',
    },
  ],
];

describe('the undo of a rename', () => {
  it.each(cases)('puts its links back where %s', async (_, { text, renames, edit, left }) => {
    const vault = await openWrittenVault({
      'A.md': 'a\n',
      'B.md': 'b\n',
      'F/Deep.md': 'd\n',
      'Deep.md': 'another\n',
      'N.md': text,
    });
    for (const [name, newName] of renames) await vault.change(renameNamed, { name, newName });
    if (edit !== undefined) vault.disk.write('N.md', edit(vault.text('N.md')));
    const before = vault.text('N.md');
    const preview = await vault.change(undoChanges, { ids: [1], dryRun: true });
    expect(vault.text('N.md')).toBe(before);
    const answer = await vault.change(undoChanges, { ids: [1] });
    expect(vault.text('N.md')).toBe(left);
    expect(answer).toMatchObject({ merged: ['N.md'], left: [] });
    expect(preview).toMatchObject({ merged: ['N.md'], left: [] });
    expect(await vault.indexFaults()).toEqual([]);
    await vault.close();
  });

  it('leaves the same text as if it had never been made, whatever stands in one line', async () => {
    const piece = fc.constantFrom(
      '[[A]]',
      '[[B]]',
      '[[A|x]]',
      '![[B]]',
      '[b](B.md)',
      ' and ',
      '\n',
      'A',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 12 }),
        fc.boolean(),
        async (pieces, isFirst) => {
          const text = `${pieces.join('')}\n`;
          const vault = await openWrittenVault({ 'A.md': 'a\n', 'B.md': 'b\n', 'N.md': text });
          await vault.change(renameNamed, { name: 'A', newName: 'A2' });
          const between = vault.text('N.md');
          await vault.change(renameNamed, { name: 'B', newName: 'B2' });
          await vault.change(undoChanges, { ids: [isFirst ? 1 : 2] });
          const onlyB = text
            .replaceAll(/(?<=\[\[)B(?=\]\])/g, 'B2')
            .replaceAll('(B.md)', '(B2.md)');
          expect(vault.text('N.md')).toBe(isFirst ? onlyB : between);
          await vault.close();
        },
      ),
      { numRuns: 40 },
    );
  });

  it.each([
    ['made to lead to another note', '[[B]]', '[[C]]'],
    ['made to lead to another note of the same name', '[[x/B]]', '[[y/B]]'],
    ['made to lead to another heading', '[[B#One]]', '[[B#Two]]'],
    ['given another text', '[[B|one]]', '[[B|two]]'],
    ['made an embed', '[[B]]', '![[B]]'],
    ['written in another form', '[[B]]', '[B](B.md)'],
  ])('is not called done where a link was also %s', async (_, find, put) => {
    const text = `See [[A]] and ${find}.\n`;
    const others = { 'B.md': '', 'C.md': '', 'x/B.md': '', 'y/B.md': '' };
    const vault = await openWrittenVault({ 'A.md': '', ...others, 'N.md': text });
    await vault.change(renameNamed, { name: 'A', newName: 'A2' });
    await vault.change(replaceInNote, { name: 'N', find, put, all: false });
    await vault.change(undoChanges, { ids: [1, 2] });
    vault.disk.write('N.md', `Look at [[A]] and ${find}.\n`);
    // Change 3 took both back. Made again, it cannot put the new link into a line that was changed.
    const answer = await vault.change(redoChange, { id: 3 });
    expect(answer.left).toMatchObject([{ path: 'N.md' }]);
    expect(vault.text('N.md')).toBe(`Look at [[A]] and ${find}.\n`);
    await vault.close();
  });

  it('puts back paths that are written because of it: in the note itself, and of other notes', async () => {
    const vault = await openWrittenVault({
      'A.md': 'a\n',
      'x/B.md': 'b\n',
      'N.md': 'See [[B]] and [[A]].\n',
      'M.md': 'See [b](./x/B.md).\n',
    });
    await vault.change(renameNamed, { name: 'A', newName: 'B' });
    vault.disk.write('N.md', vault.text('N.md').replace('See', 'Read'));
    await vault.change(undoChanges, { ids: [1] });
    expect(vault.text('N.md')).toMatch(/^Read \[\[(x\/)?B\]\] and \[\[A\]\]\.\n$/);
    await vault.change(moveFile, { name: 'M', to: 'y/' });
    const moved = vault.text('y/M.md');
    vault.disk.write('y/M.md', moved.replace('See', 'Read'));
    const answer = await vault.change(undoChanges, { ids: [3] });
    expect(answer.left).toEqual([]);
    expect(vault.text('M.md')).toBe('Read [b](B.md).\n');
    await vault.close();
  });

  it('leaves links where they are when the name is taken', async () => {
    const vault = await openWrittenVault({ 'A.md': 'a\n', 'N.md': 'See [[A]].\n' });
    await vault.change(renameNamed, { name: 'A', newName: 'A2' });
    vault.disk.write('A.md', 'another\n');
    vault.disk.write('N.md', 'Look at [[A2]].\n');
    await expect(vault.change(undoChanges, { ids: [1] })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(vault.text('N.md')).toBe('Look at [[A2]].\n');
    await vault.close();
  });
});
