// Tests `vaultdoor serve` with other programs: the MCP Inspector in both eras of the protocol, with
// and without a token, and the curl examples of docs/server.md, each compared with the answer shown
// there.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import {
  check,
  exampleVault,
  installed,
  repository,
  run,
  serveWords,
  startServer,
  systemProgram,
  temporaryHome,
} from './outside-programs.mjs';

const modules = await installed('@modelcontextprotocol/inspector', '2.12.0');
const inspector = join(modules, '.bin', 'mcp-inspector');
await systemProgram('curl');
await systemProgram('jq');

const { home, env } = temporaryHome('http');
const vault = exampleVault(join(home, 'vault'));

/** Runs the Inspector's command line once. */
const inspect = (url, era, args) =>
  run(inspector, ['--cli', url, '--transport', 'http', '--protocol-era', era, ...args], { env });

// Each row: the tool, its arguments, the expected exit code of the Inspector (5 means that the tool
// failed), and a text that the answer must contain.
const calls = [
  ['note_read', { path: 'Home.md' }, 0, 'Hello, future me.'],
  ['vault_search', { query: '^Counted \\w+', path_filter: 'Notes/*.md' }, 0, 'nineteen swifts'],
  ['note_upsert', { path: 'devlog/new.md', content: 'From outside.' }, 0, 'created'],
  ['note_read', { path: '../secret.md' }, 5, 'path'],
];

async function inspectAll(title, url, { calls, headers }) {
  const eras = ['legacy', 'modern'].map(async (era) => {
    const list = await inspect(url, era, ['--method', 'tools/list', '--strict', ...headers]);
    const isListed = list.code === 0 && list.stdout.includes('"outputSchema"');
    check(`${title}, ${era}: tools/list --strict`, isListed, list);
    for (const [tool, args, code, has] of calls) {
      const words = ['--method', 'tools/call', '--tool-name', tool];
      const json = ['--tool-args-json', JSON.stringify(args)];
      const answer = await inspect(url, era, [...words, ...json, ...headers]);
      const isRight = answer.code === code && (answer.stdout + answer.stderr).includes(has);
      check(`${title}, ${era}: ${tool}`, isRight, answer);
    }
  });
  await Promise.all(eras);
}

const open = await startServer(serveWords('--vault', vault), env);
await inspectAll('Inspector', open.url, { calls, headers: [] });
await tellTranscript(open.port);
check('the server ends', (await open.stop()) === 0, open.seen);

const server = join(repository, 'dist', 'vaultdoor.js');
const words = [server, 'token', 'create', 'inspector', '--vault', vault, '--json'];
const made = await run(process.execPath, words, { env });
const [token] = /vd_[\w-]{43}/.exec(made.stdout) ?? [];
check('token create', made.code === 0 && token !== undefined, made);
const closed = await startServer(serveWords('--vault', vault, '--auth', 'token'), env);
const headers = ['--header', `Authorization: Bearer ${token}`];
await inspectAll('with a token', closed.url, { calls: calls.slice(0, 1), headers });
for (const [what, wrong] of [
  ['no token', []],
  ['a wrong token', ['--header', `Authorization: Bearer vd_${'x'.repeat(43)}`]],
]) {
  const refused = await inspect(closed.url, 'legacy', ['--method', 'tools/list', ...wrong]);
  check(`${what} is refused`, refused.code !== 0 && !refused.stdout.includes('note_read'), refused);
}
check('the server with tokens ends', (await closed.stop()) === 0, closed.seen);

/**
 * Runs the examples of the documentation in one shell. In the expected answers, "…" is any text.
 */
async function tellTranscript(port) {
  const text = readFileSync(join(repository, 'docs', 'server.md'), 'utf8');
  const blocks = Array.from(text.matchAll(/^```console\n(.*?)^```$/gms), ([, block]) => block);
  const steps = blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((step) => {
        const [command] = /^.*?(?<!\\)\n(?! {2}\|)/s.exec(step);
        return { command, expected: step.slice(command.length).trim() };
      }),
  );
  const end = '== end ==';
  const input = steps.map(({ command }) => `${command}\necho; echo '${end}'\n`).join('');
  const typed = input.replaceAll(':1065', `:${port}`);
  const answer = await run('bash', [], { env, cwd: home, input: typed });
  const answers = answer.stdout.split(end);
  check(
    `curl: ${steps.length} examples`,
    steps.length > 6 && answers.length > steps.length,
    answer,
  );
  for (const [i, { command, expected }] of steps.entries()) {
    const pattern = expected.split('…').map((part) => escaped(part));
    const got = (answers[i] ?? '').trim();
    check(command.split('\n')[0], new RegExp(`^${pattern.join('.*')}$`, 's').test(got), {
      expected,
      got,
      stderr: answer.stderr,
    });
  }
}

function escaped(text) {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
