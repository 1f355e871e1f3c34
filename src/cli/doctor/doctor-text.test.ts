import { describe, expect, it } from 'vitest';
import { paintFor } from '../shell/terminal.ts';
import { wrapAroundQuotes } from '../shell/wrap-text.ts';
import { doctorReport, doctorText } from './doctor-text.ts';
import { absent, bad, type Finding, hidden, known, ok, said, warning } from './finding.ts';

const paint = paintFor({ isTTY: false }, {});
const fine = ok('Node', said`${known('22.1.0')}.`);
const slow = warning('drive', said`${hidden('"Diary"', 'vault 1')} is slow.`, said`Wait.`);
const wrong = bad('files', said`${1_200} of ${hidden('"Diary"', 'vault 1')} fail.`, said`Mend.`);

function text(findings: readonly Finding[], columns?: number): string {
  const groups = [{ name: 'a', title: known('All'), findings }];
  return doctorText(groups, { paint, all: true, ...(columns === undefined ? {} : { columns }) });
}

describe('doctorText in short', () => {
  const groups = [
    { name: 'a', title: known('Programs'), findings: [fine, { ...fine, check: 'SQLite' }] },
    { name: 'b', title: known('Vault'), findings: [fine, fine, slow, wrong] },
    { name: 'c', title: known('Apps'), findings: [absent('cursor', said`Not installed.`)] },
  ];

  it('has what does not work first, and one line for each group in which all is fine', () => {
    const slowest = { name: 'd', title: known('Clock'), findings: [fine, slow] };
    expect(doctorText([slowest, ...groups], { paint, all: false })).toBe(
      [
        'Vault',
        'BAD   files  1,200 of "Diary" fail.',
        '             Mend.',
        'warn  drive  "Diary" is slow.',
        '             Wait.',
        '',
        'Clock',
        'warn  drive  "Diary" is slow.',
        '             Wait.',
        '',
        'ok    Programs: Node, SQLite',
        '',
        '1 thing needs attention: files. Also look at: drive, drive.',
        'Every check with what was found: vaultdoor doctor --all',
        '',
      ].join('\n'),
    );
  });

  it('names what is fine beside a doubt where a group says so, and repeats how it was called', () => {
    const proxy = {
      name: 'p',
      title: known('Proxy'),
      findings: [fine, slow],
      namesFine: true,
    } as const;
    const words = ['--public-url', 'https://a.example'];
    expect(doctorText([proxy], { paint, all: false, words }).split('\n')).toEqual([
      'Proxy',
      'warn  drive  "Diary" is slow.',
      '             Wait.',
      'ok    Checked and fine: Node',
      '',
      'Everything works. 1 thing could be better: drive.',
      'Every check with what was found: vaultdoor doctor --public-url https://a.example --all',
      '',
    ]);
  });

  it('is a few lines where all is well', () => {
    expect(doctorText(groups.slice(0, 1), { paint, all: false }).split('\n')).toEqual([
      'ok    Programs: Node, SQLite',
      '',
      'Everything is in order.',
      'Every check with what was found: vaultdoor doctor --all',
      '',
    ]);
  });
});

describe('doctorText', () => {
  it('aligns the lines, and says what to do below what is wrong', () => {
    expect(text([fine, slow, wrong])).toBe(
      [
        'All',
        'ok    Node   22.1.0.',
        'warn  drive  "Diary" is slow.',
        '             Wait.',
        'BAD   files  1,200 of "Diary" fail.',
        '             Mend.',
        '',
        '1 thing needs attention: files. Also look at: drive.',
        '',
      ].join('\n'),
    );
  });

  it('cuts no sentence of ours', () => {
    expect(text([ok('connection', hidden('word '.repeat(100), ''))])).not.toContain('…');
  });

  it.each<readonly [Finding[], string]>([
    [[fine], 'Everything is in order.'],
    [[fine, slow], 'Everything works. 1 thing could be better: drive.'],
    [
      [fine, slow, { ...slow, check: 'apps', isNothing: true }],
      'Nothing is set up here: no app and no server uses Vaultdoor. Also look at: drive.',
    ],
    [[wrong, { ...wrong, check: 'state' }], '2 things need attention: files, state.'],
  ])('ends with one sentence', (findings, last) => {
    expect(text(findings).split('\n').at(-2)).toBe(last);
  });

  it('says once what to do for one cause', () => {
    expect(text([wrong, { ...wrong, check: 'state' }])).toContain('As at "files".');
  });

  it('wraps into the width of the terminal, between words', () => {
    const long = ok('Node', said`One two three four five six seven eight nine ten.`);
    expect(text([long], 44).split('\n').slice(1, 3)).toEqual([
      'ok    Node  One two three four five six',
      '            seven eight nine ten.',
    ]);
  });
});

it('doctorReport has the alias in place of what is private', () => {
  const groups = [
    { name: 'a', title: said`At ${hidden('https://x.example', 'the address')}`, findings: [wrong] },
  ];
  const report = doctorReport(groups);
  expect(report).toContain('**At the address**');
  expect(report).toContain('| BAD | files | 1,200 of vault 1 fail. Mend. |');
});

it('a text from outside cannot steer the terminal or add lines', () => {
  const says = said`It is ${hidden('a\u001b[2Jb\nok   all is well', 'b')}.`;
  expect(says.shown).toBe('It is a\\u{1b}[2Jb ok   all is well.');
});

it('never breaks what is quoted: a command that is broken cannot be copied', () => {
  const command = "vaultdoor install claude-code --name 'my notes' --vault '/home/you/My notes'";
  const finding = bad(
    'app',
    said`Its vault is gone.`,
    said`Give it the right path: "${known(command)}".`,
  );
  const shown = text([finding], 60).split('\n');
  expect(shown).toContain(`           "${command}".`);
});

it.each([
  ['say "a b" (or "c d"), then e', ['say "a b"', '(or "c d"),', 'then e']],
  ['an open "quote is wrapped', ['an open', '"quote is', 'wrapped']],
  ['on Windows "x "C:\\My notes"".', ['on Windows', '"x "C:\\My notes"".']],
])('keeps quotes whole: %s', (sentence, rows) => {
  expect(wrapAroundQuotes(sentence, 12)).toEqual(rows);
});
