import { foldName, joinPath, type VaultFolder, type VaultPath } from '../../base/vault-path.ts';
import { listEntries } from '../../engine/operations/list/list-folders.ts';
import { readWholeNote } from '../../engine/operations/read/read-note.ts';
import { formatDate } from '../../engine/text/format-date.ts';
import type { BoundVault } from '../../engine/vault/bound-vault.ts';

// Where devlogs and decisions are kept; `.claude/CLAUDE.md` says the same to people.

/** The day that it is where the vault is served, as properties write it. */
export function today(vault: BoundVault): string {
  return formatDate(vault.vault.parts.clock.nowMs(), 'YYYY-MM-DD');
}

/** The note of a topic, spelled as it is on disk if it is there. */
export async function devlogOf(
  vault: BoundVault,
  slug: string,
): Promise<{ readonly path: VaultPath; readonly exists: boolean }> {
  const folder = (await spelled(vault, '', 'devlog')) ?? 'devlog';
  const name = await spelled(vault, joinPath('', folder), `${slug}.md`);
  const path = joinPath(joinPath('', folder), name ?? `${slug}.md`);
  return { path, exists: name !== undefined };
}

/** Where decisions are, those there are by name, oldest first, and the number of the next one. */
export async function decisions(vault: BoundVault): Promise<{
  readonly folder: VaultPath;
  readonly names: readonly string[];
  readonly next: number;
}> {
  const folder = joinPath('', (await spelled(vault, '', 'adr')) ?? 'adr');
  const numbered = (await listEntries(vault, folder)).flatMap(({ name, kind }) => {
    const digits = kind === 'file' ? /^ADR-(\d{1,9})\b.*\.md$/i.exec(name)?.[1] : undefined;
    return digits === undefined ? [] : [{ name, number: Number(digits) }];
  });
  numbered.sort((a, b) => a.number - b.number);
  // Gaps stay: a number that was given once may be written down elsewhere.
  return {
    folder,
    names: numbered.map(({ name }) => name.replace(/\.md$/i, '')),
    next: (numbered.at(-1)?.number ?? 0) + 1,
  };
}

/** The index of decisions; its text is undefined when there is none. */
export async function decisionIndex(
  vault: BoundVault,
): Promise<{ readonly path: string; readonly text: string | undefined }> {
  const path = (await spelled(vault, '', '_index.md')) ?? '_index.md';
  return { path, text: (await readWholeNote(vault, { path }))?.text };
}

/** How a name is spelled in a folder: most platforms cannot hold two that differ in case alone. */
async function spelled(
  vault: BoundVault,
  folder: VaultFolder,
  name: string,
): Promise<string | undefined> {
  const names = (await listEntries(vault, folder)).map((entry) => entry.name);
  return (
    names.find((each) => each === name) ?? names.find((each) => foldName(each) === foldName(name))
  );
}
