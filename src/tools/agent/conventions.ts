import { foldName, joinPath, type VaultFolder, type VaultPath } from '../../base/vault-path.ts';
import { listEntries } from '../../engine/operations/list/list-folders.ts';
import { readNoteAt } from '../../engine/operations/read/read-note.ts';
import { formatDate } from '../../engine/text/format-date.ts';
import type { BoundVault } from '../../engine/vault/bound-vault.ts';

// The folder conventions of the agent toolset, as `.claude/CLAUDE.md` describes them to people.

/** Today's date in the time zone of the server, e.g. `2026-11-09`. */
export function today(vault: BoundVault): string {
  return formatDate(vault.vault.parts.clock.nowMs(), 'YYYY-MM-DD');
}

/** The devlog of a topic: its path, spelled as on disk if the note exists. */
export async function devlogNote(
  vault: BoundVault,
  slug: string,
): Promise<{ readonly path: VaultPath; readonly exists: boolean }> {
  const folder = (await spelled(vault, '', 'devlog')) ?? 'devlog';
  const name = await spelled(vault, joinPath('', folder), `${slug}.md`);
  const path = joinPath(joinPath('', folder), name ?? `${slug}.md`);
  return { path, exists: name !== undefined };
}

/** The folder of decisions, the names of those that exist, oldest first, and the next number. */
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
  // A gap is not filled: other texts may still refer to the number.
  return {
    folder,
    names: numbered.map(({ name }) => name.replace(/\.md$/i, '')),
    next: (numbered.at(-1)?.number ?? 0) + 1,
  };
}

/** The index of decisions; its text is undefined when the note does not exist. */
export async function decisionIndex(
  vault: BoundVault,
): Promise<{ readonly path: string; readonly text: string | undefined }> {
  const path = (await spelled(vault, '', '_index.md')) ?? '_index.md';
  return { path, text: (await readNoteAt(vault, { path })).note?.text };
}

/**
 * The spelling of a name in a folder; undefined when nothing has that name. Case is ignored,
 * because on most platforms two names that differ only in case are the same file.
 */
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
