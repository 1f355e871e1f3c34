import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { splitContext } from '../contract/split-context.ts';
import { counted, isQuick } from '../support/counts.ts';
import { memoryKib, notOnce } from '../support/http-clients.ts';
import { HttpProcess } from '../support/http-process.ts';
import { StdioProcess } from '../support/stdio-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const notes = 20;
const textOf = (n: number): string => `text of ${n % notes}\n`;
const files = Object.fromEntries(
  Array.from({ length: notes }, (_, n) => [`Note ${n}.md`, textOf(n)]),
);
const nameOf = (n: number): object => ({ path: `Note ${n % notes}` });

/** A client of Bridge v1 that keeps its connections, as scripts do. */
class KeepingClient {
  readonly sockets = new Set<Socket>();
  readonly #agent: Agent;
  readonly #url: string;

  constructor(url: string, maxSockets: number) {
    this.#url = `${url}/bridge/v1`;
    this.#agent = new Agent({ keepAlive: true, maxSockets });
    onTestFinished(() => this.#agent.destroy());
  }

  call(tool: string, args: object): Promise<unknown> {
    const body = JSON.stringify({ arguments: args });
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': body.length };
      const options = { method: 'POST', agent: this.#agent, headers };
      const sent = request(`${this.#url}/tools/${tool}/call`, options, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
        });
        answer.on('end', () => resolve(JSON.parse(text)));
        answer.on('error', reject);
      });
      sent.on('socket', (socket) => this.sockets.add(socket));
      sent.on('error', reject);
      sent.end(body);
    });
  }
}

/** What a call answered, as text; whatever else it was, where it was no success. */
function textIn(answer: unknown): string {
  const { success, isError, content } = answer as {
    readonly success?: boolean;
    readonly isError?: boolean;
    readonly content?: readonly { readonly text: string }[];
  };
  const isRight = success !== false && isError !== true && content?.length === 1;
  return (isRight ? content[0]?.text : undefined) ?? JSON.stringify(answer);
}

/** Reads so many times, one after another; how often in a second, or fails with what was wrong. */
async function readInARow(times: number, read: (n: number) => Promise<string>): Promise<number> {
  const wrong: string[] = [];
  const startedMs = performance.now();
  for (let n = 0; n < times; n++) {
    const text = await read(n);
    if (text !== textOf(n)) wrong.push(`${n}: ${text}`);
  }
  const tookMs = performance.now() - startedMs;
  expect(wrong).toEqual([]);
  return Math.round((times * 1_000) / tookMs);
}

const args = ['--bridge-port', '0', '--log-level', 'warn'];

it('answers two hundred calls at once, and loses no change among them', async () => {
  const folder = tempFolder({ ...files, 'Shared.md': '' });
  const server = await HttpProcess.start({ folder, args });
  const client = new KeepingClient(server.bridgeUrl, 200);
  const hundred = Array.from({ length: 100 }, (_, n) => n);
  const lines = hundred.map((n) => `line ${n}`);
  const [reads, appends] = await Promise.all([
    Promise.all(hundred.map((n) => client.call('read_note', nameOf(n)))),
    Promise.all(lines.map((text) => client.call('append_note', { path: 'Shared', text }))),
  ]);
  expect(reads.map(textIn)).toEqual(hundred.map(textOf));
  expect(appends).toMatchObject(hundred.map(() => ({ success: true })));
  expect(client.sockets.size).toBe(200); // As it was meant.
  expect(notOnce(readFileSync(join(folder, 'Shared.md'), 'utf8'), lines)).toEqual({});
  expect(await server.stop()).toEqual({ code: 0, signal: null });
});

const timesInARow = counted({ quick: 3_000, full: 3_000, soak: 10_000 });

it.skipIf(isQuick)(
  'answers thousands of calls in a row on one connection, and its memory stays level',
  async () => {
    const folder = tempFolder(files);
    const server = await HttpProcess.start({ folder, args });
    const client = new KeepingClient(server.bridgeUrl, 1);
    const read = async (n: number): Promise<string> =>
      textIn(await client.call('read_note', nameOf(n)));
    await readInARow(2_000, read); // Whatever is loaded and compiled for the first ones is there then.
    const before = memoryKib(server.child.pid);
    const bridgeRate = await readInARow(timesInARow - 2_000, read);
    const after = memoryKib(server.child.pid);
    expect(client.sockets.size).toBe(1);
    expect(await server.stop()).toEqual({ code: 0, signal: null });

    const stdio = new StdioProcess({ folder, args: ['--log-level', 'warn'] });
    await stdio.initialize();
    const ask = async (n: number): Promise<string> => {
      const params = { name: 'read_note', arguments: nameOf(n) };
      const { result } = await stdio.request('tools/call', params);
      return splitContext(textIn(result)).result; // Only a plain call of Bridge v1 never has context.
    };
    await readInARow(200, ask);
    const stdioRate = await readInARow(500, ask);
    await stdio.end();

    console.info(
      `read_note, one call after another: Bridge v1 ${bridgeRate}/s, stdio ${stdioRate}/s; memory of the server ${before} KiB after 2,000, ${after} KiB after ${timesInARow}`,
    );
    if (before === undefined || after === undefined) return;
    // What each call leaves for the collector comes and goes by tens of megabytes; with SOAK=1, 12 KiB
    // that each left for good, less than its request and answer take, would be more than this.
    expect(after - before).toBeLessThan(96 * 1_024);
  },
  180_000,
);
