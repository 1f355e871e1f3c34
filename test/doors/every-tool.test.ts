import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { notesToolset } from '../../src/tools/notes/notes-toolset.ts';
import { agentCalls } from '../contract/agent-calls.ts';
import { notesCalls } from '../contract/notes-calls.ts';
import { answerOf, eras } from '../contract/sdk-client.ts';
import { splitContext } from '../contract/split-context.ts';
import { startSdkClient } from '../contract/stdio-door.ts';
import { firstRows } from '../support/counts.ts';
import { notesListMax } from '../support/notes-list-limits.ts';
import { modernMeta, StdioProcess } from '../support/stdio-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const example = fileURLToPath(new URL('../../examples/vault', import.meta.url));
const toolset = notesToolset({ tagPolicy: 'enforce', history: true, contextEveryMs: 0 });

function exampleVault(): string {
  const folder = join(tempFolder(), 'vault');
  cpSync(example, folder, { recursive: true });
  return folder;
}

describe.each(firstRows(1, eras))("the SDK's client in the era of %s", (era) => {
  it('runs every tool on the example vault, and each answer fits its schema', async () => {
    const client = await startSdkClient({ folder: exampleVault() }, { era });
    expect(client.getNegotiatedProtocolVersion()).toBe(era);
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(toolset.tools.map((tool) => tool.name));

    for (const { tool: name, calls, isShownOtherwise } of notesCalls) {
      for (const [args, has] of calls) {
        const answer = answerOf(await client.callTool({ name, arguments: { ...args } }));
        const { result } = splitContext(answer.text);
        expect(answer, `${name}: ${result}`).toMatchObject({ failed: false, pieces: 1 });
        expect(result).toContain(has);
        if (isShownOtherwise || args['format'] === 'md') continue;
        const seen: unknown = JSON.parse(result);
        const tool = toolset.tools.find((each) => each.name === name);
        expect(tool?.output.parse(seen), name).toEqual(seen);
      }
    }
    await client.close();
  });

  it('lists tools with annotations, types and descriptions, without output schemas', async () => {
    const client = await startSdkClient({ folder: tempFolder() }, { era });
    for (const tool of (await client.listTools()).tools) {
      expect(tool.outputSchema, tool.name).toBeUndefined();
      const { readOnlyHint, destructiveHint, ...others } = tool.annotations ?? {};
      expect(readOnlyHint ?? destructiveHint, tool.name).toEqual(expect.any(Boolean));
      expect(others, tool.name).toEqual({ openWorldHint: false });
      for (const [name, schema] of Object.entries(tool.inputSchema.properties ?? {})) {
        expect(schema, `${tool.name}.${name}`).toHaveProperty('type');
        // The names of these two say what they are.
        if (name === 'limit' || name === 'offset') continue;
        expect(schema, `${tool.name}.${name}`).toHaveProperty('description');
      }
    }
    expect(client.getInstructions()).toMatch(/vaultdoor-test-/);
    await client.close();
  });
});

it('the agent toolset answers every tool on the example vault, with a structured result', async () => {
  const client = await startSdkClient(
    { folder: exampleVault(), args: ['--tools', 'agent'] },
    { era: eras[0] },
  );
  for (const { tool: name, calls } of agentCalls) {
    for (const [args, has] of calls) {
      const answer = answerOf(await client.callTool({ name, arguments: { ...args } }));
      expect(answer, `${name}: ${answer.text}`).toMatchObject({ failed: false, pieces: 1 });
      expect(answer.text, name).toContain(has);
      expect(answer.structured, name).toEqual(JSON.parse(answer.text));
    }
  }
  await client.close();
});

it('the list of tools is not too long on the wire, with its envelope, in both eras', async () => {
  for (const params of [{}, { _meta: modernMeta }]) {
    const program = new StdioProcess({ folder: tempFolder() });
    if (!('_meta' in params)) await program.initialize();
    const before = program.stdout.length;
    await program.request('tools/list', params);
    const bytes = Buffer.byteLength(program.stdout.slice(before));
    expect(bytes).toBeGreaterThan(2_000);
    expect(bytes).toBeLessThanOrEqual(notesListMax.wireBytes);
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
