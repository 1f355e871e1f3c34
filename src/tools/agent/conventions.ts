import { rightTo } from '../../base/caller.ts';
import { oneLine } from '../../base/one-line.ts';
import { foldName, joinPath, type VaultFolder, type VaultPath } from '../../base/vault-path.ts';
import { listEntries } from '../../engine/operations/list/list-folders.ts';
import { formatDate } from '../../engine/text/format-date.ts';
import type { BoundVault } from '../../engine/vault/bound-vault.ts';
import { slugOf } from './slug.ts';

// The folder conventions of the agent toolset, as `.claude/CLAUDE.md` describes them to people.

/** The date of a time in the time zone of the server, e.g. `2026-11-09`. */
export function dayOf(timeMs: number): string {
  return formatDate(timeMs, 'YYYY-MM-DD');
}

const titleCharsMax = 200;

/** A title or name on one line. */
export function titleOf(text = ''): string {
  return oneLine(text, titleCharsMax);
}

/** The properties of a new devlog. */
export function devlogProperties(of: {
  readonly slug: string;
  readonly date: string;
  readonly project?: string;
}) {
  const { slug, date, project } = of;
  return {
    tags: ['devlog'],
    topic: slug,
    ...(project === undefined ? {} : { project }),
    created: date,
    updated: date,
  };
}

/** The number of a decision as texts name it, and the name of its note. */
export function decisionName(
  adr: number,
  title: string,
): { readonly number: string; readonly note: string } {
  const number = `ADR-${String(adr).padStart(3, '0')}`;
  return { number, note: `${number}-${slugOf(title)}` };
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

/**
 * The folder of decisions, the names of those that the caller may see, oldest first, and the next
 * number.
 */
export async function decisions(vault: BoundVault): Promise<{
  readonly folder: VaultPath;
  readonly names: readonly string[];
  readonly next: number;
}> {
  const folder = joinPath('', (await spelled(vault, '', 'adr')) ?? 'adr');
  const seen = (await listEntries(vault, folder)).flatMap(numbered);
  seen.sort((a, b) => a.number - b.number);
  // A record that is hidden from the caller counts too, or its number would be given twice. A gap
  // is not filled: other texts may still refer to the number.
  const mayWrite = rightTo('write', vault.caller.scopes.effects) !== undefined;
  const isSeen = mayWrite && vault.seesFolder(folder);
  const all = isSeen ? ((await vault.vault.parts.disk.list(folder)) ?? []).flatMap(numbered) : seen;
  return {
    folder,
    names: seen.map(({ name }) => name.replace(/\.md$/i, '')),
    next: all.reduce((highest, { number }) => Math.max(highest, number), 0) + 1,
  };
}

/** The number of an entry of the folder of decisions; nothing for any other file or folder. */
function numbered({ name, kind }: { readonly name: string; readonly kind: 'file' | 'folder' }) {
  const digits = kind === 'file' ? /^ADR-(\d{1,9})\b.*\.md$/i.exec(name)?.[1] : undefined;
  return digits === undefined ? [] : [{ name, number: Number(digits) }];
}

/** The path of the index of decisions, spelled as on disk if the note exists. */
export async function decisionIndex(vault: BoundVault): Promise<VaultPath> {
  return joinPath('', (await spelled(vault, '', '_index.md')) ?? '_index.md');
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
