import { expect, it } from 'vitest';
import { rawChange } from '../../../test/faults/raw-changes.ts';
import { openToolset } from '../../../test/support/toolset-service.ts';
import { vaultPath } from '../../base/vault-path.ts';
import { paintFor } from '../../cli/shell/terminal.ts';
import { cliToolset } from './cli-toolset.ts';
import { tasksTool } from './tasks.ts';
import { undoTool } from './undo.ts';

it('takes back, and does again, what a remote client did to a dot file and to folders', async () => {
  const file = '.obsidian/app.json';
  const vault = await openToolset({ [file]: '{}' }, cliToolset(paintFor({ isTTY: false }, {})));
  await rawChange(vault, (raw) => raw.remove(vaultPath(file)));
  await rawChange(vault, (raw) => raw.removeFolder(vaultPath('.obsidian'), { recursive: true }));
  await rawChange(vault, (raw) => raw.makeFolder(vaultPath('New')));
  expect(await vault.call('undo', { last: 3 })).toMatchObject({ ok: true });
  expect([vault.files(), vault.disk.folders()]).toEqual([{ [file]: '{}' }, ['.obsidian']]);
  expect(await vault.call('redo')).toMatchObject({ ok: true });
  expect([vault.files(), vault.disk.folders()]).toEqual([{}, ['New']]);
  const history = await vault.call('history');
  expect(history.text).toContain('New');
  expect(history.text).toContain('Deleted app.json');
  await vault.close();
});

it('says what took the place of what, and shows no folders as files', async () => {
  const vault = await openToolset(
    { 'a.md': 'a', 'b.md': 'b' },
    cliToolset(paintFor({ isTTY: false }, {})),
  );
  await rawChange(vault, (raw) => raw.move(vaultPath('a.md'), vaultPath('b.md')));
  await rawChange(vault, (raw) => raw.makeFolder(vaultPath('New')));
  await rawChange(vault, (raw) => raw.makeFolder(vaultPath('Old')));
  await rawChange(vault, (raw) => raw.move(vaultPath('Old'), vaultPath('New')));
  const { text } = await vault.call('history');
  expect(text).toMatch(/Renamed a to b\n/);
  const shown = await vault.call('show', { id: 2 });
  expect(shown.text).toMatch(/created New\n+$/);
  expect((await vault.call('undo')).text).toContain('An empty folder was at "New" before');
  await vault.close();
});

it('names a note once that later edits keep, though some of what was added to it is taken back', async () => {
  const vault = await openToolset({}, cliToolset(paintFor({ isTTY: false }, {})));
  await vault.call('create', { path: 'A.md', content: '1\n2\n3\n' });
  vault.disk.write('A.md', '0\n1\n2\n3\n');
  await vault.call('append', { name: 'A', text: '4' });
  const why = 'A.md: it was changed after it had been created; delete it if it is not needed';
  const questions: string[] = [];
  const ask = async (question: string) => {
    questions.push(question);
    return false;
  };
  const all = { path: 'A.md' };
  await vault.call('undo', all, { ask });
  expect(questions).toEqual([`  only in part: ${why}\nTake back 1 change in 1 file?`]);
  expect((await vault.call('undo', all)).text).toContain(
    'take back 1 change in 1 file (1 file only in part): --yes',
  );
  const dry = await vault.call('undo', { ...all, dryRun: true });
  expect(dry.text).toMatch(new RegExp(`^only in part: ${why}\\n[^]*-4\\n`));
  const done = await vault.call('undo', { ...all, yes: true });
  expect(done.text).toContain(`only in part: ${why}\n`);
  expect(done.text).not.toContain('left as it is');
  expect(vault.text('A.md')).toBe('0\n1\n2\n3\n');
  await vault.close();
});

it('shows where a deleted note was put', async () => {
  const vault = await openToolset({ 'A.md': 'a\n' }, cliToolset(paintFor({ isTTY: false }, {})));
  await vault.call('delete', { name: 'A', trash: 'local' });
  const { text } = await vault.call('show', { id: 1 });
  expect(text).toMatch(/\ndeleted A\.md, [^\n]*put into the trash as \.trash\/A\.md\n/);
  expect(vault.text('.trash/A.md')).toBe('a\n');
  await vault.close();
});

it('names remote clients, not their connections', async () => {
  const vault = await openToolset({ 'a.md': 'a' }, cliToolset(paintFor({ isTTY: false }, {})));
  const by = { door: 'remote', connection: 'remote:b537ec81-3519' } as const;
  await vault.call('append', { name: 'a', text: 'b' }, by);
  await vault.call('append', { name: 'a', text: 'c' }, { ...by, client: 'my phone' });
  const { text } = await vault.call('history');
  expect(text).toMatch(/2 .* {2}my phone {6}Added to a\n.*1 .* {2}A remote app {2}Added to a\n/);
  expect(text).not.toContain('b537ec81');
  expect(await vault.call('undo', { client: 'my phone', yes: true })).toMatchObject({ ok: true });
  expect(vault.text('a.md')).toBe('a\nb\n');
  await vault.close();
});

it('says which change was the last, and when there were fewer than asked for', async () => {
  const vault = await openToolset({ 'a.md': 'a' }, cliToolset(paintFor({ isTTY: false }, {})));
  for (const text of ['1', '2', '3']) await vault.call('append', { name: 'a', text });
  await vault.call('undo', { ids: [3] });
  expect((await vault.call('undo')).text).toContain(
    'took back change 2, the last one that was not undone yet\n',
  );
  expect((await vault.call('undo', { last: 3 })).text).toContain('took back change 1\n');
  expect(undoTool.remarks?.({ last: 3, undone: [1] })).toEqual([
    'Only 1 change of 3: there were no others to take back.',
  ]);
  await vault.close();
});

