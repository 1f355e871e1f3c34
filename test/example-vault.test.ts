import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../examples/vault', import.meta.url));

const files = new Map<string, string>();
for (const entry of readdirSync(root, { withFileTypes: true, recursive: true })) {
  if (!entry.isFile()) continue;
  const path = join(entry.parentPath, entry.name);
  files.set(relative(root, path).split(sep).join('/'), readFileSync(path, 'latin1'));
}

/** Text is kept byte for byte above, so that pictures can be checked as well. */
function textOf(path: string): string {
  return Buffer.from(files.get(path) ?? '', 'latin1').toString('utf8');
}

const notes = [...files.keys()].filter((path) => path.endsWith('.md'));
const settings = [...files.keys()].filter((path) => path.startsWith('.obsidian/'));
const everything = notes.map(textOf).join('\n');

test('there are at least thirty notes', () => {
  expect(notes.length).toBeGreaterThanOrEqual(30);
});

test('the settings are those the documents name', () => {
  const names = 'app appearance bookmarks core-plugins daily-notes templates types'.split(' ');
  expect(settings.sort()).toEqual(names.map((name) => `.obsidian/${name}.json`));
});

test.each(settings)('%s is written as the app writes it', (path) => {
  const text = textOf(path);
  expect(text).toBe(JSON.stringify(JSON.parse(text), null, 2));
});

const propertyBlocks = notes.flatMap((path) => {
  const block = /^---\n([\s\S]*?)\n---\n/.exec(textOf(path))?.[1];
  return block === undefined ? [] : [[path, block] as const];
});
test.each(propertyBlocks)('the properties of %s are valid YAML', (_, block) => {
  expect(parse(block)).toBeTypeOf('object');
});

