import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { call, seedHello, serveObsidian } from '../contract/obsidian-steps.ts';
import { StdioProcess, type WireMessage } from '../support/stdio-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

// The ten lines of "Compliance Checklist" at the end of seed 000, each a test of that name.

const files = { 'A.md': 'secret moss\n', 'B.md': '[[A]]\n' };
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };

const tool = (name: string, args: object = {}): { name: string; arguments: object } => ({
  name,
  arguments: args,
});

function start(folder = tempFolder(files), ...args: readonly string[]): StdioProcess {
  return new StdioProcess({ folder, ...serveObsidian(undefined, ...args)() });
}

async function started(...args: readonly string[]): Promise<StdioProcess> {
  const program = start(tempFolder(files), ...args);
  await program.initialize({ protocolVersion: '2024-11-05' });
  return program;
}

/** A success and a failure of every kind of request. */
async function askEverything(program: StdioProcess): Promise<readonly WireMessage[]> {
  const asked: readonly (readonly [string, object])[] = [
    ['ping', {}],
    ['tools/list', {}],
    ['tools/call', tool('obsidian_read_note', { name: 'A' })],
    ['tools/call', tool('obsidian_append_note', { name: 'B', content: 'secret line' })],
    ['tools/call', tool('obsidian_read_note', { name: 'secret guess' })],
    ['tools/call', tool('obsidian_search', {})],
    ['tools/call', tool('obsidian_nothing')],
    ['nobody/knows', {}],
  ];
  return Promise.all(asked.map(([method, params]) => program.request(method, params)));
}

describe('the compliance checklist of seed 000', () => {
  it('JSON-RPC 2.0 format for all messages', async () => {
    const program = await started();
    const answers = await askEverything(program);
    for (const { jsonrpc, id, ...rest } of [...answers, ...program.messages]) {
      expect([jsonrpc, typeof id]).toEqual(['2.0', 'string']);
      // A result or an error, and nothing else.
      expect(Object.keys(rest)).toEqual([expect.stringMatching(/^(result|error)$/)]);
      if (rest.error === undefined) continue;
      expect(rest.error).toMatchObject({
        code: expect.any(Number),
        message: expect.stringMatching(/\S/),
      });
    }
    expect(new Set(answers.map(({ id }) => id)).size).toBe(answers.length);
    await program.end();
  });

  it('Stdio transport (stdin for requests, stdout for responses)', async () => {
    const program = start();
    program.send(seedHello);
    expect(await program.answer(1)).toMatchObject({ result: { protocolVersion: '2024-11-05' } });
    await program.end();
    expect(program.stdout.startsWith('{')).toBe(true);
  });

  it('Line-by-line message format (newline-delimited)', async () => {
    const program = start();
    // Three messages in one piece, one message in two pieces.
    const text = [seedHello, initialized, call('obsidian_read_note', { name: 'A' })]
      .map((message) => `${JSON.stringify(message)}\n`)
      .join('');
    program.write(text.slice(0, 20));
    await new Promise((resolve) => setImmediate(resolve));
    program.write(text.slice(20));
    await program.answer(3);
    await program.end();
    expect(program.rest).toBe('');
    expect(program.stdout.trimEnd().split('\n')).toHaveLength(2);
    expect(program.stdout).not.toMatch(/\r|\n\n/);
  });

  it('Initialize handshake before tool calls', async () => {
    const program = start();
    for (const method of ['tools/list', 'tools/call']) {
      expect(
        await program.request(method, tool('obsidian_read_note', { name: 'A' })),
      ).toMatchObject({ error: { code: -32600, message: expect.stringContaining('initialize') } });
    }
    await program.initialize();
    const read = await program.request('tools/call', tool('obsidian_read_note', { name: 'A' }));
    expect(read.result).toBeDefined();
    await program.end();
  });

  it('Tool schemas in tools/list response', async () => {
    const program = await started();
    const { result } = await program.request('tools/list');
    const tools = result?.['tools'] as readonly ListedTool[];
    expect(tools.length).toBeGreaterThanOrEqual(9);
    for (const { name, description, inputSchema } of tools) {
      expect(name).toMatch(/^obsidian_[a-z_]+$/);
      expect(description, name).toMatch(/\w/);
      expect(inputSchema, name).toMatchObject({ type: 'object' });
      const { properties = {}, required = [] } = inputSchema;
      for (const [argument, schema] of Object.entries(properties)) {
        expect(schema, `${name}.${argument}`).toHaveProperty('type');
        expect(schema, `${name}.${argument}`).toHaveProperty('description');
      }
      expect(required.filter((argument) => !(argument in properties))).toEqual([]);
    }
    await program.end();
  });

  it('Structured error responses with codes', async () => {
    const program = await started();
    const answers = await askEverything(program);
    expect(answers.flatMap(({ error }) => error?.code ?? [])).toEqual([
      -32003, -32602, -32602, -32601,
    ]);
    for (const { result } of answers) expect(result?.['isError']).toBeUndefined();
    const { error } = answers.find((answer) => answer.error?.code === -32003) ?? {};
    expect(error?.data).toMatchObject({ errorCode: 'FILE_NOT_FOUND' });
    await program.end();
  });

  it('Graceful shutdown on exit notification', async () => {
    const folder = tempFolder(files);
    const program = start(folder);
    await program.initialize();
    // In one piece: all of them are read before the first is done.
    const appends = Array.from({ length: 5 }, (_, n) => ({
      ...call('obsidian_append_note', { name: 'B', content: `line ${n}` }),
      id: n,
    }));
    const messages = [...appends, { jsonrpc: '2.0', method: 'exit' }];
    program.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
    expect(await program.exited).toEqual({ code: 0, signal: null });
    const answered = program.messages.filter(({ id, result }) => typeof id === 'number' && result);
    expect(answered).toHaveLength(appends.length);
    const text = readFileSync(join(folder, 'B.md'), 'utf8');
    expect(appends.filter((_, n) => !text.includes(`line ${n}`))).toEqual([]);
  });

  it('No stdout pollution (logs to stderr only)', async () => {
    const program = await started('--log-level', 'debug');
    const answers = await askEverything(program);
    await program.end();
    // `StdioProcess` has read every line of stdout as JSON already.
    expect(program.messages).toHaveLength(answers.length + 1);
    expect(program.rest).toBe('');
    expect(program.stderr).toMatch(/ info start /);
    expect(program.stderr).not.toMatch(/secret|jsonrpc/);
  });

  it('Immediate stdout flushing after responses', async () => {
    const program = await started();
    // Each is asked only when the one before has come: an answer that is held back ends it all.
    for (let n = 0; n < 20; n++) {
      expect((await program.request('tools/call', tool('obsidian_files'))).result).toBeDefined();
    }
    expect(program.stdout.endsWith('\n')).toBe(true);
    await program.end();
  });

  it('EOF handling (graceful shutdown)', async () => {
    const program = await started();
    program.send(call('obsidian_backlinks', { name: 'A' }));
    expect(await program.end()).toEqual({ code: 0, signal: null });
    expect(program.messages.at(-1)).toMatchObject({ id: 3, result: { content: [{}] } });
  });
});

interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: {
    readonly type: string;
    readonly properties?: Readonly<Record<string, object>>;
    readonly required?: readonly string[];
  };
}
