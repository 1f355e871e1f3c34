import { expect } from 'vitest';
import { obsidianToolset } from '../../src/tools/obsidian/obsidian-toolset.ts';
import { openToolset } from './toolset-service.ts';

type Files = Readonly<Record<string, string>>;

/** One call of an obsidian tool on a vault of its own, and how it ends. */
export interface ObsidianRow {
  readonly it: string;
  /** Files beside those of the test's vault. */
  readonly given?: Files;
  /** The tool without `obsidian_`. */
  readonly call: readonly [tool: string, args: object];
  /** All of an answer's data; or the code and words of a refusal, which changes nothing. */
  readonly data?: object;
  readonly refuses?: readonly [code: string, says: RegExp];
  readonly files?: Files;
}

/** Runs one row. */
export async function checkRow(vault: Files, row: ObsidianRow): Promise<void> {
  const given = { ...vault, ...row.given };
  const tools = await openToolset(given, obsidianToolset());
  const [name, args] = row.call;
  const { ok, text, json, code } = await tools.call(`obsidian_${name}`, args);
  expect(ok, text).toBe(row.refuses === undefined);
  if (row.refuses === undefined) {
    expect(json).toEqual({ success: true, data: row.data });
  } else {
    expect(code).toBe(row.refuses[0]);
    expect(text).toMatch(row.refuses[1]);
    expect(tools.files()).toEqual(given);
  }
  for (const [path, expected] of Object.entries(row.files ?? {})) {
    expect(tools.text(path)).toBe(expected);
  }
  await tools.close();
}

/** A vault with something for every tool. */
export const variedVault: Files = {
  '.obsidian/app.json': '{}',
  '.obsidian/daily-notes.json': '{"folder":"Days","format":"YYYY-MM-DD"}',
  '.obsidian/templates.json': '{"folder":"Templates"}',
  '.obsidian/bookmarks.json':
    '{"items":[{"type":"group","title":"G","items":[{"type":"file","path":"A.md"}]},{"type":"search","query":"q"}]}',
  'A.md':
    '---\nstatus: open\naliases: [Aye]\n---\n# One\n\n- [ ] do it\n\n## Two\n\n- [x] done\n[[B]] [[Gone]] #tag/sub\n',
  'B.md': '---\nStatus: 3\n---\nbanana text #tag\n',
  'Days/2026-03-09.md': 'a day\n',
  'Templates/T.md': '---\nkind: new\n---\n{{title}}!',
  'x/C.md': 'banana\n- [/] half\n',
  'x/y/pic.png': 'png',
};
