import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { put, versionOf } from '../../../test/support/change-records.ts';
import type { Version } from '../../base/version.ts';
import type { ContentPut } from '../../engine/ports/state-store.ts';
import type { Connection } from '../connection/connection.ts';
import { applyDelta, deltaFrom, pack, unpack } from '../rows/content-delta.ts';
import { insertNeeds } from './change-rows.ts';
import { contentBytes, putContents, readContent, releaseContents } from './content-store.ts';
import { openStateDatabase } from './open-state-database.ts';

async function opened(): Promise<Connection> {
  const connection = await openStateDatabase(':memory:');
  onTestFinished(() => connection.close());
  return connection;
}

const long = (seed: string) =>
  Array.from({ length: 200 }, (_, i) => versionOf(seed + i)).join('\n');

const rowsOf = (connection: Connection) =>
  connection.all<{ base: string | null; depth: number; size: number }>(
    'SELECT base, depth, length(bytes) AS size FROM content ORDER BY rowid',
  );

/** A note to which one line after the other is appended, each version based on the last. */
function growing(lines: number): { texts: string[]; contents: ContentPut[] } {
  const texts = [long('x')];
  for (let i = 1; i < lines; i++) texts.push(`${texts[i - 1]}\nline ${i}`);
  return { texts, contents: texts.map((text, i) => put(text, texts[i - 1])) };
}

const text = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes);

test('a delta gives back the bytes it was made of', () => {
  const bytes = fc.uint8Array({ maxLength: 12, max: 2 });
  fc.assert(
    fc.property(bytes, bytes, (base, wanted) => {
      const delta = deltaFrom(base, wanted);
      if (delta === undefined) return;
      expect(applyDelta(base, delta)).toEqual(wanted);
      expect(delta.middle.length * 2).toBeLessThanOrEqual(wanted.length);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ['nothing', new Uint8Array(), false],
  ['little', new Uint8Array(20), false],
  ['what repeats', new Uint8Array(5_000), true],
  ['noise', Uint8Array.from({ length: 5_000 }, (_, i) => (i * i * 2_654_435_761) >>> 11), false],
])('%s is packed only if that helps', (_, bytes, packed) => {
  const stored = pack(bytes);
  expect(stored.packed).toBe(packed);
  expect(Uint8Array.from(unpack(stored))).toEqual(bytes);
});

test('any bytes are answered as they were put, alone in their memory', async () => {
  const connection = await opened();
  const contents = ['', 'a', 'NUL \0 and \ufeff', long('y')].map((one) => put(one));
  putContents(connection, contents);
  for (const { version, bytes } of contents) {
    const answer = readContent(connection, version);
    expect(answer).toEqual(bytes);
    expect(answer?.constructor).toBe(Uint8Array);
    expect(answer?.buffer.byteLength).toBe(bytes.length);
  }
  expect(readContent(connection, versionOf('other'))).toBeUndefined();
});

test('a version is stored once', async () => {
  const connection = await opened();
  putContents(connection, [put('a'), put('a')]);
  putContents(connection, [put('a')]);
  expect(rowsOf(connection)).toHaveLength(1);
});

test('versions of a growing note cost what was added, and none is far from a whole one', async () => {
  const connection = await opened();
  const { texts, contents } = growing(40);
  for (const content of contents) putContents(connection, [content]);
  const rows = rowsOf(connection);
  expect(rows.filter(({ base }) => base === null)).toHaveLength(3);
  expect(Math.max(...rows.map(({ depth }) => depth))).toBe(16);
  expect(contentBytes(connection)).toBeLessThan(4 * (texts[0]?.length ?? 0));
  for (const one of texts) expect(text(readContent(connection, versionOf(one)))).toBe(one);
});

test.each<[why: string, contents: readonly ContentPut[]]>([
  ['its base is not kept', [put(long('x'), 'unknown')]],
  ['it has little in common with its base', [put(long('x')), put(long('y'), long('x'))]],
])('a content is stored whole when %s', async (_, contents) => {
  const connection = await opened();
  putContents(connection, contents);
  expect(rowsOf(connection).at(-1)?.base).toBeNull();
});

test('a base that comes in the same change, but later, is used', async () => {
  const connection = await opened();
  putContents(connection, [put(`${long('x')}!`, long('x')), put(long('x'))]);
  expect(rowsOf(connection).map(({ base }) => base)).toEqual([null, versionOf(long('x'))]);
});

test('whatever is released, the rest can be read, and the count of bytes is right', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 11 }), { minLength: 1, maxLength: 12 }),
      fc.array(fc.integer({ min: 0, max: 11 }), { maxLength: 6 }),
      async (bases, released) => {
        const connection = await openStateDatabase(':memory:');
        const texts = bases.map((_, i) => `${long('x')} ${i}`);
        texts.forEach((one, i) => {
          putContents(connection, [put(one, texts[Math.min(bases[i] ?? 0, i)])]);
        });
        const dead = new Set(released.map((i) => texts[i % texts.length] ?? ''));
        const alive = texts.filter((one) => !dead.has(one));
        insertNeeds(connection, 1, alive.map(versionOf));
        releaseContents(connection, texts.map(versionOf));
        const sum = rowsOf(connection).reduce((total, { size }) => total + size, 0);
        expect(contentBytes(connection)).toBe(sum);
        for (const one of texts) {
          const kept = dead.has(one) ? undefined : one;
          expect(text(readContent(connection, versionOf(one)))).toBe(kept);
        }
        connection.close();
      },
    ),
    { numRuns: 60 },
  );
});

test('what lived from a released base lives from that one’s base instead', async () => {
  const connection = await opened();
  const { texts, contents } = growing(3);
  const [first = '', second = '', third = ''] = texts;
  putContents(connection, contents);
  insertNeeds(connection, 1, [versionOf(first), versionOf(third)]);
  releaseContents(connection, [versionOf(second)]);
  expect(rowsOf(connection).map(({ base }) => base)).toEqual([null, versionOf(first)]);
});

const damages: readonly [how: string, sql: string][] = [
  ['other bytes', "UPDATE content SET bytes = x'00' WHERE base IS NOT NULL"],
  ['bytes that cannot be unpacked', "UPDATE content SET bytes = x'ff' WHERE base IS NULL"],
  ['no base', 'DELETE FROM content WHERE base IS NULL'],
  ['itself as a base', 'UPDATE content SET base = version'],
];
test.each(damages)('a content with %s is refused, never answered', async (_, sql) => {
  const connection = await opened();
  const { texts, contents } = growing(2);
  const last = versionOf(texts[1] ?? '');
  putContents(connection, contents);
  connection.exec(sql);
  expect(() => readContent(connection, last)).toThrow(
    expect.objectContaining({ code: 'io_failed', details: { version: last } }),
  );
});

test('a damaged content stops neither what comes after it nor the release of its base', async () => {
  const connection = await opened();
  const { texts, contents } = growing(2);
  const [first, second] = texts.map(versionOf) as [Version, Version];
  putContents(connection, contents);
  connection.exec("UPDATE content SET bytes = x'00' WHERE base IS NOT NULL");
  const next = put(`${texts[1]}\nnext`, texts[1]);
  putContents(connection, [next]);
  expect(readContent(connection, next.version)).toEqual(next.bytes);
  insertNeeds(connection, 1, [second]);
  releaseContents(connection, [first]);
  expect(readContent(connection, first)).toBeDefined();
});
