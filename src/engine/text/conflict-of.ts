/**
 * Names that sync programs give to the losing side of a conflict. Only patterns that nobody types
 * by hand: iCloud's `Note 2.md` and OneDrive's `Note-HOST.md` look like ordinary notes and do not
 * count. Each matches only the last such part of a name, so that a copy of a copy belongs to that
 * copy. The name of a device may have one pair of brackets of its own.
 */
const patterns: readonly RegExp[] = [
  / \(Conflicted copy (?:[^()]|\([^()]*\))* \d{12}\)(?=\.[^.]+$|$)/, // Obsidian Sync
  // Dropbox and Nextcloud
  / \((?:[^()]|\([^()]*\))*conflicted copy(?: [^()]*)? \d{4}-\d\d-\d\d(?:[^()]|\([^()]*\))*\)(?=\.[^.]+$|$)/i,
  /\.sync-conflict-\d{8}-\d{6}(?:-[A-Z0-9]{7})?(?=\.[^.]+$|$)/, // Syncthing; old ones name no device
  /\.conflict\d+(?=\.[^.]+$|$)/, // rclone bisync
];

/**
 * Returns the path of the file that a conflict copy was made from, judged by the name alone;
 * undefined for a path that is not a conflict copy.
 */
export function conflictOf(path: string): string | undefined {
  const slash = path.lastIndexOf('/') + 1;
  const name = path.slice(slash);
  for (const pattern of patterns) {
    const original = name.replace(pattern, '');
    if (original !== name && original !== '') return path.slice(0, slash) + original;
  }
  return undefined;
}
