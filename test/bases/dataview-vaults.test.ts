import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allScopes } from '../../src/base/caller.ts';
import { vaultPath } from '../../src/base/vault-path.ts';
import { parseDataview } from '../../src/engine/dataview/parse-dataview.ts';
import { listBaseViews, queryBase } from '../../src/engine/operations/query/query-base.ts';
import type { BoundVault } from '../../src/engine/vault/bound-vault.ts';
import { type IndexedVault, indexFolder } from '../support/indexed-vault.ts';
import { unpackVault } from '../support/unpack-vaults.ts';

// The 38 Dataview blocks of the shared vaults. What they must give is counted here from the files,
// with plain expressions and without any of our code.

/** The notes of a folder with their texts, by path. */
function notesIn(folder: string): ReadonlyMap<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md') && !/(?:^|\/)\./.test(path))
    .sort();
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

/** The texts of the blocks, those inside of other code included. */
function blocksIn(notes: ReadonlyMap<string, string>): readonly string[] {
  const block = /^```dataview[ \t]*\n(.*?)^```/gms;
  return Array.from(notes.values()).flatMap((text) =>
    Array.from(text.matchAll(block), (match) => match[1] ?? ''),
  );
}

/** The tags of a note: of its properties, and of its text without code. */
function tagsOf(note: string): readonly string[] {
  const [whole = '', yaml = ''] = /^---\n(.*?)\n---\s*(?:\n|$)/s.exec(note) ?? [];
  const [, inline = '', listed = ''] = /^tags:[ \t]*(.*)$((?:\n[ \t]*- .*)*)/m.exec(yaml) ?? [];
  const properties = [inline.replace(/[[\]]/g, ''), listed.replace(/\n[ \t]*- /g, ' ')]
    .join(' ')
    .split(/[\s,]+/);
  const body = note.slice(whole.length).replace(/```.*?```/gs, '');
  const written = body.replace(/`[^`]*`/g, '').match(/(?<=^|\s)#[\p{L}\p{N}_/-]+/gmu) ?? [];
  return [...properties, ...written].map((tag) => tag.replace(/["'#]/g, ''));
}

function hasTag(note: string, tag: string): boolean {
  return tagsOf(note).some((each) => `${each}/`.toLowerCase().startsWith(`${tag}/`.toLowerCase()));
}

const nowMs = new Date(2025, 5, 15, 12).getTime();

class Corpus {
  readonly notes: ReadonlyMap<string, string>;
  readonly #opened: IndexedVault;

  constructor(notes: ReadonlyMap<string, string>, opened: IndexedVault) {
    this.notes = notes;
    this.#opened = opened;
  }

  static async open(name: string): Promise<Corpus> {
    const folder = await unpackVault(name);
    const opened = await indexFolder(folder, { parts: { clock: { nowMs: () => nowMs } } });
    return new Corpus(notesIn(folder), opened);
  }

  bind(): BoundVault {
    const { signal } = new AbortController();
    return this.#opened.vault.bind({ door: 'cli', scopes: allScopes, signal, deadlineMs: 60_000 });
  }

  /** The blocks of all notes as Markdown has them: how many rows, and the codes of errors. */
  async blocks(): Promise<readonly (readonly [note: string, rows: number | string])[]> {
    const vault = this.bind();
    const found: [string, number | string][] = [];
    for (const [name, text] of this.notes) {
      if (!/^```dataview[ \t]*$/m.test(text)) continue;
      const base = { path: vaultPath(name) };
      for (const { name: view } of (await listBaseViews(vault, { base })).views) {
        const answer = await queryBase(vault, { base, view, limit: 1_000, offset: 0 });
        const note = name.replace(/^.*\//, '').replace(/\.md$/, '');
        found.push([`${note} ${view}`, answer.errors[0]?.code ?? answer.total]);
      }
    }
    return found;
  }

  count(test: (path: string, note: string) => boolean): number {
    return Array.from(this.notes).filter(([path, note]) => test(path, note)).length;
  }

  close(): Promise<void> {
    return this.#opened.close();
  }
}

