import fc from 'fast-check';
import type { VNode } from 'preact';
import { describe, expect, it } from 'vitest';
import { consoleNoteLimits } from '../../base/console-note-limits.ts';
import { parseNote } from './parse-note.ts';
import { type EmbedProps, renderTokens } from './render-tokens.ts';
import type { ShownNote } from './shown-note.ts';

const Embed = (_: EmbedProps) => null;
const Picture = (_: EmbedProps) => null;

type Targets = NonNullable<ShownNote['targets']>;
const targets = {
  Home: 'Home.md',
  'Home#Start here': 'Home.md',
  'a b.md': 'Folder/a b.md',
  'x.png': 'Attachments/x.png',
  Gone: null,
  '#Here': 'Note.md',
} as unknown as Targets;

function rendered(text: string, { elementsMax = 20_000, marks = [] as readonly string[] } = {}) {
  return renderTokens(parseNote(text), {
    note: { path: 'Note.md' as ShownNote['path'], targets },
    vault: undefined,
    marks,
    anchors: new Map([[7, 'note-line-9']]),
    isEmbedded: false,
    elementsMax,
    Embed,
    Picture,
    Block: undefined,
  });
}

/** Every element and text of a tree, in order. */
function* nodesOf(node: unknown): Generator<VNode<Record<string, unknown>> | string> {
  if (Array.isArray(node)) for (const child of node) yield* nodesOf(child);
  else if (typeof node === 'string' || typeof node === 'number') yield String(node);
  else if (node !== null && typeof node === 'object') {
    const element = node as VNode<Record<string, unknown>>;
    yield element;
    yield* nodesOf(element.props['children']);
  }
}

/** A tree in the notation of HTML, without `dir` and `tabIndex`. */
function written(node: unknown): string {
  if (Array.isArray(node)) return node.map(written).join('');
  if (typeof node === 'string') return node;
  if (node === null || node === undefined || typeof node !== 'object') return '';
  const { type, props } = node as VNode<Record<string, unknown>>;
  const { children, dir: _, tabIndex: __, ...rest } = props;
  const name = typeof type === 'string' ? type : type.name;
  const attributes = Object.entries(rest)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([key, value]) => ` ${key}="${value}"`)
    .join('');
  return `<${name}${attributes}>${written(children)}</${name}>`;
}

const web = (href: string, host: string) =>
  `class="web" href="${href}" rel="noopener noreferrer" target="_blank" title="${host}"`;

