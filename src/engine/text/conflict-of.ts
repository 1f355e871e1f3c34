/**
 * Names that sync programs give to the losing side of a conflict. Only patterns that nobody
 * types by hand: iCloud's `Note 2.md` and OneDrive's `Note-HOST.md` look like ordinary notes and
 * are left alone.
 */
const patterns: readonly RegExp[] = [
  / \(Conflicted copy .* \d{12}\)(?=\.[^.]+$)/, // Obsidian Sync
  / \(.*conflicted copy.* \d{4}-\d{2}-\d{2}.*\)(?=\.[^.]+$)/i, // Dropbox
  /\.sync-conflict-\d{8}-\d{6}-[A-Z0-9]{7}(?=\.[^.]+$)/, // Syncthing
  /\.conflict\d+(?=\.[^.]+$|$)/, // rclone bisync
];

/** The path that a conflict copy was split from, judged by name alone; undefined for other files. */
export function conflictOf(path: string): string | undefined {
  const slash = path.lastIndexOf('/') + 1;
  const name = path.slice(slash);
  for (const pattern of patterns) {
    const original = name.replace(pattern, '');
    if (original !== name && original !== '') return path.slice(0, slash) + original;
  }
  return undefined;
}
