import { describe, expect, it } from 'vitest';
import { manualTimers } from '../../../test/support/manual-timers.ts';
import {
  type MemoryVault,
  openWrittenVault,
  testCaller,
} from '../../../test/support/written-vault.ts';
import { allScopes, type Caller } from '../../base/caller.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { VaultSource } from '../../engine/open/vault-source.ts';
import { textsOf } from '../define/outcome.ts';
import { notesToolset } from '../notes/notes-toolset.ts';
import { obsidianToolset } from '../obsidian/obsidian-toolset.ts';
import { createService } from './service.ts';

const files = {
  Work: {
    'Plan.md': '# Work plan\n',
    'Only work.md': 'w #job\n',
    'Sub/Twin.md': '1\n',
    'Old/Twin.md': '2\n',
  },
  Home: { 'Plan.md': '# Home plan\n', 'Only home.md': 'h #chore\n' },
} as const;

const missing = new VaultError('vault_not_found', 'Connect the drive.');

/** A vault of another name than those in memory have. */
function source(name: string, open: () => Promise<MemoryVault>): VaultSource {
  return { name, clock: { nowMs: () => 0 }, open: async () => (await open()).whole };
}

/** Two vaults behind both toolsets, and where asked for a third that cannot be opened. */
async function serving(
  options: {
    readonly withMissing?: boolean;
    readonly context?: boolean;
    /** How the third vault is opened. */
    readonly openDrive?: () => Promise<MemoryVault>;
  } = {},
) {
  const { openDrive = options.withMissing ? () => Promise.reject(missing) : undefined } = options;
  const work = await openWrittenVault(files.Work);
  const home = await openWrittenVault(files.Home);
  const { context, ...plain } = notesToolset({
    tagPolicy: 'off',
    history: true,
    contextEveryMs: 0,
  });
  const notes = options.context && context !== undefined ? { ...plain, context } : plain;
  const sources = [
    ...(openDrive === undefined ? [] : [source('Drive', openDrive)]),
    source('Work', async () => work),
    source('Home', async () => home),
  ];
  const vaults = sources.map(({ name }) => name);
  const timers = manualTimers();
  const service = createService(sources, [notes, obsidianToolset({ vaults })], timers);
  const caller = (changes: Partial<Caller> = {}): Caller =>
    testCaller({ door: 'mcp-stdio', connection: 'c1', ...changes });
  const call = async (tool: string, args: object, changes: Partial<Caller> = {}) => {
    const outcome = await service.call(tool, args, caller(changes));
    const text = textsOf(outcome.content).join('');
    return outcome.ok ? text : `${outcome.error.code}: ${text}`;
  };
  return { service, work, home, caller, call, timers };
}

