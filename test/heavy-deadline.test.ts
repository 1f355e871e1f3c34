import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Caller } from '../src/base/caller.ts';
import { limits } from '../src/base/limits.ts';
import { abortReason, type VaultError } from '../src/base/vault-error.ts';
import type { NoteWorker } from '../src/engine/ports/note-work.ts';
import { nodeTimers } from '../src/node/system/node-ports.ts';
import { agentToolset } from '../src/tools/agent/agent-toolset.ts';
import { notesToolset } from '../src/tools/notes/notes-toolset.ts';
import { obsidianToolset } from '../src/tools/obsidian/obsidian-toolset.ts';
import { createService } from '../src/tools/service/service.ts';
import { heavyFamilies, heavyPath, heavyVault } from './support/heavy-vaults.ts';
import { type MemoryVault, openWrittenVault, testCaller } from './support/written-vault.ts';

// Work on a heavy note that never ends: every call must come back all the same. A call that did such
// work on the main thread would succeed here, because only the worker is without end.

/** Called when the worker is asked to do something. */
let onAsked = (): void => undefined;

/** A worker that never answers, and ends only with the call. */
const endless: NoteWorker = {
  run: (_task, _args, signal) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(abortReason(signal)), { once: true });
      onAsked();
    }),
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
const toolsets = [notes, agentToolset({ sync: false, publish: false }), obsidianToolset()];
const name = path;
const day = { date: '2026-11-10', content: 'x' };

/** Calls of the tools that scan or edit a whole note. The others read it, or ask the index. */
const calls: readonly (readonly [tool: string, args: object])[] = [
  ['read_section', { name, section: 'Last' }],
  ['append_note', { name, text: 'x' }],
  ['append_section', { name, section: 'Last', text: 'x' }],
  ['insert_note', { name, text: 'x', before: 'the needle' }],
  ['replace_note', { name, old_text: 'the needle', new_text: 'x' }],
  ['set_frontmatter', { name, key: 'status', value: 'x' }],
  ['set_properties', { names: ['Other', name], properties: { status: 'x' } }],
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

let opened: MemoryVault;

beforeAll(async () => {
  const files = heavyVault(family, limits.heavyTextChars + 1_000);
  opened = await openWrittenVault(files, { parts: { worker: endless } });
});

afterAll(() => opened.close());

async function failureOf(tool: string, args: object, caller: Partial<Caller>): Promise<VaultError> {
  const toolset = toolsets.find(({ tools }) => tools.some((each) => each.name === tool));
  const service = createService(opened.whole, toolset === undefined ? [] : [toolset], nodeTimers);
  const before = opened.files();
  const outcome = await service.call(tool, { ...args }, testCaller(caller));
  expect(opened.files()).toEqual(before);
  if (outcome.ok) throw new Error('The heavy note was not given to the worker.');
  return outcome.error;
}

it.each(calls)(
  '%s %o works elsewhere, ends when it is cancelled and changes nothing',
  async (tool, args) => {
    const over = new AbortController();
    onAsked = () => over.abort();
    expect(await failureOf(tool, args, { signal: over.signal })).toMatchObject({
      code: 'cancelled',
    });
  },
);

it.each([
  ['read_section', { name, section: 'Last' }],
  ['rename_note', { old_name: 'T.md', new_name: 'Aim' }],
])('%s ends with its deadline', async (tool, args) => {
  onAsked = () => undefined;
  expect(await failureOf(tool, args, { deadlineMs: 1_000 })).toMatchObject({ code: 'timeout' });
});
