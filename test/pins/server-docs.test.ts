import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { limits } from '../../src/base/limits.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const text = readFileSync(join(root, 'docs', 'server.md'), 'utf8');
const source = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => readFileSync(join(root, 'src', file), 'utf8').replaceAll(/\$\{\w+\}/g, 'GET'))
  .join('\n');

/** The quoted texts in the first column of the table under a heading. */
function quoted(heading: string): string[] {
  const [, part = ''] = text.split(`## ${heading}\n`);
  const [table = ''] = part.split('\n## ');
  const cells = Array.from(table.matchAll(/^\| (.*?) \|/gm), ([, cell = '']) => cell);
  return cells.flatMap((cell) =>
    Array.from(cell.matchAll(/`([^`]+)`/g), ([, words = '']) => words),
  );
}

describe('docs/server.md', () => {
  const refusals = quoted('When the server refuses').filter((words) => !words.startsWith('/'));

  it('explains refusals', () => {
    expect(refusals.length).toBeGreaterThan(20);
  });

  it.each(refusals.filter((words) => words !== 'ReadWritePaths' && words !== 'systemctl status'))(
    'quotes what the program says: %s',
    (words) => {
      expect(source).toContain(words);
    },
  );

  it.each([
    [limits.httpBodyBytesMax / 1024 ** 2, ' MiB | 413'],
    [limits.jsonDepthMax, ` levels deep, ${limits.jsonValuesMax.toLocaleString('en')} values`],
    [limits.httpHeaderBytesMax / 1024, ' KiB | 431'],
    [limits.httpHeadMs / 1000, ' s for the head'],
    [limits.httpRequestMs / 1000, ' s for all of it'],
    [limits.httpRequestsMax, ' | 503'],
    [limits.httpConnectionsMax.toLocaleString('en'), ' | closed'],
    [limits.httpUnreadBytesMax / 1024 ** 2, ' MiB, or 60 s | cut off'],
    [limits.httpUnreadMs / 1000, ' s | cut off'],
    [limits.httpUnreadAllBytesMax / 1024 ** 2, ' MiB | the clients that'],
    [limits.wrongTokensMax, ' a minute | 429'],
    [limits.answerCharsMax.toLocaleString('en'), ' characters; with `limit`'],
    [limits.wholeNoteBytesMax / 1024 ** 2, ' MiB | the rest'],
    [limits.foundLinesMax, `, of ${limits.foundLineCharsMax} characters`],
    [limits.callDeadlineMs / 1000, ' s (`--timeout`)'],
    [limits.sessionsMax.toLocaleString('en'), ' at once'],
    [limits.sessionsPerTokenMax, ' of one token'],
    [limits.sessionsPerAddressMax, ' of one token (without tokens: of one address'],
    [limits.requestsAtOnceMax.toLocaleString('en'), ' | 429'],
    [limits.sessionAgeMaxMs / 86_400_000, ' days after its beginning'],
    [limits.sessionEventsMax, ' events of a session'],
    [limits.sessionEventBytesMax / 1024 ** 2, ' MiB is not kept'],
    [limits.shutdownMs === 10_000 ? 'ten' : '?', ' seconds, each is answered'],
  ])('knows the limit %s%s', (number, what) => {
    expect(text).toContain(`${number}${what}`);
  });
});
