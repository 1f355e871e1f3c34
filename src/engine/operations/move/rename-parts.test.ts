import { afterEach, describe, expect, it } from 'vitest';
import type { MemoryVault } from '../../../../test/support/written-vault.ts';
import { openWrittenVault } from '../../../../test/support/written-vault.ts';
import { replaceInNote } from '../write/replace-in-note.ts';
import { renameBlock } from './rename-block.ts';
import { renameHeading } from './rename-heading.ts';

let opened: MemoryVault | undefined;
afterEach(() => opened?.close());

type Files = Readonly<Record<string, string>>;

async function vaultWith(files: Files): Promise<MemoryVault> {
  opened = await openWrittenVault(files);
  return opened;
}

describe('a heading', () => {
  it.each<[string, string, string, string]>([
    ['ATX', '## Old ##\ntext', 'New', '## New ##\ntext'],
    ['setext', 'Old\n===\ntext', 'New', 'New\n===\ntext'],
    ['with markup', '# Old', 'A [[x]] *b*', '# A [[x]] *b*'],
    ['with "$&"', '# Old', '$&', '# $&'],
    ['with a twin', '# Old\n# Older', 'New', '# New\n# Older'],
  ])('(%s) gets another text', async (_, before, newHeading, after) => {
    const vault = await vaultWith({ 'N.md': before });
    await vault.change(renameHeading, { name: 'N', heading: 'Old', newHeading });
    expect(vault.text('N.md')).toBe(after);
  });

  it('takes every link with it, in every form, and nothing else of it', async () => {
    const vault = await vaultWith({
      'N.md': '# Top\n## Old: it\n### Deep\n[[#Old it]] [x](#Top#Old%20it)\n',
      'a.md': '[[N#Old: it|a]] [[N#old it#deep]] [[N#Deep]] [[N#Top#Old it]] ![[N#Old it\\|x]]\n',
      'b.md': '[x](N.md#Old:%20it "t") [y](<N.md#Old it>) [[Other#Old it]] `[[N#Old it]]`\n',
      'p.md': '---\nup: "[[N#Old it]]"\n---\n| a |\n|---|\n| [[N#Old it\\|x]] |\n',
      'c.canvas':
        '{"nodes":[{"type":"file","file":"N.md","subpath":"#Old it"},{"type":"text","text":"[[N#Old it]]\\n"}]}',
      'Other.md': '# Old it',
    });
    const newHeading = 'Bob\'s "new": #1';
    const answer = await vault.change(renameHeading, { name: 'N', heading: 'Old it', newHeading });
    expect(answer).toMatchObject({ path: 'N.md', links: 12, notes: 5 });
    expect(vault.files()).toEqual({
      'N.md':
        '# Top\n## Bob\'s "new": #1\n### Deep\n[[#Bob\'s "new" 1]] [x](#Top#Bob\'s%20"new"%201)\n',
      'a.md':
        '[[N#Bob\'s "new" 1|a]] [[N#Bob\'s "new" 1#deep]] [[N#Deep]] [[N#Top#Bob\'s "new" 1]] ![[N#Bob\'s "new" 1\\|x]]\n',
      'b.md':
        '[x](N.md#Bob\'s%20"new"%201 "t") [y](<N.md#Bob\'s "new" 1>) [[Other#Old it]] `[[N#Old it]]`\n',
      'p.md':
        '---\nup: "[[N#Bob\'s \\"new\\" 1]]"\n---\n| a |\n|---|\n| [[N#Bob\'s "new" 1\\|x]] |\n',
      'c.canvas':
        '{"nodes":[{"type":"file","file":"N.md","subpath":"#Bob\'s \\"new\\" 1"},{"type":"text","text":"[[N#Bob\'s \\"new\\" 1]]\\n"}]}',
      'Other.md': '# Old it',
    });
    expect(await vault.indexFaults()).toEqual([]);
  });

  it.each<[string, string, string]>([
    ['Same', 'New', '# Same\n## New ^a-1 ##\n# Same\n'],
    ['## Same a-1', 'New ^b', '# Same\n## New ^b ##\n# Same\n'],
  ])('"%s" with a block id keeps it unless it gets another', async (_, newHeading, after) => {
    const files = {
      'N.md': '# Same\n## Same ^a-1 ##\n# Same\n',
      'a.md': '[[N#Same a-1]] [[N#^a-1]]',
    };
    const vault = await vaultWith(files);
    await vault.change(renameHeading, { name: 'N', heading: 'Same a-1', newHeading });
    expect(vault.text('N.md')).toBe(after);
    expect(vault.text('a.md')).toMatch(/^\[\[N#New (a-1|b)\]\] \[\[N#\^a-1\]\]$/);
  });

  it('that has an equal one under the same parent is renamed by its number', async () => {
    const vault = await vaultWith({
      'N.md': '# Top\n## Same\n## Same\n## Same\n',
      'n.md': '[[N#Same]]',
    });
    const rename = (heading: string) =>
      vault.change(renameHeading, { name: 'N', heading, newHeading: 'Y' });
    await expect(rename('Same')).rejects.toMatchObject({
      code: 'ambiguous',
      message: expect.stringContaining('Top > Same (1), Top > Same (2), Top > Same (3)'),
    });
    await rename('Top > Same (2)');
    expect(vault.text('N.md')).toBe('# Top\n## Same\n## Y\n## Same\n');
    expect(vault.text('n.md')).toBe('[[N#Same]]');
  });

  it('that ends in a bracket is linked to without it', async () => {
    const vault = await vaultWith({ 'N.md': '# Old\n[[#Old]]', 'a.md': '[[N#Old]] [x](N.md#Old)' });
    await vault.change(renameHeading, { name: 'N', heading: 'Old', newHeading: 'New [1]' });
    expect(vault.files()).toEqual({
      'N.md': '# New [1]\n[[#New 1]]',
      'a.md': '[[N#New 1]] [x](N.md#New%201)',
    });
  });

  it('that is a link to itself is replaced with it', async () => {
    const vault = await vaultWith({ 'N.md': '# [[#x]]\n[[#x]]' });
    await vault.change(renameHeading, { name: 'N', heading: '[[#x]]', newHeading: 'New' });
    expect(vault.text('N.md')).toBe('# New\n[[#New]]');
  });

  it('that has a twin before it takes no link: links lead to the first', async () => {
    const vault = await vaultWith({
      'N.md': '# A\n## X\n# B\n## X\n',
      'n.md': '[[N#X]] [[N#B#X]]',
    });
    await vault.change(renameHeading, { name: 'N', heading: 'B > X', newHeading: 'Y' });
    expect(vault.text('N.md')).toBe('# A\n## X\n# B\n## Y\n');
    expect(vault.text('n.md')).toBe('[[N#X]] [[N#B#Y]]');
  });

  it('that becomes the twin of another gets links that tell them apart', async () => {
    const vault = await vaultWith({ 'N.md': '# A\n## X\n# B\n## Y\n', 'n.md': '[[N#X]] [[N#Y]]' });
    const request = { name: 'N', heading: 'Y', newHeading: 'X' };
    expect((await vault.change(renameHeading, request)).warnings).toEqual([]);
    expect(vault.text('n.md')).toBe('[[N#X]] [[N#B#X]]');
  });

  it('warns where no link can tell two apart', async () => {
    const vault = await vaultWith({ 'N.md': '# X\n# Y\n', 'n.md': '[[N#Y]]' });
    const request = { name: 'N', heading: 'Y', newHeading: 'X' };
    expect((await vault.change(renameHeading, request)).warnings).toHaveLength(1);
    expect(vault.text('n.md')).toBe('[[N#X]]');
  });

  it.each([
    ['', 'invalid_input'],
    ['# x', 'invalid_input'],
    ['a\nb', 'invalid_input'],
    ['a #', 'invalid_input'],
  ])('is not renamed to %j', async (newHeading, code) => {
    const vault = await vaultWith({ 'N.md': '# Old' });
    const failure = vault.change(renameHeading, { name: 'N', heading: 'Old', newHeading });
    await expect(failure).rejects.toMatchObject({ code });
  });

  it('R15: that is edited as text takes no link with it', async () => {
    const vault = await vaultWith({ 'N.md': '# Old\n', 'n.md': '[[N#Old]]' });
    await vault.change(replaceInNote, { name: 'N', find: 'Old', put: 'New' });
    expect(vault.files()).toEqual({ 'N.md': '# New\n', 'n.md': '[[N#Old]]' });
  });
});

describe('a block', () => {
  it('R16: takes every link to its id with it, in any case', async () => {
    const vault = await vaultWith({
      'N.md': 'text ^Old-1\n\n- item ^other\n[[#^old-1]]\n',
      'n.md': '[[N#^old-1|x]] ![[N#^OLD-1]] [y](N.md#^old-1) [[N#^other]] [[N#old-1]]',
    });
    const answer = await vault.change(renameBlock, { name: 'N', block: '^old-1', newBlock: 'new' });
    expect(answer).toMatchObject({ links: 4, notes: 2 });
    expect(vault.files()).toEqual({
      'N.md': 'text ^new\n\n- item ^other\n[[#^new]]\n',
      'n.md': '[[N#^new|x]] ![[N#^new]] [y](N.md#^new) [[N#^other]] [[N#old-1]]',
    });
  });

  it.each([
    ['none', 'x', 'not_found'],
    ['a', 'b', 'already_exists'],
    ['a', 'x y', 'invalid_input'],
    ['a', '', 'invalid_input'],
  ])('"%s" does not become "%s": %s', async (block, newBlock, code) => {
    const vault = await vaultWith({ 'N.md': 'one ^a\n\ntwo ^b\n' });
    const failure = vault.change(renameBlock, { name: 'N', block, newBlock });
    await expect(failure).rejects.toMatchObject({ code });
  });
});
