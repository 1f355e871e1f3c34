// Runs the official MCP conformance suite against the built server, and against the suite's own
// fixtures served through our door (test/conformance). Checks that cannot pass are listed in a
// baseline file there, each with its reason. If a listed check passes, that is a failure too.
import { join } from 'node:path';
import process from 'node:process';
import {
  check,
  exampleVault,
  installed,
  newerNode,
  repository,
  run,
  serveWords,
  startServer,
  temporaryHome,
} from './outside-programs.mjs';

const name = '@modelcontextprotocol/conformance';
const program = async (version) => join(await installed(name, version), name, 'dist', 'index.js');
// `older` is the last version that runs on Node 20; `newer` is the first that knows the 2026
// protocol.
const older = [process.execPath, await program('0.1.13'), 'server', '--suite', 'all'];
const newer = [await newerNode(), await program('0.2.0-alpha.12'), 'server', '--requirements'];
const suites = [
  ['0.1.13', older],
  ['2025-11-25', [...newer, '2025-11-25']],
  ['2026-07-28', [...newer, '2026-07-28']],
];

const { home, env } = temporaryHome('conformance');
const vault = exampleVault(join(home, 'vault'));
const fixtures = join(repository, 'test', 'conformance', 'serve-fixtures.ts');
const servers = [
  ['serve', serveWords('--vault', vault)],
  ['fixtures', [process.execPath, join(repository, 'scripts', 'run-ts.mjs'), fixtures]],
];

async function examine([served, words]) {
  const server = await startServer(words, env);
  for (const [suite, [file, ...args]] of suites) {
    const baseline = join(repository, 'test', 'conformance', `baseline-${served}-${suite}.yml`);
    const all = [...args, '--url', server.url, '--expected-failures', baseline];
    const answer = await run(file, all, { cwd: home, env });
    const [, passed = 'no'] = /Total:\D*(\d+) passed/.exec(answer.stdout) ?? [];
    const what = `${passed} checks pass, all others are listed in the baseline`;
    check(`conformance ${suite}, ${served}: ${what}`, answer.code === 0, answer.stdout);
  }
  check(`conformance, ${served}: the server ends`, (await server.stop()) === 0, server.seen);
}

await Promise.all(servers.map(examine));
