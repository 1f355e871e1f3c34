import { describe, expect, it } from 'vitest';
import type { NoteFacts } from '../facts/facts.ts';
import { scanNote } from './scan-note.ts';

const sliceOf = (text: string, range: { start: number; end: number }): string =>
  text.slice(range.start, range.end);

/** A link as `link -> displayText`, with its kind in front. */
function shownLinks(text: string): string[] {
  const { links, propertyLinks } = scanNote(text);
  return [...propertyLinks, ...links].map((link) => {
    const kind = link.embed ? '!' : link.form === 'definition' ? '^' : '';
    return `${kind}${link.link} -> ${link.displayText}`;
  });
}

describe('links', () => {
  it.each<[string, string, string[]]>([
    ['L03: .md stays in what is shown', '[[n.md]]', ['n.md -> n.md']],
    ['L04: a heading is shown after >', '[[A/n#h]]', ['A/n#h -> A/n > h']],
    ['L05: the path ends at the first #', '[[pa#th/x]]', ['pa#th/x -> pa > th/x']],
    ['L06: nothing is no link', '[[]]', []],
    ['L07: a lone pipe is a link', '[[|]]', ['| -> |']],
    ['L08: a first pipe is no separator', '[[|alias]]', ['|alias -> |alias']],
    ['L09: the first pipe separates', '[[#h#s||x]]', ['#h#s -> |x']],
    ['L10: two headings', '[[w#h#s]]', ['w#h#s -> w > h > s']],
    ['L11: a block of the note itself', '[[#^block]]', ['#^block -> ^block']],
    ['L12: destinations are decoded', '[t](A%20B/n.md#h)', ['A B/n.md#h -> t']],
    ['L13: the extension is optional', '[t](n)', ['n -> t']],
    ['L14: a heading of the note itself', '[heading](#heading)', ['#heading -> heading']],
    ['L15: empty destinations are no links', '[]() and [alias]()', []],
    ['L16: URLs are no links', '[docs](https://x.y/z) [m](mailto:a@b.c) [p](//x/y)', []],
    ['L17: # in a Markdown path', '[t](pa#th/n.md)', ['pa#th/n.md -> t']],
    ['L20: inline code', '`[[#Links In Code]]`', []],
    ['L21: a fence', '```\n[[x]]\n```\n\n~~~\n[[x]]\n~~~', []],
    ['L21: a fence in a list and in a quote', '- ```\n  [[x]]\n  ```\n\n> ```\n> [[x]]', []],
    ['L22: an HTML comment', 'a <!-- [[x]] --> b\n\n<!-- [[x]]\n\n[[x]] -->', []],
    ['L23: an Obsidian comment', 'text %% [[x]] %% text', ['x -> x']],
    ['L23: a comment of several lines', '%%\n[[x]]\n%%\n[[y]]', ['x -> x', 'y -> y']],
    ['L24: escaped brackets', '\\[\\[#Escaped Links\\]\\]', []],
    ['L25: a heading', '## A link in a [[x]]', ['x -> x']],
    ['L26: a property', '---\nk: "[[x]]"\n---\n', ['x -> x']],
    ['L27: a list in a property', '---\nk:\n  - "[[a]]"\n  - "[[b]]"\n---\n', ['a -> a', 'b -> b']],
    ['L28: without quotes it is a YAML list', '---\nk: [[x]]\n---\n', []],
    ['L29: a heading of the note itself', '---\nk: "[[#A h]]"\n---\n', ['#A h -> A h']],
    ['L30: an embed', '![[n]]', ['!n -> n']],
    ['L31: the text of a card', 'see [[T]]\n\n```\n[[x]]\n```', ['T -> T']],
    ['L47: a pipe in a table', '|a|b|\n|-|-|\n|[[a\\|b]]|c|', ['a -> b']],
    ['L48: angle brackets', '[x](<My Note.md>)', ['My Note.md -> x']],
    ['L49: space around the target', '[[ Note ]]', ['Note -> Note']],
    ['L52: a page of an attachment', '![[D.pdf#page=3]]', ['!D.pdf#page=3 -> D.pdf > page=3']],
    ['L53: a size', '![[i.png|100x145]]', ['!i.png -> 100x145']],
    ['a Markdown image', '![alt](a.png "t")', ['!a.png -> alt']],
    ['a link without text shows its target', '[](a.md#b)', ['a.md#b -> a.md > b']],
    ['a definition is kept apart', '[t][l]\n\n[l]: a%20b.md "t"', ['^a b.md -> l']],
    ['math', '$[[x]]$ $$[[x]]$$\n\n$$\n[[x]]\n$$\n\n[[y]]', ['y -> y']],
    ['a dollar in a link is no math', '[[a$]] and [[b$]]', ['a$ -> a$', 'b$ -> b$']],
    ['prices are no math', 'from $5 [[x]] to $6', ['x -> x']],
    ['a highlight', '==[[x]]==', ['x -> x']],
    ['an inline footnote', 'a^[see [[x]]]', ['x -> x']],
    ['a footnote', '[^1]: see [[x]]\n    and [[y]]', ['x -> x', 'y -> y']],
    ['a callout', '> [!note] [[x]]\n> [[y]]', ['x -> x', 'y -> y']],
    ['a reference before a wikilink', '[1][[x]]', ['x -> x']],
    ['three brackets', '[[[x]]]', ['x -> x']],
    ['a link over two lines of a list', '- [a\n  b](c.md)', ['c.md -> a\nb']],
    [
      'an invalid encoding stays',
      '[a](100%.md) [b](%E4%20.md)',
      ['100%.md -> a', '%E4%20.md -> b'],
    ],
    ['character references', '[a](b&amp;c&#32;d.md)', ['b&c d.md -> a']],
  ])('%s', (_, text, expected) => {
    expect(shownLinks(text)).toEqual(expected);
  });

  it.each<[string, string, string, string | undefined]>([
    ['a wikilink', 'a [[F/n#h|x]]', 'F/n', 'x'],
    ['space around', '[[ n |x ]]', 'n', 'x '],
    ['in a table', 'a|b\n-|-\n[[n\\|x]]|c', 'n', 'x'],
    ['a self link', '[[#h]]', '', undefined],
    ['a Markdown link', '[x](a%20b.md#h "t")', 'a%20b.md', 'x'],
    ['angle brackets', '[x](<a b.md#h>)', 'a b.md', 'x'],
    ['an encoded #', '[x](a%23b.md)', 'a', 'x'],
    ['a definition', '[x]: <a b.md>', 'a b.md', 'x'],
    ['in a quote', '> a\n> [x\n> y](b.md)', 'b.md', 'x\n> y'],
    ['after CRLF', 'a\r\nb [x](c.md)', 'c.md', 'x'],
  ])('%s knows where its path and its text are written', (_, text, path, display) => {
    const [link] = scanNote(text).links;
    expect(sliceOf(text, link?.pathRange ?? { start: 0, end: 0 })).toBe(path);
    expect(link?.displayRange && sliceOf(text, link.displayRange)).toBe(display);
  });
});

