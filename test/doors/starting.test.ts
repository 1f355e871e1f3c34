import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/run-cli.ts';
import { StdioProcess } from '../support/stdio-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

describe('the server does not start', () => {
  const home = (): Record<string, string> => {
    const folder = tempFolder();
    return { XDG_CACHE_HOME: folder, XDG_STATE_HOME: folder };
  };

  // What is wrong, the arguments on a vault with one note, and the exit code of the design's table.
  const rows: readonly (readonly [string, (vault: string) => readonly string[], number])[] = [
    ['without a vault (NQ04)', () => [], 2],
    ['on a path that does not exist', (vault) => ['--vault', join(vault, 'nowhere')], 3],
    ['on a file', (vault) => ['--vault', join(vault, 'a.md')], 3],
    ['with a flag it does not know', (vault) => ['--vault', vault, '--volume', '11'], 2],
    ['with a policy it does not know', (vault) => ['--vault', vault, '--tag-policy', 'mild'], 2],
    ['with a time that is none', (vault) => ['--vault', vault, '--timeout', 'soon'], 2],
    ['with a level it does not know', (vault) => ['--vault', vault, '--log-level', 'loud'], 2],
    ['with a toolset it does not know', (vault) => ['--vault', vault, '--tools', 'hammer'], 2],
  ];

  it.each(rows)('%s: one sentence on stderr, nothing on stdout', async (_what, args, code) => {
    const vault = tempFolder({ 'a.md': '' });
    const result = await runCli(['stdio', ...args(vault)], home());
    expect(result).toMatchObject({ code, stdout: '' });
    expect(result.stderr.trim()).toMatch(/^[^\n]+\.$/);
  });
});

describe('while the index is being built', () => {
  const many = Object.fromEntries(
    Array.from({ length: 2_000 }, (_, n) => [
      `f${n % 40}/n${n}.md`,
      `# ${n}\n\n#t${n} [[n${n + 1}]]\n`,
    ]),
  );

  it('initialize and tools/list are answered before it is ready, and calls tell how far it is', async () => {
    const program = new StdioProcess({ folder: tempFolder(many) });
    // All at once: whoever waited for the index would answer after the search, which needs it.
    const hello = program.initialize();
    const search = program.request('tools/call', {
      name: 'search_notes',
      arguments: { query: 't1999', mode: 'tag' },
      _meta: { progressToken: 'far' },
    });
    const list = program.request('tools/list');
    const [first, second, third] = await Promise.all([hello, list, search]);
    const order = program.messages.filter((message) => message.method === undefined);
    expect(order).toEqual([first, second, third]);
    // On a busy machine the index takes longer than a call waits for it.
    expect(third.result).toMatchObject({
      content: [{ text: expect.stringMatching(/n1999\.md|still being indexed/) }],
    });

    const progress = program.messages.filter(({ method }) => method === 'notifications/progress');
    expect(progress.length).toBeGreaterThan(0);
    const done = progress.map(({ params }) => Number(params?.['progress']));
    expect(done).toEqual([...done].sort((a, b) => a - b));
    expect(new Set(progress.map(({ params }) => params?.['progressToken']))).toEqual(
      new Set(['far']),
    );
    expect(await program.end()).toEqual({ code: 0, signal: null });
  });

  it('a call that is cancelled is not answered', async () => {
    const program = new StdioProcess({ folder: tempFolder(many) });
    await program.initialize();
    const call = { name: 'search_notes', arguments: { query: 't1', mode: 'tag' } };
    program.write(
      [
        { jsonrpc: '2.0', id: 'given up', method: 'tools/call', params: call },
        { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'given up' } },
        { jsonrpc: '2.0', id: 'kept', method: 'tools/call', params: call },
      ]
        .map((message) => `${JSON.stringify(message)}\n`)
        .join(''),
    );
    await program.answer('kept');
    expect(await program.end()).toEqual({ code: 0, signal: null });
    expect(program.messages.filter((message) => message.id === 'given up')).toEqual([]);
  });
});
