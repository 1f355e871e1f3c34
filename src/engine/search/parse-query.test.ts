import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printQuery } from '../../../test/support/print-query.ts';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { Query, QueryPlace, ValueQuery } from '../ports/search-query.ts';
import { parseQuery } from './parse-query.ts';

/** A tree in short: `~` is a word that may go on. */
function shown(query: Query | ValueQuery): string {
  switch (query.kind) {
    case 'text':
      return `${query.quoted ? JSON.stringify(query.text) : query.text}${query.mayGoOn ? '~' : ''}`;
    case 'regex':
      return `${query.of === 'tag' ? '#' : ''}/${query.source}/`;
    case 'tag':
      return `#${query.tag}`;
    case 'null':
      return 'null';
    case 'compare':
      return `${query.sign}${query.than}`;
    case 'property':
      return `[${shown(query.key)}${query.value === undefined ? '' : `:${shown(query.value)}`}]`;
    case 'all':
      return `(${query.parts.map(shown).join(' & ')})`;
    case 'any':
      return `(${query.parts.map(shown).join(' | ')})`;
    case 'not':
      return `-${shown(query.part)}`;
    case 'in':
      return `${query.place}:${shown(query.part)}`;
    case 'case':
      return `${query.sensitive ? 'case' : 'nocase'}:${shown(query.part)}`;
  }
}

function check(query: string, expected: string): void {
  expect(shown(parseQuery(query))).toBe(expected);
}

describe('cases of the app', () => {
  const rows: readonly [string, string, string][] = [
    ['S01', 'meeting work OR meetup personal', '((meeting & work) | (meetup & personal~))'],
    ['S02', 'meeting -(work meetup)', '(meeting & -(work & meetup))'],
    ['S03', '"they said \\"hi\\""', '"they said \\"hi\\""'],
    ['S04', 'task:""', 'task:""'],
    ['S05', '[aliases:null]', '[aliases:null]'],
    ['S06', '[duration:<5]', '[duration:<5]'],
    ['S07', '/^## /', '/^## /'],
    ['S08', 'TAG:#x FILE:y', '(#x & file:y)'],
    ['S09', 'section:(H1 section:(Sub))', 'section:(H1 & section:Sub~)'],
    ['S10', 'file:.jpg', 'file:.jpg'],
  ];
  it.each(rows)('%s: reads %s', (_, query, expected) => check(query, expected));
});

describe('what people type', () => {
  const rows: readonly [string, string][] = [
    ['meeting Work', '(meeting & Work~)'],
    ['work ', 'work~'],
    ['"work"', '"work"'],
    ['a b OR c d OR e', '((a & b) | (c & d) | e~)'],
    ['a (b OR c) d', '(a & (b | c) & d~)'],
    ['(a (b c))', '(a & b & c~)'],
    ['a AND b', '(a & b~)'],
    ['a and b or c', '(a & and & b & or & c~)'],
    ['a -b -"c d" -/e/ -tag:f -[g]', '(a & -b & -"c d" & -/e/ & -#f & -[g])'],
    ['a -(b OR -c)', '(a & -(b | -c))'],
    ['well-known', 'well-known~'],
    ['--verbose a - b', '(verbose & a & b~)'],
    ['http://x.org/a C++ foo:bar', '(http://x.org/a & C++ & foo:bar~)'],
    ['/etc/hosts and/or', '(/etc/hosts & and/or~)'],
    ['/a\\/b/ /[/]c/', '(/a\\/b/ & /[/]c/)'],
    ['#work #1 C#', '(#work & #1 & C#~)'],
    ['tag:#a/b tag:a/ tag:(#x OR y) tag:/^z/', '(#a/b & #a & (#x | #y) & #/^z/)'],
    ['tag: work', '#work'],
    ['path:"My notes" content:(a b)', '(path:"My notes" & content:(a & b~))'],
    ['line:(a -b) block:"c d" task-done:e', '(line:(a & -b) & block:"c d" & task-done:e~)'],
    ['Match-Case:Ada ignore-case:(b)', '(case:Ada & nocase:b~)'],
    ['match-case:"++"', 'case:"++"'],
    ['[status] ["a b":c]', '([status] & ["a b":c])'],
    ['[my key: in progress OR "done"]', '[my key:((in & progress) | "done")]'],
    ['[p:/^a\\]b/] [/^q/:-x]', '([p:/^a\\]b/] & [/^q/:-x])'],
    ['[n:>= 5] [d:<2024-01-02]', '([n:>=5] & [d:<2024-01-02])'],
    ['[rel:[[A note]]]', '[rel:"A note"]'],
    ['[[A note]] b', '("A note" & b~)'],
    ['[text](http://x)', '([text] & http://x~)'],
    ['- [ ] buy', 'buy~'],
    ['😀 "->"', '(/😀/ & /->/)'],
    ['学', '学~'],
    ['*** () [] -', '()'],
    ['"', '""'],
    ['a\0b', 'a\0b~'],
  ];
  it.each(rows)('reads %j', (query, expected) => check(query, expected));
});

