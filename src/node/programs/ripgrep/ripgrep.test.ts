import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../../../test/support/failure-of.ts';
import { tempFolder, writeFiles } from '../../../../test/support/temp-folder.ts';
import { limits } from '../../../base/limits.ts';
import { VaultError } from '../../../base/vault-error.ts';
import { type VaultFolder, vaultFolder } from '../../../base/vault-path.ts';
import type { LineSearch, LineSearchRequest } from '../../../engine/ports/line-search.ts';
import { openRipgrep } from './ripgrep.ts';

// Every search runs the real program that npm has brought.

const { env, platform } = process;
const usual = {
  pattern: 'needle',
  folders: ['' as VaultFolder],
  wants: () => true,
  linesMax: 100,
  lineCharsMax: 200,
  signal: new AbortController().signal,
  deadlineMs: 60_000,
};

const openIn = (root: string): LineSearch => openRipgrep({ root, env, platform });

type FindRequest = Partial<Omit<LineSearchRequest, 'folders'>> & {
  readonly folders?: readonly string[];
};

/** What a search finds, as `path:line:text`. */
async function find(
  root: string,
  { folders = [''], ...request }: FindRequest = {},
): Promise<readonly string[]> {
  const { lines } = await openIn(root).search({
    ...usual,
    ...request,
    folders: folders.map(vaultFolder),
  });
  return lines.map(({ path, line, text }) => `${path}:${line}:${text}`);
}

const named = (...paths: readonly string[]): string =>
  tempFolder(Object.fromEntries(paths.map((path) => [path, 'needle'])));

describe('what ripgrep finds', () => {
  it('is each line that matches, by path and line, without line ends', async () => {
    const root = tempFolder({
      'b.md': 'one needle\nnothing\r\nneedle two\r\n',
      'a.md': 'needle',
      'a/z.md': '\ufeffneedle first\nNeedle',
      'c.canvas': '{"text":"needle"}',
      'd.base': 'needle: 1',
    });
    expect(await find(root)).toEqual([
      'a/z.md:1:needle first',
      'a.md:1:needle',
      'b.md:1:one needle',
      'b.md:3:needle two',
      'c.canvas:1:{"text":"needle"}',
      'd.base:1:needle: 1',
    ]);
  });

  it.each<[string, readonly string[]]>([
    ['^needle$', ['a.md:1:needle', 'a.md:3:needle']],
    ['(?i)NEEDLE$', ['a.md:1:needle', 'a.md:3:needle', 'a.md:4:a Needle']],
    ['needles?\\b', ['a.md:1:needle', 'a.md:3:needle']],
    ['-needle', ['a.md:5:--pre-needle_']],
    ['\\p{Lu}', ['a.md:4:a Needle']],
    ['häy', ['a.md:6:häy']],
    ['h.y', ['a.md:6:häy']],
    ['^(a+)+$', []],
    ['no such', []],
  ])('with %j is %j', async (pattern, expected) => {
    const text = 'needle\r\nstack\r\nneedle\na Needle\n--pre-needle_\nhäy\n';
    const root = tempFolder({ 'a.md': text });
    expect(await find(root, { pattern })).toEqual(expected);
  });

  it('is nothing in an empty vault', async () => {
    expect(await find(tempFolder())).toEqual([]);
  });

  it.skipIf(platform === 'win32')('has odd names as they are on disk', async () => {
    const odd = ['#tag/x.md', '$HOME.md', '-dash/-x.md', 'A.MD', 'a b/c  d.md', 'caf\u00e9.md'];
    odd.push('cafe\u0301.md', "it's.md", '{x}/[x].md', '*?.md', '日本語.md', '😀.md');
    const root = named(...odd, 'a\\b.md', 'new\nline.md', 'tab\t.md', 'no/.dot.md');
    writeFileSync(Buffer.from(`${root}/\xff.md`, 'latin1'), 'needle');
    const found = await find(root);
    expect(found.toSorted()).toEqual(odd.map((path) => `${path}:1:needle`).toSorted());
  });

  it('is nothing in hidden, binary and attached files, nor in notes that are too large', async () => {
    const root = named('.obsidian/app.md', '.hidden.md', 'a/.git/x.md', 'x.png', 'x.txt', 'yes.md');
    writeFileSync(join(root, 'binary.md'), 'needle\n\0\n');
    writeFileSync(join(root, 'huge.md'), Buffer.alloc(limits.noteBytesMax + 1, 'needle\n'));
    expect(await find(root)).toEqual(['yes.md:1:needle']);
  });

  it('heeds no ignore files and no configuration', async () => {
    const root = named('a.md', 'b/c.md');
    writeFiles(root, {
      '.gitignore': '*.md',
      '.ignore': 'b',
      '.rgignore': '*',
      rc: '--invert-match',
    });
    mkdirSync(join(root, '.git'));
    const search = openRipgrep({ root, platform, env: { ...env, RIPGREP_CONFIG_PATH: 'rc' } });
    expect((await search.search(usual)).lines).toHaveLength(2);
  });

  it('goes on after a line that is longer than what is looked at', async () => {
    const long = `${'x'.repeat(50_000)}needle${'y'.repeat(3_000_000)}needle`;
    const root = tempFolder({ 'a.md': `${long}\nneedle`, 'b.md': 'needle' });
    const [first, ...rest] = await find(root);
    expect(first).toMatch(/^a\.md:1:…x+needley+…$/);
    expect(rest).toEqual(['a.md:2:needle', 'b.md:1:needle']);
  });

  it('goes on after a note that becomes binary far from its beginning', async () => {
    const root = tempFolder({
      'a.md': `needle\n${'x\n'.repeat(100_000)}\0\nneedle`,
      'b.md': 'needle',
    });
    expect(await find(root)).toEqual(['a.md:1:needle', 'b.md:1:needle']);
  });
});

