import { describe, expect, it } from 'vitest';
import { limits } from '../../src/base/limits.ts';
import { runCli } from '../support/run-cli.ts';
import { legacyHello, StdioProcess, stdioEnv, type WireMessage } from '../support/stdio-process.ts';
import { tempFolder, untilFileEnds } from '../support/temp-folder.ts';

const hello = { jsonrpc: '2.0', id: 'hello', method: 'initialize', params: legacyHello };

const call = (id: string | number, name: string, args: object): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});

const lines = (messages: readonly object[]): string =>
  messages.map((message) => `${JSON.stringify(message)}\n`).join('');

const ids = (messages: readonly WireMessage[]): string[] =>
  messages.map((message) => String(message.id)).sort();

describe('a file of requests that is piped in', () => {
  it('gets every answer before the program leaves, those of slow calls too', async () => {
    const folder = tempFolder({ 'A.md': '# A\n\n[[B]]\n', 'B.md': 'moss\n' });
    const requests = [
      hello,
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      call(1, 'search_notes', { query: 'moss' }),
      call(2, 'create_note', { name: 'C', content: '[[A]]' }),
      call(3, 'rename_note', { old_name: 'B', new_name: 'Bee' }),
      call(4, 'append_note', { name: 'A', text: 'more' }),
      call(5, 'get_links', { name: 'A' }),
      call(6, 'read_note', { name: 'nothing' }),
      { jsonrpc: '2.0', id: 7, method: 'resources/list' },
      { jsonrpc: '2.0', id: 8, method: 'nobody/knows' },
    ];
    // The last line has no end: it is a request all the same.
    const text = lines(requests) + JSON.stringify(call(9, 'list_changes', {}));
    const { stdout, code } = await runCli(['stdio'], stdioEnv({ folder }), text);
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as WireMessage);
    expect(ids(answers)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', 'hello']);
    expect(code).toBe(0);
  });

  it('may be empty, or end in half a line', async () => {
    const folder = tempFolder({ 'A.md': '' });
    expect(await runCli(['stdio'], stdioEnv({ folder }))).toMatchObject({ stdout: '', code: 0 });
    const { stdout, code } = await runCli(
      ['stdio'],
      stdioEnv({ folder }),
      '{"jsonrpc":"2.0","id":1',
    );
    expect([JSON.parse(stdout), code]).toMatchObject([{ id: null, error: { code: -32700 } }, 0]);
  });
});

const onFileEnd = untilFileEnds();
let shared: Promise<StdioProcess> | undefined;

/** One connection for most tests of bytes: whatever came before, it goes on. */
function connected(): Promise<StdioProcess> {
  const start = async (): Promise<StdioProcess> => {
    const folder = tempFolder({ 'Ночь 🌙.md': 'тихо' }, onFileEnd);
    const program = new StdioProcess({ folder, onFinished: onFileEnd });
    await program.initialize();
    return program;
  };
  shared ??= start();
  return shared;
}

