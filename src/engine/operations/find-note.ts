import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { fileNameOf, foldName, isVaultPath, pathKey, vaultPath } from '../../base/vault-path.ts';
import type { FileRow } from '../index-store.ts';
import type { BoundVault } from '../vault.ts';

const candidatesMax = 20;

/**
 * The file that a `name` means: an exact vault path (`.md` optional), the only file of that base
 * name, the only one whose path ends with it. Compared without regard to case and Unicode form.
 * Several are `ambiguous` with the candidates, never a guess; aliases do not count, but a failure
 * mentions them. An exact path never waits for the index.
 */
export async function findNote(vault: BoundVault, name: string): Promise<VaultPath> {
  const asked = vaultPath(name.trim());
  const exact = await exactPath(vault, asked);
  if (exact !== undefined) return exact;
  const spelled = await vault.ask('facts', async (store) => {
    const view = vault.view();
    const byKey = await store.filesByKey(view, pathKey(asked));
    return byKey.length > 0 ? byKey : store.filesByKey(view, pathKey(`${asked}.md`));
  });
  if (spelled.length > 0) return onlyOne(asked, spelled);
  const ending = await filesEndingWith(vault, asked);
  if (ending.length > 0) return onlyOne(asked, ending);
  throw await nothingFound(vault, asked);
}

/** The file at exactly this path, or with `.md`; undefined when there is neither. */
async function exactPath(vault: BoundVault, asked: VaultPath): Promise<VaultPath | undefined> {
  if ((await vault.stat(asked)) !== undefined) return asked;
  if (!isVaultPath(`${asked}.md`)) return undefined;
  const withMd = vaultPath(`${asked}.md`);
  return (await vault.stat(withMd)) === undefined ? undefined : withMd;
}

/** Files whose path ends with the name at a folder boundary: the literal name, else with `.md`. */
async function filesEndingWith(vault: BoundVault, asked: VaultPath): Promise<readonly FileRow[]> {
  const folded = foldName(asked);
  const name = fileNameOf(folded);
  const rows = await vault.ask('facts', (store) =>
    store.filesByName(vault.view(), [name, `${name}.md`]),
  );
  const endingWith = (end: string): readonly FileRow[] =>
    rows.filter((row) => `/${foldName(row.path)}`.endsWith(`/${end}`));
  const literal = endingWith(folded);
  return literal.length > 0 ? literal : endingWith(`${folded}.md`);
}

function onlyOne(asked: VaultPath, rows: readonly FileRow[]): VaultPath {
  const [first] = rows;
  if (first !== undefined && rows.length === 1) return first.path;
  const candidates = rows.slice(0, candidatesMax).map((row) => row.path);
  throw new VaultError(
    'ambiguous',
    `${rows.length} files are called "${asked}"; give the path of the one you mean: ${candidates.join(', ')}.`,
    { details: { name: asked, candidates } },
  );
}

async function nothingFound(vault: BoundVault, asked: VaultPath): Promise<VaultError> {
  const aliases = await vault.ask('facts', (store) => store.aliases(vault.view()));
  const wanted = foldName(asked);
  const candidates = aliases
    .filter(({ alias }) => foldName(alias) === wanted)
    .slice(0, candidatesMax)
    .map(({ path }) => path);
  const hint =
    candidates.length > 0
      ? ` It is an alias of ${candidates.map((path) => `"${path}"`).join(', ')}: use that path.`
      : (await isFolder(vault, asked))
        ? ' It is a folder: name a file in it, or rename or move the folder as one.'
        : ' Use search or list to find its name.';
  return new VaultError('not_found', `There is no note "${asked}" in the vault.${hint}`, {
    details: { name: asked, ...(candidates.length > 0 ? { candidates } : {}) },
  });
}

async function isFolder(vault: BoundVault, path: VaultPath): Promise<boolean> {
  return vault.seesFolder(path) && (await vault.vault.parts.disk.kind(path)) === 'folder';
}
