import { vaultPath } from '../../src/base/vault-path.ts';
import { redoChange } from '../../src/engine/operations/history/redo-change.ts';
import { undoChanges } from '../../src/engine/operations/history/undo-changes.ts';
import type { Draft } from '../../src/engine/vault/draft.ts';
import type { RawDraft } from '../../src/engine/vault/raw-draft.ts';
import { type MemoryVault, testCaller, type WrittenVault } from '../support/written-vault.ts';
import { changesNamed, type FaultyChange } from './changes.ts';

/** Makes a raw change, as a client of the remote door does. */
export function rawChange(
  { whole }: Pick<WrittenVault, 'whole'>,
  plan: (raw: RawDraft, draft: Draft) => Promise<void>,
) {
  const call = { tool: 'fs', args: {}, raw: true };
  return whole.bind(testCaller({ door: 'remote' }), call).change(async (draft: Draft) => {
    await plan(draft.raw, draft);
    return {};
  }, {});
}

/** Undo as the command line has it, dot names included. */
export function rawUndo({ whole }: Pick<WrittenVault, 'whole'>, last = 1) {
  return whole
    .bind(testCaller(), { tool: 'undo', args: {}, raw: true })
    .change(undoChanges, { last });
}

/** The same for redo. */
export function rawRedo({ whole }: Pick<WrittenVault, 'whole'>) {
  return whole.bind(testCaller(), { tool: 'redo', args: {}, raw: true }).change(redoChange, {});
}

const p = vaultPath;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Raw changes of the vault that `changes.ts` has, each kind of step among them. */
const kinds: Readonly<Record<string, (raw: RawDraft, draft: Draft) => Promise<void>>> = {
  'write over a file': (raw) => raw.put(p('Home.md'), bytes('other')),
  'write a new dot file': (raw) => raw.put(p('.obsidian/new/app.json'), bytes('{}')),
  'append to a file': async (raw, draft) => {
    const before = await draft.readBytes(p('Old.md'), 1_000);
    await raw.put(p('Old.md'), new Uint8Array([...before.bytes, 33]));
  },
  'append in place': (raw) => raw.append(p('Old.md'), bytes('more of it\n')),
  'rename a file': (raw) => raw.move(p('Home.md'), p('New/Home.md')),
  'rename a file over another': (raw) => raw.move(p('Home.md'), p('Folder/Other.md')),
  'rename a file over another of the same content': (raw) =>
    raw.move(p('Same.md'), p('Folder/pic.png')),
  'rename a file into the trash': (raw) => raw.move(p('Home.md'), p('.trash/Home.md')),
  'rename a folder': (raw) => raw.move(p('Folder'), p('A/B')),
  'rename a folder over an empty one': (raw) => raw.move(p('Folder'), p('Empty')),
  'make a folder': (raw) => raw.makeFolder(p('New')),
  'make folders': (raw) => raw.makeFolder(p('New/Deep/.dot')),
  'remove a file': (raw) => raw.remove(p('Home.md')),
  'remove a folder': (raw) => raw.removeFolder(p('Empty'), { recursive: false }),
  'remove a folder with folders': (raw) => raw.removeFolder(p('Nest'), { recursive: true }),
  'remove a folder with one file': (raw) => raw.removeFolder(p('One'), { recursive: true }),
  'remove a folder with files': (raw) => raw.removeFolder(p('Folder'), { recursive: true }),
};

/** Folders with nothing in them, dot names, two files that are alike. */
const furnish = async ({ disk }: MemoryVault): Promise<void> => {
  for (const folder of ['Empty', 'Nest', 'Nest/a', 'Nest/a/b', 'Nest/c', 'Folder/empty']) {
    await disk.makeFolder(p(folder));
  }
  disk.write('Folder/.dot/x', 'dot');
  disk.write('One/two/x', 'x');
  disk.write('Same.md', 'pixels');
};

const undone: readonly (keyof typeof kinds)[] = [
  'append in place',
  'rename a file over another',
  'rename a folder',
  'make folders',
  'remove a folder',
  'remove a folder with files',
];

export const rawFaultyChanges: readonly FaultyChange[] = [
  ...Object.entries(kinds).map(([name, plan]) => ({
    name,
    first: furnish,
    run: (vault: WrittenVault) => rawChange(vault, plan),
  })),
  ...undone.map((name) => ({
    name: `undo: ${name}`,
    first: async (vault: MemoryVault) => {
      await furnish(vault);
      await rawChange(vault, kinds[name] ?? (() => Promise.resolve()));
    },
    run: (vault: WrittenVault) => rawUndo(vault),
  })),
  {
    name: 'redo: append in place',
    first: async (vault: MemoryVault) => {
      await furnish(vault);
      await rawChange(vault, kinds['append in place'] ?? (() => Promise.resolve()));
      await rawUndo(vault);
    },
    run: (vault: WrittenVault) => rawRedo(vault),
  },
];

/** One for each kind of step. */
export const someRawFaultyChanges = changesNamed(rawFaultyChanges, [
  'append to a file',
  'append in place',
  'undo: append in place',
  'redo: append in place',
  'rename a file over another of the same content',
  'rename a folder over an empty one',
  'make folders',
  'remove a folder with one file',
  'undo: rename a file over another',
]);

/** A few that between them replace, remove and bring back. */
export const fewRawFaultyChanges = changesNamed(rawFaultyChanges, [
  'append in place',
  'undo: append in place',
  'rename a file over another of the same content',
  'remove a folder with one file',
  'undo: rename a file over another',
]);
