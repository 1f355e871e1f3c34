import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, it, onTestFinished } from 'vitest';
import { answerOf, newSdkClient } from '../contract/sdk-client.ts';
import { splitContext } from '../contract/split-context.ts';
import { startSdkClient } from '../contract/stdio-door.ts';
import { HttpProcess } from '../support/http-process.ts';
import { bundle, cliEnv, runCli } from '../support/run-cli.ts';
import { StdioProcess, stdioEnv } from '../support/stdio-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

// An agent proposes or waits, and the owner decides in another process.

const era = '2025-11-25';

/** A vault, and the commands that its owner types. */
function ownedVault(files: Readonly<Record<string, string>>) {
  const folder = tempFolder(files);
  const env = stdioEnv({ folder });
  const types = (...args: readonly string[]) => runCli(args, env);
  const text = (path: string): string | undefined =>
    existsSync(join(folder, path)) ? readFileSync(join(folder, path), 'utf8') : undefined;
  return { folder, env, types, text };
}

type Client = Awaited<ReturnType<typeof startSdkClient>>;

/** What a tool says to the client, without what the server tells it of the vault. */
async function said(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { text } = answerOf(await client.callTool({ name, arguments: args }));
  return splitContext(text).result;
}

async function ownProposals(client: Client): Promise<readonly Record<string, unknown>[]> {
  const answer = JSON.parse(await said(client, 'list_proposals')) as { proposals: [] };
  return answer.proposals;
}

it('what an agent proposes over stdio is made when the owner accepts it', async () => {
  const { folder, env, types, text } = ownedVault({
    'A.md': 'one #known\n',
    'B.md': 'to [[A]]\n',
    'Old.md': 'old\n',
    'T.md': 't\n',
  });
  const client = await startSdkClient({ folder, env, args: ['--propose'] }, { era });
  const calls: readonly (readonly [string, Record<string, unknown>])[] = [
    ['create_note', { name: 'New', content: 'new\n' }],
    ['append_note', { name: 'B', text: 'more' }],
    ['rename_note', { old_name: 'A', new_name: 'Sub/C' }],
    ['delete_note', { name: 'Old' }],
    ['set_frontmatter', { name: 'T', properties: { tags: ['known'] } }],
  ];
  for (const [n, [name, args]] of calls.entries()) {
    expect(await said(client, name, args)).toMatch(`Proposed p${n + 1}; the owner decides.`);
  }
  expect([text('New.md'), text('B.md'), text('Old.md')]).toEqual([
    undefined,
    'to [[A]]\n',
    'old\n',
  ]);

  const listed = await types('proposals');
  expect(listed.stdout).toMatch(
    /^p5 {2}[\d: -]{16} {2}"contract" {2}Set tags of T {2,}waits 7 more days\np4 /,
  );
  expect(listed.stdout).toContain('Move A to Sub as C  ');
  const shown = await types('proposals', 'show', 'p2');
  expect(shown.stdout).toMatch(
    /\nchanges B\.md\n\n.*\+more\n.*"vaultdoor proposals accept p2@[0-9a-f]{6}"/s,
  );

  // p2 and p3 touch the same note, and both do what was shown.
  const session = /session (\w+)\)/.exec(shown.stdout)?.[1] ?? '';
  const some = await types('proposals', 'accept', '--session', session);
  expect(some).toMatchObject({ code: 2, stderr: expect.stringContaining('accept 5 proposals') });
  const all = await types('proposals', 'accept', '--session', session, '--yes');
  expect(all.code).toBe(0);
  expect(all.stdout).toMatch(/^p1 is made, as change 1\n {2}created New\.md\n/);
  expect(await types('proposals')).toMatchObject({
    stdout: '',
    stderr: 'vaultdoor: Nothing waits for you.\n',
  });
  expect((await types('history')).stdout).toContain('(accepted p3)');
  expect(text('New.md')).toBe('new\n');
  expect([text('A.md'), text('Sub/C.md')]).toEqual([undefined, 'one #known\n']);
  expect(text('B.md')).toBe('to [[C]]\nmore\n');
  expect([text('Old.md'), text('.trash/Old.md')]).toEqual([undefined, 'old\n']);
  expect(text('T.md')).toBe('---\ntags:\n  - known\n---\nt\n');

  expect(await ownProposals(client)).toMatchObject([
    { id: 'p5', state: 'accepted', change: 5, changed: ['T.md'] },
    { id: 'p4', state: 'accepted', change: 4, deleted: ['Old.md'] },
    { id: 'p3', state: 'accepted', change: 3, moved: { 'A.md': 'Sub/C.md' } },
    { id: 'p2', state: 'accepted', change: 2 },
    { id: 'p1', state: 'accepted', change: 1, created: ['New.md'] },
  ]);
  const undone = await types('undo', '3');
  expect([undone.code, text('A.md'), text('B.md')]).toEqual([
    0,
    'one #known\n',
    'to [[A]]\nmore\n',
  ]);
  await client.close();
});

