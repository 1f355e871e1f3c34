import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addressOf, ask } from '../intrusion/knock.ts';
import { tool } from '../intrusion/path-cases.ts';
import { HttpProcess } from '../support/http-process.ts';
import { runCli } from '../support/run-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Every word for a change in a text. */
const wordsIn = (text: string): string[] => text.match(/\bc-[0-9a-z]{8}\b/g) ?? [];

it('a token for a folder names changes by words, which mean the same to nobody else but the owner', async () => {
  const folder = tempFolder({ 'Work/A.md': 'a\n', 'B.md': 'to [[A]]\n', 'C.md': 'c\n' });
  const home = tempFolder();
  const env = { XDG_STATE_HOME: home, XDG_CACHE_HOME: home };
  const run = async (...args: string[]) =>
    (await runCli(args, { ...env, VAULT_PATH: folder })).stdout;
  const tokenFor = async (name: string): Promise<string> => {
    const made = await run('token', 'create', name, '--folder', 'Work', '--json');
    return (JSON.parse(made) as { token: string }).token;
  };
  const [laptop, phone] = [await tokenFor('laptop'), await tokenFor('phone')];
  for (let n = 0; n < 3; n += 1) await run('append', 'C.md', 'elsewhere');
  await run('rename', 'Work/A.md', 'Z'); // Number 4, which also changes B.md.
  const server = await HttpProcess.start({ folder, args: ['--tools', 'notes'], env });
  const said = async (token: string, name: string, args: object): Promise<string> => {
    const request = tool(name, args as Record<string, unknown>);
    return (await ask(addressOf(server.url), { ...request, token, era: '2026' })).line;
  };

  const listed = await said(laptop, 'list_changes', {});
  const [renamed = '', ...others] = wordsIn(listed);
  expect(others).toEqual([]);
  expect(listed).toContain('\\"total\\":1');
  expect(wordsIn(await said(phone, 'list_changes', {}))).not.toEqual([renamed]);
  const appended = wordsIn(await said(laptop, 'append_note', { name: 'Z', text: 'mine' }));
  expect(appended).toHaveLength(1);
  expect(await said(phone, 'undo_change', { id: renamed })).toMatch(
    /isError There is no change c-/,
  );
  for (const id of [1, 4, 5]) {
    expect(await said(laptop, 'undo_change', { id })).toContain(`There is no change ${id} in`);
  }

  // Whoever sees all knows the words as well, in another process.
  expect(await run('show', appended[0] ?? '')).toMatch(/^change 5 /);
  await run('undo', appended[0] ?? '');
  expect(readFileSync(join(folder, 'Work/Z.md'), 'utf8')).toBe('a\n');

  const undone = await said(laptop, 'undo_change', { id: renamed.toUpperCase() });
  expect(undone).toMatch(/^200 ok /);
  expect(undone).not.toMatch(/B\.md|warnings|left|see/);
  expect(readFileSync(join(folder, 'Work/A.md'), 'utf8')).toBe('a\n');
  expect(readFileSync(join(folder, 'B.md'), 'utf8')).toBe('to [[Z]]\n');
  expect(await said(laptop, 'undo_change', { id: renamed })).toContain('is undone already');
  // For the owner the rest is still to be undone.
  expect(await run('undo', '4')).toContain('B.md');
  expect(readFileSync(join(folder, 'B.md'), 'utf8')).toBe('to [[A]]\n');
  await server.stop();
});
