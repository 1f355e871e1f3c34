import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { agentCalls } from './contract/agent-calls.ts';
import { notesCalls } from './contract/notes-calls.ts';
import { obsidianCalls } from './contract/obsidian-calls.ts';
import type { CountedCall } from './support/count-call-steps.ts';
import { counted } from './support/counts.ts';
import {
  heavyAgentCalls,
  heavyFamilies,
  heavyNotesCalls,
  heavyObsidianCalls,
} from './support/heavy-vaults.ts';

/** Tools that never look into this note: they list names, have notes of their own, or need another program. */
const lookIntoNoNote = [
  'list_notes',
  'vault_sync',
  'adr_publish',
  'adr_create',
  'devlog_append',
  'obsidian_open_note',
  'obsidian_templates',
  'obsidian_bases',
  'obsidian_files',
  'obsidian_folders',
  'obsidian_folder_info',
  'obsidian_vault_info',
  'obsidian_vaults',
  'obsidian_bookmarks',
  'obsidian_bookmark_add',
  'obsidian_unique_note',
  'obsidian_commands',
  'obsidian_run_command',
  'obsidian_tabs',
  'obsidian_recents',
];

it('every tool is tried on heavy notes, or is known to look into none', () => {
  const calls = [...heavyNotesCalls('x'), ...heavyAgentCalls('x'), ...heavyObsidianCalls('x')];
  const rows = [...notesCalls, ...agentCalls, ...obsidianCalls].map(({ tool }) => tool);
  expect(new Set([...calls.map(([tool]) => tool), ...lookIntoNoNote])).toEqual(new Set(rows));
});

const runner = fileURLToPath(new URL('../scripts/run-ts.mjs', import.meta.url));
const program = fileURLToPath(new URL('support/count-call-steps.ts', import.meta.url));

/** Below this, the fixed cost of a call hides how it grows. */
const fewSteps = counted({ quick: 4_000, full: 10_000 });

/** The characters of the heavy file: n and 2n. */
const sizes = counted({ quick: '4000,8000', full: '10000,20000' });

// What native functions do inside (slice, indexOf, sort) is not counted: `npm run bench:holds` shows
// that.
it.each(
  counted({
    quick: ['links on a line'],
    full: [
      'links on a line',
      'links to one note',
      'links to one heading',
      'deep lists',
      'a table of many rows',
      'properties',
      'a canvas that leads to one note',
    ],
    soak: heavyFamilies.map(({ name }) => name),
  }),
)('%s: twice the size costs at most 2.3 times the steps, with every tool', async (family) => {
  const { stdout } = await promisify(execFile)(process.execPath, [runner, program, sizes, family], {
    maxBuffer: 16 * 1024 * 1024,
  });
  const calls = JSON.parse(stdout) as readonly CountedCall[];
  expect(calls.length).toBeGreaterThan(50);
  const steep = calls.filter(({ steps: [once = 0, twice = 0] }) => {
    return twice > fewSteps && twice > 2.3 * once;
  });
  expect(steep).toEqual([]);
});
