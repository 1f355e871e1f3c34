import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isInside, isVaultPath, vaultPath } from '../../src/base/vault-path.ts';
import { checkIndex } from '../../src/engine/operations/vault/check-index.ts';
import { counted, soakTime } from '../support/counts.ts';
import { indexMemoryVault } from '../support/indexed-vault.ts';
import { memoryDisk } from '../support/memory-disk.ts';

// Promise 1: after any sequence of file changes the kept index equals one built from scratch.

const name = fc.constantFrom('a', 'A', 'b', 'note', 'Note', 'й', 'и\u0306', 'x y', 'r.pdf', 'ß');
const folder = fc.constantFrom('', 'F/', 'f/', 'F/G/', 'Z/');
const movedFolder = fc.constantFrom('F', 'F/G', 'Moved', 'Moved/G', 'Z', 'a.md');
const extension = fc.constantFrom('.md', '.md', '.md', '.canvas', '.png', '.md.md', '.base');
const path = fc
  .tuple(folder, name, extension)
  .map((parts) => parts.join(''))
  .filter(isVaultPath);

const link = fc
  .tuple(
    fc.constantFrom('[[', '![['),
    fc.constantFrom('', 'F/', 'G/', '../', './', '/', 'f/'),
    name,
    fc.constantFrom('', '.md', '#h', '|alias', '.png', '.pdf'),
  )
  .map(([open, where, to, rest]) => `${open}${where}${to}${rest}]]`);
const line = fc.oneof(
  link,
  fc.constantFrom(
    '# h',
    '- [ ] task',
    '#tag',
    '#Tag/sub',
    'word',
    '学习 word',
    '[t](a.md)',
    '^id',
    '',
  ),
);
const properties = fc.constantFrom(
  '',
  '---\ntags: [x, Y]\naliases: [n]\nup: "[[a]]"\n---\n',
  '---\nbroken: [\n---\n',
  '---\nn: 5\nTags: z\n---\n',
);
const content = fc
  .tuple(properties, fc.array(line, { maxLength: 6 }))
  .map(([head, lines]) => head + lines.join('\n'));

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('write' as const), path, content }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), path }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lock' as const), locked: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('leave' as const), path, content }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('rename' as const), path, to: path }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('rename folder' as const),
      from: movedFolder,
      to: movedFolder,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('erase folder' as const), from: movedFolder }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reconcile' as const) }) },
);

it('holds after any sequence of changes', { timeout: soakTime(240_000) }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const disk = memoryDisk({ 'a.md': '[[b]] [[Note]]', 'F/note.md': '#tag [[a]]' });
      const { vault, keeper, close } = await indexMemoryVault(disk);
      try {
        for (const change of steps) {
          if (change.do === 'write') {
            disk.write(change.path, change.content);
            await keeper.refresh([vaultPath(change.path)]);
          } else if (change.do === 'lock') {
            const [first] = disk.paths();
            if (first === undefined) continue;
            disk.lock(first, change.locked);
            await keeper.refresh([first]);
          } else if (change.do === 'leave') {
            disk.write(change.path, change.content, { present: false });
            await keeper.refresh([vaultPath(change.path)]);
          } else if (change.do === 'remove') {
            disk.erase(change.path);
            await keeper.refresh([vaultPath(change.path)]);
          } else if (change.do === 'rename') {
            disk.erase(change.to);
            disk.rename(change.path, change.to);
            await keeper.refresh([vaultPath(change.path), vaultPath(change.to)]);
          } else if (change.do === 'rename folder') {
            const from = vaultPath(change.from);
            if (isInside(change.to, from) || change.from === change.to) continue;
            if (disk.paths().includes(from)) continue; // A file: that is the step above.

            disk.erase(change.to);
            disk.rename(change.from, change.to);
            await keeper.refresh([vaultPath(change.from), vaultPath(change.to)]);
          } else if (change.do === 'erase folder') {
            disk.erase(change.from);
            await keeper.refresh([vaultPath(change.from)]);
          } else {
            await keeper.reconcile();
          }
        }
        // `checkIndex` walks first, which would mend what `refresh` missed: compare without it.
        expect(await checkIndex(vault.parts, { reconcile: false })).toEqual([]);
      } finally {
        await close();
      }
    }),
    { numRuns: counted({ quick: 50, full: 150, soak: 2_000 }) },
  );
});
