import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { limits } from '../../base/limits.ts';
import type { PageFiles } from '../../doors/console/page-files.ts';

/**
 * Reads the files of the console's page, which lie beside the bundled program, without the views for
 * clients in `apps`. Undefined when they are not there, as in a checkout that was not built.
 */
export async function readPageFiles(entryFile: string): Promise<PageFiles | undefined> {
  const folder = join(dirname(entryFile), 'console');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => dirname(path) !== join(folder, 'apps'))
    .slice(0, limits.consoleFilesMax);
  const files = new Map<string, Uint8Array>();
  let bytes = 0;
  for (const path of paths) {
    const content = await readFile(path);
    bytes += content.byteLength;
    if (bytes > limits.consoleFilesBytesMax) return undefined;
    files.set(relative(folder, path).split(sep).join('/'), content);
  }
  return files.has('index.html') ? files : undefined;
}
