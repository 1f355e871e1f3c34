import { givesFileEvents } from '../place/gives-file-events.ts';
import { hasMountsInside } from '../place/has-mounts-inside.ts';

/**
 * Whether the disk of a folder answers at once, so that asking it need not keep a thread of its own.
 * Only Linux says what a file system is, and what is mounted where: elsewhere a drive may be one
 * that does not answer.
 */
export function answersAtOnce(folder: string, platform: NodeJS.Platform): boolean {
  return platform === 'linux' && givesFileEvents(folder, platform) && !hasMountsInside(folder);
}
