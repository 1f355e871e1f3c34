import { limits } from '../../base/limits.ts';
import { showConflict } from '../../engine/operations/conflicts/compare-conflict.ts';
import { mergeConflict } from '../../engine/operations/conflicts/merge-conflict.ts';
import { listConflicts } from '../../engine/operations/list/list-files.ts';
import { listOrphans, listUnresolved } from '../../engine/operations/list/list-graph.ts';
import { checkVault } from '../../engine/operations/vault/check-vault.ts';
import { measureSizes, measureVault } from '../../engine/operations/vault/describe-vault.ts';
import { pageProblems } from '../../engine/operations/vault/list-problems.ts';
import { listTotals } from '../../engine/operations/vault/list-totals.ts';
import type { AnyTool } from '../define/define-tool.ts';
import { inputs } from './console-inputs.ts';
import { defineConsoleTool } from './define-console-tool.ts';

/** What the owner sees of the state of the vault, and the merge of conflict copies. */
export const healthTools: readonly AnyTool[] = [
  defineConsoleTool({
    name: 'info',
    title: 'Describe the vault in numbers',
    effect: 'read',
    input: inputs.none,
    record: [],
    run: (vault) => measureVault(vault),
  }),
  defineConsoleTool({
    name: 'sizes',
    title: 'Count files by kind, and notes by size',
    effect: 'read',
    input: inputs.none,
    record: [],
    run: (vault) => measureSizes(vault),
  }),
  defineConsoleTool({
    name: 'totals',
    title: 'List the size of the vault by day',
    effect: 'read',
    input: inputs.totals,
    record: ['days'],
    run: listTotals,
  }),
  defineConsoleTool({
    name: 'unresolved',
    title: 'List link targets that do not exist',
    effect: 'read',
    input: inputs.page,
    record: ['limit', 'offset'],
    run: listUnresolved,
  }),
  defineConsoleTool({
    name: 'orphans',
    title: 'List notes that no other file links to',
    effect: 'read',
    input: inputs.folder,
    record: ['folder', 'limit', 'offset'],
    run: listOrphans,
  }),
  defineConsoleTool({
    name: 'problems',
    title: 'List what needs a look',
    effect: 'read',
    input: inputs.problems,
    record: ['limit', 'offset'],
    run: pageProblems,
  }),
  defineConsoleTool({
    name: 'conflicts',
    title: 'List conflict copies',
    effect: 'read',
    input: inputs.folder,
    record: ['folder', 'limit', 'offset'],
    run: listConflicts,
  }),
  defineConsoleTool({
    name: 'conflict',
    title: 'Compare a conflict copy with its original',
    effect: 'read',
    input: inputs.file,
    record: ['path'],
    run: (vault, { path }) => showConflict(vault, { name: { path, exact: true } }),
  }),
  defineConsoleTool({
    name: 'merge_conflict',
    title: 'Merge a conflict copy',
    effect: 'destroy',
    input: inputs.merge_conflict,
    record: ['path', 'choose', 'token'],
    run: (vault, { path, ...request }) =>
      mergeConflict(vault, { name: { path, exact: true }, ...request }),
  }),
  defineConsoleTool({
    name: 'check',
    title: 'Compare the index with one built from scratch',
    effect: 'read',
    input: inputs.none,
    record: [],
    run: async (vault) => {
      const { files, index, recovered, unrecovered } = await checkVault(vault);
      const lines = index.slice(0, limits.checkLinesMax);
      return { files, index: lines, differences: index.length, recovered, unrecovered };
    },
  }),
];