describe('symlinks', () => {
  it.skipIf(platform === 'win32')('are not followed, wherever they are met', async () => {
    const outside = named('secret.md', 'deep/secret.md');
    const root = named('a.md', 'real/b.md');
    symlinkSync(outside, join(root, 'folder'));
    symlinkSync(join(outside, 'secret.md'), join(root, 'link.md'));
    symlinkSync(join(root, 'real'), join(root, 'alias'));
    expect(await find(root)).toEqual(['a.md:1:needle', 'real/b.md:1:needle']);
    const folders = ['folder', 'folder/deep', 'alias', 'link.md'];
    expect(await find(root, { folders })).toEqual([]);
    expect(await find(root, { folders: [...folders, 'real'] })).toEqual(['real/b.md:1:needle']);
    expect(await find(root, { glob: 'folder/**' })).toEqual([]);
    expect(await find(root, { glob: 'link.md' })).toEqual([]);
  });
});

describe('folders and globs', () => {
  const files = [
    'devlog/x.md',
    'devlog/sub/y.md',
    'a/devlog/z.md',
    '#in/t.md',
    '-d/u.md',
    'root.md',
  ];
  const hidden = ['.obsidian/h.md', 'devlog/.h.md'];

  it.each<[readonly string[], string | undefined, readonly string[]]>([
    [[''], 'devlog/*.md', ['devlog/x.md']],
    [[''], './devlog/*.md', ['devlog/x.md']],
    [[''], '/devlog/*.md', ['devlog/x.md']],
    [[''], 'devlog/**', ['devlog/sub/y.md', 'devlog/x.md']],
    [[''], 'devlog/', ['devlog/sub/y.md', 'devlog/x.md']],
    [[''], '**/devlog/*.md', ['a/devlog/z.md', 'devlog/x.md']],
    [[''], '[xy].md', ['devlog/sub/y.md', 'devlog/x.md']],
    [[''], '{x,root}.md', ['devlog/x.md', 'root.md']],
    [[''], '#in/*', ['#in/t.md']],
    [[''], '-d/*', ['-d/u.md']],
    [[''], '!devlog/**', ['#in/t.md', '-d/u.md', 'a/devlog/z.md', 'root.md']],
    [[''], '!*', []],
    [[''], '*.png', []],
    [[''], '.obsidian/**', []],
    [[''], '.*', []],
    [[''], '../**', []],
    [['devlog'], '*', ['devlog/sub/y.md', 'devlog/x.md']],
    [['devlog'], 'devlog/*.md', ['devlog/x.md']],
    [['devlog'], '#in/*', []],
    [['devlog'], '../#in/*', []],
    [['devlog'], '.*', []],
    [['-d', '#in'], undefined, ['#in/t.md', '-d/u.md']],
    [['devlog', 'devlog/sub', 'devlog'], undefined, ['devlog/sub/y.md', 'devlog/x.md']],
    [['', 'devlog'], '[xy].md', ['devlog/sub/y.md', 'devlog/x.md']],
    [['missing', 'a'], undefined, ['a/devlog/z.md']],
    [['missing', 'root.md'], undefined, []],
  ])('%j with the glob %j are %j', async (folders, glob, expected) => {
    const root = named(...files, ...hidden);
    const request = glob === undefined ? { folders } : { folders, glob };
    expect(await find(root, request)).toEqual(expected.map((path) => `${path}:1:needle`));
  });

  it('finds either Unicode form of a name', async () => {
    const root = named('caf\u00e9/a.md', 'cafe\u0301/b.md');
    const expected = ['caf\u00e9/a.md:1:needle', 'cafe\u0301/b.md:1:needle'].toSorted();
    for (const glob of ['caf\u00e9/*', 'cafe\u0301/*']) {
      expect((await find(root, { glob })).toSorted()).toEqual(expected);
    }
  });
});

