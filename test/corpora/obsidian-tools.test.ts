import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeTimers } from '../../src/node/system/node-ports.ts';
import { textsOf } from '../../src/tools/define/outcome.ts';
import { obsidianToolset } from '../../src/tools/obsidian/obsidian-toolset.ts';
import { createService, type Service } from '../../src/tools/service/service.ts';
import { sharedFolder, unpackVault } from '../support/unpack-vaults.ts';
import { openWrittenFolder, testCaller, type WrittenVault } from '../support/written-vault.ts';

// What the tools of the obsidian toolset answer on the vault `tasks-demo`, beside what the running
// app has recorded there: its cache of 59 notes, and its link graph of all.

/** A note as the app has it in its cache. Lines count from 0. */
interface Dump {
  readonly filePath: string;
  readonly cachedMetadata: {
    readonly frontmatter?: Readonly<Record<string, unknown>>;
    readonly headings?: readonly { heading: string; level: number; position: Position }[];
    readonly listItems?: readonly { task?: string; position: Position }[];
    readonly links?: readonly Reference[];
    readonly embeds?: readonly Reference[];
    readonly frontmatterLinks?: readonly { link: string }[];
  };
  readonly getAllTags: readonly string[];
  readonly resolveLinkToPath: Readonly<Record<string, string | null>>;
}

interface Position {
  readonly start: { readonly line: number; readonly offset: number };
}

interface Reference {
  readonly link: string;
  readonly position: Position;
}

type Graph = Readonly<Record<string, Readonly<Record<string, number>>>>;

const oracle = join(sharedFolder(), 'obsidian', 'oracle');
const dumps = readdirSync(oracle)
  .filter((name) => name.endsWith('.json'))
  .map((name) => readJson<Dump>(name));
const resolved = readJson<Graph>('metadataCache/resolvedLinks.json');
const unresolved = readJson<Graph>('metadataCache/unresolvedLinks.json');

/** Changed in the vault after the app dumped its graph. */
const changedSince = 'How To/Find tasks in notes with particular tag.md';
const inGraph = Object.keys(resolved).filter((path) => path !== changedSince);

let opened: WrittenVault;
let service: Service;

beforeAll(async () => {
  const folder = await unpackVault('tasks-demo');
  addAttachments(folder);
  opened = await openWrittenFolder(folder);
  service = createService(opened.whole, [obsidianToolset()], nodeTimers);
});

afterAll(() => opened.close());

it('there are no fewer dumps than the app has made', () => {
  expect(dumps.length).toBeGreaterThanOrEqual(59);
  expect(inGraph.length).toBeGreaterThan(200);
});

describe.each(dumps.map((dump) => [dump.filePath, dump] as const))('%s', (path, dump) => {
  const { cachedMetadata, getAllTags, resolveLinkToPath } = dump;

  it("obsidian_tasks lists the app's tasks", async () => {
    const { tasks } = await ask<{ tasks: readonly Task[] }>('obsidian_tasks', { path });
    expect(tasks.map(({ line, status }) => [line, status])).toEqual(tasksOf(dump));
  });

  it("obsidian_properties gives the app's properties", async () => {
    const { properties } = await ask<{ properties: object }>('obsidian_properties', { path });
    expect(properties).toEqual(cachedMetadata.frontmatter ?? {});
  });

  it("obsidian_file_info gives the app's tags, each once", async () => {
    const { tags = [] } = await ask<{ tags?: readonly string[] }>('obsidian_file_info', { path });
    expect(tags).toEqual([...new Set(getAllTags)]);
  });

  it("obsidian_outline gives the app's headings", async () => {
    const { headings } = await ask<{ headings: readonly object[] }>('obsidian_outline', { path });
    expect(headings).toEqual(
      (cachedMetadata.headings ?? []).map(({ heading, level, position }) => ({
        level,
        text: heading,
        line: position.start.line + 1,
      })),
    );
  });

  it("obsidian_links lists the app's links and embeds, and where they lead", async () => {
    const { links } = await ask<{ links: readonly Link[] }>('obsidian_links', { path });
    const { links: inText = [], embeds = [], frontmatterLinks = [] } = cachedMetadata;
    // The app was not asked where embeds lead; the graph below knows.
    const placed = ({ link, position }: Reference): object => {
      const target = resolveLinkToPath[link];
      const place = { line: position.start.line + 1, ...(target && { path: target }) };
      return target === undefined ? expect.objectContaining(place) : place;
    };
    const theirs = [...inText, ...embeds]
      .sort((a, b) => a.position.start.offset - b.position.start.offset)
      .map(placed);
    const places = links.slice(frontmatterLinks.length).map(({ link: _, ...place }) => place);
    expect(places).toEqual(theirs);
    const named = frontmatterLinks.map(({ link }) => resolveLinkToPath[link] ?? undefined);
    expect(links.slice(0, frontmatterLinks.length).map((link) => link.path)).toEqual(named);
  });
});

