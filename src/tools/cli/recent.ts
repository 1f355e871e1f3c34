import { z } from 'zod';
import { listRecent } from '../../engine/operations/vault/list-recent.ts';
import { defineTool } from '../define/define-tool.ts';
import { Since, sinceMs } from '../wording/since.ts';
import { ChangeAuthorShape, whoText, withSession } from './change-who.ts';
import { Folder, limitOf, Offset, pageOf } from './schemas.ts';
import { table } from './table.ts';
import { lines, listRemarks, plain } from './text.ts';

const onlyWords = { links: ' (only its links, after a rename)', undo: ' (by an undo)' } as const;

export const recentTool = defineTool({
  name: 'recent',
  title: 'Recent notes',
  description:
    'Lists the notes that changed last, and who changed them: you, an app, or "outside" for Obsidian and other programs. A rename changes every note that links there, as in Obsidian; such notes are marked.',
  effect: 'read',
  input: z.object({ folder: Folder, since: Since, limit: limitOf(20), offset: Offset }),
  output: pageOf(
    z.object({
      path: z.string(),
      mtimeMs: z.number(),
      /** The change that gave the note its text; absent when another program did. */
      change: z.looseObject(ChangeAuthorShape).exactOptional(),
      /** Nothing new was written: its links followed a rename, or an undo put it back. */
      only: z.enum(['links', 'undo']).exactOptional(),
    }),
  ),
  record: ['folder', 'since', 'limit', 'offset'],
  positional: ['folder'],
  examples: ['vaultdoor recent', 'vaultdoor recent Projects --limit 5'],
  run: async (vault, { since, ...request }) => {
    const when = sinceMs(since, vault.vault.parts.clock.nowMs());
    const page = await listRecent(vault, { ...request, ...when });
    const items = page.items.map(({ change, ...note }) =>
      change === undefined ? note : { ...note, change: withSession(change) },
    );
    return { ...page, items };
  },
  text: (page, paint) =>
    lines([
      ...table(
        [
          { title: 'when', whole: true, paint: paint.faint },
          { title: 'who' },
          { title: 'note', paint: paint.strong },
        ],
        page.items.map(({ path, mtimeMs, change, only }) => [
          paint.when(mtimeMs),
          change === undefined ? 'outside' : whoText(change, paint),
          plain(path) + (only === undefined ? '' : onlyWords[only]),
        ]),
        paint,
      ),
    ]),
  remarks: listRemarks('There are no such notes.'),
});
