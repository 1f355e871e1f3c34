import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Caller } from '../src/base/caller.ts';
import { limits } from '../src/base/limits.ts';
import { abortReason, type VaultError } from '../src/base/vault-error.ts';
import { paintFor } from '../src/cli/shell/terminal.ts';
import { doNoteWork } from '../src/engine/heavy/note-work.ts';
import { completeHeadings } from '../src/engine/operations/list/complete.ts';
import type { NoteWork, NoteWorker } from '../src/engine/ports/note-work.ts';
import { nodeTimers } from '../src/node/system/node-ports.ts';
import { agentToolset } from '../src/tools/agent/agent-toolset.ts';
import { cliToolset } from '../src/tools/cli/cli-toolset.ts';
import type { Outcome } from '../src/tools/define/outcome.ts';
import { notesToolset } from '../src/tools/notes/notes-toolset.ts';
import { obsidianToolset } from '../src/tools/obsidian/obsidian-toolset.ts';
import { createService, type Service } from '../src/tools/service/service.ts';
import { heavyFamilies, heavyPath, heavyVault } from './support/heavy-vaults.ts';
import { type MemoryVault, openWrittenVault, testCaller } from './support/written-vault.ts';

// Work on a heavy note that never ends: every call must come back all the same. A call that did such
// work on the main thread would succeed here, because only the worker is without end.

/** Called when the worker is asked to do what it never ends. */
let onAsked = (): void => undefined;
/** Whether the worker never ends a task. */
let isEndless = (_task: keyof NoteWork): boolean => true;

/** A worker that answers or never does, and then ends only with the call. */
const worker: NoteWorker = {
  run: async (task, args, signal) => {
    if (!isEndless(task)) return doNoteWork(task, args);
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(abortReason(signal)), { once: true });
      onAsked();
    });
  },
  close: async () => undefined,
};

const { context: _, ...notes } = notesToolset({
  tagPolicy: 'warn',
  history: true,
  contextEveryMs: 0,
});
const family = heavyFamilies.find(({ name }) => name === 'links on a line');
if (family === undefined) throw new Error('The family has another name.');
const path = heavyPath(family);
const toolsets = [
  notes,
  agentToolset({ sync: false, publish: false }),
  obsidianToolset(),
  cliToolset(paintFor({ isTTY: false }, {})),
];
const name = path;
const copy = path.replace('.md', '.conflict1.md');
const day = { date: '2026-11-10', content: 'x' };

/** Calls of the tools that scan or edit a whole note. The others read it, or ask the index. */
const calls: readonly (readonly [tool: string, args: object])[] = [
  ['read_section', { name, section: 'Last' }],
  ['append_note', { name, text: 'x' }],
  ['append_section', { name, section: 'Last', text: 'x' }],
  ['insert_note', { name, text: 'x', before: 'the needle' }],
  ['replace_note', { name, old_text: 'the needle', new_text: 'x' }],
  ['set_frontmatter', { name, key: 'status', value: 'x' }],
  ['set_frontmatter', { names: ['Other', name], properties: { status: 'x' } }],
  ['daily_note', { date: day.date, text: 'x' }],
  ['get_frontmatter', { name }],
  ['update_note', { name, content: 'x' }],
  ['create_note', { name: 'Elsewhere/T', content: 'x' }],
  ['rename_note', { old_name: 'T.md', new_name: 'Aim' }],
  ['rename_note', { old_name: name, new_name: 'Renamed' }],
  ['delete_note', { name: 'T.md' }],
  ['backlinks_search', { path: 'T.md' }],
  ['link_add', { from: name, to: 'Other.md' }],
  ['link_add', { from: 'Other.md', to: name, heading: 'Last' }],
  ['note_upsert', { path: 'Elsewhere/T.md', content: 'x' }],
  ['obsidian_file_info', { name }],
  ['obsidian_aliases', { name }],
  ['obsidian_outline', { name }],
  ['obsidian_word_count', { name }],
  ['obsidian_tasks', {}],
  ['obsidian_tasks', { name }],
  ['obsidian_append_note', { name, content: 'x' }],
  ['obsidian_prepend_note', { name, content: 'x' }],
  ['obsidian_daily_append', day],
  ['obsidian_daily_prepend', day],
  ['obsidian_property_set', { name, property: 'a', value: 'x' }],
  ['obsidian_property_remove', { name, property: 'a' }],
  ['obsidian_task_set', { name, line: 5 }],
  ['obsidian_create_note', { name: 'Elsewhere/T', content: 'x' }],
  ['obsidian_template_insert', { template: '2026-11-10', name: 'Other' }],
  ['obsidian_rename_note', { name: 'T.md', new_name: 'Aim' }],
  ['obsidian_move_note', { name, to: 'Elsewhere' }],
];

