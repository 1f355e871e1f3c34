import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import matter from 'gray-matter';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { curl, hasCurl, messagesIn, startCurl } from '../support/curl.ts';
import { HttpProcess } from '../support/http-process.ts';
import { legacyHello } from '../support/stdio-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** A call as seed 004 describes it, what it answers, and the file that it is about afterwards. */
interface Row {
  readonly says: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The answer; a pattern is of the text that tells the failure. */
  readonly is: object | RegExp;
  readonly file?: readonly [path: string, text: string | undefined];
}

const devlog = {
  tags: ['devlog'],
  topic: 'topic',
  project: 'vaultdoor',
  created: '2026-02-20',
  updated: '2026-02-20',
};
const adr = {
  tags: ['adr', 'accepted'],
  adr: 1,
  date: '2026-02-20',
  status: 'accepted',
  project: 'vaultdoor',
  related: [],
};
const index = '| ADR | Title |\n|---|---|';

/** In this order, on one vault. */
const rows: readonly Row[] = [
  {
    says: 'note_read: { content, exists }',
    tool: 'note_read',
    args: { path: '_index.md' },
    is: { content: index, exists: true },
  },
  {
    says: 'note_read: { exists: false, content: "" } if the file does not exist (no error)',
    tool: 'note_read',
    args: { path: 'devlog/topic.md' },
    is: { content: '', exists: false },
  },
  {
    says: 'note_read: path traversal (..) is rejected with an error',
    tool: 'note_read',
    args: { path: '../secret.md' },
    is: /\.\./,
  },
  {
    says: 'note_upsert: created: true; parent directories are created automatically',
    tool: 'note_upsert',
    args: { path: 'devlog/topic.md', content: '# Topic', frontmatter: devlog },
    is: { created: true },
  },
  {
    says: 'note_upsert: one file per decision',
    tool: 'note_upsert',
    args: { path: 'adr/ADR-001-slug.md', content: '# Slug', frontmatter: adr },
    is: { created: true },
  },
  {
    says: 'note_upsert: appends \\n + content to the end of the existing file; frontmatter is ignored',
    tool: 'note_upsert',
    args: { path: '_index.md', content: '| 1 | Slug |', frontmatter: { a: 1 } },
    is: { created: false },
    file: ['_index.md', `${index}\n| 1 | Slug |`],
  },
  {
    says: 'note_upsert: path traversal is rejected',
    tool: 'note_upsert',
    args: { path: 'devlog/../../escaped.md', content: 'x' },
    is: /\.\./,
    file: ['../escaped.md', undefined],
  },
  {
    says: 'vault_search: the call of the implementation notes; paths are relative to VAULT_PATH',
    tool: 'vault_search',
    args: { query: 'devlog' },
    is: { results: [{ path: 'devlog/topic.md', line: 3, text: '  - devlog' }], truncated: false },
  },
  {
    says: 'vault_search: query is a ripgrep regex pattern, path_filter a glob',
    tool: 'vault_search',
    args: { query: '^# \\w+$', path_filter: 'devlog/*.md' },
    is: { results: [{ path: 'devlog/topic.md', line: 9, text: '# Topic' }], truncated: false },
  },
  {
    says: 'vault_search: { results: [] } when no matches are found',
    tool: 'vault_search',
    args: { query: 'nowhere to be found' },
    is: { results: [], truncated: false },
  },
];

/** What the words of a POST to the door begin with; `Accept` is left to curl where not given. */
function posting(url: string, message: object, ...headers: readonly string[]): string[] {
  const all = ['Content-Type: application/json', ...headers];
  return [url, ...all.flatMap((header) => ['-H', header]), '-d', JSON.stringify(message)];
}

const accept = 'Accept: application/json, text/event-stream';

function request(id: number, method: string, params: object): object {
  return { jsonrpc: '2.0', id, method, params };
}

