// Runs the scenarios of the official conformance suite for authorization servers.
import { join } from 'node:path';
import process from 'node:process';
import { check, newerNode, startProgram, until } from '../outside-programs.mjs';
import { freePorts } from './caddy.mjs';
import { packageOf } from './packages.mjs';

/** Both scenarios run at once: the second needs what the first has found. */
export async function tryConformance({ server, owner, home }) {
  const [port] = await freePorts(1);
  const callback = `http://127.0.0.1:${port}/callback`;
  const words = ['client', 'create', 'conformance', '--redirect', callback, '--json'];
  const made = await server.command(words);
  const { id } = JSON.parse(made.stdout).client ?? JSON.parse(made.stdout);
  const name = '@modelcontextprotocol/conformance';
  const program = join(await packageOf(name), name, 'dist', 'index.js');
  const args = ['--url', server.site, '--client-id', id, '--resource', server.url, '-p', port];
  const suite = startProgram([await newerNode(), program, 'authorization', ...args.map(String)], {
    PATH: process.env.PATH,
    HOME: home,
    NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS,
  });
  let isOver = false;
  suite.ended.then(() => {
    isOver = true;
  });
  const all = () => suite.seen.stdout + suite.seen.stderr;
  const asked = () => /https:\/\/\S+\/authorize\?\S+/.exec(all())?.[0];
  await until(() => isOver || asked() !== undefined, all, 60);
  if (asked() !== undefined) await owner.answer(asked(), { rights: 'read', follows: true });
  const exit = await suite.ended;
  const [, passed, failed] = /Total: (\d+) passed, (\d+) failed/.exec(all()) ?? [];
  const isRight = exit === 0 && failed === '0' && Number(passed) >= 3;
  check(`conformance, authorization: ${passed} checks pass`, isRight, all());
}
