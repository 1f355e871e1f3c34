import { afterEach, describe, expect, it } from 'vitest';
import { type MemoryVault, openWrittenVault } from '../../../../test/support/written-vault.ts';
import { vaultPath } from '../../../base/vault-path.ts';
import { listDuplicates } from './list-duplicates.ts';

let opened: MemoryVault | undefined;
afterEach(() => opened?.close());

type Files = Readonly<Record<string, string>>;

async function vaultWith(files: Files): Promise<MemoryVault> {
  opened = await openWrittenVault(files);
  return opened;
}

const page = { folder: '', limit: 100, offset: 0 } as const;

/** A text of different words; another number makes quite another text. */
function textOf(number: number, words: number): string {
  const list = Array.from(
    { length: words },
    (_, at) => `w${(at * 7919 + number * 104_729) % 99_991}`,
  );
  return list.join(' ').replace(/((?:\S+ ){20})/g, '$1\n\n');
}

async function groupsOf(files: Files): Promise<readonly string[][]> {
  const { vault } = await vaultWith(files);
  const { items } = await listDuplicates(vault, page);
  return items.map(({ paths }) => [...paths]);
}

const long = textOf(1, 200);

describe('duplicates', () => {
  it.each<[string, Files, readonly string[][]]>([
    ['a copy', { 'a.md': long, 'b/c.md': long, 'd.md': textOf(2, 200) }, [['a.md', 'b/c.md']]],
    [
      'a copy with other properties and white space',
      { 'a.md': `---\nx: 1\n---\n${long}`, 'b.md': long.replaceAll('\n\n', '\r\n \r\n') },
      [['a.md', 'b.md']],
    ],
    [
      'short ones, when they are the same',
      { 'a.md': 'To do', 'b.md': 'To do\n' },
      [['a.md', 'b.md']],
    ],
    ['short ones that differ', { 'a.md': 'Call Ann on Monday', 'b.md': 'Call Ann on Sunday' }, []],
    ['empty bodies', { 'a.md': '---\nx: 1\n---\n', 'b.md': '\n', 'c.md': '' }, []],
    [
      'one paragraph changed',
      { 'a.md': long, 'b.md': long.replace(/^w\d+/, textOf(9, 20)) },
      [['a.md', 'b.md']],
    ],
    [
      'half of it changed',
      { 'a.md': long, 'b.md': long.slice(0, long.length / 2) + textOf(3, 100) },
      [],
    ],
    [
      'Chinese text',
      {
        'a.md':
          '春天的花园里有很多石头，旁边还有一条小河，河边的柳树已经长出了新芽，孩子们在草地上奔跑。',
        'b.md':
          '春天的花园里有很多石头，旁边还有一条小河，河边的柳树已经长出了新叶，孩子们在草地上奔跑。',
        'c.md':
          '今天晚上我们去图书馆借了三本关于历史的书，然后在门口的小店里吃了一碗热面，回家的时候下雨了。',
      },
      [['a.md', 'b.md']],
    ],
  ])('%s', async (_, files, expected) => {
    expect(await groupsOf(files)).toEqual(expected);
  });

  it('says how much alike they are, the same ones first', async () => {
    const { vault } = await vaultWith({
      'a.md': long,
      'b.md': `${long} and a few words more`,
      'x.md': textOf(2, 50),
      'y.md': textOf(2, 50),
    });
    const { items, total } = await listDuplicates(vault, page);
    expect(total).toBe(2);
    expect(items[0]).toEqual({ paths: ['x.md', 'y.md'], alike: 1 });
    expect(items[1]?.alike).toBeGreaterThan(0.9);
    expect(items[1]?.alike).toBeLessThan(1);
    const second = await listDuplicates(vault, { ...page, limit: 1, offset: 1 });
    expect(second.items).toEqual([items[1]]);
  });

  it('notes from one template are not alike because of the template', async () => {
    const template = textOf(5, 150);
    const days = Array.from({ length: 30 }, (_, day): [string, string] => [
      `Daily/${day}.md`,
      `# Day ${day}\n\n${template}\n\n${textOf(100 + day, 20)}\n`,
    ]);
    const copy = days[3]?.[1].replace('# Day 3', '# Day 3 again') ?? '';
    const files = Object.fromEntries([...days, ['Copy of 3.md', `${copy}\n${textOf(103, 40)}`]]);
    expect(await groupsOf(files)).toEqual([]);
    const filled = days.map(([path, text], day) => [path, text + textOf(200 + day, 60)]);
    const withCopy = [...filled, ['Copy.md', `${filled[3]?.[1]}\nsome words more`]];
    await opened?.close();
    expect(await groupsOf(Object.fromEntries(withCopy))).toEqual([['Copy.md', 'Daily/3.md']]);
  });

  it('are looked for in one folder, and only where the caller may look', async () => {
    const files = { 'A/a.md': long, 'A/b.md': long, 'B/c.md': long, 'B/d.md': `${long} x` };
    const vault = await vaultWith(files);
    const inA = await listDuplicates(vault.vault, { ...page, folder: vaultPath('a') });
    expect(inA.items.map(({ paths }) => paths)).toEqual([['A/a.md', 'A/b.md']]);
    const scopes = { ...vault.vault.caller.scopes, folders: [vaultPath('B')] };
    const inB = await listDuplicates(vault.as({ scopes }), page);
    expect(inB).toMatchObject({ notes: 2, items: [{ paths: ['B/c.md', 'B/d.md'] }] });
    const nowhere = listDuplicates(vault.vault, { ...page, folder: vaultPath('C') });
    await expect(nowhere).rejects.toMatchObject({ code: 'not_found' });
  });

  it('say how many notes could be compared in time', async () => {
    const vault = await vaultWith({ 'a.md': long, 'b.md': long, 'c.md': long });
    const found = await listDuplicates(vault.as({ deadlineMs: 0 }), page);
    expect(found).toMatchObject({ notes: 3, compared: 1, unread: 0, timeIsUp: true });
  });

  it('are looked for again in what has changed', async () => {
    const vault = await vaultWith({ 'a.md': long, 'b.md': long, 'c.md': textOf(2, 200) });
    const paths = async () =>
      (await listDuplicates(vault.vault, page)).items.map((group) => group.paths);
    expect(await paths()).toEqual([['a.md', 'b.md']]);
    vault.disk.write('b.md', textOf(2, 200));
    await vault.keeper.reconcile();
    expect(await paths()).toEqual([['b.md', 'c.md']]);
    vault.disk.write('d.md', long);
    await vault.keeper.reconcile();
    expect((await paths()).toSorted()).toEqual([
      ['a.md', 'd.md'],
      ['b.md', 'c.md'],
    ]);
  });

  it('end with the call', async () => {
    const vault = await vaultWith({ 'a.md': long, 'b.md': long });
    const signal = AbortSignal.abort();
    await expect(listDuplicates(vault.as({ signal }), page)).rejects.toThrow();
  });

  it('of a thousand texts from one template cost about as much as of other texts', async () => {
    const template = textOf(5, 100);
    const files = Array.from({ length: 1_000 }, (_, at) => [
      `${at}.md`,
      `${template} ${textOf(1_000 + at, 20)}`,
    ]);
    expect(await groupsOf(Object.fromEntries(files))).toEqual([]);
  });

  it.each([9, 40])('of %d notes that differ in a few words are one group', async (count) => {
    const files = (text: string, name: string) =>
      Array.from({ length: count }, (_, number): [string, string] => {
        const words = text.split(' ').map((word, at) => (at % 100 === 30 ? `x${number}` : word));
        return [`${name}${number}.md`, words.join(' ')];
      });
    const all = [...files(textOf(1, 60), 'short '), ...files(textOf(2, 1_500), 'long ')];
    const groups = await groupsOf(Object.fromEntries([...all, ['other.md', textOf(3, 60)]]));
    expect(groups.map(({ length }) => length)).toEqual([count, count]);
    expect(groups.flat().toSorted()).toEqual(all.map(([path]) => path).toSorted());
  });

  it('come with the longest first, of those that are equally alike', async () => {
    const files = [5, 300, 50].flatMap((words, at): [string, string][] => [
      [`${at}a.md`, textOf(at, words)],
      [`${at}b.md`, textOf(at, words)],
    ]);
    expect(await groupsOf(Object.fromEntries(files))).toEqual([
      ['1a.md', '1b.md'],
      ['2a.md', '2b.md'],
      ['0a.md', '0b.md'],
    ]);
  });

  it('leave out notes that cannot be read, and say so', async () => {
    const vault = await vaultWith({ 'a.md': long, 'b.md': long, 'c.md': 'x'.repeat(18_000_000) });
    const found = await listDuplicates(vault.vault, page);
    expect(found).toMatchObject({ total: 1, compared: 2, unread: 1, notes: 3, timeIsUp: false });
  });
});
