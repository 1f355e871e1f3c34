import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fileNameOf, pathKey, type VaultPath } from '../../src/base/vault-path.ts';
import { encodeDestination, withoutMd } from '../../src/engine/links/write-link.ts';
import { listBacklinks, listLinks } from '../../src/engine/operations/list/list-links.ts';
import { deleteFile } from '../../src/engine/operations/move/delete-file.ts';
import { moveFile } from '../../src/engine/operations/move/move-file.ts';
import { moveFolder } from '../../src/engine/operations/move/move-folder.ts';
import { renameFile } from '../../src/engine/operations/move/rename-file.ts';
import { renameHeading } from '../../src/engine/operations/move/rename-heading.ts';
import { noteLinks } from '../../src/engine/operations/read/note-links.ts';
import { createNote } from '../../src/engine/operations/write/create-note.ts';
import { setNoteProperty } from '../../src/engine/operations/write/set-note-property.ts';
import type { BoundVault } from '../../src/engine/vault/bound-vault.ts';
import { openColdVault } from '../support/cold-vault.ts';
import { counted } from '../support/counts.ts';
import { memoryDisk } from '../support/memory-disk.ts';

// What an operation answers and leaves on disk must not depend on how far the index is.

const names = [
  'Note.md',
  'note 2.md',
  'Caf\u00e9.md',
  'Cafe\u0301 b.md',
  'p(q.md',
  'x%20y.md',
  "Bob's.md",
  'A&B.md',
  'ΟΔΟΣ.md',
  'pic.png',
  'board.canvas',
];
const folders = ['', 'A/', 'A/B/', 'a b/', 'Zoe\u0308/'];

const forms: readonly ((path: string) => string)[] = [
  (path) => `[[${path}]]`,
  (path) => `![[${path}#H|x]]`,
  (path) => `[[${path.toUpperCase()}|t]]`,
  (path) => `[[${path.normalize('NFD')}]]`,
  (path) => `[t](${encodeDestination(path)})`,
  (path) => `[t](${encodeDestination(path).replace('a', '%61')}#H)`,
  (path) => `![](<${path.replaceAll('%', '%25').replaceAll('&', '&amp;')}>)`,
  (path) => `\n\n[r]: ${encodeDestination(path)}\n\n`,
  (path) => `\`[[${path}]]\` and ${withoutMd(path)}`,
];

interface Generated {
  readonly files: Readonly<Record<string, string>>;
  readonly read: number;
  readonly locked: number | null;
  readonly operation: Op;
}

type Op = (paths: readonly string[]) => (vault: BoundVault) => Promise<unknown>;

const nth = (paths: readonly string[], at: number): VaultPath =>
  (paths[at % paths.length] ?? '') as VaultPath;

const operation: fc.Arbitrary<Op> = fc
  .record({ kind: fc.nat(9), at: fc.nat(20), to: fc.constantFrom(...names), force: fc.boolean() })
  .map(
    ({ kind, at, to, force }): Op =>
      (paths) => {
        const path = nth(paths, at);
        const name = { path };
        const newName = withoutMd(to);
        const page = { limit: 100, offset: 0 };
        switch (kind) {
          case 0:
            return (vault) => vault.change(renameFile, { name, newName, force });
          case 1:
            return (vault) => vault.change(moveFile, { name, to: 'A/B/', force });
          case 2:
            return (vault) => vault.change(deleteFile, { name, links: 'unlink', force });
          case 3:
            return (vault) => vault.change(deleteFile, { name, permanent: true });
          case 4:
            return (vault) => vault.change(createNote, { path: `New/${newName}` });
          case 5:
            return (vault) => vault.change(moveFolder, { folder: 'A', to: 'Z' });
          case 6:
            return (vault) =>
              vault.change(renameHeading, { name, heading: 'H', newHeading: 'I', force });
          case 7:
            return (vault) => vault.change(setNoteProperty, { name, key: 'size', value: '7' });
          case 8:
            return (vault) => listBacklinks(vault, { name, ...page });
          default:
            return async (vault) => ({
              links: await listLinks(vault, { name }),
              both: await noteLinks(vault, { name, direction: 'both', ...page }),
            });
        }
      },
  );

const generated: fc.Arbitrary<Generated> = fc
  .record({
    paths: fc.uniqueArray(
      fc
        .tuple(fc.constantFrom(...folders), fc.constantFrom(...names))
        .map(([folder, name]) => folder + name),
      { minLength: 3, maxLength: 10, selector: pathKey },
    ),
    links: fc.array(
      fc.record({
        from: fc.nat(20),
        to: fc.nat(20),
        form: fc.constantFrom(...forms),
        isName: fc.boolean(),
        isProperty: fc.boolean(),
      }),
      { minLength: 1, maxLength: 14 },
    ),
    read: fc.nat(4),
    locked: fc.option(fc.nat(20), { freq: 8 }),
    operation,
  })
  .map(({ paths, links, ...rest }) => {
    const bodies = new Map(paths.map((path) => [path, { body: '# H\n\n', up: [] as string[] }]));
    for (const { from, to, form, isName, isProperty } of links) {
      const target = nth(paths, to);
      const written = isName ? withoutMd(fileNameOf(target)) : target;
      const file = bodies.get(nth(paths, from));
      if (file === undefined) continue;
      if (isProperty) file.up.push(`[[${written}]]`);
      else file.body += `${form(written)} and `;
    }
    const files = Object.fromEntries(
      Array.from(bodies, ([path, { body, up }]) => [path, textOf(path, body, up)]),
    );
    return { files, ...rest };
  });

function textOf(path: string, body: string, up: readonly string[]): string {
  if (path.endsWith('.png')) return 'picture';
  if (path.endsWith('.canvas')) {
    const nodes = up.map((link) => ({ type: 'file', file: link.slice(2, -2) }));
    return JSON.stringify({ nodes: [{ type: 'text', text: body }, ...nodes] });
  }
  return `---\nsize: 3\nup: ${JSON.stringify(up)}\n---\n${body}`;
}

/** What an operation answers, or the code and the text of its failure, and the files afterwards. */
async function outcome(vault: Generated, isIndexed: boolean) {
  const disk = memoryDisk(vault.files);
  const paths = Object.keys(vault.files);
  if (vault.locked !== null) disk.lock(nth(paths, vault.locked), true);
  const opened = await openColdVault(disk, { read: vault.read });
  try {
    if (isIndexed) {
      opened.go();
      await opened.vault.waitForIndex('text');
    }
    const answer = await vault
      .operation(paths)(opened.vault)
      .catch((error: { code?: string; message: string }) => [error.code, error.message]);
    expect(opened.vault.vault.parts.keeper.isReady('facts')).toBe(isIndexed);
    for (const path of disk.paths()) disk.lock(path, false);
    const files = Object.fromEntries(disk.paths().map((path) => [path, disk.text(path)]));
    return { answer, files };
  } finally {
    await opened.close();
  }
}

it('an operation on a vault that was never seen does what it does on one that is indexed', async () => {
  await fc.assert(
    fc.asyncProperty(generated, async (vault) => {
      const [cold, indexed] = [await outcome(vault, false), await outcome(vault, true)];
      expect(cold).toEqual(indexed);
    }),
    { numRuns: counted({ quick: 30, full: 300 }) },
  );
}, 120_000);
