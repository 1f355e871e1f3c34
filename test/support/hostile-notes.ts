/**
 * A kind of file that makes a careless scanner slow. `make(chars)` returns a text of about that many
 * characters, so work that is linear in the text doubles when `chars` doubles.
 */
export interface HostileFamily {
  readonly name: string;
  readonly kind: 'note' | 'canvas' | 'base';
  readonly make: (chars: number) => string;
}

/** The file name of a text of this kind, without folder. */
export function hostileFileName({ name, kind }: HostileFamily): string {
  return `${name.replace(/[^a-z0-9]+/gi, '-')}.${kind === 'note' ? 'md' : kind}`;
}

/** One piece over and over. */
const many =
  (piece: string, frame: readonly [before: string, after: string] = ['', '']) =>
  (chars: number): string =>
    frame[0] + piece.repeat(Math.ceil(chars / piece.length)) + frame[1];

/** Pieces that are numbered from 0, until they have the wanted length. */
const numbered =
  (piece: (index: number) => string, frame: readonly [before: string, after: string] = ['', '']) =>
  (chars: number): string => {
    const pieces: string[] = [];
    for (let length = 0, index = 0; length < chars; index++) {
      const next = piece(index);
      pieces.push(next);
      length += next.length;
    }
    return frame[0] + pieces.join('') + frame[1];
  };

/** `open` over and over, then something, then `close` as often. */
const nested =
  (open: string, inside: string, close: string) =>
  (chars: number): string => {
    const count = Math.ceil(chars / (open.length + close.length));
    return open.repeat(count) + inside + close.repeat(count);
  };

/** Both halves have half of the length. */
const halves =
  (first: (chars: number) => string, second: (chars: number) => string) =>
  (chars: number): string =>
    first(chars / 2) + second(chars / 2);

const properties = ['---\n', '---\ntext\n'] as const;

