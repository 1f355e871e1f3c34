import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AppViews } from '../../doors/mcp/server/app-views.ts';
import type { AppView } from '../../tools/define/define-tool.ts';

/**
 * The pages that show answers inside of clients, which lie beside the bundled program. A page is read
 * when a client first asks for it, and kept.
 */
export function openAppViews(entryFile: string): AppViews {
  const folder = join(dirname(entryFile), 'console', 'apps');
  const read = new Map<AppView, Promise<string | undefined>>();
  return {
    html: (view) => {
      const page =
        read.get(view) ?? readFile(join(folder, `${view}.html`), 'utf8').catch(() => undefined);
      read.set(view, page);
      return page;
    },
  };
}
