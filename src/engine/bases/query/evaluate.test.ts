import { describe, expect, it } from 'vitest';
import { type ExpressionCase, expressionCase } from '../../../../test/support/base-cases.ts';

// The cases of the shared sheet are in test/corpora/bases-cases.test.ts. These are our own.

async function value(expr: string, more: Omit<ExpressionCase, 'expr'> = {}): Promise<unknown> {
  return (await expressionCase({ expr, ...more })).value;
}

const vault = {
  'A.md': '---\nicon: star\nup: "[[B]]"\n---\n',
  'Sub/B.md': '[[A]] [[Nowhere]]',
  'img/p.png': '',
};

describe('expressions', () => {
  it.each<[string, unknown]>([
    ['1 + 2 * 3 - 4 / 2', 5],
    ['7 % 4', 3],
    ['-(2 + 1)', -3],
    ['-duration("1d")', { $duration: -86_400_000 }],
    ['"a" + 1 + null', 'a1null'],
    ['1 == "1" && true == "true"', true],
    ['null == false', false],
    ['"b" > "a" && !("b" > 1)', true],
    ['if(false, 1)', null],
    ['{"a": {"B": 1}}.a.b', 1],
    ['[1, [2]][1][0]', 2],
    ['"abc"[0]', { $error: 'unknown_member' }],
    ['"ab cd".split(" ").map(value.title()).join("-")', 'Ab-Cd'],
    ['"a1b22".split(/\\d+/)', ['a', 'b', '']],
    ['"a1b22".replace(/\\d/, "#")', 'a#b22'],
    ['"john smith".replace(/(\\w+) (\\w+)/, "$2 $1")', 'smith john'],
    ['"a.b.c".replace(".", "$1")', 'a$1b$1c'],
    ['/(a+)+$/.matches("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!")', false],
    ['[3, "x", null, 1].sort()', [1, 3, 'x', null]],
    ['[1, 2].reduce(acc + [3, 4].map(value * acc).sum(), 1)', 64],
    ['[[1, 2], [3]].map(value.map(value + index))', [[1, 3], [3]]],
    ['["a", "b"].contains("a", "z")', true],
    ['["a", "b"].containsAny(["x", "b"])', true],
    ['[1, 2, 3].slice(-2)', [2, 3]],
    ['["1", 1, 2].unique()', ['1', 2]],
    ['[].mean()', null],
    ['[].sum()', 0],
    ['["2025-02-01", "x"].earliest()', { $date: '2025-02-01' }],
    ['(1.005).round(2)', 1.01],
    ['(5).toFixed(-1)', { $error: 'type' }],
    ['number(true) + number("2")', 3],
    ['number("")', { $error: 'type' }],
    ['min()', null],
    ['max(1, "a")', { $error: 'type' }],
    ['date("2025-03-30") + "1M 1d"', { $date: '2025-05-01' }],
    ['date("2025-01-01") + "1h 30m"', { $date: '2025-01-01T01:30:00' }],
    ['date("2025-01-01 10:00") == "2025-01-01"', true],
    ['date("2025-01-01") < "2025-01-02"', true],
    ['duration("1h 30m").minutes', 90],
    ['duration("1M")', { $duration: 0, months: 1 }],
    ['duration("P1Y2M3DT4H")', { $duration: 273_600_000, months: 14 }],
    ['duration("P1DT2H").toString()', 'P1DT2H'],
    ['date("2025-06-14 12:00").relative()', 'a day ago'],
    ['date("2026-06-15").relative()', 'in a year'],
    ['(now() + "3d").relative()', 'in 3 days'],
    ['date("2025-01-02").format("[Q]Q YYYY")', 'Q1 2025'],
    ['link("A|shown")', { $link: 'A', path: 'A.md', display: 'shown' }],
    ['link("mailto:a@b.c", "me")', { $link: 'mailto:a@b.c', external: true, display: 'me' }],
    ['link("B").asFile().hasLink("A")', true],
    ['link("B").asFile().hasLink("nowhere")', true],
    ['link("B").linksTo(file("Sub/B"))', true],
    ['file("A").properties.icon', 'star'],
    ['file("A").properties.up.asFile().links.length', 2],
    ['file("A").backlinks', [{ $file: 'Sub/B.md' }]],
    ['[link("A"), "A", file("A")].unique().length', 1],
    ['image(link("p.png"))', { $image: 'p.png' }],
    ['escapeHTML("\'")', '&#39;'],
    ['formula', {}],
    ['[date("2025-01-31"), "2025-01-31", date("2025-01-31 10:00")].unique().length', 1],
    ['[date("2025-01-31 11:00"), date("2025-01-31 10:00")].unique().length', 2],
    ['[duration("1d"), 86400000, "24h", 1].unique().length', 2],
    ['"abc".split()', { $error: 'type' }],
    ['"abc".repeat()', { $error: 'type' }],
    ['"abc".repeat(missing)', null],
    ['"a,b,c".split(",", 0)', []],
    ['date("2025-07-30 18:00").relative()', 'in 2 months'],
    ['date("2025-10-30 16:00").relative()', 'in 4 months'],
    ['date("2024-06-15").relative()', 'a year ago'],
    ['date("2024-02-29") + "1y"', { $date: '2025-02-28' }],
    ['date("2025-01-31") + "1M" + "1M"', { $date: '2025-03-28' }],
    ['date("2025-01-31") + "2M"', { $date: '2025-03-31' }],
    ['(date("2025-03-01") - date("2025-02-01")).days', 28],
    ['duration("1M") - duration("1d")', { $duration: -86_400_000, months: 1 }],
    ['duration("1Month 2Weeks").weeks > 6', true],
    ['"1M" == duration("1m")', false],
    ['[true, 2, "a", null, false, 1].sort()', [false, true, 1, 2, 'a', null]],
    ['["é", "z", "E", "10", "9"].sort()', ['9', '10', 'é', 'E', 'z']],
    ['[[1, [2]], 3].flat()', [1, [2], 3]],
    ['[1, null, ""].join("-")', '1--'],
    ['"a😀b".reverse()', 'b😀a'],
    ['"o\'neil ÉCOLE".title()', "O'neil École"],
    ['(-1.5).round()', -1],
    ['(1234.567).round(1)', 1234.6],
    ['(5).toFixed()', '5'],
    ['1 < 2 < 3', false],
    ['-1.abs()', -1],
    ['file("p.png").name + file("p.png").basename + file("p.png").ext', 'p.pngppng'],
    ['file("p.png").properties.isEmpty()', true],
    ['file.hasTag("a", "b")', false],
    ['if(missing, 1)', null],
    ['/A/i.matches("xay")', true],
    ['"aXbX".replace(/x/gi, "$&-")', 'aX-bX-'],
    ['{"a": 1, "b": 2}.values().sum()', 3],
    ['{"$a": 1}', { $$a: 1 }],
  ])('%s', async (expr, expected) => {
    expect(await value(expr, { vault })).toEqual(expected);
  });

  it.each<[string, string]>([
    ['nosuch(1)', 'unknown_function'],
    ['"a".nosuch()', 'unknown_function'],
    ['missing.nosuch()', 'unknown_function'],
    ['contains("a", "b")', 'unknown_function'],
    ['"a".constructor', 'unknown_member'],
    ['[].__proto__', 'unknown_member'],
    ['"a".contains(1)', 'type'],
    ['date("2025-01-01") + 1/0', 'type'],
    ['date("2025-01-01") + "999999y"', 'type'],
    ['duration("1d") / 0', 'type'],
    ['"x".repeat(2000000)', 'budget'],
    ['"x".repeat(1000000) + "x"', 'budget'],
  ])('%s is the error %s', async (expr, code) => {
    expect(await value(expr)).toEqual({ $error: code });
  });
});

