import { limits } from '../../../base/limits.ts';
import { VaultError } from '../../../base/vault-error.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import { findNote } from '../../notes/find-note.ts';
import { documentKind, pageBreak } from '../../ports/documents.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';

/** Some pages of a document. */
interface DocumentPart {
  /** How many pages have been read of the file. */
  readonly count: number;
  readonly pages: readonly { readonly number: number; readonly text: string }[];
  /** Said where not all pages of the file have been read. */
  readonly note?: string;
}

/** All pages that can be read, and the remark about others. */
interface AllPages {
  readonly pages: readonly string[];
  readonly note?: string;
}

/** A page of a PDF, as `report.pdf#page=3` names it; undefined for any other name. */
export function pageNamed(
  name: string,
): { readonly file: string; readonly number: number } | undefined {
  const [, file = '', number] = /^(.+\.pdf)#page=(\d{1,6})$/i.exec(name) ?? [];
  return number === undefined ? undefined : { file, number: Number(number) };
}

/** About as many characters of an answer stand around the text of a page. */
const aroundPage = 60;

/**
 * Reads the text of a page of a PDF or a drawing, or of as many pages from the first on as `charsMax` allows: from
 * the index, or from the file if the index does not have it yet. Fails with `not_found` where there is
 * no such page, and as `DocumentReader.read` does.
 */
export async function readDocument(
  vault: BoundVault,
  path: VaultPath,
  { page, charsMax }: { readonly page?: number | undefined; readonly charsMax: number },
): Promise<DocumentPart> {
  const { pages: texts, note } =
    (await indexedPages(vault, path)) ?? (await pagesInFile(vault, path));
  const count = texts.length;
  if (page !== undefined && (page < 1 || page > count)) {
    const has = note ?? `"${path}" has pages 1 to ${count}.`;
    throw new VaultError('not_found', `There is no page ${page} to read. ${has}`);
  }
  const pages: { number: number; text: string }[] = [];
  let left = charsMax;
  for (let number = page ?? 1; number <= (page ?? count) && left > 0; number++) {
    const whole = texts[number - 1] ?? '';
    if (pages.length > 0 && whole.length + aroundPage > left) break;
    const isCut = whole.length > charsMax;
    pages.push({
      number,
      text: isCut ? `${whole.slice(0, charsMax)} [the rest is cut off]` : whole,
    });
    left -= whole.length + aroundPage;
  }
  vault.hasRead(path, ...pages.map(({ text }) => text));
  return { count, pages, ...(note === undefined ? {} : { note }) };
}

/**
 * Reads the PDF, the page of one (`report.pdf#page=3`) or the drawing that a name means; undefined for a
 * name without such an extension. Fails as `findNote` and `readDocument` do.
 */
export async function readNamedDocument(
  vault: BoundVault,
  { name, charsMax }: { readonly name: string; readonly charsMax: number },
): Promise<(DocumentPart & { readonly path: VaultPath }) | undefined> {
  const { file, number: page } = pageNamed(name) ?? { file: name };
  if (documentKind(file) === undefined) return undefined;
  const path = await findNote(vault, file);
  return { path, ...(await readDocument(vault, path, { page, charsMax })) };
}

/** Undefined when the index does not have them yet. Fails where they could not be read. */
async function indexedPages(vault: BoundVault, path: VaultPath): Promise<AllPages | undefined> {
  const [found] = await vault.askNow((store) =>
    store.documentTexts(vault.view(), [path], limits.pdfTextCharsMax),
  );
  if (found === undefined) return undefined;
  const { text, problem } = found;
  if (text === '' && problem !== undefined) throw new VaultError('invalid_input', problem);
  return { pages: text.split(pageBreak), ...(problem === undefined ? {} : { note: problem }) };
}

async function pagesInFile(vault: BoundVault, path: VaultPath): Promise<AllPages> {
  const { documents } = vault.vault.parts;
  if (documents === undefined) {
    throw new VaultError(
      'unavailable',
      'The text of PDFs and drawings is read by a running server ("vaultdoor stdio" or "vaultdoor serve"), and none has read this one yet.',
    );
  }
  const { bytes } = await vault.read(path, { bytesMax: limits.pdfBytesMax });
  const { pages, count } = await documents.readNow(path, bytes, vault.caller.signal);
  if (pages.length === count) return { pages };
  return { pages, note: `Only the first ${pages.length} of its ${count} pages can be read.` };
}
