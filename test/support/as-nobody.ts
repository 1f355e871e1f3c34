import { execFileSync } from 'node:child_process';
import { chownSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const nobody = 65_534;

/**
 * Runs a bundled program on a folder as a user whom permissions bind, and answers what it prints.
 * Root gives the folder to nobody and runs it as nobody; everyone else is bound already.
 */
export function runAsNobody(program: string, folder: string): string {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    for (const path of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]) {
      chownSync(join(folder, path), nobody, nobody);
    }
  }
  return execFileSync(process.execPath, ['--input-type=module', '-', folder], {
    cwd: folder,
    // From stdin, since nobody may not be allowed to look into this repository.
    input: readFileSync(program),
    encoding: 'utf8',
    ...(isRoot ? { uid: nobody, gid: nobody } : {}),
  }).trim();
}
