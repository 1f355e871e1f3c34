import { foldName } from '../../../base/vault-path.ts';
import { type ByName, resolveAnywhere, resolveLink } from '../../links/resolve-link.ts';
import { withoutMd } from '../../links/write-link.ts';
import type { MovedFiles } from '../../ports/bases-rename.ts';
import type { FilesByName } from '../../ports/note-work.ts';

/** Finds the path that a link in a base must have after files moved; undefined where it stays. */
type NewLinkPath = (path: string, by: string) => string | undefined;

/**
 * Returns how the links of a base in the file `source` follow moved files. `hasLink` and `linksTo`
 * are resolved from each row of the base, so a text that does not lead to the same file from
 * everywhere stays. All others are resolved from the file that the base is in.
 */
export function newLinkPath(source: string, files: MovedFiles): NewLinkPath {
  const { moves } = files;
  const [before, after] = [lookup(files.before), lookup(files.after)];
  const now = moves.get(source) ?? source;
  const find: NewLinkPath = (path, by) => {
    const isOfRow = by === 'hasLink' || by === 'linksTo';
    const leads = (text: string, from: string, byName: ByName): string | undefined =>
      isOfRow
        ? resolveAnywhere(text, byName)?.target?.path
        : resolveLink({ path: text, source: from }, byName)?.path;
    const target = leads(path, source, before);
    if (target === undefined) return undefined;
    const expected = moves.get(target) ?? target;
    if (expected === target && leads(path, now, after) === target) return undefined;
    const forms = spellings(path, { from: target, to: expected });
    // A path with `#` or `|` would be read as a link to a part, or with a display text.
    return forms.find((form) => !/[#|]/.test(form) && leads(form, now, after) === expected);
  };
  // Many links may be written alike, and many files may have one name.
  const known = new Map<string, string | undefined>();
  return (path, by) => {
    const key = `${by} ${path}`;
    if (!known.has(key)) known.set(key, find(path, by));
    return known.get(key);
  };
}

/**
 * The ways to write a path, the nearest to the old one first: all folders if it had all of them, or
 * else as many as it had.
 */
function spellings(
  old: string,
  { from, to }: { readonly from: string; readonly to: string },
): readonly string[] {
  const written = foldName(old.trim());
  const isWhole = [from, withoutMd(from)].some((path) => foldName(path) === written);
  const depth = isWhole ? Number.POSITIVE_INFINITY : written.split('/').length;
  const forms = [to.split('/').slice(-depth).join('/'), to, `/${to}`];
  return written.endsWith('.md') ? forms : [...forms.map(withoutMd), ...forms];
}

/** Names that were not asked for belong to no file. */
function lookup(files: FilesByName): ByName {
  return (name) => files.get(name) ?? [];
}
