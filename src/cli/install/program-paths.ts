import type { Shell } from '../shell/shell.ts';
import { mayBeRemovedBy, stablePath } from './stable-path.ts';
import { realPath } from './this-machine.ts';

/** The paths of Node and of our program, with which others start it. */
export interface ProgramPaths {
  readonly node: string;
  readonly script: string;
}

/** The paths to write into configurations: those that an upgrade does not break, where there are any. */
export function programPaths({ entryFile }: Pick<Shell, 'entryFile'>): ProgramPaths {
  return {
    node: stablePath(process.execPath, realPath),
    script: stablePath(entryFile, realPath),
  };
}

/** A sentence for each path that an upgrade or a cleanup may remove. */
export function pathWarnings({ node, script }: ProgramPaths): readonly string[] {
  return [node, script].flatMap((path) => {
    const owner = mayBeRemovedBy(path);
    return owner === undefined
      ? []
      : [
          `"${path}" belongs to ${owner}, and an upgrade may remove it; if it does, run this command again.`,
        ];
  });
}
