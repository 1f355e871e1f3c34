import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { undoText } from './undo-text.ts';

const rows: readonly [
  behaviour: string,
  before: string,
  after: string,
  now: string,
  undone: string | undefined,
][] = [
  [
    'keeps an edit with an unchanged line between',
    'A\nb\nc\n',
    'a\nb\nc\n',
    'a\nb\nC\n',
    'A\nb\nC\n',
  ],
  ['keeps an edit of the next line', 'a\nB\n', 'a\nb\n', 'A\nb\n', 'A\nB\n'],
  ['keeps what was appended below an appended line', 'a\n', 'a\n1\n', 'a\n1\n2\n', 'a\n2\n'],
  ['keeps what was put before an appended line', 'a\n', 'a\n1\n', 'a\n2\n1\n', 'a\n2\n'],
  ['keeps what was put around it', 'a\n', 'a\n1\n', 'a\n0\n1\n2\n', 'a\n0\n2\n'],
  ['keeps what was put before a first line', 'a\n', '1\na\n', '2\n1\na\n', '2\na\n'],
  ['keeps what was put below a changed line', 'a\n', 'A\n', 'A\nb\n', 'a\nb\n'],
  ['keeps an edit of the line above', 'a\n', 'a\n1\n', 'A\n1\n', 'A\n'],
  ['keeps that the line above was removed', 'a\nb\n', 'a\nb\n1\n', 'a\n1\n', 'a\n'],
  [
    'keeps a paragraph that was added below an added one',
    'h\n\np\n\nh2\n',
    'h\n\np\n\n1\n\nh2\n',
    'h\n\np\n\n1\n\n2\n\nh2\n',
    'h\n\np\n\n2\n\nh2\n',
  ],
  [
    'keeps a paragraph that was added above an added one',
    'h\n\np\n',
    'h\n\n1\n\np\n',
    'h\n\n2\n\n1\n\np\n',
    'h\n\n2\n\np\n',
  ],
  ['takes one of two equal lines back', 'a\n', 'a\nx\n', 'a\nx\nx\n', 'a\nx\n'],
  ['takes one of two equal paragraphs back', 'a\n', 'a\n\nx\n', 'a\n\nx\n\nx\n', 'a\n\nx\n'],
  ['needs no line end behind the last line', 'a', 'a\n1', 'a\n1\n2', 'a\n2'],
  ['keeps the line end of a later last line', 'a', 'a\n1\n', 'a\n1\n2\n', 'a\n2\n'],
  ['keeps that a later last line has no line end', 'a\n', 'a\n1', 'a\n1\n2', 'a\n2'],
  ['takes a line end back that it added at the end', 'a', 'a\n1\n', 'x\na\n1\n', 'x\na'],
  ['finds the line ends of Windows', 'a\r\nb', 'a\r\nb\r\n1', 'a\r\nb\r\n1\r\n2', 'a\r\nb\r\n2'],
  ['leaves an emptied note with what was added', '', '1', '1\n2', '2'],
  ['refuses where the lines were changed', 'a\n', 'a\n1\n', 'a\nX\n', undefined],
  ['refuses where something stands between them', 'a\n', 'a\n1\n2\n', 'a\n1\nx\n2\n', undefined],
  ['refuses where it is unclear which lines they are', 'a\n', 'a\n1\n', 'a\n1\na\n1\n', undefined],
  [
    'refuses where others may stand inside them',
    'a\nx\nb\n',
    'a\nx\ny\nx\nb\n',
    'a\nx\nnew\ny\nx\nb\n',
    undefined,
  ],
  ['refuses where an equal line was there before', 'x\n', 'x\nx\n', 'x\nnew\nx\n', undefined],
  ['refuses where removed lines are to return to a new line', 'a\nx\n', 'a\n', 'a\ny\n', undefined],
  ['refuses to bring back beside what changed', 'a\nx\nb\n', 'a\nb\n', 'a\nB\n', undefined],
  ['refuses for an emptied note', 'a\nb\n', 'a\n', '', undefined],
  ['has nothing to do where the line is gone', 'a\n', 'a\n1\n', 'a\n', 'a\n'],
  ['sees changed line ends as changed lines', 'a\nB\n', 'a\nb\n', 'a\r\nb\r\n', undefined],
  ['refuses where a text ends with a carriage return alone', 'b', 'b\n1\n', 'b\n1\nc\r', undefined],
  [
    'refuses where both kinds of line ends are used and a last line has none',
    'last',
    'last\nmine\n',
    'x\r\nlast\nmine\n',
    undefined,
  ],
  [
    'refuses where something was written below a line that the change had moved',
    '- milk\n- Bob\n',
    '- Bob\n- milk\n',
    '- Bob\n    - 555\n- milk\n',
    undefined,
  ],
  [
    'refuses where something was written into a section that the change had moved',
    '## A\na\n## B\nb\n',
    '## B\nb\n## A\na\n',
    '## B\nb\nmore of b\n## A\na\n',
    undefined,
  ],
  [
    'takes moved lines back where the later change is apart',
    'x\ny\n1\n2\n3\n',
    'y\nx\n1\n2\n3\n',
    'y\nx\n1\n2\nnew\n3\n',
    'x\ny\n1\n2\nnew\n3\n',
  ],
  ['takes nothing back from nothing', '', '', '', ''],
];

