import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { StdioProcess, type WireMessage } from '../support/stdio-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

function textOf({ result }: WireMessage): string {
  const [first] = (result?.['content'] ?? []) as readonly { readonly text: string }[];
  return first?.text ?? '';
}

it('a server whose state folder is removed says so, and the changes after that can be undone', async () => {
  const folder = tempFolder({ 'a.md': 'Alpha.\n' });
  const state = tempFolder();
  const env = { XDG_STATE_HOME: state, XDG_CACHE_HOME: tempFolder() };
  const program = new StdioProcess({ folder, env });
  await program.initialize();
  const call = async (name: string, args: object) =>
    program.request('tools/call', { name, arguments: args });
  const append = (text: string) => call('append_note', { name: 'a', text });

  expect((await append('one')).result?.['isError']).not.toBe(true);
  rmSync(join(state, 'vaultdoor'), { recursive: true });
  const refused = await append('two');
  expect(refused.result?.['isError']).toBe(true);
  expect(textOf(refused)).toContain("The file with this vault's history was removed or replaced");
  expect(program.stderr).toContain('history-removed-or-replaced');
  expect(textOf(await call('read_note', { name: 'a' }))).toMatch(/^Alpha\.\none\n/);

  expect((await append('three')).result?.['isError']).not.toBe(true);
  const changes = textOf(await call('list_changes', {}));
  expect(changes).toContain('append_note');
  expect((await call('undo_change', { id: 2 })).result?.['isError']).not.toBe(true);
  expect(textOf(await call('read_note', { name: 'a' }))).toMatch(/^Alpha\.\none\n/);
  // The new folder is as private and as complete as the first.
  const [id = ''] = readdirSync(join(state, 'vaultdoor')).filter((name) => !name.includes('.'));
  expect(readdirSync(join(state, 'vaultdoor', id))).toContain('vault.json');
  expect(await program.end()).toEqual({ code: 0, signal: null });
});
