import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { expect, it, onTestFinished, vi } from 'vitest';
import { answerOf } from '../contract/sdk-client.ts';
import type { Consent } from '../support/owner-browser.ts';
import { connectSignedIn, SdkSignIn } from '../support/sdk-sign-in.ts';
import { type OwnedServer, passphrase, startOwnedServer } from './support/owned-server.ts';

// What holds for a static token holds for a client that has signed in: its folders, hidden files, and
// the owner who decides.

/** A client that the owner has allowed this. */
async function signedIn({ base, browser }: OwnedServer, consent: Consent): Promise<Client> {
  const { client } = await connectSignedIn(`${base}/mcp`, new SdkSignIn(), (url) =>
    browser.decide(url, consent),
  );
  onTestFinished(() => client.close());
  // The list of notes needs the whole index: no answer is short of anything for want of it.
  await vi.waitFor(() => client.listResources(), { timeout: 30_000 });
  return client;
}

/** What a tool says to the client. */
async function said(client: Client, name: string, args: Record<string, unknown>): Promise<string> {
  return answerOf(await client.callTool({ name, arguments: args })).text;
}

// "quagga" is in names, tags and texts of one folder and in no question: a client that may not see the
// folder gets the word in no answer.

const files = {
  'Open/Home.md': 'leads to [[zq]] and [[Plain]]\n',
  'Open/Plain.md': 'nothing much\n',
  'Open/Log.md': 'the open log\n',
  'Secret/quagga/zq.md': 'to [[Home]]\n',
  'Secret/Log.md': 'the quagga log\n',
  'Secret/quagga/Log.md': '',
  'Secret/Zebra quagga.md':
    '---\ntags: [zebra-quagga]\naliases: [zebra the quagga]\n---\n# Quagga\n\nzebra and quagga, striped, to [[Home]] and [[no quagga]]\n',
};

const call = (name: string, args: Record<string, unknown> = {}) => {
  return (client: Client): Promise<unknown> => client.callTool({ name, arguments: args });
};

const channels: readonly (readonly [string, (client: Client) => Promise<unknown>])[] = [
  ['names', call('list_notes')],
  ['names in a folder', call('list_notes', { folder: 'Secret' })],
  ['folders', call('list_vault', { what: 'folders' })],
  ['tags', call('list_vault', { what: 'tags' })],
  ['broken links', call('list_vault', { what: 'broken_links' })],
  ['a note by its path', call('read_note', { path: 'Secret/Log.md' })],
  ['a note by its alias', call('read_note', { name: 'zebra the' })],
  ['candidates of a name', call('read_note', { name: 'Log' })],
  ['search of texts', call('search_notes', { query: 'striped' })],
  ['search in a folder', call('search_notes', { query: 'striped', folder: 'Secret' })],
  ['search of names', call('search_notes', { query: 'zebra', mode: 'name_partial' })],
  ['search of tags', call('search_notes', { query: 'zebra', mode: 'tag' })],
  ['links in', call('get_links', { name: 'Home', direction: 'in' })],
  ['links out', call('get_links', { name: 'Home', direction: 'out' })],
  ['changes', call('list_changes')],
  ['a line by ripgrep', call('vault_search', { query: 'stripe[d]' })],
  ['a note of the agent', call('note_read', { path: 'Secret/Log.md' })],
  ['resources', (client) => client.listResources()],
  ['a resource', (client) => client.readResource({ uri: 'vault:///Secret/Log.md' })],
  [
    'completion of paths',
    (client) =>
      client.complete({
        ref: { type: 'ref/resource', uri: 'vault:///{path}' },
        argument: { name: 'path', value: 'Sec' },
      }),
  ],
  [
    'completion of names',
    (client) =>
      client.complete({
        ref: { type: 'ref/prompt', name: 'note' },
        argument: { name: 'name', value: 'zebr' },
      }),
  ],
];

const tools = ['notes', 'agent'];

/** The channels that show what is in the folder Secret. */
async function showing(client: Client): Promise<readonly string[]> {
  const shown: string[] = [];
  for (const [channel, ask] of channels) {
    const answer = await ask(client).catch(String);
    if (/quagga/i.test(JSON.stringify(answer))) shown.push(channel);
  }
  return shown;
}

it('a grant for a folder shows nothing outside of it, in no channel', async () => {
  const server = await startOwnedServer({ files });
  await server.cli('append', 'Secret/quagga/zq.md', 'more of the quagga');
  const everywhere = await showing(await signedIn(server, { rights: 'read', tools }));
  expect(everywhere).toEqual(channels.map(([channel]) => channel));
  const client = await signedIn(server, { rights: 'change', tools, folders: ['Open'] });
  expect(await showing(client)).toEqual([]);
  expect(await said(client, 'read_note', { name: 'Log' })).toContain('the open log');
  await said(client, 'append_note', { path: 'Secret/Log.md', text: 'more' });
  expect(textOf(server, 'Secret/Log.md')).toBe('the quagga log\n');
  await said(client, 'append_note', { path: 'Open/Log.md', text: 'more' });
  expect(textOf(server, 'Open/Log.md')).toBe('the open log\nmore\n');
});

it('what is hidden is hidden from a grant for the whole vault', async () => {
  const server = await startOwnedServer({ files, args: ['--hide', 'Secret/**'] });
  await server.cli('append', 'Secret/quagga/zq.md', 'more of the quagga');
  const client = await signedIn(server, { rights: 'delete', tools, passphrase });
  expect(await showing(client)).toEqual([]);
  expect(await said(client, 'read_note', { name: 'Log' })).toContain('the open log');
});

function textOf({ folder }: OwnedServer, path: string): string | undefined {
  const file = join(folder, path);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

it('a grant that may propose changes nothing until the owner accepts', async () => {
  const server = await startOwnedServer({ files: { 'A.md': 'a\n' } });
  const client = await signedIn(server, { rights: 'propose' });
  expect(await said(client, 'append_note', { name: 'A', text: 'more' })).toContain('Proposed p1');
  expect(textOf(server, 'A.md')).toBe('a\n');
  const [{ id }] = JSON.parse(await server.cli('connections', 'list', '--json')).connections;
  expect(await server.cli('proposals', 'list')).toMatch(
    new RegExp(`^p1 .*connection ${id} of "Trial client".* {2}Add to A `),
  );
  expect(await server.cli('proposals', 'accept', 'p1')).toMatch(/^p1 is made/);
  expect(textOf(server, 'A.md')).toBe('a\nmore\n');
  expect(await server.cli('history')).toMatch(
    / {2}trial, signed in as Trial client {2}\(accepted p1\) Added to A\n/,
  );
  expect(await server.cli('show', '1')).toContain(`connection ${id} of "Trial client"`);
});

it('a grant that may delete waits for the owner when the brake holds it', async () => {
  const server = await startOwnedServer({ files: { 'A.md': 'a\n' }, args: ['--brake', '0'] });
  const client = await signedIn(server, { rights: 'delete', passphrase });
  const deleted = said(client, 'delete_note', { name: 'A' });
  const asks = /^q1 .*\n {4}by .*connection g\w+ of "Trial client".*\n {4}delete_note, A\.md\n/;
  const look = async () => expect(await server.cli('approvals')).toMatch(asks);
  await vi.waitFor(look, { timeout: 30_000 });
  expect(textOf(server, 'A.md')).toBe('a\n');
  expect(await server.cli('approvals', 'allow', 'q1')).toMatch(/^Allowed q1 once\./);
  expect(await deleted).toContain('"deleted":true');
  expect(textOf(server, 'A.md')).toBeUndefined();
});
