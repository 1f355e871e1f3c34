import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as photon from '@silvia-odwyer/photon-node';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { bundleProgram } from '../../../test/support/bundle-program.ts';
import { failureOf } from '../../../test/support/failure-of.ts';
import { makeBlackPng, makePng, makePngHeader } from '../../../test/support/make-png.ts';
import { manualTimers } from '../../../test/support/manual-timers.ts';
import { pictures } from '../../../test/support/pictures.ts';
import { tempFolder, writeFiles } from '../../../test/support/temp-folder.ts';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { vaultPath } from '../../base/vault-path.ts';
import { openThumbnails } from './thumbnails.ts';

/** The program's own workers, which leave a line beside the program when they start. */
const entryFile = bundleProgram(
  import.meta.dirname,
  `
  import { appendFileSync } from 'node:fs';
  import { workerData } from 'node:worker_threads';
  import { runWorker } from '../workers/run-worker.ts';
  appendFileSync(new URL('starts', import.meta.url), 'started\\n');
  runWorker(workerData, {});
`,
);
const startsFile = join(dirname(entryFile), 'starts');

function starts(): number {
  return existsSync(startsFile) ? readFileSync(startsFile, 'utf8').split('\n').length - 1 : 0;
}

/** For machines that are busy. */
const patience = { timeout: 30_000 };

const good = Buffer.from(pictures.orientation6Jpeg, 'base64');
const smallGood = { format: 'jpeg', width: 24, height: 16 };
/** A picture whose beginning is well. */
const broken = Buffer.concat([good.subarray(0, good.length / 2), Buffer.alloc(300, 7)]);

/** A disk that answers when it is told to. */
function slowDisk() {
  let answer = (_: Uint8Array): void => {};
  const answered = new Promise<Uint8Array>((resolve) => {
    answer = resolve;
  });
  return { read: () => answered, answer: (bytes: Uint8Array) => answer(bytes) };
}

function open(folder = tempFolder()) {
  const timers = manualTimers();
  const cacheFolder = join(folder, 'thumbs');
  const thumbnails = openThumbnails({ entryFile, cacheFolder, timers });
  if (thumbnails === undefined) throw new Error('The library is not there.');
  onTestFinished(() => thumbnails.close());
  const before = starts();
  const reads: string[] = [];
  const make = async (
    path: string,
    source: Uint8Array | (() => Promise<Uint8Array>),
    options: {
      readonly maxDim?: number;
      readonly signal?: AbortSignal;
      readonly size?: number;
    } = {},
  ) => {
    const { maxDim = 24, signal = new AbortController().signal, size = 1 } = options;
    const thumbnail = await thumbnails.make(
      { path: vaultPath(path), mtimeMs: 1, size },
      { maxDim, signal },
      async () => {
        reads.push(path);
        return Uint8Array.from(source instanceof Uint8Array ? source : await source());
      },
    );
    return { ...thumbnail, bytes: Uint8Array.from(thumbnail.bytes) };
  };
  return {
    make,
    reads,
    timers,
    cacheFolder,
    close: () => thumbnails.close(),
    started: () => starts() - before,
  };
}

describe('making', () => {
  test('the same picture is read and made once, however many ask', async () => {
    const folder = tempFolder();
    const { make, reads, cacheFolder } = open(folder);
    const both = await Promise.all([make('a.jpg', good), make('a.jpg', good)]);
    const [one] = both;
    expect(one).toMatchObject(smallGood);
    expect(both).toEqual([one, one]);
    expect(await make('a.jpg', good)).toEqual(one);
    expect(reads).toEqual(['a.jpg']);
    expect(readdirSync(cacheFolder)).toHaveLength(1);

    const later = open(folder);
    expect(await later.make('a.jpg', good)).toEqual(one);
    expect([later.reads, later.started()]).toEqual([[], 0]);
  });

  test('one thread makes them all', async () => {
    const { make, started } = open();
    expect(await make('a.jpg', good)).toMatchObject(smallGood);
    expect(await make('b.png', makePng({ width: 48, height: 48 }))).toMatchObject({
      format: 'png',
    });
    expect(await make('c.jpg', good, { maxDim: 12 })).toMatchObject({ width: 12, height: 8 });
    expect(started()).toBe(1);
  });

  test('no thumbnail is larger than they may be', async () => {
    const wide = makePng({ width: limits.thumbnailSideMax + 8, height: 2 });
    const { width } = await open().make('a.png', wide, { maxDim: 2 ** 31 });
    expect(width).toBe(limits.thumbnailSideMax);
  });
});

