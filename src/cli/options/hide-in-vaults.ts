/**
 * What is to be hidden, as seen from the vaults: people paste the whole path of a private folder,
 * which no path in a vault would ever match.
 */
export function hideInVaults(
  globs: readonly string[],
  folders: readonly string[],
): readonly string[] {
  const begins = folders.map((folder) => `${folder.replaceAll('\\', '/').replace(/\/$/, '')}/`);
  return globs.map((given) => {
    const glob = given.replaceAll('\\', '/');
    const begin = begins.find((each) => each !== '/' && glob.startsWith(each));
    return begin === undefined ? given : glob.slice(begin.length);
  });
}
