/**
 * What a file loses when it is replaced by a new one, as sentences for people. `uid` is that of
 * the process, `ownerUid` that of the vault's folder; undefined where users have no numbers.
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
  // Only macOS moves the time of birth back along with the time of change.
  if (platform !== 'darwin') {
    losses.push('A changed file gets a new time of creation: this system cannot set it.');
  }
  if (uid !== undefined && uid !== 0 && uid !== ownerUid) {
    losses.push(
      'A changed file will belong to the user who runs Vaultdoor, since the vault belongs to another.',
    );
  }
  losses.push('A changed file loses extended attributes and access lists, such as Finder tags.');
  return losses;
}