/** Calls that do several tasks, and the one of them that never ends. */
const tasks: readonly (readonly [task: keyof NoteWork, tool: string, args: object])[] = [
  ['diff', 'rename_note', { old_name: 'T.md', new_name: 'Aim', dry_run: true }],
  ['diff', 'obsidian_history_diff', { name, from: 2, to: 1 }],
  ['diff', 'show', { id: 1 }],
  ['merge', 'undo_change', { id: 1 }],
  ['mergeCopy', 'merge_conflict', { name: copy }],
  ['lineHashes', 'merge_conflict', { name: copy }],
  ['properties', 'merge_conflict', { name: copy, choose: 'both' }],
  ['diff', 'conflicts show', { path: copy }],
  ['diffExcerpt', 'update_note', { name, content: 'x' }],
  ['nearestLines', 'replace_note', { name, old_text: 'the noodle', new_text: 'x' }],
  ['nearestLines', 'insert_note', { name, text: 'x', after: 'the noodle' }],
  ['mergeProperties', 'obsidian_template_insert', { template: '2026-11-10', name: 'Other' }],
  ['renameTag', 'tag rename', { tag: 'word', newTag: 'term' }],
  ['tagLines', 'tag remove', { name, tags: ['word'] }],
  ['renamePart', 'rename-heading', { name, heading: 'Last', newHeading: 'End' }],
  ['subpathsTo', 'rename-heading', { name, heading: 'Last', newHeading: 'End' }],
  ['renameInLinks', 'rename-heading', { name, heading: 'Last', newHeading: 'End' }],
  ['renamePart', 'rename-block', { name, block: 'id', newBlock: 'other' }],
  ['renameInLinks', 'rename-block', { name, block: 'id', newBlock: 'other' }],
  ['facts', 'facts', { name }],
];

const reader = { door: 'mcp-stdio', connection: 'c' } as const;
let opened: MemoryVault;
let service: Service;

beforeAll(async () => {
  const files = heavyVault(family, limits.heavyTextChars + 1_000);
  opened = await openWrittenVault(files, { parts: { worker } });
  service = createService(opened.whole, toolsets, nodeTimers);
  // Two changes of the note, of which one connection has seen neither.
  isEndless = () => false;
  const done = [
    await call('read_note', { name }, reader),
    await call('append_note', { name, text: 'A block ^id' }, {}),
    await call('obsidian_prepend_note', { name, content: 'First' }, {}),
    await call('create_note', { name: copy, template: '2026-11-10', content: 'Other' }, {}),
  ];
  expect(done.map(({ ok }) => ok)).toEqual([true, true, true, true]);
});

afterAll(() => opened.close());

function call(tool: string, args: object, caller: Partial<Caller>): Promise<Outcome> {
  return service.call(tool, { ...args }, testCaller(caller));
}

async function failureOf(tool: string, args: object, caller: Partial<Caller>): Promise<VaultError> {
  const before = opened.files();
  const outcome = await call(tool, args, caller);
  expect(opened.files()).toEqual(before);
  if (outcome.ok) throw new Error('The heavy note was not given to the worker.');
  return outcome.error;
}

it.each(calls)(
  '%s %o works elsewhere, ends when it is cancelled and changes nothing',
  async (tool, args) => {
    const over = new AbortController();
    isEndless = () => true;
    onAsked = () => over.abort();
    expect(await failureOf(tool, args, { signal: over.signal })).toMatchObject({
      code: 'cancelled',
    });
  },
);

it.each(tasks)('%s of %s %o ends when it is cancelled', async (task, tool, args) => {
  const over = new AbortController();
  isEndless = (each) => each === task;
  onAsked = () => over.abort();
  expect(await failureOf(tool, args, { signal: over.signal, ...reader })).toMatchObject({
    code: 'cancelled',
  });
});

it('completing a heading ends when it is cancelled', async () => {
  const over = new AbortController();
  isEndless = () => true;
  onAsked = () => over.abort();
  const completing = completeHeadings(opened.as({ signal: over.signal }), name, 'La', 5);
  await expect(completing).rejects.toMatchObject({ code: 'cancelled' });
});

it.each<(typeof tasks)[number]>([
  ['section', 'read_section', { name, section: 'Last' }],
  ['rewriteLinks', 'rename_note', { old_name: 'T.md', new_name: 'Aim' }],
  ['diff', 'rename_note', { old_name: 'T.md', new_name: 'Aim', dry_run: true }],
])('%s of %s ends with its deadline', async (task, tool, args) => {
  isEndless = (each) => each === task;
  onAsked = () => undefined;
  expect(await failureOf(tool, args, { deadlineMs: 1_000 })).toMatchObject({ code: 'timeout' });
});
