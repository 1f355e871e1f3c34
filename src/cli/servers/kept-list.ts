import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../base/json.ts';
import { showsViews } from '../../doors/mcp/server/app-views.ts';
import type { ServerOptions } from '../options/server-options.ts';
import type { Shell } from '../shell/shell.ts';

/** The answer to `tools/list`, as the SDK has sent it. */
interface ToolList {
  readonly tools: readonly unknown[];
}

/**
 * Everything that the answer to `tools/list` depends on, besides the program itself: the options of
 * the server, the names of its vaults, and whether the client shows views, which lie beside the program.
 */
export function listKey(
  { entryFile }: Pick<Shell, 'entryFile'>,
  options: ServerOptions,
  { vaults, capabilities }: { readonly vaults: readonly string[]; readonly capabilities: unknown },
): string {
  const { toolsets, tagPolicy, history, sync, publish, attachFrom, rights } = options;
  return JSON.stringify({
    toolsets,
    tagPolicy,
    history,
    sync: sync !== undefined,
    publish: publish !== undefined,
    attachFrom: attachFrom !== undefined,
    rights,
    vaults: vaults.length > 1 ? vaults : [],
    views: isObject(capabilities) && showsViews(capabilities) ? entryFile : '',
  });
}

/** The list that an earlier start of the same program has kept; undefined when there is none. */
export function readKeptList({ startCache }: Shell, key: string): ToolList | undefined {
  for (const folder of startCache?.folders() ?? []) {
    const kept = parsedFile(join(folder, fileName(startCache?.id ?? '', key)));
    if (!isObject(kept) || kept['key'] !== key || !isToolList(kept['list'])) continue;
    return kept['list'];
  }
  return undefined;
}

/** Keeps a list for the next start. It is only a cache, so a failure is not reported. */
export async function keepList({ startCache }: Shell, key: string, list: unknown): Promise<void> {
  const folder = startCache?.own();
  if (startCache === undefined || folder === undefined || !isToolList(list)) return;
  const { mkdir, rename, writeFile } = await import('node:fs/promises');
  const file = join(folder, fileName(startCache.id, key));
  const temporary = `${file}.${process.pid}-0.tmp`;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(temporary, JSON.stringify({ key, list }), { mode: 0o600, flag: 'wx' });
    await rename(temporary, file);
  } catch {
    // The next start waits for the SDK's answer, as this one did.
  }
}

function isToolList(value: unknown): value is ToolList {
  return isObject(value) && Array.isArray(value['tools']);
}

function parsedFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file).toString('utf8'));
  } catch {
    return undefined;
  }
}

/**
 * A name as the launcher gives them to its code caches, which deletes those that are old. The number
 * tells the options apart. It is no cryptographic hash, whose module takes long to load: the file has
 * the whole key.
 */
function fileName(id: string, key: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  return `${id}-tools-${(hash >>> 0).toString(16).padStart(8, '0')}.json`;
}