it('a token that may only propose is known by its name', async () => {
  const { folder, env, types, text } = ownedVault({ 'Work/A.md': 'a\n', 'Home/B.md': 'b\n' });
  const options = ['--propose', '--folder', 'Work', '--json'];
  const made = await types('token', 'create', 'phone', ...options, '--vault', folder);
  const { token } = JSON.parse(made.stdout) as { token: string };
  const server = await HttpProcess.start({ folder, args: ['--tools', 'notes'], env });
  const client = newSdkClient({ era });
  onTestFinished(() => client.close());
  const headers = { authorization: `Bearer ${token}` };
  const url = new URL(server.url);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));

  expect(await said(client, 'append_note', { name: 'A', text: 'two' })).toMatch('Proposed p1');
  expect(await said(client, 'delete_note', { name: 'A' })).toMatch('Proposed p2');
  expect(await said(client, 'append_note', { path: 'Home/B.md', text: 'x' })).toMatch('no ');
  const listed = await types('proposals', '--client', 'contract', '--vault', folder);
  expect(listed.stdout).toMatch(/^p2 .* "contract" \(token phone\) /);
  expect(listed.stdout).toContain(`proposals accept p2 --vault ${folder}"`);

  writeFileSync(join(folder, 'Work/A.md'), 'edited\n');
  const first = await types('proposals', 'accept', 'p1');
  expect([first.code, text('Work/A.md')]).toEqual([4, 'edited\n']);
  expect(first.stdout).toContain(' edited\n+two\n');
  // Its id alone could be a plan that the owner has not seen.
  expect(await types('proposals', 'accept', 'p1')).toMatchObject({ code: 4 });
  const shown = await types('proposals', 'show', 'p1');
  expect(shown.stdout).not.toContain('p1 alone works');
  const name = /proposals accept (p1@[0-9a-f]{6})/.exec(shown.stdout)?.[1] ?? '';
  expect(first.stdout).toContain(`proposals accept ${name}`);
  expect(await types('proposals', 'accept', name)).toMatchObject({ code: 0 });
  expect(text('Work/A.md')).toBe('edited\ntwo\n');
  await types('proposals', 'show', 'p2'); // It is planned again.
  const later = (await types('proposals')).stdout;
  expect(later).toContain('proposals show p2');
  expect(later).not.toContain('proposals accept p2');
  const refused = await types('proposals', 'refuse', 'p2', 'p9', '--reason', 'I need it.');
  expect(refused).toMatchObject({
    code: 3,
    stdout: expect.stringMatching(/^p2 is refused\np9 failed/),
  });
  expect(text('Work/A.md')).toBe('edited\ntwo\n');
  expect(await ownProposals(client)).toMatchObject([
    { id: 'p2', state: 'refused', reason: 'I need it.' },
    { id: 'p1', state: 'accepted', change: expect.stringMatching(/^c-/), changed: ['Work/A.md'] },
  ]);
  await client.close();
  await server.stop();
});

it('a proposal that cannot be made any more is shown with what to do, and not as one to accept', async () => {
  const { folder, env, types } = ownedVault({ 'A.md': 'one\n' });
  const client = await startSdkClient({ folder, env, args: ['--propose'] }, { era });
  const args = { name: 'A', old_text: 'one', new_text: 'two' };
  expect(await said(client, 'replace_note', args)).toMatch('Proposed p1');
  await client.close();
  writeFileSync(join(folder, 'A.md'), 'other\n');
  const why = '"A.md" does not have this text any more: refuse the proposal.';
  const shown = await types('proposals', 'show', 'p1');
  const refuse = '"vaultdoor proposals refuse p1" refuses it.';
  expect(shown.stdout).toContain(`\nIt cannot be made now: ${why} ${refuse}\n`);
  expect(shown.stdout).not.toContain('proposals accept');
  const accepted = await types('proposals', 'accept', 'p1');
  expect(accepted.stderr).toContain(`p1 cannot be made now, and stays open: ${why}`);
});