describe('an operator that does not exist', () => {
  const refusal = (query: string): string => {
    try {
      parseQuery(query);
      return 'none';
    } catch (error) {
      return error instanceof VaultError ? `${error.code}: ${error.message}` : String(error);
    }
  };
  const quotes = 'To look for the text itself, put it in quotes.';

  it.each([
    ['tga:work', 'tga', 'tag'],
    ['x -TAGS:work', 'TAGS', 'tag'],
    ['tgs:#a OR b', 'tgs', 'none'],
    ['flie:a', 'flie', 'file'],
    ['paht:"My notes"', 'paht', 'path'],
    ['secton:(a b)', 'secton', 'section'],
    ['taks:x', 'taks', 'task'],
    ['taskdone:x', 'taskdone', 'task-done'],
    ['task_todo:x', 'task_todo', 'task-todo'],
    ['matchcase:Ada', 'matchcase', 'match-case'],
    ['folder:Inbox', 'folder', 'path'],
    ['line:(a contnet:b)', 'contnet', 'content'],
  ])('%j is refused', (query, written, right) => {
    expect(refusal(query)).toBe(
      right === 'none'
        ? 'none'
        : `invalid_input: There is no search operator "${written}:"; use "${right}:". ${quotes}`,
    );
  });

  it.each([
    ['due:<2026-12-01', '[due:<2026-12-01]'],
    ['due:2026-12-01', '[due:2026-12-01]'],
    ['done:today', '[done:today]'],
    ['a rating:>=4', '[rating:>=4]'],
  ])('%j is refused as a comparison', (query, right) => {
    const name = right.slice(1).split(':')[0];
    expect(refusal(query)).toBe(
      `invalid_input: There is no search operator "${name}:"; to compare a property write ${right}. ${quotes}`,
    );
  });

  it.each([
    'https://x.org/a mailto:a@x.org file://x files://x obsidian://open',
    '12:30 at 9:15',
    'Note: text Tags: a TODO: b Due: soon',
    'Time:12 math:x part:2 link:a like:b contact:Ada context:x tax:20 page:5',
    'std::vector a:b foo:bar due:soon done:milk C:/x :) :-( tga:',
    '"tga:work" "due:<2026-12-01"',
    'path:tga:x tag:due:x [tga:x] [a:tga:b] /tga:x/',
    'срок:завтра',
  ])('%j is searched for as it is', (query) => {
    expect(refusal(query)).toBe('none');
  });
});

describe('what is left open', () => {
  const rows: readonly [string, string][] = [
    ['"open phrase', '"open phrase"'],
    ['"open \\', '"open "'],
    ['a (b OR c', '(a & (b | c~))'],
    ['a) b', '(a & b~)'],
    ['OR a OR', 'a'],
    ['tag: OR a', 'a~'],
    ['file:', '()'],
    ['[open:a', '[open:a~'],
    ['/open', '/open~'],
    ['-', '()'],
  ];
  it.each(rows)('ends with the query: %j', (query, expected) => check(query, expected));
});

describe('what is refused', () => {
  const rows: readonly [string, RegExp][] = [
    ['a /(b/', /expression at character 3 .* is not valid \(.+\)/],
    ['[p:/*/]', /not valid/],
    ['[/(/]', /character 1 /],
    [`${'('.repeat(60)}a`, /nests deeper than 40 groups at character 41/],
    [`a ${'-(line:'.repeat(60)}`, /nests deeper/],
  ];
  it.each(rows)('says where: %j', (query, message) => {
    expect(() => parseQuery(query)).toThrow(VaultError);
    expect(() => parseQuery(query)).toThrow(message);
  });
});

