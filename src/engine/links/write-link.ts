import { extensionOf, fileNameOf, foldName } from '../../base/vault-path.ts';
import type { VaultSettings } from '../settings/settings.ts';
import type { ByName } from './resolve-link.ts';
import { resolveLink } from './resolve-link.ts';

/** A link to write: the file it is in, the file it leads to, and what it shows. */
interface LinkToWrite {
  readonly source: string;
  readonly target: string;
  /** With its `#`; empty for the whole file. */
  readonly subpath: string;
  /** The text that the link shows. Left out when it is what the link would show anyway. */
  readonly display?: string;
  readonly embed: boolean;
}

/**
 * Returns the source text of a link in the vault's own style: wikilink or Markdown, by its
 * settings.
 */
export function writeLink(
  link: LinkToWrite,
  settings: Pick<VaultSettings, 'newLinkFormat' | 'useMarkdownLinks'>,
  byName: ByName,
): string {
  const bang = link.embed ? '!' : '';
  if (link.target === link.source && link.subpath !== '') {
    return bang + inStyle('', link, settings.useMarkdownLinks);
  }
  const form = settings.useMarkdownLinks ? 'markdown' : 'wikilink';
  const path = linkPath(link, { format: settings.newLinkFormat, form }, byName);
  return bang + inStyle(path, link, settings.useMarkdownLinks);
}

/**
 * Returns the path text that leads from `source` to `target`, in the wanted format if possible. A
 * text that would lead elsewhere (to a file of the same name, or to `Report.pdf` beside
 * `Report.pdf.md`) is replaced by a longer one, so that the result always leads to `target`.
 */
function linkPath(
  link: { readonly source: string; readonly target: string },
  style: {
    readonly format: VaultSettings['newLinkFormat'];
    readonly form: 'wikilink' | 'markdown';
  },
  byName: ByName,
): string {
  for (const path of linkPaths(link, style, byName)) return path;
  return link.target;
}

/**
 * Yields path texts that lead from `source` to `target`: the wanted format first, then longer ones.
 */
export function* linkPaths(
  link: { readonly source: string; readonly target: string },
  style: {
    readonly format: VaultSettings['newLinkFormat'];
    readonly form: 'wikilink' | 'markdown';
  },
  byName: ByName,
): Generator<string, undefined> {
  const forms = pathForms(link, style.format, byName);
  // ".md" is dropped in wikilinks and kept in Markdown links; elsewhere it always stays.
  const short = style.form === 'wikilink' ? forms.map(withoutMd) : forms;
  for (const path of [...short, ...forms]) {
    if (resolveLink({ path, source: link.source }, byName)?.path === link.target) yield path;
  }
}

/** Path texts with extension: the wanted format first, then longer ones. */
function pathForms(
  link: { readonly source: string; readonly target: string },
  format: VaultSettings['newLinkFormat'],
  byName: ByName,
): string[] {
  const { source, target } = link;
  const relative = relativePath(source, target);
  const unambiguous = [target, relative.startsWith('.') ? relative : `./${relative}`, `/${target}`];
  if (format === 'absolute') return unambiguous;
  if (format === 'relative') return [relative, ...unambiguous];
  const name = fileNameOf(target);
  // Shortest means the name alone if no other file has it, else the full path: never a part.
  return byName(foldName(name)).length <= 1 ? [name, ...unambiguous] : unambiguous;
}

/**
 * The path of `target` from the folder of `source`, with `../` where needed and never with `./`.
 */
function relativePath(source: string, target: string): string {
  const from = source.split('/').slice(0, -1);
  const to = target.split('/');
  let shared = 0;
  while (shared < from.length && shared < to.length - 1 && from[shared] === to[shared]) shared++;
  return [...from.slice(shared).map(() => '..'), ...to.slice(shared)].join('/');
}

function inStyle(path: string, link: LinkToWrite, markdown: boolean): string {
  const destination = path + link.subpath;
  if (!markdown) {
    const shown = link.display === undefined || link.display === destination ? '' : link.display;
    return `[[${destination}${shown === '' ? '' : `|${shown}`}]]`;
  }
  const text = link.display ?? defaultText(path, link);
  return `[${text}](${encodeDestination(destination)})`;
}

function defaultText(path: string, link: LinkToWrite): string {
  if (link.embed) return '';
  if (path === '') return link.subpath.slice(1);
  return withoutMd(fileNameOf(path));
}

/**
 * A Markdown destination with the fewest characters encoded, as the app writes it: spaces,
 * backslashes and control characters. Beyond the app: a `%` that would be read as an escape, a `&`
 * that would be read as a character reference, and parentheses that do not pair, since each of
 * them would break the link.
 */
export function encodeDestination(destination: string): string {
  const pairs = parenthesesPair(destination);
  return destination.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is encoded
    /[\u0000-\u0020\u007f\\]|[()]|%(?=[0-9A-Fa-f]{2})|&(?=#|[a-z]{2,5};)/g,
    (character) => {
      if (pairs && (character === '(' || character === ')')) return character;
      return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
    },
  );
}

function parenthesesPair(text: string): boolean {
  let open = 0;
  for (const character of text) {
    if (character === '(') open++;
    else if (character === ')' && --open < 0) return false;
  }
  return open === 0;
}

/** A path without its `.md`; any other extension stays. */
export function withoutMd(path: string): string {
  return extensionOf(path) === 'md' ? path.slice(0, -3) : path;
}
