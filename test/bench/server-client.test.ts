import { expect, it } from 'vitest';
import { ServerClient } from '../../bench/server-client.ts';

// The client that drives all programs of the bench, with small servers in their place.

const answering = (script: string): ServerClient =>
  new ServerClient({
    file: process.execPath,
    args: [
      '-e',
      `const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
       require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
         const { id, method, params } = JSON.parse(line);
         ${script}
       });`,
    ],
    env: process.env,
  });

it('takes the answer to its request, whatever else is said', async () => {
  const client = answering(`
    if (id === undefined) return;
    console.log('a remark');
    say({ id, method: 'roots/list' });
    say({ method: 'notifications/message' });
    say({ id: id + 1, result: {} });
    say({ id, result: { content: [{ text: 'one' }, { text: method }] } });`);
  expect(await client.greet()).toMatchObject({ text: 'one\ninitialize' });
  const { text, ms, bytes } = await client.call('any', {});
  expect(text).toBe('one\ntools/call');
  expect(ms).toBeGreaterThan(0);
  expect(bytes).toBeGreaterThan('one\ntools/call'.length);
  if (process.platform === 'linux') expect(client.memoryMb()).toBeGreaterThan(1);
  await client.end();
  expect(client.memoryMb()).toBeUndefined();
});

it.each<[string, string, string | undefined]>([
  ['a tool that failed', `say({ id, result: { isError: true, content: [{ text: 'no' }] } })`, 'no'],
  ['an error', `say({ id, error: { code: -32602, message: 'no' } })`, 'no'],
  ['a program that leaves', 'process.exit(1)', undefined],
])('has no text of %s', async (_, script, failure) => {
  const client = answering(script);
  const answer = await client.call('any', {});
  expect([answer.text, answer.failure]).toEqual([undefined, failure]);
  await client.end();
});

it('has nothing of a program that cannot be started', async () => {
  const client = new ServerClient({ file: '/no/such/program', args: [], env: {} });
  expect((await client.greet()).text).toBeUndefined();
  await client.end();
});

it('says when an answer is late, and can end the program then', async () => {
  const client = answering('');
  expect(await client.call('any', {}, 1)).toMatchObject({ late: true, text: undefined });
  await client.kill();
});
