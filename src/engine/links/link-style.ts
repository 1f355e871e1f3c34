import { extensionOf } from '../../base/vault-path.ts';
import type { Link, NoteFacts, PropertyLink } from '../../markdown/facts/facts.ts';
import { parseWholeLink } from '../../markdown/facts/link-text.ts';
import { escapeForPropertyLink } from '../../markdown/properties/property-links.ts';
import { escapeForBaseLink } from '../../markdown/scan/base-file.ts';
import { escapeForJson } from '../../markdown/text/json-ranges.ts';
import type { FileKind } from '../ports/records.ts';
import type { VaultSettings } from '../settings/settings.ts';
import type { ByName } from './resolve-link.ts';
import { encodeDestination, linkPaths, withoutMd } from './write-link.ts';

/** The vault's settings about the format of links. */
export type LinkSettings = Pick<VaultSettings, 'newLinkFormat'>;

/** A link, the file it is written in, and the file it leads to, before a change. */
interface WrittenLink {
  readonly link: Link;
  /** The kind and the text of the file that the link is in. */
  readonly kind: FileKind;
  readonly text: string;
  readonly target: string;
}

/** Returns every link of a file, those in its properties first. */
export function linksOf(facts: NoteFacts): readonly (Link | PropertyLink)[] {
  return [...facts.propertyLinks, ...facts.links];
}

/**
 * Returns the path to write into a link so that it leads from `source` to `target`, as the app
 * writes it: in the format of the vault's settings, whatever format the link had before. Undefined
 * when no text can lead there, as when a folder has `#` in its name.
 */
export function restyledPath(
  written: WrittenLink,
  now: { readonly source: string; readonly target: string },
  settings: LinkSettings,
  byName: ByName,
): string | undefined {
  // A file node names its file by the whole path, whatever the settings say.
  if (written.link.form === 'canvas') return now.target;
  // For `linkPaths`, the form decides only whether `.md` is left out.
  const form = dropsMd(written) ? 'wikilink' : 'markdown';
  for (const path of linkPaths(now, { format: settings.newLinkFormat, form }, byName)) {
    if (canBeWritten(written, path)) return path;
  }
  return undefined;
}

/** Whether a link leaves out `.md`: wikilinks always do, other links where they did before. */
function dropsMd({ link, kind, text, target }: WrittenLink): boolean {
  if (link.form === 'wikilink') return true;
  // In a base, a path can stand inside a wikilink.
  if (kind === 'base' && text.startsWith('[[', link.range.start)) return true;
  return extensionOf(target) === 'md' && withoutMd(link.path.trim()) === link.path.trim();
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
  if (kind === 'base') return escapeForBaseLink(link, put);
  return 'key' in link ? escapeForPropertyLink(text, link, put) : put;
}
