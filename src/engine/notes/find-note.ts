import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import {
  fileNameOf,
  foldName,
  isVaultPath,
  type VaultPath,
  vaultPath,
} from '../../base/vault-path.ts';
import type { VersionStart } from '../../base/version.ts';
import { fileKind } from '../ports/file-kind.ts';
import type { FileRow } from '../ports/index-store.ts';
import type { BoundVault, NoteText } from '../vault/bound-vault.ts';
import type { Draft } from '../vault/draft.ts';
import type { NoteName } from '../vault/note-name.ts';
import { noteNotFound } from './note-not-found.ts';

/**
 * Finds the file that a name means: the file at that path (`.md` optional), or the only file with
 * that name, or the only file whose path ends with it, without regard to case and Unicode form. `{
 * path }` means an exact path only. An exact path never waits for the index; where the index still
 * has a file that is gone, it is waited for, shortly, to find where that is now. Fails with `ambiguous`
 * and the candidates when several files match, and with `not_found` otherwise; that failure
 * mentions the closest names, and a note that has the name as an alias. `isFile` says whether there
 * is a file at an exact path, for callers who look in another way than with `vault.stat`.
 */
export async function findNote(
  vault: BoundVault,
  name: NoteName,
  isFile = async (path: VaultPath) => (await vault.stat(path)) !== undefined,
): Promise<VaultPath> {
  const asked = typeof name === 'string' ? vaultPath(name.trim()) : vaultPath(name.path);
  const exact = await firstFile(spellings(name, asked), isFile);
  if (exact !== undefined) return exact;
  if (typeof name !== 'string') throw await noteNotFound(vault, asked, { byPath: true });
  const found = await filesCalled(vault, asked);
  const [first] = found;
  if (first === undefined) throw await noteNotFound(vault, asked, { byPath: false });
  if (found.length > 1 || (await isFile(first.path))) return onlyOne(asked, found);
  // Another program has just moved or deleted it, and the index does not know yet.
  await vault.vault.parts.keeper.settleWithin(limits.courtesyWaitMs);
  const there = (await filesCalled(vault, asked)).filter(({ path }) => path !== first.path);
  if (there.length > 0) return onlyOne(asked, there);
  throw await noteNotFound(vault, asked, { byPath: false });
}

/** The paths that a name may stand for: the path itself, and the path with `.md` added. */
export function spellings(name: NoteName, path: VaultPath): readonly VaultPath[] {
  const isExact = typeof name !== 'string' && name.exact === true;
  return isExact || !isVaultPath(`${path}.md`) ? [path] : [path, vaultPath(`${path}.md`)];
}

async function firstFile(
  paths: readonly VaultPath[],
  isFile: (path: VaultPath) => Promise<boolean>,
): Promise<VaultPath | undefined> {
  for (const path of paths) if (await isFile(path)) return path;
  return undefined;
}

/**
 * Returns the files that a name may mean: those at exactly this path, or else those whose path ends
 * with it at a folder boundary; in both cases first as written, then with `.md` added. The first
 * of these four tests that any file passes decides. Asks the index once.
 */
async function filesCalled(vault: BoundVault, asked: VaultPath): Promise<readonly FileRow[]> {
  const folded = foldName(asked);
  const name = fileNameOf(folded);
  const rows = await vault.ask('names', (store) =>
    store.filesByName(vault.view(), [name, `${name}.md`]),
  );
  const files = rows.map((row) => ({ row, at: foldName(row.path) }));
  const tests = [
    ({ at }: { at: string }) => at === folded,
    ({ at }: { at: string }) => at === `${folded}.md`,
    ({ at }: { at: string }) => `/${at}`.endsWith(`/${folded}`),
    ({ at }: { at: string }) => `/${at}`.endsWith(`/${folded}.md`),
  ];
  const matching = tests.find((test) => files.some(test));
  return matching === undefined ? [] : files.filter(matching).map(({ row }) => row);
}

function onlyOne(asked: VaultPath, rows: readonly FileRow[]): VaultPath {
  const [first] = rows;
  if (first !== undefined && rows.length === 1) return first.path;
  const candidates = rows.slice(0, limits.candidatesMax).map((row) => row.path);
  throw new VaultError(
    'ambiguous',
    `${rows.length} files are called "${asked}"; give the path of the one you mean: ${candidates.join(', ')}.`,
    { details: { name: asked, candidates } },
  );
}

/**
 * Finds the note that a name means. Fails as `Draft.find` does, and with `invalid_input` for a file
 * that is not a Markdown note.
 */
export async function findMarkdown(
  draft: Draft,
  name: NoteName,
  options?: { readonly read: boolean },
): Promise<VaultPath> {
  const path = await draft.find(name, options);
  checkMarkdown(path);
  return path;
}

/**
 * Reads the note that a request means. Fails as `findMarkdown` does, and with `conflict` when the
 * note does not have the version that the request expects.
 */
export async function readMarkdown(
  draft: Draft,
  request: { readonly name: NoteName; readonly version?: VersionStart },
): Promise<NoteText> {
  const path = await findMarkdown(draft, request.name, { read: true });
  await draft.expect(path, request.version);
  return draft.read(path);
}

/**
 * Fails with `invalid_input` for a canvas, a base or an attachment, which have no Markdown text.
 */
export function checkMarkdown(path: VaultPath): void {
  if (fileKind(path) === 'note') return;
  throw new VaultError(
    'invalid_input',
    `"${path}" is not a Markdown note; this works on notes (.md) only.`,
    { details: { path } },
  );
}

/**
 * Returns the note at a path, with or without `.md`, in whatever case and Unicode form; undefined
 * when there is none that the caller may see.
 */
export async function noteAt(draft: Draft, name: string): Promise<VaultPath | undefined> {
  const spelled = fileKind(name) === 'note' ? name : `${name}.md`;
  if (!isVaultPath(spelled)) return undefined;
  const path = vaultPath(spelled);
  if ((await draft.kind(path)) === 'file') return path;
  const twin = await draft.twin(path);
  return twin !== undefined && draft.vault.sees(twin) ? twin : undefined;
}
