import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Makes the library for Node 20 release the files of closed connections: it keeps them open until
 * their statements are garbage-collected. Takes a few milliseconds.
 */
export async function releaseClosedFiles(): Promise<void> {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  await setImmediate(); // Native objects are released after the collection.
}
