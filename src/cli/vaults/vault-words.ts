import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { limits } from '../../base/limits.ts';
import { foldName } from '../../base/vault-path.ts';
import { openVaultRoot } from '../../node/place/open-vault-root.ts';
import { vaultFolders } from '../../node/place/vault-folders.ts';
import { chooseVault } from '../options/choose-vault.ts';
import type { Shell } from '../shell/shell.ts';

/**
 * The names of notes, the folders or the tags of a vault, for completion in a shell. Nothing is
 * opened or built: names and folders are listed from the disk, tags come from the index if there is
 * one. Answers none when that would take too long: a shell would take a part of the names for all.
 */
export async function vaultWords(
  { env, currentFolder }: Pick<Shell, 'env' | 'currentFolder'>,
  kind: 'note' | 'folder' | 'tag',
  { prefix, vault }: { readonly prefix: string; readonly vault: string | undefined },
): Promise<readonly string[]> {
  const choice = chooseVault(vault, { env, currentFolder });
  const root = openVaultRoot(choice.path);
  if (kind === 'tag') {
    const { cache } = vaultFolders(root, env, process.platform);
    const { indexedTags } = await import('../../sqlite/index/indexed-tags.ts');
    const tags = await indexedTags(join(cache, 'index.db'), limits.completionEntriesMax);
    return shown(prefix.startsWith('#') ? tags.map((tag) => `#${tag}`) : tags);
  }
  const start = foldName(prefix);
  // A name is compared with the beginning of names, a path with that of paths.
  const isPath = kind === 'folder' || prefix.includes('/');
  const found = walk(root, kind, (path, name) => foldName(isPath ? path : name).startsWith(start));
  return shown(isPath ? found : named(found));
}

/** The notes by name; by path where two of them have one name. */
function named(paths: readonly string[]): readonly string[] {
  const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
  const counts = new Map<string, number>();
  for (const path of paths) {
    const key = foldName(nameOf(path));
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return paths.map((path) => {
    const name = nameOf(path);
    return counts.get(foldName(name)) === 1 ? name : path;
  });
}

/**
 * The notes, without ".md", or the folders of a vault that are meant; none when there are too many
 * files, or listing them takes too long.
 */
function walk(
  root: string,
  kind: 'note' | 'folder',
  isMeant: (path: string, name: string) => boolean,
): readonly string[] {
  const found: string[] = [];
  const endMs = performance.now() + limits.completionMs;
  const left = [''];
  let entries = 0;
  for (let folder = left.pop(); folder !== undefined; folder = left.pop()) {
    if (entries > limits.completionEntriesMax || performance.now() > endMs) return [];
    for (const entry of entriesOf(join(root, folder))) {
      const { name } = entry;
      entries++;
      if (name.startsWith('.')) continue;
      const path = folder === '' ? name : `${folder}/${name}`;
      if (entry.isDirectory()) {
        left.push(path);
        if (kind === 'folder' && isMeant(path, name)) found.push(path);
      } else if (kind === 'note' && entry.isFile() && /\.md$/i.test(name)) {
        if (isMeant(path, name)) found.push(path.slice(0, -'.md'.length));
      }
    }
  }
  return found;
}

/** What is in a folder; nothing when it cannot be listed. */
function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Without words that would steer the terminal. */
function shown(words: readonly string[]): readonly string[] {
  return words.filter((word) => !/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(word));
}
