/**
 * What a file loses when it is replaced by a new one, as sentences for the user. `uid` is the user
 * of this process, `ownerUid` the owner of the vault's folder; both are undefined on Windows.
 */
export function cannotKeep({
  platform,
  uid,
  ownerUid,
}: {
  readonly platform: NodeJS.Platform;
  readonly uid: number | undefined;
  readonly ownerUid: number | undefined;
}): readonly string[] {
  const losses: string[] = [];
  // Only on macOS can the time of creation be set; see `resemble` in stage-file.ts.
  if (platform !== 'darwin') {
    losses.push('A changed file gets a new time of creation: this system cannot set it.');
  }
  if (uid !== undefined && uid !== 0 && uid !== ownerUid) {
    losses.push(
      'A changed file will belong to the user who runs Vaultdoor, since the vault belongs to another user.',
    );
  }
  const tags = platform === 'darwin' ? ', such as Finder tags' : '';
  losses.push(`A changed file loses extended attributes and access lists${tags}.`);
  return losses;
}
