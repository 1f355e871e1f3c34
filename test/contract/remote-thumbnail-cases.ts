import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { makePng, makePngHeader } from '../support/make-png.ts';
import { does, fails, gives, type RemoteCase } from './remote-case.ts';

/** The smallest GIF there is: one pixel. */
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const picture = makePng({ width: 400, height: 100 });
const pngBytes = expect.stringMatching(/^iVBORw0KGgo/);
const jpegBytes = expect.stringMatching(/^\/9j\//);

const files = {
  'wide.png': picture,
  'tall.png': makePng({ width: 7, height: 999 }),
  'dot.gif': gif,
  'text.png': 'no picture',
  'cut.png': picture.subarray(0, 60),
  'bomb.png': makePngHeader(60_000, 60_000),
  'd/': '',
};

const thumbnail = (path: string, maxDim?: unknown) => ({ path, maxDim });

export const remoteThumbnailCases: readonly RemoteCase[] = [
  {
    row: '2.3 fs.thumbnail: output, scaling, and every error',
    files,
    thumbnails: true,
    steps: [
      does(({ vault }) => utimesSync(join(vault, 'wide.png'), 1_700_000_000, 1_700_000_000)),
      // PNG source gives PNG; the longer side is at most maxDim, ratio kept.
      gives('fs.thumbnail', thumbnail('wide.png', 100), {
        contentBase64: pngBytes,
        mtime: 1_700_000_000_000,
        sourceSize: picture.length,
        format: 'png',
        width: 100,
        height: 25,
      }),
      // Integer floor, each side at least 1.
      gives(
        'fs.thumbnail',
        thumbnail('wide.png', 3),
        expect.objectContaining({ width: 3, height: 1 }),
      ),
      gives(
        'fs.thumbnail',
        thumbnail('tall.png', 99),
        expect.objectContaining({ width: 1, height: 99 }),
      ),
      gives(
        'fs.thumbnail',
        thumbnail('wide.png', 150),
        expect.objectContaining({ width: 150, height: 37 }),
      ),
      // Never enlarged.
      gives(
        'fs.thumbnail',
        thumbnail('wide.png', 1_024),
        expect.objectContaining({ width: 400, height: 100 }),
      ),
      // All else is JPEG.
      gives(
        'fs.thumbnail',
        thumbnail('dot.gif', 1_024),
        expect.objectContaining({
          contentBase64: jpegBytes,
          format: 'jpeg',
          width: 1,
          height: 1,
        }),
      ),
      // Again, from the cache.
      gives(
        'fs.thumbnail',
        thumbnail('wide.png', 100),
        expect.objectContaining({ width: 100, height: 25 }),
      ),
      fails('fs.thumbnail', thumbnail('wide.png', 0), -32602),
      fails('fs.thumbnail', thumbnail('wide.png', -1), -32602),
      fails('fs.thumbnail', thumbnail('wide.png'), -32602),
      fails('fs.thumbnail', thumbnail('wide.png', 1.5), -32602),
      fails('fs.thumbnail', thumbnail('wide.png', '100'), -32602),
      fails('fs.thumbnail', { path: 5, maxDim: 5 }, -32602),
      fails('fs.thumbnail', thumbnail('text.png', 100), -32602),
      fails('fs.thumbnail', thumbnail('cut.png', 100), -32602),
      fails('fs.thumbnail', thumbnail('bomb.png', 100), -32602),
      fails('fs.thumbnail', thumbnail('no.png', 100), -32010),
      fails('fs.thumbnail', thumbnail('d', 100), -32012),
      fails('fs.thumbnail', thumbnail('', 100), -32012),
      fails('fs.thumbnail', thumbnail('wide.png/x', 100), -32011),
      fails('fs.thumbnail', thumbnail('../wide.png', 100), -32015),
    ],
  },
];