describe('what a note becomes', () => {
  const missing = 'class="missing" title="The vault has no such file"';
  const rows: readonly (readonly [what: string, text: string, expected: string])[] = [
    ['emphasis', '*a* **b** ~~c~~', '<p><em>a</em> <strong>b</strong> <del>c</del></p>'],
    ['a line break', 'a\nb', '<p>a<br></br>b</p>'],
    ['HTML as text', '<b onclick="x()">a</b>', '<p><b onclick="x()">a</b></p>'],
    ['a block of HTML as text', '<script>x()</script>', '<p><script>x()</script></p>'],
    ['headings below the page’s own', '# A', '<h2 class="level-1">A</h2>'],
    [
      'anchors of lines',
      'a\n\n\n\n\n\n\n## B',
      '<p>a</p><h2 id="note-line-9" class="level-2">B</h2>',
    ],
    ['a wikilink', '[[Home]]', '<p><a href="/c/notes/Home.md">Home</a></p>'],
    [
      'a wikilink with heading and alias',
      '[[Home#Start here|go]]',
      '<p><a href="/c/notes/Home.md#Start%20here">go</a></p>',
    ],
    ['a link in the note', '[[#Here]]', '<p><a href="/c/notes/Note.md#Here">Here</a></p>'],
    ['a link to no file', '[[Gone]]', `<p><span ${missing}>Gone</span></p>`],
    ['a link named like a method', '[[constructor]]', `<p><span ${missing}>constructor</span></p>`],
    ['a Markdown link', '[t](a%20b.md)', '<p><a href="/c/notes/Folder/a%20b.md">t</a></p>'],
    [
      'a link to the web, with its host',
      '[t](https://a.example/b)',
      `<p><a ${web('https://a.example/b', 'a.example')}>t</a><small class="host"> (a.example)</small></p>`,
    ],
    [
      'no host where the text says it',
      '<https://a.example/b>',
      `<p><a ${web('https://a.example/b', 'a.example')}>https://a.example/b</a></p>`,
    ],
    [
      'the host where the text says another',
      '[bank.example](https://evil.example/)',
      `<p><a ${web('https://evil.example/', 'evil.example')}>bank.example</a><small class="host"> (evil.example)</small></p>`,
    ],
    [
      'a link whose text is another address',
      '[https://bank.example](https://evil.example/)',
      `<p><a ${web('https://evil.example/', 'evil.example')}>https://bank.example</a><small class="host"> (evil.example)</small></p>`,
    ],
    ['an address that is none as text', 'https://a.b">', '<p>https://a.b"></p>'],
    [
      'a bare address',
      'see https://a.example/x_y_z.',
      `<p>see <a ${web('https://a.example/x_y_z', 'a.example')}>https://a.example/x_y_z</a>.</p>`,
    ],
    [
      'addresses without a scheme',
      'www.a.example, me@b.example',
      `<p><a ${web('https://www.a.example/', 'www.a.example')}>www.a.example</a>, <a ${web('mailto:me@b.example', 'me@b.example')}>me@b.example</a></p>`,
    ],
    [
      'no script',
      '[t](javascript:x)',
      '<p><span class="refused" title="The console does not open addresses that begin with “javascript:x”">t</span></p>',
    ],
    [
      'a picture of the vault',
      '![[x.png|100]]',
      '<p><Picture path="Attachments/x.png" alias="100"></Picture></p>',
    ],
    [
      'a picture on the web as a link',
      '![p](https://a.example/p.png)',
      `<p><a ${web('https://a.example/p.png', 'a.example')}>Picture on the web: p</a><small class="host"> (a.example)</small></p>`,
    ],
    [
      'an embedded note',
      '![[Home#Start here]]',
      '<div class="paragraph"><Embed path="Home.md" subpath="#Start here"></Embed></div>',
    ],
    ['a tag', '#a/b', '<p><a class="tag" href="/c/notes?q=tag%3A%23a%2Fb">#a/b</a></p>'],
    ['no tag inside a word', 'a#b', '<p>a#b</p>'],
    ['a highlight', '==a *b*==', '<p><mark>a <em>b</em></mark></p>'],
    ['no comment', 'a %%b%% c', '<p>a  c</p>'],
    ['no comment of several lines', '%%\na\n\nb\n%%\nc', '<p>c</p>'],
    ['math', '$a_b$ and 5$', '<p><code class="math">a_b</code> and 5$</p>'],
    ['math of several lines', '$$\na\n$$', '<pre class="math">a</pre>'],
    ['no block id', 'a ^id', '<p>a</p>'],
    ['no block id by itself', '> a\n\n^id', '<blockquote><p>a</p></blockquote>'],
    [
      'code',
      '```js x\na [[Home]]\n```',
      '<div class="code-block"><small class="language">js</small><pre><code>a [[Home]]</code></pre></div>',
    ],
    [
      'a base as its text',
      '```base\nviews: []\n```',
      '<div class="code-block special"><small class="language">A base, as its text</small><pre><code>views: []</code></pre></div>',
    ],
    [
      'tasks',
      '- [ ] a\n- [x] b\n- [?] c',
      `<ul>${[
        ['todo', 'to do', '', 'a'],
        ['done', 'done', '', 'b'],
        ['other', 'question', '?', 'c'],
      ]
        .map(
          ([look, label, mark, text]) =>
            `<li class="task ${look}"><span class="task-box" role="img" aria-label="${label}">${mark}</span><div class="what">${text}</div></li>`,
        )
        .join('')}</ul>`,
    ],
    [
      'a table',
      '|a|b|\n|-|:-:|\n|[[Home\\|h]]|c|',
      '<div class="wide"><table><thead><tr><th>a</th><th class="center">b</th></tr></thead><tbody><tr><td><a href="/c/notes/Home.md">h</a></td><td class="center">c</td></tr></tbody></table></div>',
    ],
    [
      'a callout',
      '> [!tip] T *x*\n> a',
      '<div class="callout good"><p class="callout-title"><NoteIcon name="flame"></NoteIcon><span>T <em>x</em></span></p><p>a</p></div>',
    ],
    [
      'folded callouts in callouts',
      '> [!bug]-\n> > [!odd]+ b',
      '<details class="callout bad"><summary class="callout-title"><NoteIcon name="warning"></NoteIcon><span>Bug</span></summary><details class="callout plain" open="true"><summary class="callout-title"><NoteIcon name="pen"></NoteIcon><span>b</span></summary></details></details>'.replace(
        'callout bad">',
        'callout bad" open="false">',
      ),
    ],
    [
      'footnotes',
      'a[^x] b^[in *place*] c[^no]\n\n[^x]: text\n    more',
      '<p>a<sup class="footnote"><a href="/c/notes/Note.md#%5B%5E1%5D">1</a></sup> b<sup class="footnote"><a href="/c/notes/Note.md#%5B%5E2%5D">2</a></sup> c[^no]</p>' +
        '<section class="footnotes"><p class="footnotes-title">Footnotes</p><ol><li id="note-footnote-1"><p>text<br></br>more</p></li><li id="note-footnote-2">in <em>place</em></li></ol></section>',
    ],
    ['marks that turn text', 'a\u202eb', '<p>a<span class="invisible">U+202E</span>b</p>'],
  ];
  it.each(rows)('%s', (_, text, expected) => {
    expect(written(rendered(text).body)).toBe(expected);
  });

  it('has marks on the words of a query', () => {
    expect(written(rendered('Rivers of Éclair', { marks: ['river', 'eclair'] }).body)).toBe(
      '<p><mark class="found">Rivers</mark> of <mark class="found">Éclair</mark></p>',
    );
  });

  it('ends where there are too many elements', () => {
    const { body, isWhole } = rendered('- a\n'.repeat(1_000), { elementsMax: 500 });
    expect(isWhole).toBe(false);
    expect(Array.from(nodesOf(body)).length).toBeLessThan(1_000);
  });

  it('is plain text in a very long paragraph', () => {
    const text = '*a* '.repeat(consoleNoteLimits.inlineCharsMax / 2).trim();
    expect(written(rendered(text).body)).toBe(`<p><span class="plain">${text}</span></p>`);
  });
});

