import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { McpWire } from '../../../../test/support/mcp-wire.ts';
import { legacyHello } from '../../../../test/support/stdio-process.ts';
import { toolErrorPins } from '../../../../test/support/tool-error-pins.ts';
import { openWrittenVault } from '../../../../test/support/written-vault.ts';
import { VaultError, type VaultErrorCode } from '../../../base/vault-error.ts';
import { nodeTimers } from '../../../node/system/node-ports.ts';
import { defineTool } from '../../../tools/define/define-tool.ts';
import type { Toolset } from '../../../tools/define/toolset.ts';
import { notesToolset } from '../../../tools/notes/notes-toolset.ts';
import { obsidianToolset } from '../../../tools/obsidian/obsidian-toolset.ts';
import { createService } from '../../../tools/service/service.ts';

/** Fails in every way there is. */
const failTool = defineTool({
  name: 'fail',
  title: 'Fail',
  description: 'Fails as it is told.',
  effect: 'read',
  input: z.object({ code: z.string() }),
  output: z.unknown(),
  record: [],
  run: async (_vault, { code }) => {
    throw new VaultError(code as VaultErrorCode, `It is ${code}.`, {
      details: { path: 'A.md', errorCode: 'MINE' },
      excerpt: '-old\n+new',
    });
  },
});

const obsidian = obsidianToolset();
const { advice: _, ...unadvised } = obsidian;
const failing: Toolset = { ...unadvised, tools: [...obsidian.tools, failTool] };
const notes = notesToolset({ tagPolicy: 'off', history: true, contextEveryMs: 0 });

async function open(...toolsets: readonly Toolset[]): Promise<McpWire> {
  const { whole } = await openWrittenVault({ 'A.md': 'text of A', 'x/B.md': '', 'y/B.md': '' });
  return new McpWire(createService(whole, toolsets, nodeTimers));
}

describe('a failure of a tool whose contract has errors', () => {
  it.each(Object.entries(toolErrorPins))(
    '%s is an error with its code, in both eras',
    async (code, { code: number, errorCode }) => {
      const legacy = await open(failing);
      await legacy.initialize();
      const error = {
        code: number,
        message: `It is ${code}.\n\n-old\n+new`,
        data: { errorCode, path: 'A.md' },
      };
      expect((await legacy.call('fail', { code })).error).toEqual(error);
      await legacy.end();

      const modern = await open(failing);
      const asked = { name: 'fail', arguments: { code } };
      // The protocol of 2026 has taken -32002 away.
      const allowed = number === -32002 ? -32602 : number;
      const answer = await modern.modern('tools/call', asked);
      expect(answer.error).toEqual({ ...error, code: allowed });
      await modern.end();
    },
  );

  it.each<[string, object, number, string]>([
    ['obsidian_read_note', {}, -32602, 'INVALID_PARAMS'],
    ['obsidian_read_note', { name: 5 }, -32602, 'INVALID_PARAMS'],
    ['obsidian_read_note', { name: 'Nowhere' }, -32003, 'FILE_NOT_FOUND'],
    ['obsidian_read_note', { name: 'B' }, -32004, 'AMBIGUOUS_NAME'],
    ['obsidian_read_note', { name: 'A', vault: 'Attic' }, -32002, 'VAULT_NOT_FOUND'],
    ['obsidian_read_note', { name: '../A' }, -32005, 'PERMISSION_DENIED'],
    ['obsidian_create_note', { name: 'A' }, -32000, 'ALREADY_EXISTS'],
    ['obsidian_frob', {}, -32602, 'INVALID_PARAMS'],
  ])('%s %j', async (name, args, code, errorCode) => {
    const wire = await open(obsidian);
    await wire.initialize();
    expect((await wire.call(name, args)).error).toMatchObject({ code, data: { errorCode } });
    await wire.end();
  });

  it('does not make results of the notes toolset errors beside it', async () => {
    const wire = await open(notes, obsidian);
    await wire.initialize();
    const missing = { name: 'Nowhere' };
    expect((await wire.call('read_note', missing)).result).toMatchObject({ isError: true });
    expect((await wire.call('obsidian_read_note', missing)).error?.code).toBe(-32003);
    await wire.end();
  });

  it('repeats no name at length', async () => {
    const wire = await open(obsidian);
    await wire.initialize();
    const { error } = await wire.call('x'.repeat(100_000));
    expect(error?.message.length).toBeLessThan(300);
    await wire.end();
  });
});

describe('a call whose parameters are malformed', () => {
  const takes = '"tools/call" takes {"name": "…", "arguments": {…}}.';

  it.each<[object, string]>([
    [{}, 'The call does not name a tool: "name" is missing'],
    [{ arguments: { name: 'A' } }, 'The call does not name a tool: "name" is missing'],
    [{ name: null }, 'The call does not name a tool: "name" is missing'],
    [{ name: 5 }, 'The name of the tool must be text, not a number'],
    [{ name: ['read_note'] }, 'The name of the tool must be text, not a list'],
    [{ name: 'read_note', arguments: 'A' }, 'The arguments must be an object, not text'],
    [{ name: 'read_note', arguments: ['A'] }, 'The arguments must be an object, not a list'],
    [{ name: 'read_note', arguments: true }, 'The arguments must be an object, not a boolean'],
  ])('%j is answered with our sentence, in both eras', async (params, why) => {
    const error = {
      code: -32602,
      message: `${why}; ${takes}`,
      data: { errorCode: 'INVALID_PARAMS' },
    };
    const legacy = await open(notes);
    await legacy.initialize();
    expect((await legacy.request('tools/call', params)).error).toEqual(error);
    await legacy.end();
    const modern = await open(notes);
    expect((await modern.modern('tools/call', params)).error).toEqual(error);
    await modern.end();
  });
});

describe('a tool that does not exist', () => {
  it.each([
    ['serach_notes', 'use search_notes'],
    ['get_note', 'use read_note'],
    ['read-note', 'use read_note'],
    ['move_note', 'use rename_note with old_name "Note" and new_name "Folder/Note"'],
    ['frobnicate', '"tools/list" lists the tools that exist'],
  ])('%s: %s', async (name, instead) => {
    const wire = await open(notes);
    await wire.initialize();
    const message = `There is no tool "${name}"; ${instead}.`;
    expect((await wire.call(name)).error).toMatchObject({ code: -32602, message });
    await wire.end();
  });
});

describe('a server', () => {
  const hello = { ...legacyHello, protocolVersion: '2024-11-05' };

  it('of the obsidian toolset alone is called what its contract says, and has tools only', async () => {
    const wire = await open(obsidian);
    expect((await wire.request('initialize', hello)).result).toEqual({
      protocolVersion: '2024-11-05',
      capabilities: { tools: {} },
      serverInfo: { name: 'obsidian-mcp', version: '1.2.3' },
    });
    const unknown = ['resources/list', 'prompts/list', 'completion/complete'];
    for (const method of unknown) expect((await wire.request(method)).error?.code).toBe(-32601);
    await wire.end();
  });

  it('of both toolsets is called Vaultdoor, and has all tools and the rest', async () => {
    const wire = await open(notes, obsidian);
    expect((await wire.request('initialize', hello)).result).toMatchObject({
      capabilities: { tools: {}, prompts: {}, resources: {} },
      serverInfo: { name: 'vaultdoor' },
    });
    const { result } = await wire.request('tools/list');
    expect(result?.['tools']).toHaveLength(notes.tools.length + obsidian.tools.length);
    await wire.end();
  });
});
