import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { notesToolset } from '../../src/tools/notes/notes-toolset.ts';
import { answerOf, eras } from '../contract/sdk-client.ts';
import { splitContext } from '../contract/split-context.ts';
import { startSdkClient } from '../contract/stdio-door.ts';
import { firstRows } from '../support/counts.ts';
import { modernMeta, StdioProcess } from '../support/stdio-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const example = fileURLToPath(new URL('../../examples/vault', import.meta.url));
const toolset = notesToolset({ tagPolicy: 'enforce', history: true, contextEveryMs: 0 });

function exampleVault(): string {
  const folder = join(tempFolder(), 'vault');
  cpSync(example, folder, { recursive: true });
  return folder;
}

/** A call, and what its text has; JSON is held to the tool's output schema beside it. */
const calls: readonly (readonly [string, Record<string, unknown>, string | RegExp])[] = [
  ['search_notes', { query: 'flood' }, 'Flood map'],
  ['search_notes', { query: 'claude', mode: 'tag' }, 'How this vault works'],
  ['search_notes', { query: 'борщ', mode: 'name_partial' }, 'Бабушкин борщ'],
  ['search_notes', { query: 'no such words here' }, 'hint'],
  ['list_notes', { limit: 5, sort: 'modified' }, '"next_offset":5'],
  ['read_note', { name: 'Home' }, 'Hello, future me.'],
  ['read_section', { name: 'Home', section: 'Areas' }, '[[Cycling]]'],
  ['get_links', { name: 'Flood map' }, '"incoming"'],
  ['get_frontmatter', { name: 'Example' }, '"status":"evergreen"'],
  [
    'create_note',
    { name: 'Trial', content: '# Trial\n\n## Log\n', frontmatter: '{"tags":["example"]}' },
    'Trial.md',
  ],
  ['append_note', { name: 'Trial', text: 'A line.' }, '"appended":true'],
  ['append_section', { name: 'Trial', section: 'Log', text: '- begun' }, '"section"'],
  ['insert_note', { name: 'Trial', text: 'Before it.', before: 'A line.' }, '"inserted":true'],
  ['replace_note', { name: 'Trial', old_text: 'begun', new_text: 'done' }, '"replaced":1'],
  ['set_frontmatter', { name: 'Trial', key: 'status', value: 'draft' }, '"draft"'],
  ['update_note', { name: 'Trial', content: '# Trial\n\nAnew.\n' }, '"updated":true'],
  ['rename_note', { old_name: 'Flood map', new_name: 'Flood atlas', dry_run: true }, '"diff"'],
  ['rename_note', { old_name: 'Flood map', new_name: 'Flood atlas' }, '"renamed":true'],
  ['delete_note', { name: 'Greenhouse' }, '.trash/'],
  ['list_changes', { limit: 3 }, 'delete_note'],
  ['undo_change', { session: 'current' }, '"undone"'],
];

/** What the text shows of a value: `get_frontmatter` shows a part of it, and these two are texts. */
const shownOtherwise = ['read_note', 'read_section', 'get_frontmatter'];

describe.each(firstRows(1, eras))("the SDK's client in the era of %s", (era) => {
  it('runs every tool on the example vault, and each answer fits its schema', async () => {
    const client = await startSdkClient({ folder: exampleVault() }, { era });
    expect(client.getNegotiatedProtocolVersion()).toBe(era);
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(toolset.tools.map((tool) => tool.name));
    const called = new Set(calls.map(([name]) => name));
    expect(tools.filter((tool) => !called.has(tool.name))).toEqual([]);

    for (const [name, args, has] of calls) {
      const answer = answerOf(await client.callTool({ name, arguments: args }));
      const { result } = splitContext(answer.text);
      expect(answer, `${name}: ${result}`).toMatchObject({ failed: false, pieces: 1 });
      expect(result).toContain(has);
      if (shownOtherwise.includes(name)) continue;
      const seen: unknown = JSON.parse(result);
      const tool = toolset.tools.find((each) => each.name === name);
      expect(tool?.output.parse(seen), name).toEqual(seen);
    }
    await client.close();
  });

  it('lists tools with annotations, types and descriptions, without output schemas', async () => {
    const client = await startSdkClient({ folder: tempFolder() }, { era });
    for (const tool of (await client.listTools()).tools) {
      expect(tool.outputSchema, tool.name).toBeUndefined();
      expect(tool.annotations, tool.name).toMatchObject({
        readOnlyHint: expect.any(Boolean),
        openWorldHint: false,
      });
      for (const [name, schema] of Object.entries(tool.inputSchema.properties ?? {})) {
        expect(schema, `${tool.name}.${name}`).toHaveProperty('type');
        expect(schema, `${tool.name}.${name}`).toHaveProperty('description');
      }
    }
    expect(client.getInstructions()).toMatch(/vaultdoor-test-/);
    await client.close();
  });
});

it('the list of tools is under 12,000 bytes on the wire, in both eras', async () => {
  for (const params of [{}, { _meta: modernMeta }]) {
    const program = new StdioProcess({ folder: tempFolder() });
    if (!('_meta' in params)) await program.initialize();
    const before = program.stdout.length;
    await program.request('tools/list', params);
    const bytes = Buffer.byteLength(program.stdout.slice(before));
    expect(bytes).toBeGreaterThan(2_000);
    expect(bytes).toBeLessThan(12_000);
    await program.end();
  }
});

it('update_note says what it replaces, and what to use instead', async () => {
  const { description } = toolset.tools.find((tool) => tool.name === 'update_note') ?? {};
  for (const word of ['WHOLE', 'replace_note', 'insert_note', 'append_section']) {
    expect(description).toContain(word);
  }
  const list = toolset.tools.find((tool) => tool.name === 'list_notes');
  expect(list?.description).toContain('search_notes');
});