// The elements and attributes as they are expected, apart from the table in the program.
const allowed: Readonly<Record<string, string>> = {
  a: 'class href rel target title',
  blockquote: 'id dir',
  br: '',
  code: 'class',
  del: '',
  details: 'id class open',
  div: 'id class dir tabIndex',
  em: '',
  hr: '',
  li: 'id class dir',
  mark: 'class',
  ol: 'id start',
  p: 'id class dir',
  pre: 'id class tabIndex',
  section: 'class',
  small: 'class',
  span: 'class role aria-label title',
  strong: '',
  summary: 'class dir',
  sup: 'class',
  table: '',
  tbody: '',
  td: 'class dir',
  th: 'class dir',
  thead: '',
  tr: '',
  ul: 'id class',
  ...Object.fromEntries([2, 3, 4, 5, 6].map((level) => [`h${level}`, 'id class dir'])),
};

/** What is in a tree that should not be; none when all is well. */
function faults(body: unknown): string[] {
  return Array.from(nodesOf(body)).flatMap((node) => {
    if (typeof node === 'string') return [];
    const { type, props } = node;
    if (typeof type !== 'string') {
      const isKnown = ['Embed', 'Picture', 'NoteIcon'].includes(type.name);
      return isKnown ? [] : [`component ${type.name}`];
    }
    const names = allowed[type]?.split(' ');
    if (names === undefined) return [`element ${type}`];
    return Object.entries(props).flatMap(([name, value]) => {
      if (name === 'children' || value === undefined) return [];
      if (!names.includes(name)) return [`${type} ${name}`];
      if (!['string', 'number', 'boolean'].includes(typeof value))
        return [`${type} ${name}: object`];
      if (name === 'class' && !/^[a-z0-9 -]+$/.test(String(value))) return [`class ${value}`];
      if (name === 'id' && !/^note-[a-z]+-\d+$/.test(String(value))) return [`id ${value}`];
      if (name === 'href' && !isSafe(String(value))) return [`href ${value}`];
      return [];
    });
  });
}