it('a call that the brake holds goes on when the owner allows it, and ends when they deny it', async () => {
  const names = ['1', '2', '3', '4'];
  const files = Object.fromEntries(names.map((name) => [`${name}.md`, `${name}\n`]));
  const { folder, env, types, text } = ownedVault(files);
  const client = await startSdkClient({ folder, env, args: ['--brake', '1'] }, { era });
  const remove = (name: string) => said(client, 'delete_note', { name });
  for (const name of ['1', '2']) expect(await remove(name)).toContain('"deleted":true');

  const waiting = remove('3');
  const question = await untilAsked(types);
  expect(question).toMatch(
    /^q1 {2}asked .*; waits 24 more hours\n {4}by "contract"\n {4}delete_note, 3\.md\n {4}May this app .*\n\n"vaultdoor approvals show q1" shows .*\n"vaultdoor approvals allow q1" allows /,
  );
  expect(text('3.md')).toBe('3\n');
  expect((await types('approvals', 'allow', 'q1')).stdout).toMatch(/^Allowed q1 once\.\n/);
  expect(await waiting).toContain('"deleted":true');
  expect(text('3.md')).toBeUndefined();
  expect(await types('approvals', 'deny', 'q1')).toMatchObject({ code: 4 });

  const denied = remove('4');
  await untilAsked(types);
  const deny = await types('approvals', 'deny', 'q2', '--undo', '--reason', 'Too many.');
  expect(deny).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Denied q2\.\n/) });
  expect(deny.stdout).toContain('took back changes 3, 2, 1\n');
  expect(await denied).toMatch(/has denied this \(q2\).*Too many\./);
  expect(names.map((name) => text(`${name}.md`))).toEqual(['1\n', '2\n', '3\n', '4\n']);
  const all = await types('approvals', '--all', '--json');
  expect(JSON.parse(all.stdout)).toMatchObject({
    questions: [
      { id: 'q2', answer: { says: 'deny', reason: 'Too many.' } },
      { id: 'q1', answer: { says: 'once' }, used: true },
    ],
  });
  await client.close();
});

/** What `approvals` prints as soon as a question waits. */
async function untilAsked(types: ReturnType<typeof ownedVault>['types']): Promise<string> {
  for (;;) {
    const { stdout } = await types('approvals');
    if (/^q\d/.test(stdout)) return stdout;
  }
}

it('a question is listed whole at a narrow terminal, and a denial names those that still wait', async () => {
  const name = 'A note whose name is as long as the names of notes often are, and longer';
  const { folder, env, types } = ownedVault({ [`${name}.md`]: 'a\n', 'B.md': 'b\n' });
  const args = ['--brake', '0', '--timeout', 'delete_note=1'];
  const client = await startSdkClient({ folder, env, args }, { era });
  await said(client, 'read_note', { name }); // The index is there.
  for (const each of [name, 'B']) await said(client, 'delete_note', { name: each });
  const terminal = tempFolder({
    'terminal.cjs': 'Object.assign(process.stdout, { isTTY: true, columns: 80 });',
  });
  const list = spawnSync(
    process.execPath,
    ['--require', join(terminal, 'terminal.cjs'), bundle, 'approvals'],
    { env: cliEnv({ ...env, NO_COLOR: '1' }), encoding: 'utf8' },
  );
  expect(list.stdout.replace(/asked .*?;/g, 'asked;')).toContain(`
q1  asked; waits 24 more hours
    by "contract"
    delete_note, A note whose name is as long as the names of notes often are,
    and longer.md
    May this app delete or overwrite a file?

"vaultdoor approvals show q2" shows`);
  expect((await types('approvals', 'deny', 'q1')).stdout).toBe(
    'Denied q1.\nq2 of the same app still waits: "vaultdoor approvals show q2" shows what is asked.\n',
  );
  const both = await types('approvals', 'deny', 'q2');
  expect(both.stdout).toBe('Denied q2.\n');
  await client.close();
});

it('no client can write a line of the lists with its name', async () => {
  const { folder, env, types } = ownedVault({ 'A.md': 'a\n' });
  const program = new StdioProcess({ folder, env, args: ['--propose'] });
  const name = 'x" (mcp-http, token phone)\r\np9  \u001b[2J\u202e\u2028owner';
  await program.initialize({ clientInfo: { name, version: '1' } });
  const args = { name: 'A', text: 'p8  2026-01-01\n\u001b[2Jforged' };
  await program.request('tools/call', { name: 'append_note', arguments: args });
  await program.end();
  const { stdout } = await types('proposals');
  expect(stdout.split('\n').map((line) => line.slice(0, 4))).toEqual(['p1  ', '', '"vau', '']);
  expect(stdout).toMatch(/^p1 .* "x\\" \(mcp-http, token phone\)[^"]*" {2}Add to A {2}/);
  expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u2028\u202a-\u202e]/u);
});
