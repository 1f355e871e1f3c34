import { limits } from '../../../base/limits.ts';
import { VaultError } from '../../../base/vault-error.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import { pageBreak } from '../../ports/documents.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';

/** Some pages of a PDF. */
interface PdfPages {
  /** How many pages have been read of the file. */
  readonly count: number;
  readonly pages: readonly { readonly number: number; readonly text: string }[];
}

/**
 * Reads the text of a page of a PDF, or of as many pages from the first on as `charsMax` allows: from
 * the index, or from the file if the index does not have it yet. Fails with `not_found` where there is
 * no such page, and as `PdfReader.read` does.
 */
export async function readPdf(
  vault: BoundVault,
  path: VaultPath,
  { page, charsMax }: { readonly page?: number | undefined; readonly charsMax: number },
): Promise<PdfPages> {
  const texts = (await indexedPages(vault, path)) ?? (await pagesInFile(vault, path));
  const count = texts.length;
  if (page !== undefined && (page < 1 || page > count)) {
    throw new VaultError('not_found', `"${path}" has pages 1 to ${count}.`);
  }
  const pages: { number: number; text: string }[] = [];
  let left = charsMax;
  for (let number = page ?? 1; number <= (page ?? count) && left > 0; number++) {
    const text = (texts[number - 1] ?? '').slice(0, charsMax);
    if (pages.length > 0 && text.length > left) break;
    pages.push({ number, text });
    left -= text.length;
  }
  vault.hasRead(path, ...pages.map(({ text }) => text));
  return { count, pages };
}

/** Undefined when the index does not have them, or has none because the file cannot be read. */
async function indexedPages(
  vault: BoundVault,
  path: VaultPath,
): Promise<readonly string[] | undefined> {
  const [found] = await vault.askNow((store) => store.documentTexts(vault.view(), [path]));
  return found === undefined || found.text === '' ? undefined : found.text.split(pageBreak);
}

async function pagesInFile(vault: BoundVault, path: VaultPath): Promise<readonly string[]> {
  const { documents } = vault.vault.parts;
  if (documents === undefined) {
    throw new VaultError('unavailable', 'The text of PDFs cannot be read here.');
  }
  const { bytes } = await vault.read(path, { bytesMax: limits.pdfBytesMax });
  return (await documents.readNow(bytes, vault.caller.signal)).pages;
}
