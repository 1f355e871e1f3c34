import { readFileSync } from 'node:fs';

/**
 * Whether something is mounted somewhere in a folder, as Linux lists it: what is there may be a
 * drive that does not answer, whatever the folder itself lies on. Asks no drive. Where the list
 * cannot be read, nothing is known to be.
 */
export function hasMountsInside(
  folder: string,
  list = (): string => readFileSync('/proc/self/mountinfo', 'utf8'),
): boolean {
  const inside = folder.endsWith('/') ? folder : `${folder}/`;
  try {
    return list()
      .split('\n')
      .some((line) => {
        const point = spelledOut(line.split(' ', 5)[4] ?? '');
        return point.startsWith(inside) && point !== folder;
      });
  } catch {
    return false;
  }
}

/** The list has spaces, tabs, line ends and backslashes as octal numbers. */
function spelledOut(point: string): string {
  return point.replaceAll(/\\([0-7]{3})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 8)),
  );
}