describe('how much is found', () => {
  const root = (): string => {
    const text = 'needle\n'.repeat(30);
    return tempFolder({ 'a.md': text, 'b.md': text, 'c.md': text });
  };

  it.each<[number, string, number, boolean]>([
    [10, '*', 10, true],
    [30, 'a.md', 30, false],
    [29, 'a.md', 29, true],
    [89, '*', 89, true],
    [90, '*', 90, false],
  ])(
    'is at most %i lines, and says whether there are more',
    async (linesMax, glob, count, more) => {
      const found = await openIn(root()).search({ ...usual, glob, linesMax });
      expect([found.lines.length, found.more]).toEqual([count, more]);
    },
  );

  it('counts nothing of files that are not wanted', async () => {
    const wants = (path: string): boolean => path === 'b.md';
    const found = await openIn(root()).search({ ...usual, wants, linesMax: 30 });
    expect([found.lines.length, found.more]).toEqual([30, false]);
    expect(new Set(found.lines.map(({ path }) => path))).toEqual(new Set(['b.md']));
  });
});

describe('what ripgrep does not take', () => {
  it.each<[Partial<LineSearchRequest>, RegExp]>([
    [{ pattern: '(' }, /regex parse error:[\s\S]*unclosed group$/],
    [{ pattern: '[a' }, /unclosed character class$/],
    [{ pattern: '*' }, /repetition operator missing expression$/],
    [{ pattern: '(?=x)' }, /look-around, including look-ahead and look-behind, is not supported$/],
    [{ pattern: '(a)\\1' }, /backreferences are not supported$/],
    [{ pattern: 'a\\nb' }, /the literal "\\n" is not allowed in a regex$/],
    [{ pattern: 'a\nb' }, /the literal "\\n" is not allowed in a regex$/],
    [{ pattern: '\\x00' }, /impossible to match$/],
    [{ pattern: '((a{100}){100}){100}' }, /exceeds size limit/],
    [{ pattern: '\\w{1000}' }, /exceeds size limit/],
    [{ pattern: 'a\0' }, /NUL/],
    [{ glob: 'a[' }, /error parsing glob 'a\[': unclosed character class/],
    [{ glob: '{a' }, /error parsing glob/],
  ])('is told for %j', async (request, message) => {
    const root = named('a.md');
    const failure = await failureOf(openIn(root).search({ ...usual, ...request }));
    expect(failure).toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(message),
    });
    expect(failure.message).not.toMatch(/flag|needle|--/);
    expect(failure.message).not.toContain(root);
  });
});

