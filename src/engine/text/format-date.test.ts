import fc from 'fast-check';
import moment from 'moment';
import { afterEach, describe, expect, it } from 'vitest';
import { formatDate } from './format-date.ts';

// On Windows, Node keeps the zone when the variable is deleted.
const zone = process.env['TZ'] ?? (process.platform === 'win32' ? 'UTC' : undefined);
afterEach(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

/** Every token that moment knows, and the letters and signs around which they are told apart. */
const tokens = [
  'Y YY YYY YYYY YYYYY YYYYYY N NN NNN NNNN NNNNN y yo yy yyy yyyy Q Qo M Mo MM MMM MMMM',
  'D Do DD DDD DDDo DDDD d do dd ddd dddd e E w wo ww w| W Wo WW W| gg gggg ggggg GG GGGG GGGGG',
  'A a H HH h hh k kk m mm s ss Hmm Hmmss hmm hmmss S SS SSS SSSS SSSSS SSSSSS SSSSSSS SSSSSSSS',
  'SSSSSSSSS z zz Z ZZ X x L LL LLL LLLL LT LTS l ll lll llll g G o T [ ] \\ [] [at] [[ ]] - / é 😀',
].flatMap((line) => line.split(' '));

const formats = fc
  .array(fc.oneof(fc.constantFrom(...tokens, ' '), fc.string({ unit: 'binary', maxLength: 3 })), {
    minLength: 1,
    maxLength: 8,
  })
  .map((parts) => parts.join(''))
  // Of a format without a visible character moment makes an error, or its own default.
  .filter((format) => /./.test(format));

const timesMs = fc.oneof(
  fc.integer({ min: Date.UTC(1960, 0, 1), max: Date.UTC(2100, 0, 1) }),
  fc.integer({ min: Date.UTC(-50, 0, 1), max: Date.UTC(12_000, 0, 1) }),
);

describe('formatDate', () => {
  it.each(['UTC', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Apia'])(
    'writes what moment writes, in %s',
    (timeZone) => {
      process.env['TZ'] = timeZone;
      expect(new Date(0).getTimezoneOffset() === 0).toBe(timeZone === 'UTC');
      // moment keeps for good where eras begin, in the zone of the first time that it needs them.
      const known = formats.filter((format) => timeZone === 'UTC' || !/[Ny]/.test(format));
      fc.assert(
        fc.property(timesMs, known, (timeMs, format) => {
          expect(formatDate(timeMs, format)).toBe(moment(timeMs).locale('en').format(format));
        }),
        { numRuns: 2_000 },
      );
    },
  );

  it('writes every token that moment writes, on days at the edges of weeks and years', () => {
    for (let year = 1999; year < 2030; year++) {
      for (const day of [-3, -2, -1, 0, 1, 2, 3, 4, 59, 60, 181]) {
        const timeMs = new Date(year, 0, day, 12 + (day % 12), 5, 7, 89).getTime();
        const format = tokens.join(' [|] ');
        expect(formatDate(timeMs, format)).toBe(moment(timeMs).locale('en').format(format));
      }
    }
  });

  it.each([
    ['YYYY-MM-DD', '2023-01-01'],
    ['YYYY/MMMM/YYYY-MMM-DD', '2023/January/2023-Jan-01'],
    ['dddd Do [of] MMMM', 'Sunday 1st of January'],
    ['gggg-[W]ww GGGG-[W]WW', '2023-W01 2022-W52'],
    ['\\Q[Q]Q', 'QQ1'],
    ['', ''],
  ])('writes %s', (format, expected) => {
    expect(formatDate(new Date(2023, 0, 1, 9, 30).getTime(), format)).toBe(expected);
  });
});