describe('tags', () => {
  it.each<[string, string, string[]]>([
    ['T01: digits only', '#1984', []],
    ['T02: digits and letters', '#y1984, #1990s', ['#y1984', '#1990s']],
    ['T03: nested', '#inbox/to-read', ['#inbox/to-read']],
    ['T04: punctuation ends it', '#tag, #tag. #tag)', ['#tag', '#tag', '#tag']],
    ['T05: general punctuation ends it', '#a—b #x’s', ['#a', '#x']],
    ['T06: so does a joiner', '#👨‍👩‍👧', ['#👨']],
    ['T07: any script', '#fire🔥 #日本語 #café', ['#fire🔥', '#日本語', '#café']],
    ['T08: a fullwidth comma does not end it', '#标签，后文', ['#标签，后文']],
    ['T09: after text', 'foo#bar', []],
    ['T10: a destination', '[heading](#heading)', []],
    ['T11: an address', 'https://x.yz/y#frag', []],
    ['T12: a number and a colon', '#3344: text', []],
    ['T13: an HTML comment', 'a <!-- #x --> b', []],
    ['T14: comments', 'a %% #x %%\n\n%%\n- [ ] #task\n%%', ['#x', '#task']],
    ['T25: after an escape', '\\[\\[#Escaped Links\\]\\]', ['#Escaped']],
    ['code, math and wikilinks', '`#a` $#b$ [[#c]] [[d#e]]\n\n    #f', []],
    ['after a token', '**b**#a <br>#b `c`#c', ['#a', '#b', '#c']],
    ['inside emphasis', '**#a** _#b_ ==#c==', ['#a', '#b', '#c']],
    ['headings, items, cells', '# #a\n\n- #b\n\n|#c|x|\n|-|-|\n|#d|y|', ['#a', '#b', '#c', '#d']],
    ['a heading mark is none', '#\n##\n# x', []],
  ])('%s', (_, text, expected) => {
    const { tags } = scanNote(text);
    expect(tags.map(({ tag }) => tag)).toEqual(expected);
    expect(tags.map(({ range }) => sliceOf(text, range))).toEqual(expected);
  });

  it.each<[string, string, string[]]>([
    ['T15: a list', '---\ntags: [a, b]\n---', ['#a', '#b']],
    ['T16: one value', '---\ntags: single\n---', ['#single']],
    ['T17: commas make none', '---\ntags: a, b\n---', []],
    ['T18: an empty list, an empty value', '---\ntags: []\n---', []],
    ['T19: the key tag', '---\ntag: x\n---', []],
    ['T20: JSON', '---\n{"tags":"journal"}\n---', ['#journal']],
    ['T21: before those of the body', '---\ntags: [a]\n---\n#b #a', ['#a', '#b', '#a']],
    ['T24: the # is optional', '---\ntags: ["#pkm"]\n---', ['#pkm']],
  ])('%s', (_, text, expected) => {
    const { propertyTags, tags } = scanNote(text);
    expect([...propertyTags, ...tags].map(({ tag }) => tag)).toEqual(expected);
  });
});

