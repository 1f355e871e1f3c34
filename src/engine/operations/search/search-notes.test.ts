import { describe, expect, it, onTestFinished } from 'vitest';
import { indexMemoryVault } from '../../../../test/support/indexed-vault.ts';
import { type MemoryDisk, memoryDisk } from '../../../../test/support/memory-disk.ts';
import { allScopes } from '../../../base/caller.ts';
import { limits } from '../../../base/limits.ts';
import type { VaultError } from '../../../base/vault-error.ts';
import type { TextMatcher, TextMatchRequest } from '../../ports/text-matcher.ts';
import type { VaultParts } from '../../vault/vault-parts.ts';
import { searchNotes } from './search-notes.ts';

const files = {
  'One.md': '# Fruit\napples and pears\n',
  'Two.md': '# Other\napples\n\nand then pears\n',
  'Three.md': 'apples, Pears\n',
  'Apples.md': 'nothing of the kind\n',
};

/** A search in a small vault; the parts may be others. */
async function open(
  disk: MemoryDisk = memoryDisk(files),
  parts: Partial<VaultParts> = {},
): Promise<(query: string, page?: object) => ReturnType<typeof searchNotes>> {
  const opened = await indexMemoryVault(disk, { parts });
  onTestFinished(() => opened.close());
  const { signal } = new AbortController();
  const vault = opened.vault.bind({ door: 'cli', scopes: allScopes, signal, deadlineMs: 5_000 });
  return (query, page = {}) =>
    searchNotes(vault, { query, folder: '', limit: 50, offset: 0, ...page });
}

/** A matcher whose answer a test decides. */
function matcherOf(match: (request: TextMatchRequest) => number): TextMatcher {
  return {
    match: async (request) => {
      const looked = match(request);
      return { found: request.paths.slice(0, looked), looked };
    },
    reasons: async () => [],
    close: async () => {},
  };
}

async function codeOf(answer: Promise<unknown>): Promise<string | undefined> {
  return answer.then(
    () => undefined,
    (error: VaultError) => error.code,
  );
}

describe('what only the text can tell', () => {
  it('is read from the files that may have it, and counted', async () => {
    const search = await open();
    const found = await search('apples line:(apples pears)');
    expect(found.hits.map(({ path }) => path).sort()).toEqual(['One.md', 'Three.md']);
    expect(found).toMatchObject({ total: 2, complete: true });
    const second = await search('apples line:(apples pears)', { limit: 1, offset: 1 });
    expect([second.total, second.hits.map(({ path }) => path)]).toEqual([2, [found.hits[1]?.path]]);
  });

  it('is shown, with the heading above', async () => {
    const search = await open();
    const { hits } = await search('apples match-case:Pears');
    expect(hits).toMatchObject([{ path: 'Three.md', lines: [{ line: 1, text: 'apples, Pears' }] }]);
    const fruit = await search('apples line:(apples and pears)');
    expect(fruit.hits[0]?.lines).toEqual([{ line: 2, text: 'apples and pears', heading: 'Fruit' }]);
  });

  it('is answered in part when the time is over, and says so', async () => {
    const search = await open(memoryDisk(files), { matcher: matcherOf(() => 1) });
    const found = await search('apples /x/');
    expect(found).toMatchObject({ total: 1, complete: false, incomplete: 'time' });
    expect(found.hits).toMatchObject([{ lines: [] }]);
  });

  it('has a part of the time of the call, and no more than there is', async () => {
    const asked: number[] = [];
    const matcher = matcherOf(({ timeMs, paths }) => {
      asked.push(timeMs);
      return paths.length;
    });
    await (await open(memoryDisk(files), { matcher }))('apples /x/');
    expect(asked).toHaveLength(1);
    expect(asked[0]).toBeLessThanOrEqual(Math.min(limits.textMatchMs, 2_000));
  });

  it('is asked for in pages, in the order of the index, until all are looked at', async () => {
    const many = Object.fromEntries(
      Array.from({ length: limits.textMatchPage + 5 }, (_, at) => [`${at}.md`, 'apples']),
    );
    const asked: (readonly string[])[] = [];
    const matcher = matcherOf(({ paths }) => {
      asked.push(paths);
      return paths.length;
    });
    const { total } = await (await open(memoryDisk(many), { matcher }))('apples /x/');
    expect(asked.map((paths) => paths.length)).toEqual([limits.textMatchPage, 5]);
    expect(new Set(asked.flat()).size).toBe(total);
  });

  it('is not known to be absent when the vault is away', async () => {
    const disk = memoryDisk(files);
    const matcher = matcherOf(() => {
      disk.unmount();
      return 0;
    });
    const search = await open(disk, { matcher });
    expect(await codeOf(search('apples /x/'))).toBe('vault_not_found');
  });

  it('is unavailable where nobody reads', async () => {
    const opened = await indexMemoryVault(memoryDisk(files));
    onTestFinished(() => opened.close());
    Object.assign(opened.vault.parts, { matcher: undefined });
    const { signal } = new AbortController();
    const vault = opened.vault.bind({ door: 'cli', scopes: allScopes, signal, deadlineMs: 5_000 });
    const page = { folder: '', limit: 5, offset: 0 } as const;
    expect(await codeOf(searchNotes(vault, { query: 'apples /x/', ...page }))).toBe('unavailable');
    expect(await codeOf(searchNotes(vault, { query: 'apples', ...page }))).toBeUndefined();
  });
});

it('says when only the name has it', async () => {
  const { hits } = await (await open())('apples');
  const named = hits.find(({ path }) => path === 'Apples.md');
  expect(named).toMatchObject({ lines: [], matched: 'name' });
});

it.each([
  ['-apples', 'invalid_input'],
  ['""', 'invalid_input'],
  ['*** ( -', 'invalid_input'],
  ['/(/', 'invalid_input'],
  ['('.repeat(limits.queryCharsMax), 'invalid_input'],
  ['a'.repeat(limits.queryCharsMax + 1), 'too_large'],
  ['\0', 'invalid_input'],
  ['\ud800', 'invalid_input'],
  ['apples\0pears', undefined],
  ['apples \ud800', undefined],
  ['"'.repeat(limits.queryCharsMax - 1).concat('a'), undefined],
])('answers %j with %s', async (query, code) => {
  expect(await codeOf((await open())(query))).toBe(code);
});
