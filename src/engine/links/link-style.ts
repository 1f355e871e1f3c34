import { foldName } from '../../base/vault-path.ts';
import type { Link, NoteFacts, PropertyLink } from '../../markdown/facts/facts.ts';
import { parseWholeLink } from '../../markdown/facts/link-text.ts';
import { escapeForPropertyLink } from '../../markdown/properties/property-links.ts';
import { escapeForBaseLink } from '../../markdown/scan/base-file.ts';
import { escapeForJson } from '../../markdown/text/json-ranges.ts';
import type { LinkSettings } from '../ports/note-work.ts';
import type { FileKind } from '../ports/records.ts';
import type { VaultSettings } from '../settings/settings.ts';
import type { ByName } from './resolve-link.ts';
import { resolveLink } from './resolve-link.ts';
import { encodeDestination, linkPaths, relativePath, withoutMd } from './write-link.ts';

/** A link, the file it is written in, and the file it leads to, before a change. */
interface WrittenLink {
  readonly link: Link;
  /** The kind and the text of the file that the link is in. */
  readonly kind: FileKind;
  readonly text: string;
  readonly source: string;
  readonly target: string;
}

/** Returns every link of a file, those in its properties first. */
export function linksOf(facts: NoteFacts): readonly (Link | PropertyLink)[] {
  return [...facts.propertyLinks, ...facts.links];
}

/**
 * Returns the path to write into a link so that it leads from `source` to `target`, in the style
 * that the link has: a bare name stays as short as possible, a path stays a path, and a relative
 * path stays relative. If the vault's settings name a format, that one is used instead. Undefined when no text can lead
 * there, as when a folder has `#` in its name.
 */
export function restyledPath(
  written: WrittenLink,
  now: { readonly source: string; readonly target: string },
  settings: LinkSettings,
  byName: ByName,
): string | undefined {
  const { link } = written;
  // A file node names its file by the whole path, whatever the settings say.
  if (link.form === 'canvas') return now.target;
  const { format, prefix } = styleOf(written, settings);
  // For `linkPaths`, the form decides only whether `.md` is left out.
  const form = dropsMd(written) ? 'wikilink' : 'markdown';
  const leadsThere = (path: string) =>
    resolveLink({ path, source: now.source }, byName)?.path === now.target;
  for (const path of linkPaths(now, { format, form }, byName)) {
    const prefixed = /^[./]/.test(path) ? path : prefix + path;
    if (prefixed !== path && leadsThere(prefixed) && canBeWritten(written, prefixed)) {
      return prefixed;
    }
    if (canBeWritten(written, path)) return path;
  }
  return undefined;
}

/** How the path of a link is written: its format, and a `/` or `./` before the first name. */
function styleOf(
  { link, source, target }: WrittenLink,
  { newLinkFormat, newLinkFormatSet }: LinkSettings,
): { readonly format: VaultSettings['newLinkFormat']; readonly prefix: string } {
  if (newLinkFormatSet) return { format: newLinkFormat, prefix: '' };
  const path = link.path.trim();
  if (!path.includes('/')) return { format: 'shortest', prefix: '' };
  if (path.startsWith('/')) return { format: 'absolute', prefix: '/' };
  if (path.startsWith('./')) return { format: 'relative', prefix: './' };
  if (path.startsWith('../')) return { format: 'relative', prefix: '' };
  const isTo = (to: string) =>
    [to, withoutMd(to)].some((form) => foldName(form) === foldName(path));
  const relative = isTo(relativePath(source, target)) && !isTo(target);
  return { format: relative ? 'relative' : 'absolute', prefix: '' };
}

/** Whether a link leaves out `.md`: wikilinks always do, other links where they did before. */
function dropsMd({ link, kind, text }: WrittenLink): boolean {
  if (link.form === 'wikilink') return true;
  // In a base, a path can stand inside a wikilink.
  if (kind === 'base' && text.startsWith('[[', link.range.start)) return true;
  return withoutMd(link.path.trim()) === link.path.trim();
}

/** Whether a link of this form can hold a path so that the same path is read back. */
function canBeWritten({ link }: WrittenLink, path: string): boolean {
  const put = pathInLink(link, path);
  switch (link.form) {
    case 'wikilink':
      return parseWholeLink(`[[${put}]]`)?.path === path;
    case 'markdown':
    case 'definition':
      return parseWholeLink(link.angled ? `[x](<${put}>)` : `[x](${put})`)?.path === path;
    default:
      return !/[#|\n]/.test(path);
  }
}

/** A path as its link writes it, without the escapes of JSON or YAML around the link. */
export function pathInLink(link: Link, path: string): string {
  if (link.form !== 'markdown' && link.form !== 'definition') return path;
  return link.angled ? encodeAngled(path) : encodeDestination(path);
}

/** Encodes, for a path between angle brackets, only what would end them or be read as an escape. */
function encodeAngled(path: string): string {
  return path.replace(
    /[<>\r\n\\]|%(?=[0-9A-Fa-f]{2})|&(?=#|[a-z]{2,5};)/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

/** A part of a link as it must be written in its file, with the escapes of JSON or YAML. */
export function escapeInFile(
  { kind, text }: { readonly kind: FileKind; readonly text: string },
  link: Link | PropertyLink,
  put: string,
): string {
  if (kind === 'canvas') return escapeForJson(put);
  if (kind === 'base') return escapeForBaseLink(text, link, put);
  return 'key' in link ? escapeForPropertyLink(text, link, put) : put;
}
