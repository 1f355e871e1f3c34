import { LOG_LEVEL_META_KEY } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { McpWire } from '../../../../test/support/mcp-wire.ts';
import { openWrittenVault } from '../../../../test/support/written-vault.ts';
import { nodeTimers } from '../../../node/system/node-ports.ts';
import { notesToolset } from '../../../tools/notes/notes-toolset.ts';
import { obsidianToolset } from '../../../tools/obsidian/obsidian-toolset.ts';
import { createService } from '../../../tools/service/service.ts';

const notes = notesToolset({ tagPolicy: 'off', history: true, contextEveryMs: 0 });

async function open(toolset = notes): Promise<McpWire> {
  const { whole } = await openWrittenVault({ 'Plan.md': 'secret text' });
  return new McpWire(createService(whole, [toolset], nodeTimers));
}

const lines = ({ messages }: McpWire) =>
  messages.filter(({ method }) => method === 'notifications/message').map(({ params }) => params);

const read = { name: 'read_note', arguments: { name: 'Plan' } };
const line = (values: object) => ({
  level: 'info',
  logger: 'vaultdoor',
  data: expect.objectContaining({ event: 'call', tool: 'read_note', ...values }),
});

describe('the log for a client of the 2025 protocol', () => {
  it('begins when it sets a level, and says no more than that level', async () => {
    const wire = await open();
    const { result } = await wire.initialize();
    expect(result).toMatchObject({ capabilities: { logging: {} } });
    await wire.request('tools/call', read);
    expect(lines(wire)).toEqual([]);
    expect((await wire.request('logging/setLevel', { level: 'info' })).result).toEqual({});
    await wire.request('tools/call', read);
    expect(lines(wire)).toEqual([line({ ok: true })]);
    // The line comes before the answer, so that it belongs to the call.
    expect(wire.messages.at(-2)?.method).toBe('notifications/message');
    await wire.request('logging/setLevel', { level: 'warning' });
    await wire.request('tools/call', read);
    expect(lines(wire)).toHaveLength(1);
    await wire.request('logging/setLevel', { level: 'debug' });
    await wire.request('resources/list');
    expect(lines(wire).at(-1)).toMatchObject({
      level: 'debug',
      data: { method: 'resources/list' },
    });
    await wire.end();
  });

  it('never has text of notes or arguments', async () => {
    const wire = await open();
    await wire.initialize();
    await wire.request('logging/setLevel', { level: 'debug' });
    await wire.request('tools/call', read);
    await wire.request('tools/call', {
      name: 'append_note',
      arguments: { name: 'Plan', text: 'told in confidence' },
    });
    await wire.request('tools/call', { ...read, arguments: { name: 'Nowhere' } });
    const said = JSON.stringify(lines(wire));
    expect(said).toContain('"code":"not_found"');
    for (const word of ['secret', 'confidence', 'Plan', 'Nowhere'])
      expect(said).not.toContain(word);
    await wire.end();
  });

  it.each([{}, { level: 'loud' }, { level: 5 }])('refuses %j', async (params) => {
    const wire = await open();
    await wire.initialize();
    expect((await wire.request('logging/setLevel', params)).error).toEqual({
      code: -32602,
      message:
        '"level" must be one of debug, info, notice, warning, error, critical, alert, emergency.',
      data: { errorCode: 'INVALID_INPUT' },
    });
    await wire.end();
  });

  it('is not there where a contract has tools only', async () => {
    const wire = await open(obsidianToolset());
    await wire.initialize();
    const answer = await wire.request('logging/setLevel', { level: 'info' });
    expect(answer.error?.code).toBe(-32601);
    await wire.end();
  });
});

it('the log for a request of 2026-07-28 has the level that the request asks for', async () => {
  const wire = await open();
  await wire.modern('tools/call', read);
  expect(lines(wire)).toEqual([]);
  await wire.modern('tools/call', read, { [LOG_LEVEL_META_KEY]: 'info' });
  expect(lines(wire)).toEqual([line({ ok: true })]);
  await wire.modern('tools/call', read, { [LOG_LEVEL_META_KEY]: 'error' });
  expect(lines(wire)).toHaveLength(1);
  await wire.end();
});
