/**
 * What paths are compared by to come in the order of ripgrep's `--sort=path`: name by name, each by
 * its bytes, so that what is in `a` comes before `a.md`. The path is given byte by byte (`latin1`):
 * as JavaScript compares strings, `😀` would come before `ｆ`.
 */
export function pathOrderKey(latin1: string): string {
  return latin1.replaceAll('/', '\0');
}