it("obsidian_tasks of a folder lists, page by page, what the app's notes in it have", async () => {
  const tasks = await askAll<Task>('obsidian_tasks', { folder: 'Test Data', limit: 100 }, 'tasks');
  for (const dump of dumps) {
    const ours = tasks.filter(({ path }) => path === dump.filePath);
    expect(
      ours.map(({ line, status }) => [line, status]),
      dump.filePath,
    ).toEqual(tasksOf(dump));
  }
});

it('obsidian_tasks of one status lists those tasks and no others', async () => {
  for (const status of ['todo', 'done', '/', '-']) {
    const asked = { folder: 'Test Data', status, limit: 10_000 };
    const tasks = await askAll<Task>('obsidian_tasks', asked, 'tasks');
    const has = (mark: string): boolean =>
      status === 'todo' ? mark === ' ' : status === 'done' ? mark !== ' ' : mark === status;
    for (const dump of dumps) {
      const ours = tasks.filter(({ path }) => path === dump.filePath).map(({ line }) => line);
      const theirs = tasksOf(dump).filter(([, mark]) => has(mark));
      expect(ours, `${status} in ${dump.filePath}`).toEqual(theirs.map(([line]) => line));
    }
  }
});

it('obsidian_tags of a tag lists the notes that have it or one below it in the app', async () => {
  const tags = new Set(dumps.flatMap(({ getAllTags }) => getAllTags.map((tag) => fold(tag))));
  expect(tags.size).toBeGreaterThan(5);
  const all = await askAll<{ tag: string }>('obsidian_tags', {}, 'tags');
  for (const tag of tags) {
    expect(all.map((row) => fold(row.tag))).toContain(tag);
    const files = await askAll<string>('obsidian_tags', { tag }, 'files');
    const theirs = dumps.filter(({ getAllTags }) =>
      getAllTags.some((each) => fold(each) === tag || fold(each).startsWith(`${tag}/`)),
    );
    const dumped = dumps.map(({ filePath }) => filePath).filter((path) => files.includes(path));
    expect(dumped.sort(), tag).toEqual(theirs.map(({ filePath }) => filePath).sort());
  }
});

it("obsidian_properties of the vault counts at least the files of the app's notes", async () => {
  const rows = await askAll<{ property: string; files: number }>(
    'obsidian_properties',
    {},
    'properties',
  );
  const files = new Map(rows.map((row) => [fold(row.property), row.files]));
  const theirs = new Map<string, number>();
  for (const { cachedMetadata } of dumps) {
    for (const key of Object.keys(cachedMetadata.frontmatter ?? {})) {
      theirs.set(fold(key), (theirs.get(fold(key)) ?? 0) + 1);
    }
  }
  expect(theirs.size).toBeGreaterThan(10);
  const fewer = [...theirs].filter(([key, count]) => (files.get(key) ?? 0) < count);
  expect(fewer).toEqual([]);
});