function isSafe(href: string): boolean {
  if (href.startsWith('/c/notes')) return new URL(href, 'http://here').host === 'here';
  return ['http:', 'https:', 'mailto:', 'obsidian:'].includes(new URL(href).protocol);
}

describe('a hostile note', () => {
  const spellings = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java&#10;script:alert(1)',
    '&#106;avascript:alert(1)',
    '&#x6A;avascript&colon;alert(1)',
    'javascript\\:alert(1)',
    '%6aavascript:alert(1)',
    '\u0001javascript:alert(1)',
    '&#1;javascript:alert(1)',
    'vbscript:x',
    'data:text/html,<script>alert(1)</script>',
    'data:image/svg+xml;base64,PHN2Zz4=',
    'blob:http://localhost/x',
    'file:///etc/passwd',
    'filesystem:x',
    'view-source:x',
    'http:javascript',
    '//evil.example/x',
    '\\\\evil.example',
    '/\\evil.example',
    '../../c/api/sign-out',
    'about:blank',
  ];
  it.each(spellings)('opens nothing but what may be opened: %s', (address) => {
    const text = [
      `[a](${address})`,
      `[a](<${address}>)`,
      `![a](${address})`,
      `<${address}>`,
      `[[${address}]]`,
      `![[${address}]]`,
      `[a][r]\n\n[r]: ${address}`,
      address,
    ].join('\n\n');
    const { body } = rendered(text);
    expect(faults(body)).toEqual([]);
    const opened = Array.from(nodesOf(body), (node) =>
      typeof node === 'string' ? '' : String(node.props['href'] ?? ''),
    ).filter(
      (href) =>
        href !== '' && !/^(?:https?:\/\/(?:evil\.example|javascript)|\/c\/notes)/.test(href),
    );
    expect(opened).toEqual([]);
  });

  const pieces = fc.constantFrom(
    ...[
      '[',
      ']',
      '(',
      ')',
      '!',
      '[[',
      ']]',
      '![[',
      '<',
      '>',
      '> ',
      '# ',
      '#t',
      '- ',
      '- [x] ',
      '1. ',
    ],
    ...['`', '```\n', '$', '$$', '%%', '==', '*', '**', '_', '~~', '|', '|-|\n', '^', '^[', '[^1]'],
    ...[
      '[^1]: ',
      '[!note]- ',
      '\n',
      '\n\n',
      '    ',
      '&amp;',
      '\\',
      ':',
      'javascript:',
      'data:',
      '//',
    ],
    ...[
      'https://a.b/',
      'www.a.b',
      'x@y.z',
      'Home',
      'x.png',
      'constructor',
      '__proto__',
      '\u202e',
      '\0',
    ],
    ...['<script>', '<img src=x onerror=y>', '"', "'", 'style=', '---\n', '[a]: ', '\ud800', '\r'],
  );
  const anyText = fc.oneof(
    fc.array(pieces, { maxLength: 60 }).map((some) => some.join('')),
    fc.string({ unit: 'binary', maxLength: 200 }),
  );

  it('makes only allowed elements and attributes, whatever it says', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(faults(rendered(text, { marks: ['a', 'x'] }).body)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('has no ids but its own, each once', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const ids = Array.from(nodesOf(rendered(text).body), (node) =>
          typeof node === 'string' ? undefined : node.props['id'],
        ).filter((id) => id !== undefined);
        expect(new Set(ids).size).toBe(ids.length);
      }),
      { numRuns: 200 },
    );
  });
});
