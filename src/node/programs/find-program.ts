import { accessSync, constants, statSync } from 'node:fs';
import { posix, win32 } from 'node:path';

/** What decides where programs are found. */
export interface ProgramPlace {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The absolute path of the first of these programs that is on PATH; undefined when none is. An
 * earlier name in a later folder is preferred to a later name in an earlier folder. Relative folders
 * in PATH are ignored, since they depend on the current folder.
 */
export function findProgram(
  names: readonly string[],
  { platform, env }: ProgramPlace,
): string | undefined {
  const { delimiter, isAbsolute, join } = platform === 'win32' ? win32 : posix;
  // Windows may call it "Path", and a copy of the environment no longer ignores case.
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter(isAbsolute);
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((file) => isProgram(file));
}

/** Whether this is a file that may be executed. */
export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
