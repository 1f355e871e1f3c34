import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileNameOf, foldName, vaultPath } from '../../src/base/vault-path.ts';
import { resolveLink, unresolvedName } from '../../src/engine/links/resolve-link.ts';
import { wholeVault } from '../../src/engine/ports/view.ts';
import { type IndexedVault, indexFolder } from '../support/indexed-vault.ts';
import { sharedFolder, unpackVault } from '../support/unpack-vaults.ts';

// The real app's link graph of the vault `tasks-demo`, targets and counts.

type Graph = Record<string, Record<string, number>>;

/** Changed in the vault after the app dumped its graph. */
const changedSince = 'How To/Find tasks in notes with particular tag.md';

const oracle = (name: string): Graph =>
  JSON.parse(
    readFileSync(join(sharedFolder(), 'obsidian/oracle/metadataCache', name), 'utf8'),
  ) as Graph;

let opened: IndexedVault;

beforeAll(async () => {
  const folder = await unpackVault('tasks-demo');
  addAttachments(folder);
  opened = await indexFolder(folder);
});

afterAll(() => opened.close());

describe('the link graph of tasks-demo', () => {
  it("equals the app's, note by note, resolved and unresolved", async () => {
    const resolved = oracle('resolvedLinks.json');
    const unresolved = oracle('unresolvedLinks.json');
    const differences: { path: string; ours: unknown; theirs: unknown }[] = [];
    for (const path of Object.keys(resolved)) {
      const links = await opened.store.linksFrom(wholeVault, vaultPath(path));
      const ours = {
        resolved: {} as Record<string, number>,
        unresolved: {} as Record<string, number>,
      };
      for (const link of links) {
        if (link.place === 'definition') continue;
        if (link.target !== undefined) {
          ours.resolved[link.target] = (ours.resolved[link.target] ?? 0) + 1;
        } else {
          const name = unresolvedName(link.path);
          ours.unresolved[name] = (ours.unresolved[name] ?? 0) + 1;
        }
      }
      const theirs = { resolved: resolved[path], unresolved: unresolved[path] ?? {} };
      if (JSON.stringify(sorted(ours)) !== JSON.stringify(sorted(theirs))) {
        differences.push({ path, ours, theirs });
      }
    }
    expect(differences.filter(({ path }) => path !== changedSince)).toEqual([]);
  });

  it('resolves every link of the dumped notes as the app does', async () => {
    const { items } = await opened.store.files(wholeVault, {
      folder: '',
      kinds: ['note', 'canvas', 'base', 'attachment'],
      sort: 'path',
      limit: 10_000,
      offset: 0,
    });
    const byName = (name: string) =>
      items.filter((file) => foldName(fileNameOf(file.path)) === name);
    let checked = 0;
    for (const note of oracleNotes()) {
      for (const [link, target] of Object.entries(note.resolveLinkToPath)) {
        const path = link.split('#')[0] ?? '';
        expect(resolveLink({ path, source: note.filePath }, byName)?.path ?? null, link).toBe(
          target,
        );
        checked++;
      }
    }
    expect(checked).toBeGreaterThan(40);
  });
});

/** The vault comes without its attachments; for links only their names matter. */
function addAttachments(folder: string): void {
  const targets = Object.values(oracle('resolvedLinks.json')).flatMap((links) =>
    Object.keys(links),
  );
  for (const target of targets.filter((path) => !path.endsWith('.md'))) {
    const file = join(folder, target);
    if (existsSync(file)) continue;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '');
  }
}

function oracleNotes(): { filePath: string; resolveLinkToPath: Record<string, string | null> }[] {
  const folder = join(sharedFolder(), 'obsidian/oracle');
  return oracleFiles(folder).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')));
}

function oracleFiles(folder: string): string[] {
  return readdirSync(folder).filter((file) => file.endsWith('.json'));
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