describe('bytes', () => {
  it('may come in any pieces: half lines, characters cut in two', async () => {
    const program = await connected();
    const bytes = Buffer.from(lines([call('pieces', 'read_note', { name: 'Ночь 🌙' })]));
    for (const byte of bytes) {
      program.write(Uint8Array.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await program.answer('pieces')).result).toMatchObject({
      content: [{ text: expect.stringMatching(/^тихо/) }],
    });
  });

  it('may have empty lines and lines of Windows', async () => {
    const program = await connected();
    const before = program.messages.length;
    program.write('\n\r\n{"jsonrpc":"2.0","id":"ping","method":"ping"}\r\n\n');
    expect(await program.answer('ping')).toMatchObject({ result: {} });
    expect(program.messages).toHaveLength(before + 1);
  });

  it('may be garbage: each line is refused by itself, and the connection goes on', async () => {
    const program = await connected();
    const before = program.messages.length;
    const garbage = [
      Buffer.from([0xff, 0xfe, 0x00, 0x80]),
      Buffer.from('GET / HTTP/1.1'),
      Buffer.from('Content-Length: 20'),
      Buffer.from([0xe2, 0x82]),
      Buffer.from(`${'['.repeat(20_000)}`),
      Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0"}'),
    ];
    program.write(Buffer.concat(garbage.flatMap((line) => [line, Buffer.from('\n')])));
    expect(await program.request('ping')).toMatchObject({ result: {} });
    const refusals = program.messages.slice(before, -1);
    expect(refusals.map(({ id, error }) => [id, error?.code])).toEqual(
      garbage.map(() => [null, -32700]),
    );
  });

  it('of a line over the limit are refused and forgotten; the connection goes on', async () => {
    const folder = tempFolder({ 'A.md': 'x' });
    const program = new StdioProcess({ folder });
    await program.initialize();
    const long = lines([call('long', 'append_note', { name: 'A', text: 'y'.repeat(20_000_000) })]);
    expect(long.length).toBeGreaterThan(limits.messageBytesMax);
    program.write(long);
    program.send(call('short', 'read_note', { name: 'A' }));
    expect((await program.answer('short')).result).toMatchObject({
      content: [{ text: expect.stringMatching(/^x/) }],
    });
    expect(program.messages[1]).toMatchObject({ id: null, error: { code: -32600 } });
    await program.end();
    expect(program.messages.filter((message) => message.id === 'long')).toEqual([]);
  });

  it('of a long line under the limit are one message', async () => {
    const program = await connected();
    program.send(call('created', 'create_note', { name: 'Long', content: 'y'.repeat(8_000_000) }));
    expect(await program.answer('created')).toMatchObject({
      result: { content: [{ type: 'text' }] },
    });
  });
});

describe('a thousand requests at once', () => {
  const count = 1_000;

  it('are each answered once, on one line each, and nothing else is said', async () => {
    const folder = tempFolder({ 'A.md': 'one\ntwo\n', 'B.md': '[[A]]\n' });
    const program = new StdioProcess({ folder });
    await program.initialize();
    const requests = Array.from({ length: count }, (_, n) => {
      if (n % 100 === 0) return call(n, 'append_note', { name: 'B', text: `line ${n}` });
      if (n % 3 === 0) return call(n, 'search_notes', { query: 'two' });
      if (n % 3 === 1) return call(n, 'read_note', { name: 'A' });
      return { jsonrpc: '2.0', id: n, method: 'ping' };
    });
    program.write(lines(requests));
    expect(await program.end()).toEqual({ code: 0, signal: null });
    expect(program.rest).toBe('');
    const answers = program.messages.slice(1);
    expect(ids(answers)).toEqual(requests.map((_, n) => String(n)).sort());
    expect(answers.filter((answer) => answer.jsonrpc !== '2.0' || answer.error)).toEqual([]);
  });

  it('may share one id: each has its answer', async () => {
    const program = new StdioProcess({ folder: tempFolder({ 'A.md': 'x' }) });
    await program.initialize();
    program.write(
      lines(Array.from({ length: 20 }, () => call('same', 'read_note', { name: 'A' }))),
    );
    expect(await program.end()).toMatchObject({ code: 0 });
    expect(ids(program.messages.slice(1))).toEqual(Array.from({ length: 20 }, () => 'same'));
  });
});

it('stdout holds nothing but the protocol, stderr no text of notes and no arguments', async () => {
  const folder = tempFolder({ 'Secret name.md': '---\ntags: [secrettag]\n---\nsecret text\n' });
  const program = new StdioProcess({ folder, args: ['--log-level', 'debug'] });
  await program.initialize();
  const calls = [
    call(1, 'read_note', { name: 'Secret name' }),
    call(2, 'append_note', { name: 'Secret name', text: 'secret addition' }),
    call(3, 'search_notes', { query: 'secret' }),
    call(4, 'read_note', { name: 'secret guess' }),
    call(5, 'replace_note', { name: 'Secret name', old_text: 'secret none', new_text: 'x' }),
    call(6, 'no_such_tool', { name: 'secret' }),
  ];
  program.write(`${lines(calls)}secret garbage\n`);
  await program.end();
  expect(program.messages).toHaveLength(calls.length + 2);
  expect(program.stderr).not.toBe('');
  expect(program.stderr).not.toMatch(/secret/i);
});
