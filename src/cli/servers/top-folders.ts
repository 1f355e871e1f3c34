import { limits } from '../../base/limits.ts';
import { isHidden, isVaultPath, vaultPath } from '../../base/vault-path.ts';
import type { Server } from './run-server.ts';

/**
 * The folders at the top of the served vaults that clients may see, each once, in order. A vault that
 * is away is left out.
 */
export async function topFolders({
  vaults,
  scopes,
  deadlineMs,
}: Pick<Server, 'vaults' | 'scopes' | 'deadlineMs'>): Promise<readonly string[]> {
  const lists = vaults.map(async (source) => {
    const vault = await source.open();
    const signal = new AbortController().signal;
    const caller = { door: 'mcp-http', scopes, signal, deadlineMs: deadlineMs() } as const;
    const bound = await vault.admit(caller);
    const entries = (await vault.parts.disk.list('')) ?? [];
    return entries.flatMap(({ name, kind }) => {
      const isServed = kind === 'folder' && !isHidden(name) && isVaultPath(name);
      return isServed && bound.seesFolder(vaultPath(name)) ? [name] : [];
    });
  });
  const found = await Promise.all(lists.map((list) => list.catch(() => [])));
  return [...new Set(found.flat())].sort().slice(0, limits.topFoldersMax);
}