/** A GIF with a large screen and a frame of one pixel. */
function tinyGif(width: number, height: number): Uint8Array {
  const size = [width & 255, width >> 8, height & 255, height >> 8];
  const screen = [...Buffer.from('GIF89a'), ...size, 0x80, 0, 0, 0, 0, 0, 255, 255, 255];
  return Uint8Array.of(...screen, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3b);
}

describe('refusals', () => {
  test.each([
    ['text', Buffer.from('Just a note.'), 'invalid_input'],
    ['too many pixels', makePngHeader(60_000, 60_000), 'too_large'],
    ['a GIF of 35 bytes with 50 million pixels', tinyGif(65_535, 762), 'too_large'],
    ['too many bytes', new Uint8Array(limits.thumbnailSourceBytesMax + 1), 'too_large'],
  ])('%s: the thread goes on', async (_, source, code) => {
    const { make, started } = open();
    expect(await make('good.jpg', good)).toMatchObject(smallGood);
    expect(await failureOf(make('bad.jpg', source))).toMatchObject({ code });
    expect(await make('other.jpg', good)).toMatchObject(smallGood);
    expect(started()).toBe(1);
  });

  test('a picture that is known to be too large is not even read', async () => {
    const { make, reads } = open();
    const failed = make('a.jpg', good, { size: limits.thumbnailSourceBytesMax + 1 });
    expect((await failureOf(failed)).code).toBe('too_large');
    expect(reads).toEqual([]);
  });

  test('one that cannot be read fails as the reading did', async () => {
    const gone = new VaultError('not_found', 'It is gone.');
    const failure = await failureOf(open().make('a.jpg', () => Promise.reject(gone)));
    expect(failure).toBe(gone);
  });

  test('a large one is scaled further than asked, rather than refused', async () => {
    const large = makeBlackPng(3_000);
    expect(await open().make('large.png', large, { maxDim: 2_900 })).toMatchObject({
      format: 'png',
      width: expect.toSatisfy((width) => width > 1_000 && width < 2_900),
    });
  });

  test('one whose pixels would not fit into memory is made smaller while it is decoded', async () => {
    // Its colours are stored as finely as its brightness.
    const image = new photon.PhotonImage(new Uint8Array(4 * 4_000 * 3_250), 4_000, 3_250);
    const fine = image.get_bytes_jpeg(50);
    expect(await open().make('fine.jpg', fine, { maxDim: 1_000 })).toMatchObject({
      format: 'jpeg',
      width: 1_000,
      height: 813,
    });
  });

  test('a large GIF is scaled further than asked', async () => {
    const gif = tinyGif(3_000, 2_900);
    expect(await open().make('large.gif', gif, { maxDim: 2_900 })).toMatchObject({
      width: 1_500,
      height: 1_450,
    });
  });

  test('one that stops the decoder is refused, and the next has another thread', async () => {
    const { make, started, cacheFolder } = open();
    expect(await failureOf(make('bad.jpg', broken))).toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('cannot be decoded'),
    });
    expect(existsSync(cacheFolder)).toBe(false);
    expect(await make('good.jpg', good)).toMatchObject(smallGood);
    expect(started()).toBe(2);
  });
});