it('shows first that a change was undone, and no id of a session of the console', async () => {
  const paint = paintFor({ isTTY: true, columns: 60 }, { NO_COLOR: '1' });
  const vault = await openToolset({ 'a.md': 'a' }, cliToolset(paint));
  const by = { door: 'console', connection: '02bd48f3-3ae4-4e6b' } as const;
  await vault.call('create', { path: `${'long'.repeat(20)}.md`, content: 'a' }, by);
  await vault.call('undo', {}, by);
  const { text } = await vault.call('history');
  expect(text).toMatch(/you, console {2}\(undone by 2\) Creat/);
  expect(text).not.toContain('02bd');
  await vault.close();
});

it('says how many tasks are done where none is open', async () => {
  const vault = await openToolset(
    { 'a.md': '- [x] one\n- [x] two\n' },
    cliToolset(paintFor({ isTTY: false }, {})),
  );
  expect((await vault.call('tasks')).text).toBe('');
  const none = { total: 0, items: [], others: [], done: 2 };
  expect(tasksTool.remarks?.(none)).toEqual(['No open tasks; --all shows 2 done ones.']);
  await vault.close();
});

it('says how a change that is undone already comes back', async () => {
  const vault = await openToolset({}, cliToolset(paintFor({ isTTY: false }, {})));
  await vault.call('create', { path: 'a.md', content: 'a' });
  await vault.call('undo', { ids: [1] });
  expect((await vault.call('undo', { ids: [1] })).text).toContain(
    'Change 1 is undone already, by change 2. "vaultdoor redo 2" brings it back.',
  );
  await vault.close();
});

it('shows a person the last change and asks before it takes it back', async () => {
  const vault = await openToolset({ 'a.md': 'a' }, cliToolset(paintFor({ isTTY: false }, {})));
  const by = { door: 'mcp-stdio', client: 'claude-code/2.1' } as const;
  await vault.call('append', { name: 'a', text: 'b' }, by);
  const asked: unknown[] = [];
  const answers = (yes: boolean) => ({
    ask: async (question: string, enter?: 'yes') => {
      asked.push([question, enter]);
      return yes;
    },
  });
  const refused = await vault.call('undo', {}, answers(false));
  expect([refused.ok, refused.text]).toEqual([false, 'Nothing was changed.']);
  expect(asked).toEqual([['Change 1, just now, by Claude Code: Added to a\nUndo this?', 'yes']]);
  expect(vault.text('a.md')).toBe('a\nb\n');
  expect((await vault.call('undo', {}, answers(true))).text).toContain('took back change 1, the');
  expect(vault.text('a.md')).toBe('a');
  await vault.close();
});

it.each([{ yes: true }, { dryRun: true }, { ids: [1] }, { last: 1 }])(
  'does not ask about the last change with %j',
  async (how) => {
    const vault = await openToolset({ 'a.md': 'a' }, cliToolset(paintFor({ isTTY: false }, {})));
    await vault.call('append', { name: 'a', text: 'b' });
    const ask = () => Promise.reject(new Error('asked'));
    expect(await vault.call('undo', how, { ask })).toMatchObject({ ok: true });
    await vault.close();
  },
);

it('shows a person what a redo makes again, asks, and says it', async () => {
  const vault = await openToolset({ 'a.md': 'a' }, cliToolset(paintFor({ isTTY: false }, {})));
  await vault.call('append', { name: 'a', text: 'b' });
  await vault.call('undo', { ids: [1] });
  const asked: unknown[] = [];
  const answers = (yes: boolean) => ({
    ask: async (question: string, enter?: 'yes') => {
      asked.push([question, enter]);
      return yes;
    },
  });
  const refused = await vault.call('redo', {}, answers(false));
  expect([refused.ok, refused.text]).toEqual([false, 'Nothing was changed.']);
  expect(asked).toEqual([['Change 1, just now, by An app: Added to a\nMake this again?', 'yes']]);
  expect(vault.text('a.md')).toBe('a');
  const { text } = await vault.call('redo', {}, answers(true));
  expect(text).toContain('made change 1 again, which change 2 had taken back\n');
  expect(text).not.toContain('took back');
  expect(vault.text('a.md')).toBe('a\nb\n');
  await vault.close();
});

it('says for each file what an undo of many would do, and when there is nothing', async () => {
  const vault = await openToolset(
    { 'a.md': 'a', 'b.md': 'b', 'c.md': 'c' },
    cliToolset(paintFor({ isTTY: false }, {})),
  );
  expect((await vault.call('undo')).text).toContain('There is nothing to undo.');
  await vault.call('append', { name: 'a', text: 'gone' });
  await vault.call('undo');
  const again = 'There is nothing to undo: all is undone. "redo" makes again what was undone last.';
  expect((await vault.call('undo')).text).toContain(again);
  expect((await vault.call('undo', { since: '1h' })).text).toContain('no matching change to undo.');
  await vault.call('append', { name: 'a', text: 'more' });
  await vault.call('delete', { name: 'b' });
  await vault.call('create', { path: 'd.md', content: 'd' });
  await vault.call('rename', { name: 'c', newName: 'e' });
  let asked = '';
  const ask = async (question: string) => {
    asked = question;
    return false;
  };
  await vault.call('undo', { since: '1h' }, { ask });
  expect(asked.split('\n').toSorted()).toEqual([
    '  changes: a.md',
    '  comes back: b.md',
    '  is deleted: d.md',
    '  moves: e.md -> c.md',
    'Take back 4 changes in 4 files?',
  ]);
  await vault.close();
});
