import { limits } from '../../../base/limits.ts';
import { VaultError } from '../../../base/vault-error.ts';
import type { VaultFolder, VaultPath } from '../../../base/vault-path.ts';
import { stemOf } from '../../../base/vault-path.ts';
import { folderView } from '../../notes/find-folder.ts';
import type { HitBounds, HitReason } from '../../ports/text-matcher.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import { reasonsOf } from './match-texts.ts';

/** A file that a search by name or by tag has found. */
interface NameHit extends HitReason {
  readonly path: VaultPath;
  /** Its name, as the app shows it. */
  readonly title: string;
  /** The aliases that matched. */
  readonly aliases?: readonly string[];
}

interface NameHits {
  readonly total: number;
  readonly hits: readonly NameHit[];
}

/**
 * Finds notes by name and alias: with `exact`, notes that are called exactly this; with `partial`,
 * notes with every word of the query in one name, best first. Case and `.md` do not matter. Fails
 * with `invalid_input` for an empty query, with `too_large` for one that is too long, and with
 * `not_found` when the folder does not exist.
 */
export async function searchNames(
  vault: BoundVault,
  request: {
    readonly query: string;
    readonly match: 'exact' | 'partial';
    readonly folder: VaultFolder;
    readonly limit: number;
    readonly offset: number;
  },
): Promise<NameHits> {
  if (request.query.length > limits.queryCharsMax) {
    throw new VaultError('too_large', `A query has at most ${limits.queryCharsMax} characters.`);
  }
  if (request.query.trim() === '') {
    throw new VaultError('invalid_input', 'A query needs a name, or a part of one, to look for.');
  }
  const view = await folderView(vault, request.folder);
  const { total, items } = await vault.ask('facts', (store) => store.named(view, request));
  const hits = items.map(({ path, aliases }) => ({
    path,
    title: stemOf(path),
    ...(aliases.length > 0 ? { aliases } : {}),
    lines: [],
  }));
  return { total, hits };
}

/**
 * Finds the files that have a tag or one nested under it, in path order, each with the first lines
 * that contain it now. Case and `#` do not matter. Fails as `searchNames` does.
 */
export async function searchTagged(
  vault: BoundVault,
  request: {
    readonly tag: string;
    readonly folder: VaultFolder;
    readonly limit: number;
    readonly offset: number;
    readonly show?: (hits: number) => HitBounds;
  },
): Promise<NameHits> {
  if (request.tag.length > limits.queryCharsMax) {
    throw new VaultError('too_large', `A tag has at most ${limits.queryCharsMax} characters.`);
  }
  const tag = request.tag.trim().replace(/^#+/, '').replace(/\/+$/, '');
  if (tag === '') throw new VaultError('invalid_input', 'Name the tag to look for.');
  const view = await folderView(vault, request.folder);
  const { limit, offset } = request;
  const { total, items } = await vault.ask('facts', (store) =>
    store.filesWithTag(view, tag, { limit, offset }),
  );
  const paths = items.map(({ path }) => path);
  const query = { kind: 'tag', tag } as const;
  const bounds = request.show === undefined ? {} : { show: request.show(paths.length) };
  const reasons = await reasonsOf(vault, { query, alternatives: [], paths, ...bounds });
  // A vault that was unmounted during the search looks empty; then the answer would be wrong.
  await vault.vault.parts.disk.check();
  const hits = paths.map((path, at) => {
    return { path, title: stemOf(path), ...(reasons[at] ?? { lines: [] }) };
  });
  return { total, hits };
}