const notes: Readonly<Record<string, (chars: number) => string>> = {
  // Links.
  'links on a line': many('[[T]] '),
  'links without spaces': many('[[T]]'),
  'embeds on a line': many('![[T|a]] '),
  'links in a note': numbered((i) => `Line ${i} has [[Note ${i}#Part ${i}|a name]] in it.\n`),
  'markdown links on a line': many('[t](T.md) '),
  'markdown links in a note': numbered((i) => `- [text ${i}](Folder/Note%20${i}.md "title")\n`),
  'links that are not closed': many('[[T '),
  'links that are not closed on lines': many('[[T\n'),
  'a link and closing brackets': many('[[a] '),
  'markdown links that are not closed': many('[a](b '),
  'markdown links with an open angle': many('[a](<b '),
  'markdown links with an open title': many('[a](b "c '),
  'markdown links with a spaced destination': many('[a]( b'),
  'markdown links with open parentheses': many('[a]('),
  'parentheses in a destination': many('(', ['[a](b', '']),
  'links in links': nested('[', 'a', '](b)'),
  'tails that are not closed': nested('[', 'a', ']('),
  'tails in an open angle': nested('[', 'a', '](<b'),
  'tails in an open title': nested('[', 'a', '](b "'),
  'tails with an apostrophe': nested('[', 'a', "](b '"),
  'tails in an open parenthesis': nested('[', 'a', '](b ('),
  'tails before white space': halves(many('[a]('), many(' ')),
  'tails in two places': nested('[ [a](b ', 'c', '](b'),
  'images in images': nested('![', 'a', '](b)'),
  'images in links': many('[![a](b)](c)'),
  references: many('[a][b] '),
  'references that are not closed': many('[a]['),
  'empty references': many('[]'),
  // Brackets.
  'opening brackets': many('['),
  'closing brackets': many(']'),
  'nested brackets': nested('[', 'a', ']'),
  'opening brackets of images': many('!['),
  'ends of link texts': many(']('),
  'openings of link texts and ends': many('[]('),
  'three brackets': many('[[[a]]] '),
  'escaped brackets': many('\\[[a'),
  'brackets on lines': many('[\n'),
  // Emphasis.
  stars: many('*'),
  'stars with text': many('*a'),
  'stars and spaces': many('* a'),
  'double stars with text': many('**a'),
  'double stars closed': many('**a** '),
  'triple stars': many('***a'),
  'stars and underscores': many('*_'),
  'stars and underscores with text': many('*a_b'),
  'underscores in words': many('_a'),
  'double underscores': many('__a'),
  'nested emphasis': nested('*a ', 'b', ' c*'),
  'nested strong and emphasis': nested('**a *b ', 'c', '* d**'),
  'emphasis of both kinds': nested('*a _b ', 'c', '_ d*'),
  'emphasis around lines': many('*a\n'),
  tildes: many('~'),
  'deletions not closed': many('~~a '),
  'deletions with spaces': many(' ~~'),
  'highlights not closed': many('==a b'),
  'highlight marks': many('='),
  'nested highlights': many('==a== '),
  // Code, math, comments, HTML inside a line.
  backticks: many('`'),
  'backtick runs of all lengths': numbered((i) => `${'`'.repeat(i + 1)} `),
  'backtick runs in rising and falling order': halves(
    numbered((i) => `${'`'.repeat(2 * i + 1)}a`),
    numbered((i) => `${'`'.repeat(2 * i + 2)}a`),
  ),
  'code on a line': many('`a` '),
  dollars: many('$'),
  'dollars with text': many('$a '),
  'dollars before digits': many('a$1'),
  'double dollars': many('$$a '),
  'double dollars on lines': many('$$\n'),
  'double dollars with text on lines': many('$$a\n'),
  'math blocks that are not closed': many('$$ a\n\n'),
  'percent signs': many('%'),
  'comment marks': many('%% '),
  'comments not closed': many('%%%% %% a'),
  'comment marks on lines': many('%%\n'),
  'comments with text on lines': many('%% a\n'),
  'comments between lines, then signs': halves(many('%%<b c="#a\r\n'), many('---<![CDATA[@')),
  'triple percent signs after a comment': many('%%%\n', ['%%\n', '']),
  'HTML comments not closed': many('<!-- a '),
  'HTML comments not closed on lines': many('a\n<!--\n'),
  'HTML comments': many('<!-- a --> '),
  'HTML comment in lists': many('- <!--\n'),
  'less signs': many('<'),
  'opening tags': many('<a '),
  'opening tags on lines': many('<a\n'),
  'opening tags with quotes': many('<a b="'),
  'opening tags with attributes': many(' b=c', ['x <a', '']),
  'closing tags': many('</a '),
  'tags in quotes of tags': many(` b="<a c='" d='<a e="' f="`, ['x <a', '']),
  'tags with attributes not closed': many('<a b=c '),
  'blocks of HTML': many('<div>\n'),
  'raw HTML not closed': many('<script>\n'),
  'instructions not closed': many('<?a '),
  'declarations not closed': many('<!A '),
  'CDATA not closed': many('<![CDATA['),
  'autolinks not closed': many('<a:/'),
  addresses: many('http://a.b/c '),
  'addresses without a break': many('http://a.b/c'),
  'beginnings of addresses': many('www.'),
  'addresses with underscores': many('www.a_b.'),
  'addresses with parentheses': many('http://a.b/(c)) '),
  'one address with closing parentheses': many(')', ['http://a.b/', '']),
  'e-mail addresses': many('a@b.c '),
  'e-mail signs': many('a@'),
  'an e-mail address of dots': many('a.', ['', '@']),
  'character references': many('&amp;', ['[a](', ')']),
  'percent escapes': many('%20%ff', ['[a](', ')']),
  backslashes: many('\\'),
  // Tags, block ids, headings, tasks, footnotes.
  tags: many('#a '),
  'tags without spaces': many('#a#b'),
  'tags in a note': numbered((i) => `#tag${i}/part${i} `),
  'deep tags': many('/a', ['#a', '']),
  hashes: many('#'),
  'block ids': numbered((i) => `Paragraph ${i} ^id-${i}\n\n`),
  'block ids alone': numbered((i) => `^id-${i}\n\n`),
  carets: many('^'),
  'a long block id': many('a-', ['text ^', '\n']),
  headings: numbered((i) => `${'#'.repeat((i % 6) + 1)} Heading ${i}\n`),
  'equal headings': many('# A\n'),
  'links to headings': numbered((i) => `# h${i}\n[[#h${i}]]\n`),
  'links to equal headings': numbered(
    (i) => `# A\n## B\n### h${i}\n[[#A#B#h${i}]] [[#A#h${i}#B]]\n`,
  ),
  'links that would be tags': numbered((i) => `[[a|see #t${i}]] %% [[a|%%]]\n`),
  'headings that go down': numbered((i) => `${'#'.repeat((i % 6) + 1)} A\n`),
  'underlined headings': many('A\n===\n'),
  underlines: many('===\n'),
  'a heading of hashes and spaces': many('# ', ['# a', '\n']),
  'thematic breaks': many('***\n'),
  'a line of dashes and spaces': many('- '),
  tasks: numbered((i) => `- [${i % 2 === 0 ? ' ' : 'x'}] Task ${i} #todo [[Note ${i}]]\n`),
  'dates of tasks': numbered(
    (i) => `- [ ] Task ${i} 🔁 every day 📅 2026-01-01 [due:: 2026-01-02]\n`,
  ),
  'one task with many dates': many('📅 2026-01-01 ', ['- [ ] a ', '']),
  'one task with signs of fields': many('📅 2026 🔁 ⛔ a, 🆔 1 ', ['- [ ] a ', '']),
  'one task with fields that are not closed': many('[due:: ', ['- [ ] a ', '']),
  'one task with spaces in a field': many(' ', ['- [ ] a [due::', '(']),
  'one task with tags between fields': many('#a 📅 2026-01-01 ', ['- [ ] a ', '']),
  footnotes: numbered((i) => `Text[^${i}]\n\n[^${i}]: Note\n\n`),
  'footnotes without empty lines': numbered((i) => `[^${i}]: Note\n`),
  'nested footnotes': numbered((i) => `${'    '.repeat(i)}[^${i}]: a\n`),
  'footnotes on one line': many('[^a]: '),
  'inline footnotes': many('^[a '),
  'nested inline footnotes': nested('^[a ', 'b', ']'),
  'footnote references not closed': many('[^a'),
  definitions: numbered((i) => `[label ${i}]: Note-${i}.md "title"\n`),
  'definitions with an open title': many('[a]: b "c\n'),
  'definitions with an open angle': many('[a]: <b\n'),
  'definitions without a destination': many('[a]:\n'),
  'definitions with a title that others follow': many('[a]: b (\n***\n', ['', ') x\n']),
  'labels over lines': many('[a\n\n'),
  'definitions before empty lines': halves(many('[a]:\n\n'), many('\n')),
  // Lists.
  'deep lists': numbered((i) => `${'  '.repeat(i)}- a\n`),
  'deep lists of tabs': numbered((i) => `${'\t'.repeat(i)}- a\n`),
  'deep ordered lists': numbered((i) => `${'   '.repeat(i)}1. a\n`),
  'deep lists of stars': numbered((i) => `${'    '.repeat(i)}* a\n`),
  'deep tasks': numbered((i) => `${'  '.repeat(i)}- [ ] a\n`),
  'deep lists of mixed indents': numbered((i) => `${' \t'.repeat(i)}- a\n`),
  'deep lists that come back': numbered((i) => `${'  '.repeat(i % 200)}- a\n`),
  'deep lists of a hundred levels': numbered((i) => `${'  '.repeat(i % 100)}- a\n`),
  'deep lists and empty lines': numbered((i) => `${'  '.repeat(i)}- a\n\n`),
  'lists in one line': many('- '),
  'lists in one line on lines': many(`${'- '.repeat(120)}a\n`),
  'lists in one line and lazy lines': many('a\n', [`${'- '.repeat(90)}a\n`, '']),
  'lists in one line and indented lines': many(`${' '.repeat(200)}a\n`, [
    `${'- '.repeat(90)}a\n`,
    '',
  ]),
  'lists in one line and empty lines': many('\n', [`${'- '.repeat(90)}a\n`, '']),
  'lists in one line and blank lines': many(`${' '.repeat(200)}\n`, [`${'- '.repeat(90)}a\n`, '']),
  'lists in one line and a long line': many('a', [`${'- '.repeat(90)}`, '\n']),
  'lists in one line and a long dashed line': many('-', [`${'- '.repeat(90)}`, '\n']),
  'lists in one line and dashes': many('- -\n', [`${'- '.repeat(90)}a\n`, '']),
  'lists in one line and comment marks': many('%%%\n', [`${'- '.repeat(90)}a\n%%\n`, '']),
  'ordered lists in one line': many('1. '),
  'a long list': many('- a\n'),
  'a long list with gaps': many('- a\n\n'),
  'lists of changing markers': many('- a\n* b\n'),
  'a list of long numbers': many('1', ['', '. a\n']),
  'items of spaces': numbered((i) => `-${' '.repeat((i % 9) + 1)}a\n`),
  'a long indent': many(' ', ['- a\n', '- b\n']),
  // Quotes.
  'deep quotes in one line': many('> '),
  'deep quotes without spaces': many('>'),
  'deep quotes': numbered((i) => `${'> '.repeat(i)}a\n`),
  'deep quotes on lines': many(`${'> '.repeat(120)}a\n`),
  'quotes in one line and lazy lines': many('a\n', [`${'> '.repeat(90)}a\n`, '']),
  'quotes in one line and a long line': many('a', [`${'> '.repeat(90)}`, '\n']),
  'a long quote': many('> a\n'),
  'quotes with gaps': many('> a\n\n'),
  'lists and quotes in one line': many('- > '),
  'deep lists and quotes': numbered((i) => `${'> - '.repeat(i)}a\n`),
  'deep lists in a quote': numbered((i) => `> ${'  '.repeat(i)}- a\n`),
  callouts: many('> [!note] a\n> b\n\n'),
  'deep callouts': numbered((i) => `${'> '.repeat(i + 1)}[!note] a\n`),
  'callouts in one line': many('> [!a] '),
  'callouts not closed': many('> [!a\n\n'),
  // Fences, tables, lines.
  fences: many('```\n'),
  'fences of rising length': numbered((i) => `${'`'.repeat(i + 3)}\n`),
  'fences not closed in items': many('- ```\n'),
  'fences not closed in quotes': many('> ```\n\n'),
  'tilde fences': many('~~~ `\n'),
  'fences with backticks': many('``` `\n'),
  'indented code': many('    a\n\n'),
  'a table of many rows': many('| a | [[b]] |\n', ['| a | b |\n|---|---|\n', '']),
  'a table of many columns': (chars) => {
    const columns = Math.ceil(chars / 10);
    return `${'|a'.repeat(columns)}|\n${'|-'.repeat(columns)}|\n${'|[[b]]'.repeat(columns)}|\n`;
  },
  'headers of tables': many('|a|\n'),
  'lines of dashes and pipes': many('|-|\n'),
  'a row of escaped pipes': many('\\|', ['|a|b|\n|-|-|\n|', '|\n']),
  'a long word': many('a'),
  'a long line': many('word '),
  'a long line of spaces': many(' '),
  'spaces before line ends': many('a  \n'),
  'empty lines': many('\n'),
  'lines with carriage returns': many('a\r\n'),
  'lone carriage returns': many('\r'),
  'blank lines': many(' \t \n'),
  surrogates: many('\ud83d\ude00#\ud83d\ude00 '),
  Chinese: many('\u6f22\u5b57'),
  accents: many('e\u0301'),
  'only accents': many('\u0301'),
  // Properties.
  properties: numbered((i) => `p${i}: v\n`, properties),
  'properties with links': numbered((i) => `p${i}: "[[Note ${i}]]"\n`, properties),
  'properties that need the full parser': numbered((i) => `p${i}: {a: 1}\n`, properties),
  'properties in a map': numbered((i) => `  p${i}: v\n`, ['---\nm:\n', '---\ntext\n']),
  'equal properties': many('a: b\n', properties),
  'a list property': numbered((i) => `  - item ${i}\n`, ['---\ntags:\n', '---\ntext\n']),
  'a list property of maps': numbered((i) => `  - a: ${i}\n`, ['---\nl:\n', '---\ntext\n']),
  'a flow list property': numbered((i) => `i${i}, `, ['---\ntags: [', 'z]\n---\ntext\n']),
  'a flow map property': numbered((i) => `i${i}: 1, `, ['---\nm: {', 'z: 1}\n---\ntext\n']),
  'a JSON block': numbered((i) => `"p${i}": 1, `, ['---\n{', '"z": 1}\n---\ntext\n']),
  'deep flow lists': (chars) => `---\na: ${nested('[', '1', ']')(chars)}\n---\ntext\n`,
  'deep flow maps': (chars) => `---\na: ${nested('{a: ', '1', '}')(chars)}\n---\ntext\n`,
  'flow lists not closed': many('[', ['---\na: ', '\n---\ntext\n']),
  'flow maps not closed': many('{a: ', ['---\na: ', '\n---\ntext\n']),
  'deep block maps': numbered((i) => `${' '.repeat(i)}a:\n`, properties),
  'deep block lists': many('- ', ['---\na:\n  ', 'b\n---\ntext\n']),
  'names in quotes': many('"a": ', ['---\n', 'b\n---\ntext\n']),
  'brackets on lines of properties': many('\n[', ['---\na:', '\n---\ntext\n']),
  'deep keys': many('? ', ['---\n', 'b\n---\ntext\n']),
  'flow maps as keys': (chars) => `---\n${nested('{', 'a', '}')(chars)}: 1\n---\ntext\n`,
  'flow lists as keys': (chars) => `---\n${nested('[', 'a', ']: 1')(chars)}\n---\ntext\n`,
  anchors: numbered((i) => `p${i}: &a${i} v\n`, properties),
  'anchors and aliases': numbered((i) => `p${i}: &a${i} v\nq${i}: *a${i}\n`, properties),
  'aliases of one anchor': numbered((i) => `q${i}: *a\n`, ['---\np: &a v\n', '---\ntext\n']),
  'aliases that multiply': numbered(
    (i) => `p${i}: &a${i} [*a${Math.max(0, i - 1)}, *a${Math.max(0, i - 1)}]\n`,
    ['---\np: &a0 v\n', '---\ntext\n'],
  ),
  'aliases without anchors': many('- *a\n', ['---\np:\n', '---\ntext\n']),
  'a long scalar': many('word ', ['---\np: ', '\n---\ntext\n']),
  'a scalar on many lines': many('  word\n', ['---\np:\n', '---\ntext\n']),
  'a quoted scalar on many lines': many('  word\n', ['---\np: "\n', '"\n---\ntext\n']),
  'a block scalar': many('  word\n', ['---\np: |\n', '---\ntext\n']),
  'a folded scalar with links': many('  [[a]]\n\n', ['---\np: >\n', '---\ntext\n']),
  'escapes in a scalar': many('\\"', ['---\np: "[[', ']]"\n---\ntext\n']),
  'empty lines in properties': many('\n', ['---\na: b\n', '---\ntext\n']),
  'comments in properties': many('# a\n', ['---\na: b\n', '---\ntext\n']),
  'comments after values': numbered((i) => `p${i}: v # comment\n`, properties),
  'hashes after a value': many(' #', ['---\na: b', '\n---\ntext\n']),
  'properties with colons': many('a: ', ['---\n', '\n---\ntext\n']),
  'a long property name': many('a', ['---\n', ': b\n---\ntext\n']),
  'quotes in properties': many('"a', ['---\na: ', '\n---\ntext\n']),
  'properties with tabs': many('\t', ['---\na: b\n', '\n---\ntext\n']),
  'properties not closed': many('a: b\n', ['---\n', '']),
  documents: many('...\n', ['---\na: b\n', '---\ntext\n']),
  'dashes in properties': many('--- a\n', ['---\na: b\n', '---\ntext\n']),
  'tags of YAML': many('!a ', ['---\na: ', 'b\n---\ntext\n']),
  'directives of YAML': many('%a b\n', ['---\n', '---\ntext\n']),
};

const canvases: Readonly<Record<string, (chars: number) => string>> = {
  'a canvas of files': numbered(
    (i) =>
      `{"id":"n${i}","type":"file","file":"Folder/Note ${i}.md","subpath":"#a","x":0,"y":0,"width":9,"height":9},\n`,
    ['{"nodes":[', '{}],"edges":[]}'],
  ),
  'a canvas of cards': numbered(
    (i) =>
      `{"id":"n${i}","type":"text","text":"# Card\\n[[Note ${i}]]","x":0,"y":0,"width":9,"height":9},\n`,
    ['{"nodes":[', '{}],"edges":[]}'],
  ),
  'a canvas with one card of links': many('[[Note]] ', [
    '{"nodes":[{"id":"n","type":"text","text":"',
    '","x":0,"y":0,"width":9,"height":9}],"edges":[]}',
  ]),
  'a canvas with one card of escapes': many('\\n[[a]]', [
    '{"nodes":[{"id":"n","type":"text","text":"',
    '","x":0,"y":0,"width":9,"height":9}],"edges":[]}',
  ]),
  'a canvas with a card of deep lists': numbered(
    (i) => `${'  '.repeat(i)}- [[a]]\\n`,
    ['{"nodes":[{"id":"n","type":"text","text":"', '"}]}'],
  ),
  'a canvas of keys': numbered((i) => `"k${i}":1,`, ['{"nodes":[{', '"z":1}]}']),
  'a deep canvas': nested('[', '1', ']'),
  'a deep canvas of objects': nested('{"a":', '1', '}'),
  'a deep canvas below nodes': (chars) => `{"nodes":[${nested('[', '1', ']')(chars)}]}`,
  'a canvas not closed': many('[', ['{"nodes":', '']),
  'a canvas of digits': many('1', ['{"nodes":[', ']}']),
  'a canvas of spaces': many(' ', ['{"nodes":[', ']}']),
  'a canvas string not closed': many('a', ['{"nodes":["', '']),
};

const bases: Readonly<Record<string, (chars: number) => string>> = {
  'a base of filters': numbered(
    (i) => `    - file.hasLink("Note ${i}")\n`,
    ['filters:\n  and:\n', ''],
  ),
  'a base of links': numbered((i) => `    - link("Note ${i}")\n`, ['filters:\n  and:\n', '']),
  'a base with links in one formula': many('[[a]] ', ["formulas:\n  f: '", "'\n"]),
  'a base with calls in one formula': many('link(', ["formulas:\n  f: '", "'\n"]),
  'a base with spaces in a call': many('link(          ', ["formulas:\n  f: '", "'\n"]),
  'a base with brackets in one formula': many('[[a', ["formulas:\n  f: '", "'\n"]),
  'a base with a formula on many lines': many('    [[a]]\n', ['formulas:\n  f: >\n', '']),
  'a base of views': numbered(
    (i) => `  - type: table\n    name: View ${i}\n    order:\n      - file.name\n`,
    ['views:\n', ''],
  ),
  'deep filters in a base': (chars) => `filters: ${nested('{and: [', 'a', ']}')(chars)}\n`,
};

/** Every family: texts that nest, repeat or never close what Markdown, YAML and JSON know. */
export const hostileFamilies: readonly HostileFamily[] = (
  [
    ['note', notes],
    ['canvas', canvases],
    ['base', bases],
  ] as const
).flatMap(([kind, families]) =>
  Object.entries(families).map(([name, make]) => ({ name, kind, make })),
);
