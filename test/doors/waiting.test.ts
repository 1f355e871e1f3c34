import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { StdioProcess, type WireMessage } from '../support/stdio-process.ts';
import { tempFolder, writeFiles } from '../support/temp-folder.ts';

const read = { name: 'read_note', arguments: { name: 'a' } };

function textOf({ result }: WireMessage): string {
  const [first] = (result?.['content'] ?? []) as readonly { readonly text: string }[];
  return first?.text ?? '';
}

it('a server that waits for its vault starts without it, says what to do, and opens it when it comes', async () => {
  const folder = join(tempFolder(), 'Mine');
  const program = new StdioProcess({ folder, args: ['--wait-for-vault'] });
  const hello = await program.initialize();
  expect(hello.result?.['instructions']).toContain('"Mine"');
  const { result } = await program.request('tools/list');
  expect(result?.['tools']).toContainEqual(expect.objectContaining({ name: 'read_note' }));

  const missed = await program.request('tools/call', read);
  expect(missed.result?.['isError']).toBe(true);
  expect(textOf(missed)).toBe(
    'The vault "Mine" cannot be opened: its folder does not exist. If it was moved or renamed, choose it again in the settings.',
  );

  mkdirSync(folder);
  writeFileSync(join(folder, 'a.md'), 'Alpha.\n');
  expect(textOf(await program.request('tools/call', read))).toMatch(/^Alpha\.\n/);
  expect(await program.end()).toEqual({ code: 0, signal: null });
});

it('a server that waits starts without a vault being chosen, and says that one must be', async () => {
  const program = new StdioProcess({
    folder: '',
    args: ['--wait-for-vault', '--', `\${user_config.vaults}`],
  });
  expect((await program.initialize()).result?.['serverInfo']).toBeDefined();
  expect(textOf(await program.request('tools/call', read))).toBe(
    'No vault is chosen yet. Choose the folder of your notes in the settings, then try again.',
  );
  expect(await program.end()).toEqual({ code: 0, signal: null });
});

it('a vault that is missing does not keep the next from being opened', async () => {
  const folder = tempFolder({ 'Here/a.md': 'Alpha.\n' });
  const vaults = [join(folder, 'Gone'), join(folder, 'Here')];
  const program = new StdioProcess({ folder, args: ['--wait-for-vault', '--', ...vaults] });
  await program.initialize();
  await expect.poll(() => program.stderr, { timeout: 30_000 }).toContain('indexed vault=Here');
  expect(program.stderr).toContain('waiting-for-the-vault vault=Gone');
  expect(await program.end()).toEqual({ code: 0, signal: null });
});

it('vaults found in the chosen folder are named, and opened when they are chosen', async () => {
  const folder = tempFolder();
  writeFiles(folder, { 'One/.obsidian/app.json': '{}', 'One/a.md': 'Alpha.\n' });
  const program = new StdioProcess({ folder, args: ['--wait-for-vault'] });
  await program.initialize();
  expect(textOf(await program.request('tools/call', read))).toContain(
    'there is a vault in it: "One".',
  );
  expect(await program.end()).toEqual({ code: 0, signal: null });

  const chosen = new StdioProcess({
    folder,
    args: ['--wait-for-vault', '--', join(folder, 'One')],
    env: { VAULTDOOR_READ_ONLY: 'true' },
  });
  await chosen.initialize();
  expect(textOf(await chosen.request('tools/call', read))).toMatch(/^Alpha\.\n/);
  const { result } = await chosen.request('tools/list');
  expect(result?.['tools']).not.toContainEqual(expect.objectContaining({ name: 'append_note' }));
  expect(await chosen.end()).toEqual({ code: 0, signal: null });
});