describe('undoText', () => {
  it.each(rows)('%s', (_, before, after, now, undone) => {
    expect(undoText({ before, after, now })).toBe(undone);
  });

  const text = fc
    .array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'd\r\n', 'e'), { maxLength: 10 })
    .map((lines) => lines.join(''));

  it('is the text before where nothing was changed since, and stays where nothing was changed', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(undoText({ before, after, now: after })).toBe(before);
        expect(undoText({ before: after, after, now: before })).toBe(before);
        expect(undoText({ before, after, now: before })).toBe(before);
      }),
    );
  });

  it('keeps later changes that are apart', () => {
    const edit = fc.constantFrom('keep', 'change', 'remove', 'add') satisfies fc.Arbitrary<string>;
    // Every third line may be edited, by one of the two only; the two after it stay.
    const plan = fc.array(fc.record({ edit, later: fc.boolean() }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(plan, (edits) => {
        const make = (done: (later: boolean) => boolean): string =>
          edits.map(({ edit: what, later }, i) => edited(i, done(later) ? what : 'keep')).join('');
        const [before, after] = [make(() => false), make((later) => !later)];
        expect(undoText({ before, after, now: make(() => true) })).toBe(make((later) => later));
      }),
    );
  });

  // The lines are few, so that the same ones are often written by several.
  const line = fc.constantFrom('a', 'b', 'c', '');
  const some = (max: number) => fc.array(line, { maxLength: max });
  const added = fc.array(line, { minLength: 1, maxLength: 3 });
  const at = fc.nat({ max: 20 });

  it('removes and reorders nothing but the lines that the change has added', () => {
    const finalEnd = fc.record({ before: fc.boolean(), after: fc.boolean(), now: fc.boolean() });
    fc.assert(
      fc.property(
        some(6),
        added,
        at,
        added,
        at,
        finalEnd,
        (old, mine, mineAt, later, laterAt, ends) => {
          const before = old.map((each) => ({ text: each, by: 'old' }));
          const after = insert(before, mineAt, mine, 'mine');
          const now = insert(after, laterAt, later, 'later');
          // A blank line at the end is only there if it has its line end.
          fc.pre([before, after, now].every((each) => each.at(-1)?.text !== ''));
          const texts = {
            before: joined(before, ends.before),
            after: joined(after, ends.after),
            now: joined(now, ends.now),
          };
          const undone = undoText(texts);
          if (undone === undefined || undone === texts.now) return;
          // Which of two blank lines is left cannot be seen.
          const kept = now.filter(({ by }) => by !== 'mine');
          expect(notBlank(undone)).toEqual(notBlank(joined(kept, true)));
        },
      ),
      { numRuns: 5_000 },
    );
  });

  it('always takes added lines back where others were only added at the end', () => {
    const own = fc.array(
      fc.nat({ max: 9 }).map((n) => `mine ${n}`),
      { minLength: 1, maxLength: 3 },
    );
    const theirs = fc.array(
      fc.nat({ max: 9 }).map((n) => `later ${n}`),
      { minLength: 1, maxLength: 3 },
    );
    fc.assert(
      fc.property(
        some(6),
        own,
        theirs,
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        (old, mine, later, end, isOpen) => {
          fc.pre(!isOpen || old.at(-1) !== ''); // Such a text is one that has its line end.
          const write = (...lines: readonly string[][]): string => {
            const all = lines
              .flat()
              .map((each) => each + end)
              .join('');
            return isOpen ? all.slice(0, all.length - end.length) : all;
          };
          expect(
            undoText({
              before: write(old),
              after: write(old, mine),
              now: write(old, mine, later),
            }),
          ).toBe(write(old, later));
        },
      ),
    );
  });
});

interface Line {
  readonly text: string;
  readonly by: string;
}

function insert(lines: readonly Line[], at: number, texts: readonly string[], by: string): Line[] {
  return lines.toSpliced(at % (lines.length + 1), 0, ...texts.map((text) => ({ text, by })));
}

function joined(lines: readonly Line[], isEnded: boolean): string {
  return lines.map(({ text }) => text).join('\n') + (isEnded && lines.length > 0 ? '\n' : '');
}

function notBlank(text: string): string[] {
  return text.split('\n').filter((each) => each !== '');
}

function edited(i: number, what: 'keep' | 'change' | 'remove' | 'add'): string {
  const first = { keep: `${i}\n`, change: `new ${i}\n`, remove: '', add: `${i}\nand ${i}\n` }[what];
  return `${first}${i} second\n${i} third\n`;
}