describe('a call where there are several vaults', () => {
  it.each<[string, string, object, string | RegExp]>([
    ['by name', 'read_note', { name: 'Plan', vault: 'Home' }, '# Home plan\n'],
    ['without regard to case', 'read_note', { name: 'Plan', vault: 'WORK' }, '# Work plan\n'],
    [
      'by the note of a heading',
      'rename_note',
      { old_name: 'Plan#Work plan', new_name: 'X', vault: 'Work' },
      /"path":"Plan.md"/,
    ],
    [
      'by the note of a heading that only it has',
      'rename_note',
      { old_name: 'Only home#Nothing', new_name: 'X' },
      /^not_found: .*(Nothing|heading)/,
    ],
    ['by its name for a tag', 'rename_note', { old_name: '#job', new_name: 'x' }, /with "vault"/],
    ['by the note that only it has', 'read_note', { name: 'only home' }, 'h #chore\n'],
    ['by a path that only it has', 'read_note', { path: 'Only work.md' }, 'w #job\n'],
    ['by a note, where none is named', 'read_note', { name: 'Only work', vault: null }, 'w #job\n'],
    [
      'by a name that is ambiguous in it alone',
      'read_note',
      { name: 'Twin' },
      /^ambiguous: 2 files are called "Twin"/,
    ],
    [
      'and says which one it was',
      'get_links',
      { name: 'Only home' },
      /^\{"vault":"Home","path":"Only home.md"/,
    ],
    [
      'and says so in the contract of the obsidian toolset',
      'obsidian_append_note',
      { name: 'Only home', content: 'more' },
      /^\{"success":true,"data":\{"vault":"Home","path":"Only home.md"/,
    ],
    [
      'of a new note',
      'obsidian_create_note',
      { name: 'New', vault: 'home' },
      /"vault":"Home","path":"New.md"/,
    ],
    [
      'by the first of several notes',
      'set_frontmatter',
      { names: ['Only home', 'Plan'], properties: { k: 1 } },
      /^\{"vault":"Home","changed":2/,
    ],
    [
      'of an old name',
      'rename_note',
      { old_name: 'Only home', new_name: 'Moved' },
      /"vault":"Home"/,
    ],
  ])('finds its vault %s', async (_how, tool, args, expected) => {
    const { call } = await serving();
    if (typeof expected === 'string') expect(await call(tool, args)).toBe(expected);
    else expect(await call(tool, args)).toMatch(expected);
  });

  it.each<[string, string, object, string]>([
    [
      'that several vaults have',
      'read_note',
      { name: 'Plan' },
      'ambiguous: Several vaults have "Plan"; name the one you mean with "vault": Work: Plan.md, Home: Plan.md.',
    ],
    [
      'that no vault has',
      'read_note',
      { name: 'Onlie home' },
      'not_found: No vault has a note "Onlie home". Closest: Home: Only home.md.',
    ],
    [
      'of a vault that there is not',
      'read_note',
      { name: 'Plan', vault: 'Attic' },
      'vault_not_found: There is no vault "Attic" here; there are "Work", "Home".',
    ],
    [
      'for which any vault would do',
      'create_note',
      { name: 'Only home' },
      'invalid_input: There are several vaults; name one with "vault": "Work", "Home".',
    ],
    [
      'that leaves its note out',
      'obsidian_tasks',
      {},
      'invalid_input: There are several vaults; name one with "vault": "Work", "Home".',
    ],
    [
      'whose vault is no text',
      'read_note',
      { name: 'Plan', vault: 5 },
      'invalid_input: Wrong arguments: "vault": it must be text.',
    ],
    ['outside of every vault', 'read_note', { name: '../x' }, 'outside_vault: '],
  ])('is refused %s', async (_what, tool, args, expected) => {
    const { call, work, home } = await serving();
    expect(await call(tool, args)).toContain(expected);
    expect([work.files(), home.files()]).toEqual([files.Work, files.Home]);
  });

  it('does not know what the caller may not see', async () => {
    const { call } = await serving();
    const scopes = { ...allScopes, hide: ['Plan.md'] };
    expect(await call('read_note', { name: 'Plan' }, { scopes })).toMatch(/^not_found: No vault/);
  });

  it('is refused before any vault is looked at when the caller may not make it', async () => {
    const { call } = await serving();
    const scopes = { ...allScopes, effects: ['read'] as const };
    for (const name of ['Nowhere', 'Plan', 'Only home']) {
      expect(await call('append_note', { name, text: 'x' }, { scopes })).toMatch(/^forbidden: /);
    }
  });

  it('means the vault of its connection unless it says otherwise', async () => {
    const { call } = await serving();
    expect(await call('read_note', { name: 'Plan' }, { vault: 'home' })).toBe('# Home plan\n');
    const args = { name: 'Plan', vault: 'Work' };
    expect(await call('read_note', args, { vault: 'home' })).toBe('# Work plan\n');
  });

  it('changes the vault that it means, and undo knows which that was', async () => {
    const { call, work, home } = await serving();
    const added = await call('append_note', { name: 'Plan', text: 'more', vault: 'Home' });
    const { change } = JSON.parse(added) as { readonly change: number };
    expect([work.text('Plan.md'), home.text('Plan.md')]).toEqual([
      '# Work plan\n',
      '# Home plan\nmore\n',
    ]);
    expect(await call('list_changes', { vault: 'Work' })).toContain('"total":0');
    await call('undo_change', { id: change, vault: 'Home' });
    expect(home.text('Plan.md')).toBe('# Home plan\n');
  });

  it('is remembered by its vault: a note that was read in one is unread in the other', async () => {
    const { call, home } = await serving();
    await call('read_note', { name: 'Plan', vault: 'Home' });
    await home.disk.write('Plan.md', 'changed\n');
    const update = { name: 'Plan', content: 'mine\n' };
    expect(await call('update_note', { ...update, vault: 'Home' })).toMatch(/^conflict/);
    expect(await call('update_note', { ...update, vault: 'Work' })).toContain('"vault":"Work"');
  });

  it('lists the vaults without naming one', async () => {
    const { call } = await serving({ withMissing: true });
    expect(await call('obsidian_vaults', {})).toBe(
      '{"success":true,"data":{"vaults":["Drive","Work","Home"]}}',
    );
  });
});

describe('a vault that cannot be opened', () => {
  it('does not keep others from answering', async () => {
    const { call, service, caller } = await serving({ withMissing: true });
    expect(await call('read_note', { name: 'Only home' })).toBe('h #chore\n');
    expect(await service.resources(caller())).toHaveLength(6);
    const { total } = await service.complete({ of: 'path', value: 'Only' }, caller());
    expect(total).toBe(2);
  });

  it.each([
    [{ name: 'Plan', vault: 'Drive' }, 'Connect the drive.'],
    [{ name: 'Nowhere' }, 'Connect the drive. The others have no note "Nowhere".'],
    [
      { name: 'Onlie home' },
      'Connect the drive. The others have no note "Onlie home". Closest: Home: Only home.md.',
    ],
  ])('says what to do when %j may be in it', async (args, says) => {
    const { call } = await serving({ withMissing: true });
    expect(await call('read_note', args)).toBe(`vault_not_found: ${says}`);
  });
});

describe('a vault that does not answer', () => {
  const openDrive = () => new Promise<never>(() => undefined);

  it('may have the note, so nothing is done elsewhere, and the call says so', async () => {
    const { call, timers, home } = await serving({ openDrive });
    const appending = call('append_note', { name: 'Only home', text: 'x' }, { deadlineMs: 500 });
    await new Promise((resolve) => setTimeout(resolve, 20));
    timers.advance(500);
    expect(await appending).toMatch(
      /^timeout: The vault "Drive" may have "Only home" too .* nothing was done; name the vault .* The call took longer than 500 ms/,
    );
    expect(home.text('Only home.md')).toBe('h #chore\n');
  });

  it('is not left out because it is busy', async () => {
    const busy = new VaultError('unavailable', 'Try again.');
    const { call } = await serving({ openDrive: () => Promise.reject(busy) });
    expect(await call('append_note', { name: 'Only home', text: 'x' })).toMatch(
      /^unavailable: The vault "Drive" may have "Only home" too .* Try again\./,
    );
  });

  it('does not keep others from listing the vaults', async () => {
    const { call } = await serving({ openDrive });
    expect(await call('obsidian_vaults', {})).toContain('["Drive","Work","Home"]');
  });
});

describe('the context of several vaults', () => {
  it('is told once for each, with its name', async () => {
    const { call } = await serving({ context: true });
    const about = async (vault: string): Promise<string | undefined> =>
      /This is about the vault "(.*)"/.exec(await call('read_note', { name: 'Plan', vault }))?.[1];
    expect([await about('Work'), await about('Work'), await about('Home')]).toEqual([
      'Work',
      undefined,
      'Home',
    ]);
  });
});

describe('what is listed', () => {
  it('has a vault for every tool but the one that lists them, and says when it is needed', async () => {
    const { service } = await serving();
    const described = Object.fromEntries(
      service.list(allScopes.effects).map(({ name, inputSchema }) => {
        const { properties } = inputSchema as { properties?: { vault?: { description: string } } };
        return [name, properties?.vault?.description];
      }),
    );
    expect(Object.keys(described).filter((name) => described[name] === undefined)).toEqual([
      'obsidian_vaults',
    ]);
    expect(described).toMatchObject({
      read_note: 'Vault, if several have the note',
      create_note: 'Vault, one of "Work", "Home"',
      obsidian_search: 'Vault, one of "Work", "Home"',
    });
    expect(service.instructions(['read'])).toMatch(/^The vaults are "Work", "Home"\. Name one/);
  });

  it('mentions no vault where there is one, and takes its name all the same', async () => {
    const { work, caller } = await serving();
    const toolset = obsidianToolset();
    const opened = source('Work', async () => work);
    const service = createService(opened, [toolset], manualTimers());
    const listed = JSON.stringify(service.list(allScopes.effects));
    expect(listed).not.toContain('"vault":{');
    const read = (vault: string) =>
      service.call('obsidian_read_note', { name: 'Plan', vault }, caller());
    expect(await read('wORK')).toMatchObject({ ok: true, value: { path: 'Plan.md' } });
    expect(await read('Home')).toMatchObject({
      ok: false,
      error: { code: 'vault_not_found', details: { vault: 'Home', vaults: ['Work'] } },
    });
  });

  it('are the latest notes of all vaults', async () => {
    const { service, caller } = await serving();
    const notes = await service.resources(caller());
    expect(notes.map(({ vault, path }) => `${vault}: ${path}`).sort()).toEqual([
      'Home: Only home.md',
      'Home: Plan.md',
      'Work: Old/Twin.md',
      'Work: Only work.md',
      'Work: Plan.md',
      'Work: Sub/Twin.md',
    ]);
    const times = notes.map(({ modifiedMs }) => modifiedMs);
    expect(times).toEqual([...times].sort((a, b) => b - a));
    expect(await service.resources(caller({ vault: 'home' }))).toHaveLength(2);
  });
});

describe('resources, prompts and completions of several vaults', () => {
  it('are those of the vault that is named', async () => {
    const { service, caller } = await serving();
    const home = caller({ vault: 'Home' });
    expect(await service.readResource('Plan.md', home)).toMatchObject({ text: '# Home plan\n' });
    await expect(service.readResource('Plan.md', caller())).rejects.toMatchObject({
      code: 'invalid_input',
    });
    const tagged = { tag: 'chore', vault: 'Home' };
    expect(await service.prompt('tagged', tagged, caller())).toContain('Only home.md');
    await expect(service.prompt('tagged', { tag: 'chore' }, caller())).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });

  it('need no name where a note tells', async () => {
    const { service, caller } = await serving();
    expect(await service.prompt('note', { name: 'Only home' }, caller())).toContain('h #chore');
    await expect(service.prompt('note', { name: 'Plan' }, caller())).rejects.toMatchObject({
      code: 'ambiguous',
    });
    const required = service
      .prompts(['read'])
      .map(({ name, arguments: args }) => [name, args.find((each) => each.name === 'vault')]);
    expect(required).toMatchObject([
      ['context', { required: true }],
      ['note', { required: false }],
      ['tagged', { required: true }],
    ]);
  });

  it('are completed in the vault that is given, or in all', async () => {
    const { service, caller } = await serving();
    const note = (value: string, given: Record<string, string> = {}) =>
      service.complete({ of: 'prompt', prompt: 'note', argument: 'name', value, given }, caller());
    expect(await note('Pl')).toEqual({ values: ['Plan'], total: 1 });
    expect((await note('Only')).values).toEqual(['Only work', 'Only home']);
    expect((await note('Only', { vault: 'Home' })).values).toEqual(['Only home']);
    expect(await service.complete({ of: 'vault', value: 'ho' }, caller())).toEqual({
      values: ['Home'],
      total: 1,
    });
    const vault = { prompt: 'note', argument: 'vault', value: '', given: {} };
    expect((await service.complete({ of: 'prompt', ...vault }, caller())).total).toBe(2);
  });

  it('are told to those who subscribe in that vault alone', async () => {
    const { service, work, home, caller } = await serving();
    const told: string[] = [];
    const listen = (vault: string) =>
      service.subscribe('Plan.md', caller({ vault }), () => told.push(vault));
    await Promise.all([listen('Work'), listen('Home')]);
    await home.disk.write('Plan.md', 'other\n');
    await work.keeper.reconcile();
    await home.keeper.reconcile();
    await expect.poll(() => told).toEqual(['Home']);
  });
});
