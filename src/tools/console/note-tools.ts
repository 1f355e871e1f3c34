import { limits } from '../../base/limits.ts';
import { shortVersion } from '../../base/version.ts';
import {
  diffVersions,
  listVersions,
  readVersion,
  restoreVersion,
} from '../../engine/operations/history/file-versions.ts';
import { listFiles } from '../../engine/operations/list/list-files.ts';
import { countNotesInFolders } from '../../engine/operations/list/list-folders.ts';
import { listNeighbors } from '../../engine/operations/list/list-graph.ts';
import { listTagged, listTags } from '../../engine/operations/list/list-tags.ts';
import { outlineGraph } from '../../engine/operations/list/outline-graph.ts';
import { showBase } from '../../engine/operations/query/show-base.ts';
import { backlinkLines } from '../../engine/operations/read/backlink-lines.ts';
import { readNoteFacts } from '../../engine/operations/read/note-facts.ts';
import { searchNotes } from '../../engine/operations/search/search-notes.ts';
import type { NoteName } from '../../engine/vault/note-name.ts';
import type { AnyTool } from '../define/define-tool.ts';
import { inputs } from './console-inputs.ts';
import { defineConsoleTool } from './define-console-tool.ts';

/** What the owner reads: notes, what is around them, and their earlier versions. */
export const noteTools: readonly AnyTool[] = [
  defineConsoleTool({
    name: 'search',
    title: 'Search',
    effect: 'read',
    input: inputs.search,
    record: ['folder', 'limit', 'offset'],
    run: searchNotes,
  }),
  defineConsoleTool({
    name: 'note',
    title: 'Read a note with everything known about it',
    effect: 'read',
    input: inputs.file,
    record: ['path'],
    run: async (vault, { path }) => {
      const { stat, version, ...note } = await readNoteFacts(vault, { name: exactly(path) });
      return { ...note, version: shortVersion(version), modifiedMs: stat.mtimeMs };
    },
  }),
  defineConsoleTool({
    name: 'base',
    title: 'Show a view of a base',
    effect: 'read',
    input: inputs.base,
    record: ['path', 'this', 'limit'],
    run: (vault, { path, this: self, ...request }) =>
      showBase(vault, {
        path: exactly(path),
        ...(self === undefined ? {} : { self: exactly(self) }),
        ...request,
      }),
  }),
  defineConsoleTool({
    name: 'files',
    title: 'List the files of a folder',
    effect: 'read',
    input: inputs.files,
    record: ['folder', 'sort', 'limit', 'offset'],
    run: (vault, request) =>
      listFiles(vault, { ...request, kinds: ['note', 'canvas', 'base', 'attachment'] }),
  }),
  defineConsoleTool({
    name: 'backlinks',
    title: 'List the lines that link to a file',
    effect: 'read',
    input: inputs.backlinks,
    record: ['path', 'limit'],
    run: (vault, { path, limit }) =>
      backlinkLines(vault, { name: exactly(path), limit, charsMax: limits.foundLineCharsMax }),
  }),
  defineConsoleTool({
    name: 'neighbors',
    title: 'List what is linked with a file',
    effect: 'read',
    input: inputs.neighbors,
    record: ['path', 'depth', 'limit'],
    run: (vault, { path, depth, limit }) =>
      listNeighbors(vault, { name: exactly(path), depth, limit, direction: 'both' }),
  }),
  defineConsoleTool({
    name: 'versions',
    title: 'List the versions of a file',
    effect: 'read',
    input: inputs.file,
    record: ['path'],
    run: (vault, { path }) => listVersions(vault, { name: exactly(path) }),
  }),
  defineConsoleTool({
    name: 'version',
    title: 'Read a version of a file',
    effect: 'read',
    input: inputs.version,
    record: ['path', 'version'],
    run: (vault, { path, version }) => readVersion(vault, { name: exactly(path), version }),
  }),
  defineConsoleTool({
    name: 'diff_versions',
    title: 'Compare two versions of a file',
    effect: 'read',
    input: inputs.diff_versions,
    record: ['path', 'from', 'to'],
    run: (vault, { path, ...request }) => diffVersions(vault, { name: exactly(path), ...request }),
  }),
  defineConsoleTool({
    name: 'restore_version',
    title: 'Restore a version of a file',
    effect: 'destroy',
    input: inputs.restore_version,
    record: ['path', 'version'],
    run: (vault, { path, ...request }) =>
      vault.change(restoreVersion, { name: exactly(path), ...request }),
  }),
  defineConsoleTool({
    name: 'tags',
    title: 'List tags',
    effect: 'read',
    input: inputs.page,
    record: ['limit', 'offset'],
    run: async (vault, { limit, offset }) => {
      const all = await listTags(vault);
      return { total: all.length, items: all.slice(offset, offset + limit) };
    },
  }),
  defineConsoleTool({
    name: 'tagged',
    title: 'List the notes with a tag',
    effect: 'read',
    input: inputs.tagged,
    record: ['tag', 'limit', 'offset'],
    run: listTagged,
  }),
  defineConsoleTool({
    name: 'folders',
    title: 'List folders with their notes',
    effect: 'read',
    input: inputs.folder,
    record: ['folder', 'limit', 'offset'],
    run: countNotesInFolders,
  }),
  defineConsoleTool({
    name: 'graph',
    title: 'Outline the graph of links',
    effect: 'read',
    input: inputs.graph,
    record: ['folder', 'tag', 'limit'],
    run: outlineGraph,
  }),
];

/** A file by its exact path. */
function exactly(path: string): NoteName {
  return { path, exact: true };
}
