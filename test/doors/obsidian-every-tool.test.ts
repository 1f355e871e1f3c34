import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { obsidianToolset } from '../../src/tools/obsidian/obsidian-toolset.ts';
import { obsidianCalls } from '../contract/obsidian-calls.ts';
import { serveObsidian } from '../contract/obsidian-steps.ts';
import { answerOf, eras } from '../contract/sdk-client.ts';
import { startSdkClient } from '../contract/stdio-door.ts';
import { firstRows } from '../support/counts.ts';
import { modernMeta, StdioProcess } from '../support/stdio-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const example = fileURLToPath(new URL('../../examples/vault', import.meta.url));
const names = obsidianToolset().tools.map((tool) => tool.name);

function exampleVault(): string {
  const folder = join(tempFolder(), 'vault');
  cpSync(example, folder, { recursive: true });
  return folder;
}

/** Every file of a folder with its bytes. */
function bytesIn(folder: string): Readonly<Record<string, string>> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((e) => join(e.parentPath, e.name));
  return Object.fromEntries(paths.map((path) => [path, readFileSync(path, 'latin1')]));
}

describe.each(firstRows(1, eras))("the SDK's client in the era of %s", (era) => {
  it('runs every tool on the example vault', async () => {
    const start = { folder: exampleVault(), ...serveObsidian('running')() };
    const client = await startSdkClient(start, { era });
    expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(names);
    for (const { tool, calls } of obsidianCalls) {
      for (const [args, has] of calls) {
        const answer = answerOf(await client.callTool({ name: tool, arguments: { ...args } }));
        expect(answer, `${tool}: ${answer.text}`).toMatchObject({ failed: false, pieces: 1 });
        expect(answer.structured, tool).toBeUndefined();
        expect(JSON.parse(answer.text), tool).toEqual({
          success: true,
          data: expect.any(Object),
        });
        expect(answer.text, tool).toContain(has);
      }
    }
    await client.close();
  });
});

it('every tool fails with a code of the seed and a sentence, and changes nothing', async () => {
  const folder = exampleVault();
  const before = bytesIn(folder);
  const program = new StdioProcess({ folder, ...serveObsidian('running')() });
  await program.initialize();
  for (const { tool, fails } of obsidianCalls) {
    const [args, code] = fails;
    const { error, result } = await program.request('tools/call', { name: tool, arguments: args });
    expect(error, `${tool}: ${JSON.stringify(result)}`).toMatchObject({
      code,
      message: expect.stringMatching(/^["A-Z0-9].* /s),
      data: { errorCode: expect.stringMatching(/^[A-Z_]+$/) },
    });
  }
  await program.end();
  expect(bytesIn(folder)).toEqual(before);
});

describe('served alone', () => {
  it.each([
    ['in the older protocol', {}],
    ['in that of 2026-07-28', { _meta: modernMeta }],
  ])('its list of tools is under 24,000 bytes on the wire, %s', async (_era, params) => {
    const program = new StdioProcess({ folder: tempFolder(), ...serveObsidian()() });
    if (!('_meta' in params)) await program.initialize();
    const before = program.stdout.length;
    await program.request('tools/list', params);
    const bytes = Buffer.byteLength(program.stdout.slice(before));
    expect(bytes).toBeGreaterThan(9_000);
    expect(bytes).toBeLessThan(24_000);
    await program.end();
  });

  it('it is "obsidian-mcp" with tools and no other capability', async () => {
    const program = new StdioProcess({ folder: tempFolder(), ...serveObsidian()() });
    const { result } = await program.initialize({ protocolVersion: '2024-11-05' });
    expect(result?.['serverInfo']).toMatchObject({ name: 'obsidian-mcp' });
    expect(result?.['capabilities']).toEqual({ tools: {} });
    for (const method of ['resources/list', 'prompts/list']) {
      expect(await program.request(method)).toMatchObject({ error: { code: -32601 } });
    }
    await program.end();
  });
});

it('served beside the notes it is part of Vaultdoor, and each toolset fails in its own way', async () => {
  const program = new StdioProcess({ folder: tempFolder(), args: ['--tools', 'notes,obsidian'] });
  const { result } = await program.initialize();
  expect(result?.['serverInfo']).toMatchObject({ name: 'vaultdoor' });
  expect(result?.['capabilities']).toHaveProperty('resources');
  const nothing = { name: 'Nothing here' };
  expect(
    await program.request('tools/call', { name: 'read_note', arguments: nothing }),
  ).toMatchObject({ result: { isError: true } });
  expect(
    await program.request('tools/call', { name: 'obsidian_read_note', arguments: nothing }),
  ).toMatchObject({ error: { code: -32003 } });
  await program.end();
});
