import { z } from 'zod';
import type { FileVersion } from '../../engine/operations/history/file-versions.ts';
import {
  diffVersions,
  listVersions,
  readVersion,
  restoreVersion,
} from '../../engine/operations/history/file-versions.ts';
import { withAdvice } from '../define/advice.ts';
import { defineTool } from '../define/define-tool.ts';
import { count, given, neededCount, noteInput, noteOf } from '../define/note-input.ts';
import { linesWithin, roomBeside } from '../wording/fit-answer.ts';
import { writingAnswer, writingSchema } from '../wording/writing-answer.ts';
import { contractData } from './contract.ts';
import { listPage, Offset, pageShape } from './list-page.ts';
import { contentWithin } from './shown-content.ts';

export const historyTool = defineTool({
  name: 'obsidian_history',
  title: 'List versions',
  description:
    'List the versions of a note from changes made here; 1 is the newest, mostly the note as it is',
  effect: 'read',
  existing: 'name',
  ...noteInput({ offset: Offset }),
  output: z.object({
    path: z.string(),
    ...pageShape(
      'versions',
      z.object({
        version: z.number(),
        time: z.string(),
        tool: z.string().optional(),
        client: z.string().optional(),
        path: z.string().optional(),
      }),
    ),
  }),
  record: ['name', 'path', 'offset'],
  run: async (vault, { offset = 0, ...which }) => {
    const { path, versions } = await withAdvice({ not_found: adviceIfDeleted }, () =>
      listVersions(vault, { name: noteOf(which) }),
    );
    const items = versions.slice(offset).map(shownVersion);
    return listPage('versions', { total: versions.length, items, offset }, { path });
  },
});

const adviceIfDeleted =
  'If it was deleted, create a note at the same path with obsidian_create_note; its earlier versions can then be read again.';

function shownVersion({ version, timeMs, tool, client, path }: FileVersion) {
  return { version, time: new Date(timeMs).toISOString(), ...given({ tool, client, path }) };
}

export const historyReadTool = defineTool({
  name: 'obsidian_history_read',
  title: 'Read version',
  description: 'Read an earlier version of a note',
  effect: 'read',
  existing: 'name',
  ...noteInput({ version: neededCount('From obsidian_history') }),
  output: z.object({
    path: z.string(),
    version: z.number(),
    content: z.string(),
    truncated: z.string().optional(),
  }),
  record: ['name', 'path', 'version'],
  run: async (vault, { version, ...which }) => {
    const { path, text } = await readVersion(vault, { name: noteOf(which), version });
    return { path, version, ...contentWithin(path, text) };
  },
});

export const historyDiffTool = defineTool({
  name: 'obsidian_history_diff',
  title: 'Compare versions',
  description: 'Show how a version of a note differs from another, or from the note as it is',
  effect: 'read',
  existing: 'name',
  ...noteInput({
    from: neededCount('Older version'),
    to: count('Newer version; else the note as it is', { min: 1 }),
  }),
  output: z.object({ path: z.string(), diff: z.string() }),
  record: ['name', 'path', 'from', 'to'],
  run: async (vault, { from, to, ...which }) => {
    const request = { name: noteOf(which), from, ...given({ to }) };
    const { path, diff } = await diffVersions(vault, request);
    return { path, diff: linesWithin(diff, roomBeside({ path })) };
  },
});

export const historyRestoreTool = defineTool({
  name: 'obsidian_history_restore',
  title: 'Restore version',
  description: 'Give a note the content of an earlier version',
  effect: 'destroy',
  existing: 'name',
  ...noteInput({ version: neededCount('From obsidian_history') }),
  output: writingSchema({
    /** False when the note has that content already. */
    restored: z.boolean(),
  }),
  record: ['name', 'path', 'version'],
  run: async (vault, { version, ...which }) => {
    const report = await vault.change(restoreVersion, { name: noteOf(which), version });
    return writingAnswer(report, { restored: report.change !== undefined });
  },
  ...contractData,
});
