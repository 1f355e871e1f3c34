import { chmod, mkdir, stat } from 'node:fs/promises';

const ownerOnly = 0o700;
const othersBits = 0o077;

/** Makes a folder, and those it needs, for its owner alone; one that is there stays as it is. */
export async function makeOwnFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: ownerOnly });
}

/** The same for a folder that nobody else has a use for: it is closed to them if it was open. */
export async function closeOwnFolder(folder: string): Promise<void> {
  await makeOwnFolder(folder);
  const { mode, uid } = await stat(folder);
  const isOurs = uid === process.getuid?.();
  if (isOurs && (mode & othersBits) !== 0) await chmod(folder, ownerOnly);
}