/** Blocks as `type first-last`, in lines. */
function shownBlocks(text: string): string[] {
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length - 1;
  return scanNote(text).blocks.map(
    ({ type, range, id }) =>
      `${type} ${lineOf(range.start)}-${lineOf(range.end)}${id === undefined ? '' : ` ^${id}`}`,
  );
}

describe('structure', () => {
  it.each<[string, string, string[]]>([
    ['H08: an id ends a paragraph', 'block ^block', ['paragraph 0-0 ^block']],
    ['H09: an id below a list', '- a\n\n^id', ['list 0-0 ^id', 'paragraph 2-2']],
    ['H09: below a quote', '> a\n\n^id', ['blockquote 0-0 ^id', 'paragraph 2-2']],
    ['H09: below a table', '|a|b|\n|-|-|\n^id', ['table 0-1 ^id', 'paragraph 2-2']],
    ['H09: below a callout', '> [!a]\n\n^id', ['callout 0-0 ^id', 'paragraph 2-2']],
    ['an id in a quote names the quote', '> a ^id', ['blockquote 0-0 ^id']],
    ['an id below a paragraph names itself', 'a\n\n^id', ['paragraph 0-0', 'paragraph 2-2 ^id']],
    ['an id needs space before it', 'a^id', ['paragraph 0-0']],
    ['an id has letters, digits, dashes', 'a ^i_d', ['paragraph 0-0']],
    ['H10: setext headings', 'T\n===\n\nU\n---', ['heading 0-1', 'heading 3-4']],
    ['H11: a tab makes code', '\t# x', ['code 0-0']],
    ['H12: a comment', '%%\n- a\n%%', ['comment 0-2']],
    [
      'a comment ends a paragraph',
      'a\n%%\n- b\n%%\nc',
      ['paragraph 0-0', 'comment 1-3', 'paragraph 4-4'],
    ],
    ['a comment without end', 'a\n\n%% b\n\n- c', ['paragraph 0-0', 'comment 2-4']],
    ['a comment on one line', '%% a %%\nb', ['comment 0-0', 'paragraph 1-1']],
    ['a comment before text', '%% a %% b', ['paragraph 0-0']],
    ['text after a comment', '%%\na\n%% b', ['comment 0-2', 'paragraph 2-2']],
    ['three percent signs', '%%% a\n\nb', ['paragraph 0-0', 'paragraph 2-2']],
    ['H13: other markers', '- a\n- b\n\n* c', ['list 0-1', 'list 3-3']],
    ['math', '$$\na\n$$\nb', ['math 0-2', 'paragraph 3-3']],
    ['math without end', '$$\na\n\nb', ['paragraph 0-1', 'paragraph 3-3']],
    ['a footnote', '[^1]: a\n\n    b\nc', ['footnoteDefinition 0-3']],
    ['two footnotes', '[^1]: a\n[^2]: b', ['footnoteDefinition 0-0', 'footnoteDefinition 1-1']],
    ['properties', '---\na: 1\n---\nb', ['yaml 0-2', 'paragraph 3-3']],
    ['F01: empty properties', '---\n---\n', ['yaml 0-1']],
    ['invalid properties', '---\na: [\n---\nb', ['yaml 0-2', 'paragraph 3-3']],
    ['a note of nothing', '', []],
    ['a note of white space', ' \n\t\n', []],
  ])('%s', (_, text, expected) => {
    expect(shownBlocks(text)).toEqual(expected);
  });

  it.each<[string, string, string[]]>([
    ['H01: a list on the first line', '- a\n- b', ['-1', '-1']],
    ['H01: a list below', '\n\n- a\n- b', ['-2', '-2']],
    ['H02: nested', '- a\n  - b\n    - c\n- d', ['-1', '0', '1', '-1']],
    ['H03: a task with a parenthesis', '1) [ ] x', ['-1 [ ]']],
    ['H04: any character', '- [/] x\n- [-] y\n- [x] z', ['-1 [/]', '-1 [-]', '-1 [x]']],
    ['a task without text needs a blank, as in remark', '- [ ]\n- [ ] ', ['-1', '-1 [ ]']],
    ['brackets that are no task', '- [ab] c\n- [a](b)\n- [x]y', ['-1', '-1', '-1']],
    ['H05: in a callout', '> [!todo]\n> - [ ] a\n>     - [ ] b', ['-1 [ ]', '1 [ ]']],
    ['H06: a zero width space is text', '- a\n\u200b\t- [ ] b', ['-1']],
    ['a number in a task', '- [ ] 1. x', ['-1 [ ]', '0']],
    ['ids', '- a ^x\n  - b ^y\n- c', ['-1 ^x', '0 ^y', '-1']],
    ['in code and comments', '```\n- a\n```\n\n<!--\n- a\n-->\n\n%%\n- a\n%%', []],
    ['in a footnote', '[^1]: a\n    - b', ['-1']],
  ])('%s', (_, text, expected) => {
    const shown = scanNote(text).listItems.map(
      ({ parent, task, id }) =>
        `${parent}${task === undefined ? '' : ` [${task}]`}${id === undefined ? '' : ` ^${id}`}`,
    );
    expect(shown).toEqual(expected);
  });

  it.each<[string, string, string[]]>([
    [
      'H07: a fence belongs to its item',
      '- [ ] a\n  ```\n  b\n  ```',
      ['- [ ] a\n  ```\n  b\n  ```'],
    ],
    ['a nested list does not', '- a\n  - b', ['- a', '- b']],
    ['an item before an empty line has its line end', '- a\n\n- b', ['- a\n', '- b']],
    ['what remains of an indent is in the range', '- a\n    - b', ['- a', '  - b']],
    ['a list in a quote', '> - a\n> - b', ['- a', '- b']],
  ])('%s', (_, text, expected) => {
    expect(scanNote(text).listItems.map(({ range }) => sliceOf(text, range))).toEqual(expected);
  });

  it.each<[string, string, string[]]>([
    ['raw text', '## A *b* [[c]] ^id #', ['2 A *b* [[c]] ^id']],
    ['only those at the root', '> # a\n\n- # b\n\n# c', ['1 c']],
    ['not in comments, code, HTML', '%%\n# a\n%%\n\n```\n# b\n```\n\n<div>\n# c\n', []],
    ['setext', 'a b\n---', ['2 a b']],
    ['CRLF', '# a\r\n\r\nb\r\n===\r\n', ['1 a', '1 b']],
  ])('headings: %s', (_, text, expected) => {
    const shown = scanNote(text).headings.map((heading) => `${heading.level} ${heading.text}`);
    expect(shown).toEqual(expected);
  });
});

