import { mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { vaultFolders } from '../../src/node/place/vault-folders.ts';
import { type CliResult, runCli } from '../support/run-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

// What a command does where the server at its vault's socket does not do it. `test/transcripts` has
// what it does where the server does.

interface Fake {
  readonly run: (...words: readonly string[]) => Promise<CliResult>;
  readonly vault: string;
  /** What the commands have sent, line by line. */
  readonly heard: readonly string[];
}

/** A vault at whose socket listens what answers each line as `answer` says. */
async function fakeServer(answer: (line: string, socket: Socket) => void): Promise<Fake> {
  const vault = tempFolder({ 'A.md': '# A\n' });
  const home = realpathSync(tempFolder({}));
  const env = { OBSIDIAN_VAULT_PATH: vault, XDG_STATE_HOME: home, XDG_CACHE_HOME: home };
  const { state } = vaultFolders(realpathSync(vault), env, process.platform);
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const heard: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      for (const line of bytes.toString().trim().split('\n')) {
        heard.push(line);
        answer(line, socket);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(join(state, 'mcp.sock'), resolve));
  onTestFinished(() => void server.close());
  return { run: (...words) => runCli(words, env), vault, heard };
}

const isHello = (line: string): boolean => line.includes('"asks":"command"');
const accept = '{"ok":true,"pid":1}\n';

describe.skipIf(process.platform === 'win32')('a command works alone', () => {
  it.each<[string, (line: string, socket: Socket) => void]>([
    ['where the server says nothing', () => undefined],
    ['where it is another version', (_, socket) => socket.end('{"ok":false,"reason":"x"}\n')],
    ['where it says what nobody understands', (_, socket) => socket.end('what?\n')],
    ['where it hangs up at once', (_, socket) => socket.destroy()],
    [
      'where it has looked at the command and cannot do it',
      (line, socket) => socket.write(isHello(line) ? accept : '{"is":"alone"}\n'),
    ],
  ])('%s, and does its work once', async (_, answer) => {
    const { run, vault, heard } = await fakeServer(answer);
    expect(await run('append', 'A', 'more')).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(join(vault, 'A.md'), 'utf8')).toBe('# A\nmore\n');
    expect(heard.filter(isHello)).toHaveLength(1);
  });

  it('and never asks for a help, or for what is not a tool', async () => {
    const { run, heard } = await fakeServer(() => undefined);
    await run('read', '--help');
    await run('token', 'list');
    await run('nothing');
    expect(heard).toEqual([]);
  });
});

describe.skipIf(process.platform === 'win32')('a server that has taken a command', () => {
  it('and dies is told of, and the command is not done a second time', async () => {
    const { run, vault } = await fakeServer((line, socket) => {
      if (isHello(line)) socket.write(accept);
      else socket.destroy();
    });
    const { code, stdout, stderr } = await run('append', 'A', 'more');
    expect([code, stdout]).toEqual([6, '']);
    expect(stderr).toContain('"vaultdoor history" says whether something was changed');
    expect(readFileSync(join(vault, 'A.md'), 'utf8')).toBe('# A\n');
  });

  it('is told the command, and nothing of the environment that it does not need', async () => {
    const { run, heard } = await fakeServer((line, socket) => {
      socket.write(
        isHello(line) ? accept : '{"is":"stdout","text":"done\\n"}\n{"is":"end","code":3}\n',
      );
    });
    expect(await run('read', 'A')).toEqual({ stdout: 'done\n', stderr: '', code: 3 });
    const asked = JSON.parse(heard[1] ?? '') as { argv: unknown; env: Record<string, unknown> };
    expect(asked.argv).toEqual(['read', 'A']);
    expect(Object.keys(asked.env)).not.toContain('PATH');
  });
});
