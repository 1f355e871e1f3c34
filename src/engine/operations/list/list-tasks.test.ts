import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MemoryVault, openWrittenVault } from '../../../../test/support/written-vault.ts';
import { allScopes } from '../../../base/caller.ts';
import { vaultPath } from '../../../base/vault-path.ts';
import { listTasks } from './list-tasks.ts';

const page = { limit: 50, offset: 0, folder: '' } as const;
let opened: MemoryVault;

beforeEach(async () => {
  opened = await openWrittenVault({
    '.obsidian/app.json': '{"userIgnoreFilters":["Archive/"]}',
    'Plan.md': [
      '---',
      'status: "- [ ] no task"',
      '---',
      '- [ ] first ^id',
      '# Work',
      '1) [x] numbered (H03)',
      '- item',
      '\t- [/] nested in progress (H04)',
      '',
      '> [!todo]',
      '> * [ ] in a callout (H05)',
      '```',
      '- [ ] in code',
      '```',
      '%%',
      '- [ ] in a comment (H12)',
      '%%',
      '## Later',
      '+ [X] done',
      '- [] none',
      '- item',
    ].join('\n'),
    'Sub/Crlf.md': '- [ ] one  \r\n- [-] two\r\n',
    'Sub/Deep/More.md': '- [ ] deep',
    'Archive/Old.md': '- [ ] old',
    'Secret/Plan.md': '- [ ] hidden',
    'Board.canvas': '{"nodes":[{"type":"text","text":"- [ ] card"}]}',
  });
});
afterEach(() => opened.close());

const planTasks = [
  { path: 'Plan.md', line: 4, status: ' ', text: 'first ^id' },
  { path: 'Plan.md', line: 6, status: 'x', text: 'numbered (H03)', heading: 'Work' },
  { path: 'Plan.md', line: 8, status: '/', text: 'nested in progress (H04)', heading: 'Work' },
  { path: 'Plan.md', line: 11, status: ' ', text: 'in a callout (H05)', heading: 'Work' },
  { path: 'Plan.md', line: 19, status: 'X', text: 'done', heading: 'Later' },
];

describe('listTasks', () => {
  it('shows the tasks of a note with line, character, text and heading (H03, H04, H05, H12)', async () => {
    expect(await listTasks(opened.vault, { ...page, name: 'Plan.md' })).toEqual({
      total: 5,
      tasks: planTasks,
    });
  });

  it.each<readonly [status: string | undefined, folder: string, texts: string[]]>([
    [undefined, 'Sub', ['Sub/Crlf.md:1 one', 'Sub/Crlf.md:2 two', 'Sub/Deep/More.md:1 deep']],
    ['todo', 'Sub', ['Sub/Crlf.md:1 one', 'Sub/Deep/More.md:1 deep']],
    ['done', 'Sub', ['Sub/Crlf.md:2 two']],
    ['-', 'Sub', ['Sub/Crlf.md:2 two']],
    ['x', '', ['Plan.md:6 numbered (H03)']],
    [
      'done',
      '',
      [
        'Plan.md:6 numbered (H03)',
        'Plan.md:8 nested in progress (H04)',
        'Plan.md:19 done',
        'Sub/Crlf.md:2 two',
      ],
    ],
  ])('of status %j in folder %j', async (status, folder, texts) => {
    const request = { ...page, folder: folder === '' ? '' : vaultPath(folder) } as const;
    const asked = status === undefined ? request : { ...request, status };
    const { total, tasks } = await listTasks(opened.vault, asked);
    expect(tasks.map(({ path, line, text }) => `${path}:${line} ${text}`)).toEqual(texts);
    expect(total).toBe(texts.length);
  });

  it('shows nothing of hidden and of excluded notes', async () => {
    const scopes = { ...allScopes, hide: ['Secret'] };
    const { tasks } = await listTasks(opened.as({ scopes }), { ...page, status: 'todo' });
    expect(new Set(tasks.map(({ path }) => path))).toEqual(
      new Set(['Plan.md', 'Sub/Crlf.md', 'Sub/Deep/More.md']),
    );
  });

  it('comes in pages that know the total, of a note and of the vault', async () => {
    const second = { limit: 1, offset: 1, folder: '' } as const;
    expect(await listTasks(opened.vault, { ...second, name: 'Plan.md', status: 'done' })).toEqual({
      total: 3,
      tasks: [planTasks[2]],
    });
    expect(await listTasks(opened.vault, second)).toMatchObject({ tasks: [planTasks[1]] });
  });

  it.each([
    ['', 3],
    ['Sub', 0],
  ])('of a note only as far as it is in the folder %j', async (folder, total) => {
    const within = folder === '' ? '' : vaultPath(folder);
    const request = { ...page, folder: within, name: 'Plan.md', status: 'done' } as const;
    expect(await listTasks(opened.vault, request)).toMatchObject({ total });
  });

  it('shows the text as it is on disk, and no task that has gone since it was indexed', async () => {
    opened.disk.write('Sub/Crlf.md', '- [ ] another text\nno task');
    opened.disk.erase('Sub/Deep/More.md');
    const { tasks } = await listTasks(opened.vault, { ...page, folder: vaultPath('Sub') });
    expect(tasks).toEqual([{ path: 'Sub/Crlf.md', line: 1, status: ' ', text: 'another text' }]);
  });

  it.each([
    [{ status: 'open' }, 'invalid_input'],
    [{ status: '' }, 'invalid_input'],
    [{ name: 'Board.canvas' }, 'invalid_input'],
    [{ name: 'Nowhere' }, 'not_found'],
    [{ folder: vaultPath('Nowhere') }, 'not_found'],
  ])('refuses %j', async (request, code) => {
    await expect(listTasks(opened.vault, { ...page, ...request })).rejects.toMatchObject({ code });
  });
});