describe('time', () => {
  test('a picture that takes too long is given up, and the next has another thread', async () => {
    const { make, reads, timers, started } = open();
    await make('good.jpg', good);
    const slow = failureOf(make('slow.png', makeBlackPng(3_000), { maxDim: 2_900 }));
    await vi.waitFor(() => expect(reads).toContain('slow.png'), patience);
    const next = make('next.jpg', good);
    await vi.waitFor(() => expect(started()).toBe(2), patience);
    await setTimeout(300); // The decoder is at work.
    timers.advance(limits.thumbnailMs);
    expect((await slow).code).toBe('timeout');
    expect(await next).toMatchObject(smallGood);
    expect(started()).toBe(3); // The large one had a thread of its own.
  });

  test('a thread that nobody needed for a while ends', async () => {
    const { make, timers, started } = open();
    await make('a.jpg', good);
    timers.advance(limits.thumbnailIdleMs - 1);
    await make('b.jpg', good);
    timers.advance(limits.thumbnailIdleMs - 1);
    await make('c.jpg', good);
    expect(started()).toBe(1);
    timers.advance(limits.thumbnailIdleMs);
    await make('d.jpg', good);
    expect(started()).toBe(2);
  });
});

describe('waiting', () => {
  test('only so many wait; who gives up leaves, unread', async () => {
    const { make, reads } = open();
    const disk = slowDisk();
    const first = make('first.jpg', disk.read);
    await vi.waitFor(() => expect(reads).toEqual(['first.jpg']), patience);
    const callers = Array.from(
      { length: limits.thumbnailsWaitingMax + 1 },
      () => new AbortController(),
    );
    const waiting = callers.map(({ signal }, number) =>
      failureOf(make(`${number}.jpg`, good, { signal })),
    );
    // One more than may wait: whichever comes last is refused at once, and the others wait.
    expect((await Promise.race(waiting)).code).toBe('busy');
    for (const caller of callers) caller.abort();
    const codes = (await Promise.all(waiting)).map(({ code }) => code);
    expect(codes.filter((code) => code === 'busy')).toHaveLength(1);
    expect(codes.filter((code) => code === 'cancelled')).toHaveLength(limits.thumbnailsWaitingMax);
    disk.answer(good);
    expect(await first).toMatchObject(smallGood);
    expect(await make('last.jpg', good)).toMatchObject(smallGood);
    expect(reads).toEqual(['first.jpg', 'last.jpg']);
  });

  test('who gives up while the picture is read has it not made', async () => {
    const { make, started } = open();
    const caller = new AbortController();
    const disk = slowDisk();
    const failure = failureOf(make('a.jpg', disk.read, { signal: caller.signal }));
    caller.abort();
    disk.answer(good);
    expect((await failure).code).toBe('cancelled');
    expect(started()).toBe(0);
  });
});

describe('the end', () => {
  test('what is being made and what waits fails once it is closed', async () => {
    const { make, close } = open();
    await make('good.jpg', good);
    const slow = failureOf(make('slow.png', makeBlackPng(3_000), { maxDim: 2_900 }));
    const next = failureOf(make('next.jpg', good));
    await setTimeout(20);
    await close();
    expect([(await slow).code, (await next).code]).toEqual(['cancelled', 'cancelled']);
    expect((await failureOf(make('late.jpg', good))).code).toBe('cancelled');
  });
});

describe('the library', () => {
  const name = 'node_modules/@silvia-odwyer/photon-node';

  test('where it is not there, neither are thumbnails', () => {
    const folder = tempFolder();
    const program = join(folder, 'vaultdoor.js');
    expect(openThumbnails({ entryFile: program, cacheFolder: folder })).toBeUndefined();
  });

  test('where it does not run, thumbnails are unavailable', async () => {
    const folder = tempFolder();
    const program = join(folder, 'program.mjs');
    copyFileSync(entryFile, program);
    writeFiles(folder, { [`${name}/index.js`]: 'throw new Error("no WebAssembly here");' });
    const thumbnails = openThumbnails({ entryFile: program, cacheFolder: folder });
    const failed = thumbnails?.make(
      { path: vaultPath('a.jpg'), mtimeMs: 1, size: 1 },
      { maxDim: 9, signal: new AbortController().signal },
      async () => good,
    );
    expect((await failureOf(Promise.resolve(failed))).code).toBe('unavailable');
    await thumbnails?.close();
  });
});
