import { VaultError } from '../../../base/vault-error.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import { fileNameOf, foldName } from '../../../base/vault-path.ts';
import type { VersionStart } from '../../../base/version.ts';
import { headingKey } from '../../../markdown/facts/heading-match.ts';
import { scanNote } from '../../../markdown/scan/scan-note.ts';
import { linkSegment, resolveLink } from '../../links/resolve-link.ts';
import { writeLink } from '../../links/write-link.ts';
import { namesAround, once } from '../../moves/rewrite-links.ts';
import { checkMarkdown, readMarkdown } from '../../notes/find-note.ts';
import { headingInLink } from '../../notes/heading-subpath.ts';
import type { Draft } from '../../vault/draft.ts';
import type { NoteName } from '../../vault/note-name.ts';
import { appendNote } from './append-note.ts';

interface AddLinkRequest {
  readonly name: NoteName;
  /** The file to link to, by name. */
  readonly target: NoteName;
  /**
   * The section of the note that gets the link; without it, the link goes to the end of the note.
   */
  readonly section?: string;
  /** The text that the link shows. */
  readonly display?: string;
  /** The heading of the target to link to. */
  readonly heading?: string;
  readonly version?: VersionStart;
}

/**
 * Adds a link to another file on a line of its own, written in the vault's link format, unless the
 * note or the requested section already has such a link. Returns the line of the link. Fails with
 * `not_found` when a file, the section or the heading does not exist, and with `invalid_input` for
 * a display text that would break the link.
 */
export async function addLink(
  draft: Draft,
  request: AddLinkRequest,
): Promise<{ readonly path: VaultPath; readonly added: boolean; readonly line: number }> {
  const { path, text } = await readMarkdown(draft, request);
  const target = await draft.find(request.target);
  const subpath =
    request.heading === undefined ? '' : await subpathTo(draft, target, request.heading);
  const place = request.section === undefined ? {} : { section: request.section };
  const name = foldName(fileNameOf(target));
  const links = await draft.vault.work('links', text, { name, ...place });
  const byName = await draft.byName(
    [name, ...links.map((link) => linkSegment(link.path))].flatMap(namesAround),
  );
  const leads = once((written) =>
    written === '' ? path : resolveLink({ path: written, source: path }, byName)?.path,
  );
  const found = links.find(
    (link) =>
      leads(link.path) === target &&
      (subpath === '' || headingKey(link.subpath) === headingKey(subpath)),
  );
  if (found !== undefined) return { path, added: false, line: found.line };
  const { display } = request;
  const link = { source: path, target, subpath, embed: false };
  const settings = await draft.vault.vault.settings();
  const written = writeLink(display === undefined ? link : { ...link, display }, settings, byName);
  if (display !== undefined) checkDisplay(written);
  const { line } = await appendNote(draft, { name: path, text: written, ...place });
  return { path, added: true, line };
}

/**
 * Fails with `invalid_input` when the display text breaks the link, as brackets and line breaks do.
 */
function checkDisplay(written: string): void {
  const [link] = scanNote(written).links;
  const isWhole = link?.range.start === 0 && link.range.end === written.length;
  if (isWhole && !/[\r\n]/.test(written)) return;
  throw new VaultError(
    'invalid_input',
    'A link cannot show this text; leave out brackets, backslashes and line breaks.',
  );
}

/** The subpath (`#Heading`) that leads to a heading of a note. */
async function subpathTo(draft: Draft, target: VaultPath, asked: string): Promise<string> {
  checkMarkdown(target);
  const { text } = await draft.read(target);
  const heading = await draft.vault.work('heading', text, asked.replace(/^#+\s*/, ''));
  if (heading.found === undefined) {
    const candidates = heading.others;
    throw new VaultError('not_found', `"${target}" has no such heading.`, {
      details: { path: target, candidates },
    });
  }
  return `#${headingInLink(heading.found)}`;
}
