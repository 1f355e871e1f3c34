import { request } from 'node:http';
import { expect, it } from 'vitest';
import { HttpProcess } from '../support/http-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** What the public stdio bridge sends along, GET or not: section 2 of the fact sheet. */
const headers = {
  'Content-Type': 'application/json',
  Accept: 'application/json',
  'accept-language': '*',
  'sec-fetch-mode': 'cors',
  'user-agent': 'node',
  'accept-encoding': 'gzip, deflate',
};

/** Sends exactly these headers; `fetch` would have its own way with them. */
function ask(url: string, method: string, body = ''): Promise<{ status: number; text: string }> {
  const length = body === '' ? {} : { 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { ...headers, ...length } }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const call = (tool: string): string => `POST /bridge/v1/tools/${encodeURIComponent(tool)}/call`;
const refused = (error: string): object => ({ error, message: error });
const tools = expect.arrayContaining([expect.objectContaining({ name: 'read_note' })]);
const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}';
const hash = expect.stringMatching(/^\w{64}$/);

/** What it does, from its start on. */
const rows: readonly (readonly [
  what: string,
  line: string,
  body: string | undefined,
  status: number,
  answer: object,
])[] = [
  ['in its mode "auto", looks for /mcp first', 'POST /mcp', list, 404, refused('Not found')],
  ['waits for health', 'GET /bridge/v1/health', undefined, 200, { status: 'ok' }],
  ['polls', 'GET /bridge/v1/tools', undefined, 200, { tools, hash }],
  [
    'calls',
    call('read_note'),
    '{"arguments":{"path":"A"}}',
    200,
    { success: true, content: [{ type: 'text', text: 'text of A\n' }] },
  ],
  ['calls with no arguments', call('list_notes'), '{"arguments":{}}', 200, { success: true }],
  [
    'calls in vain',
    call('read_note'),
    '{"arguments":{"path":"B"}}',
    200,
    { success: false, isError: true },
  ],
  [
    'calls a tool that is gone',
    call('utils/hélper x'),
    '{"arguments":{}}',
    404,
    refused('Tool not found'),
  ],
];

it('works for the public stdio bridge as it is', async () => {
  const folder = tempFolder({ 'A.md': 'text of A\n' });
  const server = await HttpProcess.start({ folder, args: ['--bridge-port', '0'] });
  for (const [what, line, body, status, answer] of rows) {
    const [method = '', path = ''] = line.split(' ');
    const received = await ask(`${server.bridgeUrl}${path}`, method, body);
    expect(received.status, what).toBe(status);
    expect(JSON.parse(received.text), what).toMatchObject(answer);
  }
  await server.stop();
});