describe('a search that is too much', () => {
  it.each<[string, number]>([
    ['(a+)+$', 1],
    ['(a+)+b$', 0],
    ['(a|aa)+$', 1],
    ['(.*)(.*)(.*)(.*)x', 0],
    ['a{1,200}b', 0],
    [`(${'a?'.repeat(100)})c`, 0],
  ])('as %j ends', async (pattern, count) => {
    const root = tempFolder({ 'a.md': 'a'.repeat(100_000) });
    expect(await find(root, { pattern })).toHaveLength(count);
  });

  it('ends at its deadline, and says what to do', async () => {
    const root = tempFolder({ 'a.md': 'x'.repeat(10_000_000) });
    const running = openIn(root).search({ ...usual, pattern: '(x?y?){200}z', deadlineMs: 1 });
    expect(await failureOf(running)).toEqual(
      new VaultError(
        'timeout',
        'The search took longer than 1 ms; make the expression simpler, or look into fewer files.',
      ),
    );
  });

  it('ends when it is called off, and so do those that wait for their turn', async () => {
    const root = tempFolder({ 'a.md': 'x'.repeat(1_000_000) });
    const controller = new AbortController();
    const search = openIn(root);
    const request = { ...usual, pattern: '(x?y?){200}z', signal: controller.signal };
    const many = Array.from({ length: 9 }, () => failureOf(search.search(request)));
    controller.abort(new VaultError('timeout', 'The call took too long.'));
    expect(new Set((await Promise.all(many)).map(({ message }) => message))).toEqual(
      new Set(['The call took too long.']),
    );
    expect(await search.search({ ...usual, pattern: 'none' })).toEqual({ lines: [], more: false });
  });

  it('waits when there are many, and each is answered', async () => {
    const search = openIn(named('a.md', 'b.md'));
    const fresh = () => ({ ...usual, signal: new AbortController().signal });
    const many = await Promise.all(Array.from({ length: 40 }, () => search.search(fresh())));
    expect(many.map(({ lines }) => lines.length)).toEqual(Array.from({ length: 40 }, () => 2));
  });
});

describe('where something is missing', () => {
  it('a vault that is gone is not an empty one', async () => {
    const root = join(named('v/a.md'), 'v');
    const search = openIn(root);
    expect((await search.search(usual)).lines).toHaveLength(1);
    renameSync(root, `${root}2`);
    expect((await failureOf(search.search(usual))).code).toBe('vault_not_found');
    renameSync(`${root}2`, root);
    expect((await search.search(usual)).lines).toHaveLength(1);
  });

  it.skipIf(platform === 'win32')(
    'the program of the package comes first, then rg on PATH, and it is looked for again',
    async () => {
      const root = named('a.md');
      const programs = tempFolder();
      const options = { root, platform, env: { PATH: programs } };
      expect((await openRipgrep(options).search(usual)).lines).toHaveLength(1);
      const search = openRipgrep({ ...options, packaged: async () => undefined });
      const failure = await failureOf(search.search(usual));
      expect(failure.code).toBe('unavailable');
      expect(failure.message).toMatch(/needs ripgrep\. Install it .*apt install ripgrep/);
      writeFileSync(join(programs, 'rg'), '#!/bin/sh\nprintf "./a.md\\0007:1:found\\n"', {
        mode: 0o755,
      });
      expect((await search.search(usual)).lines).toEqual([
        { path: 'a.md', line: 7, text: 'found' },
      ]);
      rmSync(join(programs, 'rg'));
      expect((await failureOf(search.search(usual))).code).toBe('unavailable');
    },
  );
});

describe.skipIf(platform === 'win32')('a program in place of ripgrep', () => {
  const standIn = (script: string): LineSearch => {
    const program = join(tempFolder(), 'rg');
    writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return openRipgrep({ root: named('a.md'), env, platform, packaged: async () => program });
  };

  it.each([
    ['echo "rg: unrecognized flag --x" >&2; exit 2', /too old/],
    ['echo "error: Found argument" >&2; exit 2', /too old/],
    ['kill -9 $$', /failed/],
    ['exit 101', /failed/],
  ])('that does %j is not blamed on the expression', async (script, message) => {
    expect(await failureOf(standIn(script).search(usual))).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(message),
    });
  });

  it('that could not read a file is believed for the others', async () => {
    const search = standIn('printf "./b.md\\0001:1:needle\\n"; exit 2');
    expect((await search.search(usual)).lines).toHaveLength(1);
  });

  it('that goes on for ever is ended once there is enough', async () => {
    const search = standIn('while :; do printf "./b.md\\0001:1:needle\\n"; done');
    expect(await search.search({ ...usual, linesMax: 5 })).toMatchObject({ more: true });
  });
});