describe('knowledge-garden-zh', () => {
  let corpus: Corpus;
  beforeAll(async () => {
    corpus = await Corpus.open('knowledge-garden-zh');
  });
  afterAll(() => corpus.close());

  it('all 22 blocks are read, and only CALENDAR is refused', () => {
    const queries = blocksIn(corpus.notes).map(parseDataview);
    expect(queries.length).toBe(22);
    expect(queries.flatMap(({ type, unsupported }) => (unsupported ? [type] : []))).toEqual([
      'calendar',
    ]);
  });

  it('their rows are those that a count of the files finds', async () => {
    const isIn = (folder: string) => (path: string) => path.startsWith(`${folder}/`);
    const tagged = (tag: string) => corpus.count((_, note) => hasTag(note, tag));
    const spaces = Array.from(corpus.notes).flatMap(([path, note]) =>
      isIn('Spaces')(path) && !hasTag(note, 'index索引') ? [path.replace(/\/[^/]*$/, '')] : [],
    );
    const daily = corpus.count(
      (path, note) =>
        isIn('Calendar/Daily notes')(path) &&
        !['MOC', 'readme说明', 'index索引'].some((tag) => hasTag(note, tag)),
    );
    const linking = (tag: string) =>
      corpus.count((_, note) => {
        const text = note.replace(/```.*?```/gs, '');
        return /\[\[(?:[^\]|#]*\/)?ACCESS 笔记组织法[\]|#]/.test(text) && hasTag(note, tag);
      });
    const some = (...parts: string[]) =>
      corpus.count((_, note) =>
        tagsOf(note).some((tag) => parts.some((part) => tag.includes(part))),
      );
    const books = corpus.count(
      (path, note) => hasTag(note, '微信读书笔记') && !isIn('Extras')(path),
    );
    const templates = corpus.count(
      (path, note) => isIn('Extras/Templates')(path) && !hasTag(note, 'MOC'),
    );
    expect([daily, new Set(spaces).size, books, templates]).toEqual([284, 30, 177, 48]);
    const para = ['1', '2', '3', '4'].map((view) => [`PARA和MOC联用组织笔记 ${view}`, 0]);
    // All files were made when the vault was unpacked, after the day of the clock: those of the last
    // days are all of them, up to the limits of the blocks.
    expect(new Map(await corpus.blocks())).toEqual(
      new Map<unknown, unknown>([
        ['Daily notes汇总 1', 'unsupported'],
        ['Daily notes汇总 2', daily],
        ['Index for Spaces 1', new Set(spaces).size],
        ['Index for 已发布文章和草稿 1', tagged('article/todo')],
        ['Index for 已发布文章和草稿 2', tagged('article/done')],
        ['LATEST 1', 30],
        ['LATEST 2', 999],
        ['LATEST 3', some('todo')],
        ['LATEST 4', some('review', 'cards')],
        ['微信读书清单 1', books],
        ['模板汇总 1', templates],
        ['HOMEPAGE 1', 10],
        ['HOMEPAGE 2', 10],
        ['临时file cooker使用的dataview表达式 1', 0],
        ...(para as [unknown, unknown][]),
        ['dataview常用使用示例范例 1', 1],
        ['Dataview 1', 0],
        ['本库ACCESS文件夹索引的索引 1', linking('dataview')],
        ['本库ACCESS文件夹说明的索引 1', linking('readme说明')],
      ]),
    );
  });

  it('FROM and WHERE find what a count of the files finds', async () => {
    const ask = async (filter: string) =>
      (await queryBase(corpus.bind(), { query: { filter }, limit: 1, offset: 0 })).total;
    expect(await ask('LIST')).toBe(corpus.notes.size);
    expect(await ask('LIST FROM #dataview')).toBe(
      corpus.count((_, note) => hasTag(note, 'dataview')),
    );
    expect(await ask('LIST FROM "Cards" or "Atlas"')).toBe(
      corpus.count((path) => /^(?:Cards|Atlas)\//.test(path)),
    );
    expect(await ask('LIST WHERE contains(file.name, "MOC")')).toBe(
      corpus.count((path) => path.replace(/^.*\//, '').includes('MOC')),
    );
    expect(await ask('LIST GROUP BY file.folder')).toBe(
      new Set(Array.from(corpus.notes.keys(), (path) => path.replace(/[^/]*$/, ''))).size,
    );
  });
});

describe('tasks-demo', () => {
  let corpus: Corpus;
  beforeAll(async () => {
    corpus = await Corpus.open('tasks-demo');
  });
  afterAll(() => corpus.close());

  it('all 16 blocks are read; one of them is an example inside of other code', () => {
    const queries = blocksIn(corpus.notes).map(parseDataview);
    expect(queries.map(({ type }) => type)).toEqual(queries.map(() => 'task'));
    expect(queries.map(({ unsupported }) => unsupported)).toEqual(queries.map(() => undefined));
    expect(queries.length).toBe(16);
  });

  it('their rows are those that a count of the lines finds', async () => {
    const linesOf = (path: string) => (corpus.notes.get(path) ?? '').split('\n');
    const family = linesOf('Other Plugins/Dataview/Parent-Child relationships - Tasks.md');
    const [all, done] = [/^ *- \[.\] /, /^ *- \[x\] /].map(
      (task) => family.filter((line) => task.test(line)).length,
    ) as [number, number];
    // One completed task of the last section has open ones below it.
    const fully = done - 1;
    const formats = linesOf(
      'Manual Testing/Testing File Formats/Dataview Format - Tasks to Parse.md',
    ).filter((line) => line.startsWith('- [ ]'));
    const due = formats.filter((line) => /📅2021-08-22|[[(] *due:: *2021-08-22 *[\])]/u.test(line));
    const numbered = linesOf('Test Data/numbered_tasks_issue_3481.md');
    expect([all, done, due.length, formats.length]).toEqual([23, 6, 10, 14]);
    const searches = [all, done, fully, all - done, all - fully, all, all];
    const grouped = [done, fully, all - done, all - fully];
    expect(await corpus.blocks()).toEqual([
      ['Access links 1', 1],
      ['Dataview Format - Queries - Dataview Plugin 1', due.length],
      ['Dataview Format - Queries - Dataview Plugin 2', formats.length - due.length],
      ...[...searches, ...grouped].map((rows, at) => [
        `Parent-Child relationships - Searches - Dataview ${at + 1}`,
        rows,
      ]),
      [
        'numbered_tasks_issue_3481_searches 1',
        numbered.filter((line) => line.startsWith('- [ ]')).length,
      ],
    ]);
  });

  it('the example gives what the same block gives', async () => {
    const [filter = ''] = blocksIn(corpus.notes);
    const { paths, errors } = await queryBase(corpus.bind(), {
      query: { filter },
      self: 'Access links',
      limit: 10,
      offset: 0,
    });
    expect([paths, errors]).toEqual([[expect.stringContaining('Link to Access links')], []]);
  });
});
