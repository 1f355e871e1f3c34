import { lstatSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { allScopes, type Scopes } from '../../src/base/caller.ts';
import { vaultPath } from '../../src/base/vault-path.ts';
import { textsOf } from '../../src/tools/define/outcome.ts';
import { makesSymlinks } from '../support/makes-symlinks.ts';
import { canary, hideOutside, type LinkedVault, openLinked } from './scoped-vaults.ts';

/** The answer of a tool as text, or the code of its failure after a `!`. */
async function ask(
  vault: LinkedVault,
  tool: string,
  args: object,
  scopes: Partial<Scopes> = {},
): Promise<string> {
  const caller = { ...vault.caller, scopes: { ...vault.caller.scopes, ...scopes } };
  const outcome = await vault.service.call(tool, args, caller);
  return outcome.ok ? textsOf(outcome.content).join('') : `!${outcome.error.code}`;
}

const all = { folders: allScopes.folders, hide: [] };

describe.runIf(makesSymlinks).each<[string, Partial<Scopes>]>([
  ['a folder', { folders: [vaultPath('Work')] }],
  ['what is not hidden', { hide: hideOutside }],
])('who sees only %s', (_, limits) => {
  it.each([
    ['read_note', { name: 'Work/Link.md' }, '!not_found'],
    ['read_note', { name: 'Link' }, '!not_found'],
    ['read_section', { name: 'Work/Link', section: 'Quagga heading' }, '!not_found'],
    ['get_links', { name: 'Work/Link.md' }, '!not_found'],
    ['get_frontmatter', { name: 'Work/Link.md' }, '!not_found'],
    ['append_note', { name: 'Work/Link.md', text: 'x' }, '!not_found'],
    ['replace_note', { name: 'Work/Link.md', old_text: 'striped', new_text: 'x' }, '!not_found'],
    ['update_note', { name: 'Work/Link.md', content: 'x' }, '!not_found'],
    ['rename_note', { old_name: 'Work/Link.md', new_name: 'Mine' }, '!not_found'],
    ['delete_note', { name: 'Work/Link.md' }, '!not_found'],
    ['create_note', { path: 'Work/Link.md', content: 'x' }, '!already_exists'],
    ['note_read', { path: 'Work/Link.md' }, '{"content":"","exists":false}'],
    ['obsidian_file_info', { path: 'Work/Map.canvas' }, '!not_found'],
  ])('is told by %s %j that there is no such note', async (tool, args, expected) => {
    const vault = await openLinked(limits);
    const path = join(vault.root, 'Work/Link.md');
    const before = readFileSync(path, 'utf8');
    expect(await ask(vault, tool, args)).toBe(expected);
    expect(readFileSync(path, 'utf8')).toBe(before);
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    await vault.close();
  });

  it('cannot read or follow it as a resource', async () => {
    const vault = await openLinked(limits);
    const { service, caller } = vault;
    const code = 'not_found';
    await expect(service.readResource('Work/Link.md', caller)).rejects.toMatchObject({ code });
    // It is answered as a path is where nothing is, and told nothing.
    const told = vi.fn();
    await service.subscribe('Work/Nothing.md', caller, told);
    await service.subscribe('Work/Link.md', caller, told);
    await ask(vault, 'append_note', { name: 'Work/Link.md', text: 'x' }, all);
    await ask(vault, 'create_note', { path: 'Work/Nothing.md', content: 'x' }, all);
    await vi.waitFor(() => expect(told).toHaveBeenCalledOnce());
    await vault.close();
  });

  it('finds nothing of it, and others do', async () => {
    const vault = await openLinked(limits);
    const rows: readonly (readonly [tool: string, args: object])[] = [
      ['search_notes', { query: 'very striped' }],
      ['search_notes', { query: '/str.ped/' }],
      ['list_notes', {}],
      ['list_changes', {}],
    ];
    for (const [tool, args] of rows) {
      expect(await ask(vault, tool, args), tool).not.toMatch(/Work\/Link|"Link"|quagga/i);
      expect(await ask(vault, tool, args, all), tool).toMatch(/Work\/Link|"Link"/);
    }
    expect(await ask(vault, 'read_note', { name: 'Work/Link.md' }, all)).toMatch(canary);
    await vault.close();
  });

  it('renames what it sees, and is told nothing of the tags behind it', async () => {
    const vault = await openLinked(limits);
    const rename = (old_name: string, new_name: string) =>
      ask(vault, 'rename_note', { old_name, new_name });
    expect(await rename('#zebra-quagga', '#x')).toBe('!not_found');
    expect(await rename('#open', '#opened')).not.toMatch(/^!|Link|quagga/);
    expect(readFileSync(join(vault.root, 'Work/Plain.md'), 'utf8')).toContain('#opened');
    await vault.close();
  });

  it('is not shown it as a template', async () => {
    const vault = await openLinked(limits);
    writeFileSync(join(vault.root, '.obsidian/templates.json'), '{"folder":"Work"}');
    const args = { name: 'Work/Mine', template: 'Secret/in/zq', content: 'x' };
    const outcome = await vault.service.call('create_note', args, vault.caller);
    const text = textsOf(outcome.content).join('');
    expect(text).toMatch(/Templates are: .*Work\/Same\.md.* Give one as "template"\./);
    expect(text).not.toContain('Work/Link');
    await vault.close();
  });

  it('follows symlinks to what it may see', async () => {
    const vault = await openLinked(limits);
    expect(await ask(vault, 'read_note', { name: 'Work/Same.md' })).toContain('# Deep');
    expect(await ask(vault, 'search_notes', { query: 'Same' })).toContain('Work/Same.md');
    await ask(vault, 'append_note', { name: 'Work/Same.md', text: 'more' });
    expect(readFileSync(join(vault.root, 'Work/Sub/Deep.md'), 'utf8')).toContain('more');
    expect(lstatSync(join(vault.root, 'Work/Same.md')).isSymbolicLink()).toBe(true);
    await vault.close();
  });

  it('sees no old content where a symlink was exchanged, before or after it is indexed', async () => {
    const vault = await openLinked(limits);
    const plain = join(vault.root, 'Work/Plain.md');
    const search = { query: '/str.ped|nothing/' };
    rmSync(plain);
    symlinkSync('../Secret/in/zq.md', plain);
    expect(await ask(vault, 'read_note', { name: 'Work/Plain.md' })).toBe('!not_found');
    expect(await ask(vault, 'search_notes', search)).not.toMatch(canary);
    await vault.keeper.refresh([vaultPath('Work/Plain.md')]);
    expect(await ask(vault, 'search_notes', search)).not.toMatch(/Plain|quagga/i);
    rmSync(plain);
    writeFileSync(plain, 'my own\n');
    await vault.keeper.refresh(['Work/Plain.md', 'Secret/in/zq.md'].map(vaultPath));
    expect(await ask(vault, 'search_notes', { query: 'striped' })).not.toMatch(/Plain|quagga/i);
    expect(await ask(vault, 'search_notes', { query: 'own' })).toContain('Plain');
    expect(await vault.indexFaults()).toEqual([]);
    await vault.close();
  });

  it('is shown no history of it, even when the symlink is gone', async () => {
    const vault = await openLinked(limits);
    const link = join(vault.root, 'Work/Link.md');
    rmSync(link);
    writeFileSync(link, 'my own\n');
    await vault.keeper.refresh([vaultPath('Work/Link.md')]);
    expect(await ask(vault, 'read_note', { name: 'Work/Link.md' })).toContain('my own');
    for (const [tool, args] of [
      ['obsidian_history', { path: 'Work/Link.md' }],
      ['obsidian_history_read', { path: 'Work/Link.md', version: 1 }],
      ['obsidian_history_diff', { path: 'Work/Link.md', from: 1 }],
      ['list_changes', {}],
    ] as const) {
      expect(await ask(vault, tool, args), tool).not.toMatch(/quagga|striped|Link.*changed/i);
    }
    expect(
      await ask(vault, 'obsidian_history_read', { path: 'Work/Link.md', version: 1 }, all),
    ).toMatch(canary);
    await vault.close();
  });
});