describe("the app's link graph", () => {
  it('obsidian_links of every note leads where it leads in the app', async () => {
    for (const path of inGraph) {
      const { links } = await ask<{ links: readonly Link[] }>('obsidian_links', { path });
      const targets = links.flatMap((link) => link.path ?? []);
      expect(counted(targets), path).toEqual(resolved[path]);
      const missing = links.filter((link) => link.path === undefined);
      expect(missing.length, path).toBe(sum(unresolved[path]));
    }
  });

  it('obsidian_backlinks of every file come from the notes that link to it in the app', async () => {
    const targets = new Set(inGraph.flatMap((path) => Object.keys(resolved[path] ?? {})));
    expect(targets.size).toBeGreaterThan(30);
    for (const target of targets) {
      const backlinks = await askAll<Link>('obsidian_backlinks', { path: target }, 'backlinks');
      const sources = backlinks.flatMap(({ path }) => path ?? []);
      const known = sources.filter((path) => inGraph.includes(path));
      const theirs = inGraph.filter((path) => resolved[path]?.[target] !== undefined);
      expect(counted(known), target).toEqual(
        Object.fromEntries(theirs.map((path) => [path, resolved[path]?.[target]])),
      );
    }
  });

  it("obsidian_unresolved has the app's links to nothing, with counts", async () => {
    const rows = await askAll<{ link: string; count: number; files: readonly string[] }>(
      'obsidian_unresolved',
      {},
      'unresolved',
    );
    const ours = rows.filter(({ files }) => files.some((path) => inGraph.includes(path)));
    const theirs: Record<string, number> = {};
    for (const path of inGraph) {
      for (const [link, count] of Object.entries(unresolved[path] ?? {})) {
        theirs[link] = (theirs[link] ?? 0) + count;
      }
    }
    expect(Object.fromEntries(ours.map(({ link, count }) => [link, count]))).toEqual(theirs);
  });

  it('obsidian_orphans and obsidian_deadends are what the graph has without links', async () => {
    const notes = inGraph.filter((path) => path.endsWith('.md'));
    const linked = new Set(
      Object.entries(resolved).flatMap(([from, links]) =>
        Object.keys(links).filter((target) => target !== from),
      ),
    );
    const orphans = await askAll<string>('obsidian_orphans', {}, 'files');
    expect(notes.filter((path) => orphans.includes(path))).toEqual(
      notes.filter((path) => !linked.has(path)),
    );
    const deadEnds = await askAll<string>('obsidian_deadends', {}, 'files');
    expect(notes.filter((path) => deadEnds.includes(path))).toEqual(
      notes.filter((path) => {
        const others = Object.keys(resolved[path] ?? {}).filter((target) => target !== path);
        return others.length === 0 && sum(unresolved[path]) === 0;
      }),
    );
  });
});

interface Task {
  readonly path: string;
  readonly line: number;
  readonly status: string;
}

interface Link {
  readonly link?: string;
  readonly path?: string;
  readonly line: number;
}

/** The `data` of an answer. */
async function ask<Data>(tool: string, args: object): Promise<Data> {
  const outcome = await service.call(tool, args, testCaller());
  const text = textsOf(outcome.content).join('');
  expect(outcome.ok, `${tool} ${JSON.stringify(args)}: ${text.slice(0, 500)}`).toBe(true);
  return (JSON.parse(text) as { data: Data }).data;
}

/** All of a list that comes in pages. */
async function askAll<Item>(tool: string, args: object, key: string): Promise<readonly Item[]> {
  const items: Item[] = [];
  let total = 0;
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const page: Record<string, unknown> = await ask(tool, { ...args, offset });
    items.push(...(page[key] as readonly Item[]));
    total = page['total'] as number;
    offset = page['next_offset'] as number | undefined;
  }
  expect(items).toHaveLength(total);
  return items;
}

/** The tasks of a note in the app: lines from 1, and what stands in the brackets. */
function tasksOf({ cachedMetadata }: Dump): readonly (readonly [number, string])[] {
  return (cachedMetadata.listItems ?? []).flatMap(({ task, position }) =>
    task === undefined ? [] : [[position.start.line + 1, task] as const],
  );
}

function readJson<Content>(path: string): Content {
  return JSON.parse(readFileSync(join(oracle, path), 'utf8')) as Content;
}

/** The vault comes without its attachments; for links only their names matter. */
function addAttachments(folder: string): void {
  for (const target of Object.values(resolved).flatMap((links) => Object.keys(links))) {
    const file = join(folder, target);
    if (target.endsWith('.md') || existsSync(file)) continue;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '');
  }
}

function counted(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

function sum(counts: Readonly<Record<string, number>> = {}): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

function fold(name: string): string {
  return name.toLowerCase();
}
