/**
 * Names that sync programs give to the losing side of a conflict. Only patterns that nobody types
 * by hand: iCloud's `Note 2.md` and OneDrive's `Note-HOST.md` look like ordinary notes and do not
 * count.
 */
const patterns: readonly RegExp[] = [
  / \(Conflicted copy .* \d{12}\)(?=\.[^.]+$)/, // Obsidian Sync
  / \(.*conflicted copy.* \d{4}-\d{2}-\d{2}.*\)(?=\.[^.]+$)/i, // Dropbox
  /\.sync-conflict-\d{8}-\d{6}-[A-Z0-9]{7}(?=\.[^.]+$)/, // Syncthing
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