// What it shows, the pattern, and the note it is looked for in; any note when none is named.
const features: [string, RegExp, string?][] = [
  ['a text property', /^author: \w+/m],
  ['a list property', /^topics:\n {2}- \w+\n {2}- /m],
  ['a number property', /^rating: \d$/m],
  ['a decimal property', /^area_m2: 11\.5$/m],
  ['a checkbox property', /^owned: true$/m],
  ['a date property', /^deadline: \d{4}-\d{2}-\d{2}$/m],
  ['a date and time property', /^review: \d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/m],
  ['an empty property', /^finished:$/m],
  ['tags as a block list', /^tags:\n {2}- /m],
  ['tags as a flow list', /^tags: \[\w+\]$/m],
  ['aliases', /^aliases:\n {2}- /m],
  ['a link in a property', /^client: "\[\[[^\]]+\]\]"$/m],
  ['a link in a list property', /^attendees:\n {2}- "\[\[/m],
  ['a wikilink to a heading', /\[\[[^\]|#]+#[^\]^|]+\]\]/],
  ['a wikilink to a block', /(?<!!)\[\[[^\]|#]+#\^[\w-]+\|/],
  ['a wikilink with an alias', /\[\[[^\]|#\\]+\|[^\]]+\]\]/],
  ['a block id in a paragraph', /\w\. \^[\w-]+$/m],
  ['a block id on its own line', /^\^[\w-]+$/m],
  ['an embedded note', /^!\[\[Miso soup\]\]$/m],
  ['an embedded section', /!\[\[[^\]#]+#[^\]^]+\]\]/],
  ['an embedded block', /!\[\[[^\]#]+#\^[^\]]+\]\]/],
  ['an embedded picture with a size', /!\[\[crumb\.png\|200x120\]\]/],
  ['an embedded view of a base', /!\[\[Reading\.base#Finished\]\]/],
  ['a relative Markdown link', /\]\(\.\.\/Recipes\/Sourdough\.md\)/],
  ['a percent-encoded Markdown link', /\]\([^)\s]+%20[^)\s]+\.md\)/],
  ['an angle-bracketed Markdown link', /\]\(<[^>]+ [^>]+>\)/],
  ['an external link', /\]\(https:\/\//],
  ['a nested tag', / #vc\/project\b/],
  ['an open task', /^- \[ \] \w/m],
  ['a done task', /^- \[x\] /m],
  ['a started task', /^- \[\/\] /m],
  ['a cancelled task', /^- \[-\] /m],
  ['a nested task', /^\t- \[ \] /m],
  ['a callout', /^> \[!warning\] /m],
  ['a folded callout', /^> \[!question\]- /m],
  ['a link in a table', /^\|.*\[\[[^\]|]+\\\|[^\]]+\]\].*\|$/m],
  ['a footnote', /\[\^1\][\s\S]*^\[\^1\]: /m],
  ['inline math', /\$P_m\$/],
  ['a block of math', /^\$\$\n[\s\S]+?^\$\$$/m],
  ['a code block', /^```python$/m],
  ['an Obsidian comment', /^%% .*\[\[.*#.* %%$/m],
  ['Russian', /варить долго/, 'Recipes/Бабушкин борщ.md'],
  ['Japanese', /日本語を話します/, 'Areas/日本語ノート.md'],
  ['a daily template', /^date: "\{\{date:YYYY-MM-DD\}\}"$/m, 'Templates/Daily.md'],
  ['what other documents show: properties', /^---\n[\s\S]+?^tags:$/m, 'Notes/Example.md'],
  ['what other documents show: headings', /^# [\s\S]*^## /m, 'Notes/Example.md'],
  ['what other documents show: a link', /\[\[Home\|/, 'Notes/Example.md'],
  ['what other documents show: a tag', /#example/, 'Notes/Example.md'],
];
test.each(features)('the vault shows %s', (_, pattern, path) => {
  expect(path === undefined ? everything : textOf(path)).toMatch(pattern);
});

test('two notes are for assistants and say when to read them', () => {
  const found = notes.filter((path) => /^tags:(?: \[|\n {2}- )claude\b/m.test(textOf(path)));
  expect(found.sort()).toEqual([
    'Notes/AI Text Quality Guidelines.md',
    'Notes/How this vault works.md',
  ]);
  for (const path of found) expect(textOf(path)).toMatch(/^description: "?Read before /m);
});

/** The targets of all links outside code, as the names of files. */
function linkTargets(text: string): string[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
  const wiki = [...prose.matchAll(/\[\[([^\]|#\\]+)/g)].map((found) => found[1] ?? '');
  const markdown = [...prose.matchAll(/\]\(<?(?!https:)([^)>#]+)/g)].map((found) => found[1] ?? '');
  return [...wiki, ...markdown.map(decodeURIComponent)].map((target) => {
    const name = target.slice(target.lastIndexOf('/') + 1);
    return /\.(md|png|svg|base|canvas)$/.test(name) ? name : `${name}.md`;
  });
}

const names = [...files.keys()].map((path) => path.slice(path.lastIndexOf('/') + 1));

test('all links lead somewhere but the two that should not', () => {
  const missing = linkTargets(everything).filter((name) => !names.includes(name));
  expect(missing.sort()).toEqual(['Cold frame.md', 'Tarnford land register.md']);
});

test('one note is an orphan', () => {
  expect(linkTargets(textOf('Notes/Swifts.md'))).toEqual([]);
  expect(linkTargets(everything)).not.toContain('Swifts.md');
});

test('one name stands in two folders, and only that one', () => {
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual(['Log.md']);
});

test('the canvas is in the style of the app and names files that exist', () => {
  const text = textOf('Projects/Greenhouse/Greenhouse plan.canvas');
  expect(text).toMatch(
    /^\{\n\t"nodes":\[\n(\t\t\{.*\},?\n)+\t\],\n\t"edges":\[\n(\t\t\{.*\},?\n)+\t\]\n\}$/,
  );
  const { nodes } = JSON.parse(text) as { nodes: { type: string; file?: string }[] };
  const targets = nodes.flatMap((node) => node.file ?? []);
  expect(targets.length).toBeGreaterThanOrEqual(3);
  for (const path of targets) expect([...files.keys()]).toContain(path);
  expect(nodes.map((node) => node.type)).toContain('text');
});

test('the base is valid YAML with views', () => {
  expect(parse(textOf('Reading/Reading.base'))).toMatchObject({
    views: [{ name: 'Finished' }, {}],
  });
});

test('the pictures are pictures', () => {
  for (const name of ['crumb.png', 'River gauge.png']) {
    const bytes = files.get(`Attachments/${name}`) ?? '';
    expect(bytes.slice(0, 8)).toBe('\x89PNG\r\n\x1a\n');
    expect(bytes.slice(-8, -4)).toBe('IEND');
  }
  expect(textOf('Attachments/greenhouse-plan.svg')).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
});