it.each(['(', ')', '((', '"', '-', '[', '[a:', '/', '/[', '\\', '[p:/a/', 'line:', '\0', '\ud800'])(
  'ends soon on %j without end',
  (piece) => {
    const query = piece.repeat(limits.queryCharsMax / piece.length);
    try {
      parseQuery(query);
    } catch (error) {
      expect(error).toBeInstanceOf(VaultError);
    }
  },
);

const signs = fc.constantFrom(
  ...['(', ')', '"', '\\', '/', '[', ']', ':', '-', ' ', 'OR', ' OR ', '#', '<', 'null', 'a', 'Б'],
  ...['line:', 'tag:', 'match-case:', 'file:', '学', '*'],
);

it('takes any text, or says what is wrong with it', () => {
  const texts = fc.oneof(
    fc.array(signs, { maxLength: 40 }).map((parts) => parts.join('')),
    fc.string({ unit: 'grapheme' }),
  );
  fc.assert(
    fc.property(texts, (query) => {
      try {
        shown(parseQuery(query));
      } catch (error) {
        expect(error).toBeInstanceOf(VaultError);
      }
    }),
  );
});

const text = fc
  .record({ text: fc.constantFrom('ab', 'c d', 'е"ж', 'x\\y', '学生'), quoted: fc.constant(true) })
  .map((parts) => ({ kind: 'text' as const, ...parts }));
const word = fc
  .constantFrom('ab', 'well-known', 'Ё', 'x:y')
  .map((each) => ({ kind: 'text' as const, text: each, quoted: false }));
const regex = fc
  .constantFrom('^a', 'b\\/c', '[/]d')
  .map((source) => ({ kind: 'regex' as const, source }));

const values = fc.letrec<{ value: ValueQuery }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    text,
    word,
    regex,
    fc.constant({ kind: 'null' as const }),
    fc.constant({ kind: 'compare' as const, sign: '>=' as const, than: '5' }),
    fc.record({ kind: fc.constant('not' as const), part: tie('value') }),
    fc.record({
      kind: fc.constantFrom('all' as const, 'any' as const),
      parts: fc.array(tie('value'), { minLength: 2, maxLength: 3 }),
    }),
  ),
})).value;

const placed: readonly QueryPlace[] = ['file', 'content', 'line', 'section', 'task-todo'];
const queries = fc.letrec<{ query: Query }>((tie) => ({
  query: fc.oneof(
    { maxDepth: 4 },
    text,
    word,
    regex,
    fc.constantFrom('a', 'b/c').map((tag) => ({ kind: 'tag' as const, tag })),
    fc.record({ kind: fc.constant('property' as const), key: fc.oneof(text, regex) }),
    fc.record({
      kind: fc.constant('property' as const),
      key: fc.constant({ kind: 'text' as const, text: 'key', quoted: false }),
      value: values,
    }),
    fc.record({ kind: fc.constant('not' as const), part: tie('query') }),
    fc.record({
      kind: fc.constant('in' as const),
      place: fc.constantFrom(...placed),
      part: tie('query'),
    }),
    fc.record({
      kind: fc.constant('case' as const),
      sensitive: fc.boolean(),
      part: tie('query'),
    }),
    fc.record({
      kind: fc.constantFrom('all' as const, 'any' as const),
      parts: fc.array(tie('query'), { minLength: 2, maxLength: 3 }),
    }),
  ),
})).query;

it('reads what is printed as what it was', () => {
  fc.assert(
    fc.property(queries, (query) => {
      // A group of groups of its own kind is one group, and the last word stands before a sign.
      const once = parseQuery(`${printQuery(query)} -"end"`);
      expect(parseQuery(`${printQuery(once)}`)).toEqual(once);
      expect(leavesOf(once)).toEqual([...leavesOf(query), '"end"']);
    }),
  );
});

function leavesOf(query: Query | ValueQuery): string[] {
  if ('parts' in query) return query.parts.flatMap(leavesOf);
  if ('part' in query) return leavesOf(query.part);
  return [shown(query).replaceAll(/[()]/g, '')];
}
