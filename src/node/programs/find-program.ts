import { accessSync, constants, statSync } from 'node:fs';
import { posix, win32 } from 'node:path';

export interface ProgramPlace {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The first of some programs that is on PATH, as an absolute path; undefined when none is. Names
 * come first, folders second: the better program of a later folder wins. Relative folders are left
 * out, since they would lead to whatever the current folder holds.
 */
export function findProgram(
  names: readonly string[],
  { platform, env }: ProgramPlace,
): string | undefined {
  const { delimiter, isAbsolute, join } = platform === 'win32' ? win32 : posix;
  // A copy of Windows' environment no longer ignores case.
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter(isAbsolute);
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((file) => isProgram(file));
}

/** Whether a file is there that may be run. */
export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
