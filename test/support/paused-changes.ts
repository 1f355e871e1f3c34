import { allScopes } from '../../src/base/caller.ts';
import { vaultPath } from '../../src/base/vault-path.ts';
import { undoChanges } from '../../src/engine/operations/history/undo-changes.ts';
import { deleteFile } from '../../src/engine/operations/move/delete-file.ts';
import { moveFile } from '../../src/engine/operations/move/move-file.ts';
import { moveFolder } from '../../src/engine/operations/move/move-folder.ts';
import { appendNote } from '../../src/engine/operations/write/append-note.ts';
import { createNote } from '../../src/engine/operations/write/create-note.ts';
import type { Draft } from '../../src/engine/vault/draft.ts';
import type { RawDraft } from '../../src/engine/vault/raw-draft.ts';
import { testCaller, type WrittenVault } from './written-vault.ts';

/** The vault in which an owner is stopped. */
export const pausedVault: Readonly<Record<string, string>> = {
  'A.md': 'alpha\n',
  'B.md': 'beta\n',
  'C.md': 'gamma\n',
  'F/x.md': 'in a folder\n',
  'F/y.md': 'too\n',
};

/** A kind of change in the middle of which its owner is stopped. */
export interface PausedChange {
  readonly name: string;
  /** What was changed before. */
  readonly first?: (vault: WrittenVault) => Promise<unknown>;
  readonly run: (vault: WrittenVault) => Promise<unknown>;
  /** The names that the disk refuses to give to a file, so that the change is taken back. */
  readonly refused?: RegExp;
  /** The files that the next owner writes to: where the change has them, before or after. */
  readonly touches: readonly string[];
}

const p = vaultPath;

const change = (vault: WrittenVault, plan: (draft: Draft) => Promise<void>): Promise<unknown> =>
  vault.change(async (draft: Draft) => {
    await plan(draft);
    return {};
  }, {});

/** As the remote door changes files, but not joined with the change before. */
const raw = ({ whole }: WrittenVault, plan: (raw: RawDraft) => Promise<void>): Promise<unknown> =>
  whole
    .bind(testCaller({ scopes: allScopes }), { tool: 'test', args: {}, raw: true })
    .change(async (draft: Draft) => {
      await plan(draft.raw);
      return {};
    }, {});

const undo = ({ whole }: WrittenVault): Promise<unknown> =>
  whole.bind(testCaller(), { tool: 'test', args: {}, raw: true }).change(undoChanges, { last: 1 });

const kinds: Readonly<Record<string, Omit<PausedChange, 'name'>>> = {
  write: {
    run: (v) => v.change(appendNote, { name: 'A', text: 'more' }),
    touches: ['A.md'],
  },
  'a new note in new folders': {
    run: (v) => v.change(createNote, { path: 'New/Deep/N', content: 'new\n' }),
    touches: ['New/Deep/N.md'],
  },
  several: {
    run: (v) =>
      change(v, async (draft) => {
        await appendNote(draft, { name: 'A', text: 'more' });
        await appendNote(draft, { name: 'B', text: 'more' });
        await createNote(draft, { path: 'N', content: 'new\n' });
      }),
    touches: ['A.md', 'N.md', 'B.md'],
  },
  delete: {
    run: (v) => v.change(deleteFile, { name: 'A', permanent: true }),
    touches: ['A.md'],
  },
  'delete among several': {
    run: (v) =>
      change(v, async (draft) => {
        await draft.delete(p('A.md'));
        await draft.delete(p('B.md'));
        await appendNote(draft, { name: 'C', text: 'more' });
      }),
    touches: ['A.md', 'B.md', 'C.md'],
  },
  'delete into the trash': {
    run: (v) => v.change(deleteFile, { name: 'A', trash: 'local' }),
    touches: ['A.md'],
  },
  move: {
    run: (v) => v.change(moveFile, { name: 'A', to: 'Z' }),
    touches: ['A.md', 'Z.md'],
  },
  'move among several': {
    run: (v) =>
      change(v, async (draft) => {
        await draft.move(p('A.md'), p('Z.md'));
        await draft.move(p('B.md'), p('New/B.md'));
        await appendNote(draft, { name: 'C', text: 'more' });
      }),
    touches: ['A.md', 'Z.md', 'New/B.md'],
  },
  'move over': {
    run: (v) => raw(v, (files) => files.move(p('A.md'), p('B.md'))),
    touches: ['A.md', 'B.md'],
  },
  'move a folder': {
    run: (v) => v.change(moveFolder, { folder: 'F', to: 'G' }),
    touches: ['F/x.md', 'G/x.md'],
  },
  'move a folder among several': {
    run: (v) =>
      change(v, async (draft) => {
        await draft.create(p('F/new.md'), 'new\n');
        await draft.delete(p('F/y.md'));
        await draft.moveFolder(p('F'), p('G/H'));
      }),
    touches: ['F/x.md', 'G/H/x.md', 'G/H/new.md'],
  },
  'remove a folder with files': {
    run: (v) => raw(v, (files) => files.removeFolder(p('F'), { recursive: true })),
    touches: ['F/x.md'],
  },
  'taken back': {
    run: (v) =>
      change(v, async (draft) => {
        await appendNote(draft, { name: 'C', text: 'more' });
        await draft.move(p('B.md'), p('New/B.md'));
        await draft.create(p('N.md'), 'new\n');
        await draft.create(p('Refused.md'), 'new\n');
      }),
    refused: /Refused/,
    touches: ['C.md', 'B.md', 'New/B.md', 'N.md'],
  },
  'a folder move taken back': {
    run: (v) =>
      change(v, async (draft) => {
        await draft.delete(p('F/y.md'));
        await draft.moveFolder(p('F'), p('G'));
        await draft.move(p('A.md'), p('Refused.md'));
      }),
    refused: /Refused/,
    touches: ['A.md', 'F/x.md', 'F/y.md'],
  },
};

const undone = ['write', 'delete', 'move over', 'move a folder among several', 'several'];

/** Every kind of change, and undoing some of them. */
export const pausedChanges: readonly PausedChange[] = [
  ...Object.entries(kinds).map(([name, kind]) => ({ name, ...kind })),
  ...undone.flatMap((name): readonly PausedChange[] => {
    const kind = kinds[name];
    if (kind === undefined) return [];
    return [{ name: `undo: ${name}`, first: kind.run, run: undo, touches: kind.touches }];
  }),
];
