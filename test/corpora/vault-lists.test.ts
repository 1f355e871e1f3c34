import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { nodeTimers } from '../../src/node/system/node-ports.ts';
import { textsOf } from '../../src/tools/define/outcome.ts';
import { notesToolset } from '../../src/tools/notes/notes-toolset.ts';
import { createService } from '../../src/tools/service/service.ts';
import { sharedFolder, unpackVault } from '../support/unpack-vaults.ts';
import { openWrittenFolder, testCaller, type WrittenVault } from '../support/written-vault.ts';

// What list_vault says of real vaults: as the app's own graph has it, and copies that are planted.

type Graph = Record<string, Record<string, number>>;

const graph = (name: string): Graph =>
  JSON.parse(
    readFileSync(join(sharedFolder(), 'obsidian/oracle/metadataCache', name), 'utf8'),
  ) as Graph;

/** Changed in the vault after the app dumped its graph. */
const changedSince = 'How To/Find tasks in notes with particular tag.md';

let opened: WrittenVault | undefined;
afterEach(() => opened?.close());

interface Listed {
  readonly total: number;
  readonly notes?: Readonly<Record<string, readonly string[]>>;
  readonly links?: readonly { readonly link: string; readonly at: readonly string[] }[];
  readonly groups?: readonly { readonly notes: readonly string[]; readonly alike?: number }[];
  readonly next_offset?: number;
}

/** Opens a vault and answers how to ask list_vault in it, page after page. */
async function listsOf(folder: string): Promise<(what: string) => Promise<readonly Listed[]>> {
  opened = await openWrittenFolder(folder);
  const toolset = notesToolset({ tagPolicy: 'enforce', history: true, contextEveryMs: 0 });
  const service = createService(opened.whole, [toolset], nodeTimers);
  return async (what) => {
    const pages: Listed[] = [];
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const outcome = await service.call('list_vault', { what, offset }, testCaller());
      const page = JSON.parse(textsOf(outcome.content).join('')) as Listed;
      pages.push(page);
      offset = page.next_offset;
    }
    return pages;
  };
}

function notesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md') && !/(^|[\\/])\./.test(path))
    .map((path) => path.replaceAll('\\', '/'));
}

const nameOf = (path: string): string => path.replace(/^.*\//, '').replace(/\.md$/, '');

it('task 15: the orphans of tasks-demo are the notes that no link of the app leads to', async () => {
  const folder = await unpackVault('tasks-demo');
  const notes = notesIn(folder);
  const resolved = graph('resolvedLinks.json');
  const linked = new Set<string>();
  for (const source of new Set([...Object.keys(resolved), ...notes])) {
    // Notes that were added or changed after the dump have plain links only.
    const isDumped = source in resolved && source !== changedSince;
    const targets = isDumped
      ? Object.keys(resolved[source] ?? {})
      : plainLinks(readFileSync(join(folder, source), 'utf8'), notes);
    for (const target of targets) if (target !== source) linked.add(target);
  }
  const lists = await listsOf(folder);
  const found = (await lists('orphans')).flatMap(({ notes: names = {} }) =>
    Object.values(names).flat(),
  );
  const expected = notes.filter((path) => !linked.has(path)).map(nameOf);
  expect(found.toSorted()).toEqual(expected.toSorted());
  expect(found).toHaveLength(174);
});

function plainLinks(text: string, notes: readonly string[]): readonly string[] {
  const found = text.matchAll(/\[\[([^\]|#]+)|\]\(<?([^)#>]+)/g);
  const names = Array.from(found, ([, wiki, url = '']) => nameOf(wiki ?? decodeURI(url)));
  return notes.filter((path) => names.includes(nameOf(path)));
}

it("task 19: the broken links of tasks-demo are the app's unresolved links", async () => {
  const folder = await unpackVault('tasks-demo');
  for (const targets of Object.values(graph('resolvedLinks.json'))) {
    for (const path of Object.keys(targets)) {
      // The vault comes without its attachments.
      if (existsSync(join(folder, path)) || path.endsWith('.md')) continue;
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), '');
    }
  }
  const lists = await listsOf(folder);
  const ours: Graph = {};
  for (const { links = [] } of await lists('broken_links')) {
    for (const { link, at } of links) {
      for (const place of at) {
        const note = nameOf(place.replace(/:\d+$/, ''));
        const known = ours[note] ?? {};
        known[link] = (known[link] ?? 0) + 1;
        ours[note] = known;
      }
    }
  }
  const theirs = Object.fromEntries(
    Object.entries(graph('unresolvedLinks.json'))
      .filter(([path, targets]) => path !== changedSince && Object.keys(targets).length > 0)
      .map(([path, targets]) => [nameOf(path), targets]),
  );
  expect(ours).toEqual(theirs);
});

it('task 16: copies that are planted in garden are found, and few other groups', async () => {
  const folder = await unpackVault('garden');
  const plain = notesIn(folder).toSorted();
  const texts = new Map(plain.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
  const long = plain.filter((path) => (texts.get(path)?.split(/\s+/).length ?? 0) > 150);
  const planted: string[][] = [];
  const plant = (path: string, copy: string, text: string): void => {
    writeFileSync(join(folder, copy), text);
    planted.push([nameOf(path), nameOf(copy)]);
  };
  const every = Math.floor(long.length / 40);
  for (let at = 0; at < 40; at++) {
    const path = long[at * every] ?? '';
    const text = texts.get(path) ?? '';
    const body = text.replace(/^---\n[\s\S]*?\n---\n/, '');
    const copy = `planted copy ${at}.md`;
    if (at % 4 === 0) plant(path, copy, text);
    if (at % 4 === 1) plant(path, copy, `---\nplanted: ${at}\ntags: [other]\n---\n${body}`);
    if (at % 4 === 2) plant(path, copy, `# Another title\n\n${body}`);
    if (at % 4 === 3) plant(path, copy, changedParagraph(body));
  }
  const lists = await listsOf(folder);
  const groups = (await lists('duplicates')).flatMap(({ groups = [] }) => groups);
  const found = groups.map(({ notes }) => notes.map(nameOf));
  const missed = planted.filter(
    ([note = '', copy = '']) =>
      !found.some((names) => names.includes(note) && names.includes(copy)),
  );
  expect(missed).toEqual([]);
  const others = found.filter((names) => !names.some((name) => name.startsWith('planted copy')));
  expect(others.length).toBeLessThan(40);
  // No group joins notes of different things: every planted copy is only with its own note.
  const mixed = found.filter(
    (names) => names.filter((name) => name.startsWith('planted copy')).length > 1,
  );
  expect(mixed).toEqual([]);
}, 120_000);

/** The text with the words of one paragraph of middle size replaced by others. */
function changedParagraph(body: string): string {
  const words = body.split(/\s+/).length;
  const parts = body.split(/(\n+)/);
  const at = parts.findIndex((part) => {
    const count = part.split(/\s+/).length;
    return count > 4 && count < words / 8;
  });
  parts[at] = (parts[at] ?? '').replace(/\p{L}+/gu, (word) => `${word}x`);
  return parts.join('');
}
