import { readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allScopes, type Scopes } from '../../src/base/caller.ts';
import { vaultPath } from '../../src/base/vault-path.ts';
import { agentCalls } from '../contract/agent-calls.ts';
import { notesCalls } from '../contract/notes-calls.ts';
import { obsidianCalls } from '../contract/obsidian-calls.ts';
import { counted, isQuick } from '../support/counts.ts';
import { makesSymlinks } from '../support/makes-symlinks.ts';
import {
  canary,
  comparable,
  hideOutside,
  openLinked,
  openScoped,
  type ScopedVault,
} from './scoped-vaults.ts';
import { type Row, rowsOf } from './tool-rows.ts';

// Whoever is limited to a folder gets the same answers as if there were nothing but that folder.
// Every tool is asked with each of its arguments reaching out in every way, on a vault with much
// around the folder and on one with nothing; the answers must be equal.

/** What names something outside, or could: none has the word that must not come back. */
const reaching: readonly string[] = [
  'Secret/in/zq.md',
  'secret/in/ZQ',
  'zq',
  'Log',
  'in/Log',
  'Deep',
  'Zebra',
  'zebr',
  'missing',
  'The way in',
  'Secret',
  'Secret/in',
  'Workshop',
  'Work',
  'Work/Sub',
  '/',
  '../Work/Plain.md',
  'Work/../zebra.md',
  '/zebra.md',
  '.obsidian/app.json',
  '.trash/zq.md',
  'striped',
  'a task',
  '#open',
  'claude',
  'Meeting',
  'Secret/in/pic.png',
  'New/Note',
];

/** Folders in which everything is hidden. */
const folders = ['Secret', 'Workshop', 'adr/'];

/** Both vaults, opened anew after something was written in them. */
class Pair {
  readonly #limits: Partial<Scopes>;
  #opened: Promise<readonly [ScopedVault, ScopedVault]> | undefined;

  constructor(limits: Partial<Scopes>) {
    this.#limits = limits;
  }

  vaults(): Promise<readonly [whole: ScopedVault, alone: ScopedVault]> {
    const open = (extent: 'whole' | 'alone') => openScoped(extent, this.#limits);
    this.#opened ??= Promise.all([open('whole'), open('alone')]);
    return this.#opened;
  }

  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    for (const vault of (await opened) ?? []) await vault.close();
  }
}

/**
 * The two differences that there have to be. When a note moves away, a link by its name alone would
 * lead to the file of that name outside, so the link is written with its path. And a folder is not
 * renamed when a hidden canvas links into it by its path: that link would be broken.
 */
function mustDiffer([tool, args]: Row, { folders }: Partial<Scopes>): boolean {
  if (tool === 'rename_note') return folders === undefined && args['old_name'] === 'Work/';
  return tool === 'obsidian_move_note' && args['name'] === 'Log';
}

/** The files around the folder, to check that no call has changed them. */
function around(vault: ScopedVault): Record<string, string> {
  const files = Object.entries(vault.files());
  return Object.fromEntries(files.filter(([path]) => !/^(Work\/|\.trash\/)/.test(path)));
}

const listed = (await openScoped('alone')).service.list(['read', 'write', 'destroy']);

/** Of all tools, some when there is little time. */
const many = listed.filter((_, at) => at % counted({ quick: 4, full: 1 }) === 0);
const some = listed.filter((_, at) => at % counted({ quick: 6, full: 2, soak: 1 }) === 0);

describe.each<[string, Partial<Scopes>, tools: typeof listed, values: readonly string[]]>([
  ['who sees one folder', { folders: [vaultPath('Work')] }, many, reaching],
  ['from whom all the rest is hidden', { hide: hideOutside }, some, isQuick ? folders : reaching],
])('a caller %s', (_caller, limits, tools, values) => {
  it.each(tools.map((tool) => [tool.name, tool] as const))(
    'is answered by %s as if there were nothing else',
    async (_, tool) => {
      const pair = new Pair(limits);
      const told: unknown[] = [];
      for (const row of rowsOf(tool, values)) {
        const [name, args] = row;
        const [whole, alone] = await pair.vaults();
        const before = around(whole);
        const got = await whole.service.call(name, args, whole.caller);
        const expected = await alone.service.call(name, args, alone.caller);
        const answer = comparable(got);
        // Numbers of changes would tell how many were made elsewhere.
        const numbered = limits.folders !== undefined && /<number>/.test(answer);
        const isEqual = answer === comparable(expected);
        if (isEqual === mustDiffer(row, limits) || canary.test(answer) || numbered) {
          told.push({ name, args, got: answer, expected: comparable(expected) });
        }
        // Whoever sees more than a folder may make new files beside it.
        const made = limits.folders === undefined ? around(whole) : {};
        expect(around(whole), JSON.stringify(args)).toEqual(
          got.ok && tool.effect !== 'read' ? { ...made, ...before, ...settingsOf(whole) } : before,
        );
        if ((got.ok || expected.ok) && tool.effect !== 'read') await pair.close();
      }
      await pair.close();
      expect(told).toEqual([]);
    },
  );
});

describe('a caller who sees all', () => {
  it('is told what the other one is not, by every tool that reads', async () => {
    const whole = await openScoped('whole');
    const caller = { ...whole.caller, scopes: allScopes };
    await whole.service.call('list_notes', {}, caller); // Which also tells the context.
    const quiet: string[] = [];
    for (const tool of listed.filter(({ effect }) => effect === 'read')) {
      const answers = rowsOf(tool, reaching).map(([name, args]) =>
        whole.service.call(name, args, caller),
      );
      if (!canary.test(comparable(await Promise.all(answers)))) quiet.push(tool.name);
    }
    await whole.close();
    const silent = [...notesCalls, ...obsidianCalls, ...agentCalls].filter(
      ({ namesNoNote }) => namesNoNote,
    );
    expect(quiet.toSorted()).toEqual(silent.map(({ tool }) => tool).toSorted());
  });
});

describe.runIf(makesSymlinks).each<[string, Partial<Scopes>]>([
  ['who sees one folder', { folders: [vaultPath('Work')] }],
  ['from whom all the rest is hidden', { hide: hideOutside }],
])('symlinks lead a caller %s', (_caller, limits) => {
  /** Names of the links, and a word behind one of them. */
  const values = ['Work/Link.md', 'Link', 'Work/Map.canvas', 'striped'];

  it.each(some.map((tool) => [tool.name, tool] as const))('nowhere else by %s', async (_, tool) => {
    const vault = await openLinked(limits);
    const links = ['Work/Link.md', 'Work/Map.canvas'].map((path) => join(vault.root, path));
    const state = () => [
      ...links.map((link) => readlinkSync(link)),
      ...links.map((link) => readFileSync(link, 'utf8')),
    ];
    const before = state();
    const told: unknown[] = [];
    for (const [name, args] of rowsOf(tool, values)) {
      const answer = comparable(await vault.service.call(name, args, vault.caller));
      if (canary.test(answer)) told.push({ name, args, answer });
    }
    expect(told).toEqual([]);
    expect(state()).toEqual(before);
    await vault.close();
  });
});

/** What a bookmark is written to. */
function settingsOf(vault: ScopedVault): Record<string, string> {
  return { '.obsidian/bookmarks.json': vault.text('.obsidian/bookmarks.json') };
}
