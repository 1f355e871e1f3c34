import { limits } from '../../../base/limits.ts';
import type { VaultFolder } from '../../../base/vault-path.ts';
import { extensionOf } from '../../../base/vault-path.ts';
import { fileKind, isParsed } from '../../ports/file-kind.ts';
import type { FileRow, Page, PageRequest } from '../../ports/index-store.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import { listFiles } from './list-files.ts';

/** The files of a folder with this extension, at any depth, in path order; its case does not count. */
export async function listWithExtension(
  vault: BoundVault,
  request: PageRequest & { readonly folder: VaultFolder; readonly extension: string },
): Promise<Page<FileRow>> {
  const { folder, limit, offset } = request;
  const extension = request.extension.replace(/^\./, '').toLowerCase();
  const kind = fileKind(`x.${extension}`);
  const asked = { folder, kinds: [kind], sort: 'path' } as const;
  if (isParsed(kind)) return listFiles(vault, { ...asked, limit, offset });
  const found: FileRow[] = [];
  for (let from = 0; ; from += limits.resultsMax) {
    const page = await listFiles(vault, { ...asked, limit: limits.resultsMax, offset: from });
    found.push(...page.items.filter(({ path }) => extensionOf(path) === extension));
    if (from + limits.resultsMax >= page.total) break;
  }
  return { total: found.length, items: found.slice(offset, offset + limit) };
}