describe('other facts', () => {
  const slices = (
    text: string,
    found: (facts: NoteFacts) => readonly { start: number; end: number }[],
  ) => found(scanNote(text)).map((range) => sliceOf(text, range));

  it('code is fenced, indented and inline', () => {
    const text = '`a`\n\n```\nb\n```\n\n    c\n';
    expect(slices(text, ({ code }) => code)).toEqual(['`a`', '```\nb\n```', '    c']);
  });

  it('comments are those of Obsidian and of HTML', () => {
    const text = 'a %% b %% c <!-- d --> e\n\n%%\nf\n%%\n\n<!-- g -->\n<!-- h';
    const expected = ['%% b %%', '<!-- d -->', '%%\nf\n%%', '<!-- g -->', '<!-- h'];
    expect(slices(text, ({ comments }) => comments)).toEqual(expected);
  });

  it('callouts have a type, a title and a fold, nested ones too', () => {
    const text = '> [!Note]- A title\n> b\n> > [!todo|x]\n> > c';
    const shown = scanNote(text).callouts.map(({ type, title, fold }) => [type, title, fold]);
    expect(shown).toEqual([
      ['note', 'A title', '-'],
      ['todo', '', undefined],
    ]);
  });

  it('footnotes are defined and referred to', () => {
    const { footnotes, footnoteReferences } = scanNote('a[^1] b[^x-y] [^a b]\n\n[^1]: c');
    expect(footnotes.map(({ id }) => id)).toEqual(['1']);
    expect(footnoteReferences.map(({ id }) => id)).toEqual(['1', 'x-y']);
  });

  it('block ids are in the order of what they name', () => {
    const text = '- a ^x\n- b\n\n^y';
    const shown = scanNote(text).blockIds.map(({ id, range, idRange }) => [
      id,
      sliceOf(text, range),
      sliceOf(text, idRange),
    ]);
    expect(shown).toEqual([
      ['y', '- a ^x\n- b', 'y'],
      ['x', '- a ^x', 'x'],
    ]);
  });

  it.each([
    ['quotes', '> '],
    ['lists', '- '],
    ['emphasis', '*'],
  ])('%s that nest too deep are a problem, and the rest is text', (_, opener) => {
    const text = `${opener.repeat(1_000)}x${opener.repeat(1_000)}`;
    const { problems } = scanNote(text);
    expect(problems.map(({ code }) => code)).toEqual(['too_deep']);
  });

  it('a link in a list that nests too deep is found all the same', () => {
    expect(scanNote(`${'- '.repeat(500)}[[x]]`).links).toHaveLength(1);
  });
});
