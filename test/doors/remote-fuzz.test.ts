import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { counted } from '../support/counts.ts';
import { type OpenRemoteDoor, openRemoteDoor } from '../support/remote-door.ts';
import { frame, RemoteWire, request } from '../support/remote-wire.ts';

// Whatever comes: nothing crashes, every id is answered once, nothing outside the vault is reached,
// and no descriptor is left open.

const framingRuns = counted({ quick: 120, full: 300, soak: 6_000 });
const methodRuns = counted({ quick: 20, full: 60, soak: 1_200 });

let door: OpenRemoteDoor;
let descriptors = 0;
const ends: (() => unknown)[] = [];

beforeAll(async () => {
  door = await openRemoteDoor({
    files: { 'a.md': 'text', 'd/b.md': 'b', 'd/e/c.md': 'c' },
    onFinished: (end) => ends.push(end),
  });
  // What is opened once, by the first of each.
  const wire = await door.enter();
  await wire.result('fs.watch', { path: '', recursive: true });
  await wire.result('fs.search', { query: 'text' });
  await wire.result('fs.write', { path: 'a.md', content: 'text' });
  await wire.drain();
  await allGone();
  descriptors = openDescriptors();
});

afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

const openDescriptors = (): number => readdirSync('/proc/self/fd').length;

async function allGone(): Promise<void> {
  while (door.door.connections > 0) await new Promise(setImmediate);
}

/** The door still serves, and nothing was left open nor changed outside. */
async function stillWell(): Promise<void> {
  const wire = await door.enter();
  expect(await wire.result('fs.exists', {})).toEqual({ exists: true });
  await wire.drain();
  await allGone();
  // Watches of the vault's folders are one descriptor; a socket of this test may be closing yet.
  expect(openDescriptors()).toBeLessThanOrEqual(descriptors + 2);
  expect(readdirSync(door.outside).sort()).toEqual(['deep', 'secret.md']);
  expect(readFileSync(join(door.outside, 'secret.md'), 'utf8')).toBe('secret');
  expect(readFileSync(join(door.outside, 'deep/deeper.md'), 'utf8')).toBe('deep');
}

const good = request(7, 'fs.exists', { path: '' });
const headLine = fc.oneof(
  fc.constantFrom('Content-Length: 5', 'content-length:0', 'Content-Length: -1', 'a: b', ':', ''),
  fc.integer().map((length) => `Content-Length: ${length}`),
  fc.string({ unit: 'binary' }),
);
/** Pieces of a conversation: nonsense, heads of all kinds, messages whole and cut. */
const piece = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.array(headLine, { maxLength: 4 }).map((lines) => Buffer.from(`${lines.join('\r\n')}\r\n\r\n`)),
  fc.json().map((text) => frame(text)),
  fc.constant(good),
  fc.nat({ max: good.length }).map((length) => good.subarray(0, length)),
);

describe('frames', () => {
  it('of any bytes close the connection or are answered', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 6 }), fc.boolean(), async (pieces, isKnown) => {
        const wire = await (isKnown ? door.enter() : door.connect());
        for (const bytes of pieces) wire.send(bytes);
        // Answers and the end: `drain` fails where what comes is no frame, and waits for the end.
        for (const each of await wire.drain()) expect(each).toMatchObject({ jsonrpc: '2.0' });
      }),
      { numRuns: framingRuns },
    );
    await stillWell();
  });

  it('that are good are answered wherever they are cut', async () => {
    const cuts = fc.array(fc.nat({ max: good.length * 3 }), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(cuts, async (places) => {
        const wire = await door.enter();
        const all = Buffer.concat([good, good, good]);
        let from = 0;
        for (const to of [...places.sort((a, b) => a - b), all.length]) {
          wire.send(all.subarray(from, to));
          from = to;
          await new Promise(setImmediate);
        }
        expect((await wire.drain()).map(({ id, result }) => [id, result])).toEqual(
          Array.from({ length: 3 }, () => [7, { exists: true }]),
        );
      }),
      { numRuns: framingRuns / 6 },
    );
    await stillWell();
  });

  it('that are messages of any shape are answered once, if they have an id', async () => {
    const field = fc.oneof(fc.jsonValue(), fc.constantFrom('2.0', 'fs.exists', 'auth', {}));
    const message = fc.record(
      {
        jsonrpc: fc.constantFrom('2.0', '1.0', 2),
        id: fc.jsonValue(),
        method: field,
        params: field,
        meta: field,
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 5 }), async (messages) => {
        const wire = await door.enter();
        wire.send(...messages.map(frame));
        const replies = await wire.drain();
        // A wrong token ends it: what was sent after it is not run.
        const end = messages.findIndex(({ method }) => method === 'auth');
        const run = end < 0 ? messages : messages.slice(0, end);
        const ids = run.flatMap(({ id }) =>
          id === undefined || id === null ? [] : [JSON.stringify(id)],
        );
        const given = replies.map(({ id }) => JSON.stringify(id));
        const lost = ids.filter((id) => !given.includes(id)).length;
        // Those whose method is no text are answered without their id.
        expect(given.filter((id) => id === 'null').length).toBeGreaterThanOrEqual(lost);
        expect(replies.length).toBeLessThanOrEqual(messages.length);
      }),
      { numRuns: framingRuns / 3 },
    );
    await stillWell();
  });
});