describe('properties of notes', () => {
  it.each<[string, Record<string, unknown>, unknown]>([
    ['d', { d: '2025-02-30' }, '2025-02-30'],
    ['d.hour', { d: '2025-01-02T03:04' }, 3],
    ['tags.contains("a")', { tags: 'a, b' }, true],
    ['tags[0].length', { tags: ['a/b'] }, 3],
    ['x.y', { x: { Y: 1 } }, 1],
    ['note["a-b"]', { 'a-b': 2 }, 2],
    ['list(l).length', { l: ['[[A]]', '[[B]]'] }, 2],
    ['l.contains("a")', { l: 'see [[A]]' }, true],
    ['value + index', { value: 1, index: 2 }, 3],
    ['__proto__', { x: 1 }, null],
  ])('%s of %j', async (expr, note, expected) => {
    expect(await value(expr, { note })).toEqual(expected);
  });

  it('stay texts where the vault says that they are', async () => {
    const note = { d: '2025-01-02' };
    expect(await value('d', { note, types: { d: 'text' } })).toBe('2025-01-02');
    expect(await value('d', { note })).toEqual({ $date: '2025-01-02' });
  });
});

describe('hostile expressions end', () => {
  const big = '[1,2,3,4,5,6,7,8,9,10]';
  const bigger = `${big}.map(${big}.map(${big}.map(${big}.map(${big}))))`;
  it.each<[string, string]>([
    ['lists in lists', `${bigger}.map(${bigger})`],
    ['a list that doubles', '[1,1,1,1].reduce(acc + acc, [0]).reduce(acc + acc, [0])'.repeat(1)],
    ['a text that doubles', `${big}.map(${big}).flat().reduce(acc + acc, "xx")`],
    [
      'many comparisons',
      `"${'a,'.repeat(9_000)}".split(",").filter("${'a,'.repeat(900)}".split(",").contains(value + "x"))`,
    ],
  ])('%s', async (_, expr) => {
    const result = await value(expr);
    expect(Array.isArray(result) || JSON.stringify(result) === '{"$error":"budget"}').toBe(true);
  });

  it('a pattern for which others would try every way', async () => {
    const text = `"${'a'.repeat(10_000)}!"`;
    expect(await value(`/^(a+)+$/.matches(${text})`)).toBe(false);
    expect(await value(`${text}.replace(/(a|aa)*b/g, "").length`)).toBe(10_001);
  });

  it('formulas that use formulas, a thousand deep', async () => {
    const formulas = Object.fromEntries(
      Array.from({ length: 1_001 }, (_, at) => [
        `f${at}`,
        at === 1_000 ? '1' : `formula.f${at + 1}`,
      ]),
    );
    expect(await value('formula.f0', { formulas })).toEqual({ $error: 'budget' });
    expect(await value('formula.f500', { formulas })).toBe(1);
  });

  it('a sum of thousands', async () => {
    expect(await value(Array.from({ length: 5_000 }, () => '1').join('+'))).toBe(5_000);
  });
});
