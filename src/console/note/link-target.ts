import { extensionOf } from '../../base/vault-path.ts';
import { decodeDestination, isExternal, splitLink } from '../../markdown/facts/link-text.ts';
import type { ShownNote } from './shown-note.ts';

/** Where a link of a note leads. */
export type LinkTarget =
  | { readonly kind: 'file'; readonly path: string; readonly subpath: string }
  /** The vault has no such file. */
  | { readonly kind: 'missing' }
  /** An address that may be opened; `host` is whose it is, in a few characters. */
  | { readonly kind: 'web'; readonly href: string; readonly host: string }
  /** An address that is never opened, such as `javascript:`. */
  | { readonly kind: 'refused' };

/** Where the destination of a Markdown link, as it is written, leads. */
export function targetOfDestination(written: string, targets: ShownNote['targets']): LinkTarget {
  if (written === '') return { kind: 'missing' };
  if (isExternal(written)) return webTarget(written);
  return targetOfLink(decodeDestination(written), targets);
}

/** Where a link to a file of the vault leads, such as `Note#Heading`. */
export function targetOfLink(link: string, targets: ShownNote['targets']): LinkTarget {
  const path = targets !== undefined && Object.hasOwn(targets, link) ? targets[link] : undefined;
  if (path === undefined || path === null) return { kind: 'missing' };
  return { kind: 'file', path, subpath: splitLink(link).subpath };
}

const schemes: readonly string[] = ['http:', 'https:', 'mailto:', 'obsidian:'];

/**
 * An address outside the vault. The browser's own parser reads it, so that no spelling (`java\tscript:`,
 * `HTTPS:\\host`, `https://bank@host`) means another thing here than where it would be opened.
 */
export function webTarget(address: string): LinkTarget {
  const url = parsed(address.startsWith('//') ? `https:${address}` : address);
  if (url === undefined || !schemes.includes(url.protocol)) return { kind: 'refused' };
  const { protocol, pathname } = url;
  const host = protocol.startsWith('http')
    ? url.host
    : protocol === 'mailto:'
      ? pathname
      : 'Obsidian';
  return { kind: 'web', href: url.href, host };
}

function parsed(address: string): URL | undefined {
  try {
    return new URL(address);
  } catch {
    return undefined;
  }
}

/** Whether the text of a link says by itself to which host it leads. */
export function saysHost(text: string, host: string): boolean {
  const said = text
    .trim()
    .toLowerCase()
    .replace(/^(?:https?:\/\/|mailto:)/, '');
  const bare = host.toLowerCase();
  return said.startsWith(bare) && /^(?:[/?#].*)?$/s.test(said.slice(bare.length));
}

const pictures: readonly string[] = ['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'svg'];

/** Whether a file is a picture that the console shows, by its name. */
export function isPicture(path: string): boolean {
  return pictures.includes(extensionOf(path));
}
