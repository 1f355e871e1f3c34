import type { World } from '../values/world.ts';

/** The size of a file, or one of its times; undefined when there is no such file. */
export function fileNumber(
  world: World,
  path: string,
  part: 'size' | 'mtimeMs' | 'birthMs',
): number | undefined {
  return world.file(path) === undefined ? undefined : world.part(path, part);
}