/** Paths that lead somewhere, nowhere, and where nobody may go. */
const path = fc.oneof(
  fc.constantFrom(
    '',
    '/',
    '.',
    'a.md',
    'd',
    'd/b.md',
    'd/e',
    'x/y',
    'a.md/x',
    '.trash',
    '.trash/a.md',
  ),
  fc.constantFrom(
    '..',
    '../outside/secret.md',
    'd/../../outside',
    '/etc/passwd',
    '\\',
    '..\\x',
    'a\0b',
  ),
  fc.constantFrom(
    '%2e%2e/outside',
    './.././outside',
    'd/./..',
    '\u202e',
    '\ud800',
    'n'.repeat(300),
  ),
  fc
    .array(fc.constantFrom('.', '..', 'd', 'e', '', 'a.md'), { maxLength: 5 })
    .map((all) => all.join('/')),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const fieldNames = ['path', 'oldPath', 'newPath', 'srcPath', 'destPath'];
const others = {
  recursive: fc.boolean(),
  content: fc.string({ unit: 'binary' }),
  contentBase64: fc.oneof(fc.base64String(), fc.string()),
  expectedMtime: fc.oneof(fc.constantFrom(0, -1, 1), fc.maxSafeInteger()),
  maxEntries: fc.oneof(fc.constantFrom(0, -1, 1, 2), fc.maxSafeInteger()),
  offset: fc.oneof(fc.nat(10), fc.maxSafeInteger()),
  length: fc.oneof(fc.nat(10), fc.maxSafeInteger()),
  encoding: fc.constantFrom('utf8', 'utf-8', ''),
  subscriptionId: fc.string(),
  paths: fc.array(path, { maxLength: 3 }),
  query: fc.string(),
  limit: fc.oneof(fc.nat(10), fc.maxSafeInteger()),
};

/** Parameters as a client might mean them, and now and then a value of another type. */
const params = fc
  .tuple(
    fc.record(
      { ...Object.fromEntries(fieldNames.map((name) => [name, path])), ...others },
      { requiredKeys: [] },
    ),
    fc.dictionary(fc.constantFrom(...fieldNames, ...Object.keys(others)), fc.jsonValue(), {
      maxKeys: 1,
    }),
    fc.nat(3),
  )
  .map(([meant, odd, chance]) => (chance === 0 ? { ...meant, ...odd } : meant));

const methods = [
  ...['stat exists list walk readText readBinary readBinaryRange write writeBinary append'],
  ...['appendBinary mkdir remove rmdir rename copy trashLocal watch unwatch batchStat hash search'],
].flatMap((names) => names.split(' ').map((name) => `fs.${name}`));

describe('parameters of any kind', () => {
  it.each([...methods, 'server.info'])('%s', async (method) => {
    const wire = await door.enter();
    await fc.assert(
      fc.asyncProperty(
        fc.oneof({ weight: 9, arbitrary: params }, fc.jsonValue()),
        async (given) => {
          const reply = await wire.call(method, given);
          if (reply.error === undefined) {
            expect(reply).toHaveProperty('result');
            return;
          }
          const { code, message } = reply.error;
          // -32603 is for what the disk refuses, never for what a client says.
          expect(message).not.toMatch(/bug|\/tmp\/|vaultdoor-test-/);
          expect(code).toBeGreaterThanOrEqual(-32603);
          expect(code).toBeLessThanOrEqual(-32010);
        },
      ),
      { numRuns: methodRuns },
    );
    wire.frames.length = 0; // What its own watches told.
    await wire.drain();
    await stillWell();
  });

  it('before the token: none is run', async () => {
    const before = readdirSync(door.vault, { recursive: true });
    const stranger = await RemoteWire.connect(door.socket);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...methods, 'server.info'),
        params,
        async (method, given) => {
          expect((await stranger.call(method, given)).error?.code).toBe(-32000);
        },
      ),
      { numRuns: methodRuns },
    );
    await stranger.drain();
    expect(readdirSync(door.vault, { recursive: true })).toEqual(before);
  });
});