describe.skipIf(!hasCurl)('curl, as seed 004 has it', () => {
  it('gets a session, the answer to every example as an event, and an end of the session', async () => {
    const folder = tempFolder({ 'claude/_index.md': index, 'secret.md': 'personal' });
    const vault = join(folder, 'claude');
    const { url } = await HttpProcess.start({ folder: vault });
    const hello = await curl(...posting(url, request(0, 'initialize', legacyHello), accept));
    expect(hello.headers.get('content-type')).toBe('text/event-stream');
    expect(messagesIn(hello.body)).toMatchObject([
      { id: 0, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} } } },
    ]);
    const id = hello.headers.get('mcp-session-id') ?? '';
    expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/);
    const session = `mcp-session-id: ${id}`;
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
    expect(await curl(...posting(url, initialized, accept, session))).toMatchObject({
      status: 202,
      body: '',
    });

    for (const [n, row] of rows.entries()) {
      const call = request(n + 1, 'tools/call', { name: row.tool, arguments: row.args });
      const { status, headers, body } = await curl(...posting(url, call, accept, session));
      expect([status, headers.get('content-type')], row.says).toEqual([200, 'text/event-stream']);
      const [answer, ...more] = messagesIn(body) as { id: number; result: CallResult }[];
      expect(more, row.says).toEqual([]);
      expect(answer?.id, row.says).toBe(n + 1);
      const { structuredContent, content, isError } = answer?.result ?? {};
      if (row.is instanceof RegExp) {
        expect([isError, content?.[0]?.text], row.says).toEqual([
          true,
          expect.stringMatching(row.is),
        ]);
      } else {
        expect(structuredContent, row.says).toEqual(row.is);
        expect(JSON.parse(content?.[0]?.text ?? ''), row.says).toEqual(row.is);
      }
      if (row.file !== undefined) expect(textAt(vault, row.file[0]), row.says).toBe(row.file[1]);
    }
    // What gray-matter, the seed's own library, makes of what was created.
    expect(matter(textAt(vault, 'devlog/topic.md') ?? '')).toMatchObject({
      data: devlog,
      content: '# Topic\n',
    });
    expect(matter(textAt(vault, 'adr/ADR-001-slug.md') ?? '').data).toEqual(adr);

    expect(await curl(url, '-X', 'DELETE', '-H', session)).toMatchObject({ status: 200 });
    const late = await curl(...posting(url, request(99, 'ping', {}), accept, session));
    expect(late.status).toBe(404);
  });

  it('hears on the stream of a GET what happens to a note', async () => {
    const folder = tempFolder({ 'A.md': 'one' });
    const { url } = await HttpProcess.start({ folder });
    const hello = await curl(...posting(url, request(0, 'initialize', legacyHello), accept));
    const session = `mcp-session-id: ${hello.headers.get('mcp-session-id')}`;
    const subscribe = request(1, 'resources/subscribe', { uri: 'vault:///A.md' });
    // It may have to wait for the index.
    const isHeard = async (): Promise<void> => {
      const { body } = await curl(...posting(url, subscribe, accept, session));
      expect(messagesIn(body)).toMatchObject([{ id: 1, result: {} }]);
    };
    await vi.waitFor(isHeard, { timeout: 30_000 });
    const stream = startCurl(url, '-H', 'Accept: text/event-stream', '-H', session);
    await stream.begun;
    const append = { name: 'note_upsert', arguments: { path: 'A.md', content: 'two' } };
    await curl(...posting(url, request(2, 'tools/call', append), accept, session));
    await expect.poll(stream.come, { timeout: 30_000 }).toContain('resources/updated');
    await curl(url, '-X', 'DELETE', '-H', session); // Ends the stream, too.
    expect(messagesIn((await stream.answer).body)).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/resources/updated',
        params: { uri: 'vault:///A.md' },
      },
    ]);
  });
});

describe.skipIf(!hasCurl)('curl, by itself', () => {
  const ends: (() => void)[] = [];
  let url = '';
  beforeAll(async () => {
    const onFinished = (end: () => void): void => void ends.push(end);
    const folder = tempFolder({ 'A.md': 'one' }, onFinished);
    ({ url } = await HttpProcess.start({ folder, onFinished }));
  });
  afterAll(() => {
    for (const end of ends.toReversed()) end();
  });

  const ping = request(1, 'ping', {});
  it.each<readonly [string, () => readonly string[], object]>([
    ['needs no Accept header', () => posting(url, ping), { status: 200 }],
    [
      'gets JSON where that is all it accepts',
      () => posting(url, ping, 'Accept: application/json'),
      { status: 200, body: '{"result":{},"jsonrpc":"2.0","id":1}' },
    ],
    [
      'gets 404 for a session id that was never issued',
      () => posting(url, ping, accept, 'mcp-session-id: 3f1c2b9e-0000-4000-8000-000000000000'),
      { status: 404 },
    ],
    ['gets 405 for a GET without a session', () => [url], { status: 405 }],
    [
      'gets 404 for another address',
      () => [new URL('/other', url).href],
      { status: 404, body: expect.stringContaining('/mcp') },
    ],
    [
      'learns that the server is well',
      () => [new URL('/health', url).href],
      { status: 200, body: expect.stringMatching(/^\{"status":"ok","version":".+"\}$/) },
    ],
  ])('%s', async (_what, words, expected) => {
    expect(await curl(...words())).toMatchObject(expected);
  });
});

interface CallResult {
  readonly content?: readonly { readonly text: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

function textAt(folder: string, path: string): string | undefined {
  const file = join(folder, path);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
