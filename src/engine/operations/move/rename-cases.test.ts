import { afterEach, expect, it } from 'vitest';
import type { MemoryVault } from '../../../../test/support/written-vault.ts';
import { openWrittenVault } from '../../../../test/support/written-vault.ts';
import { renameFile } from './rename-file.ts';

// What a rename does to links: cases R of Obsidian's behaviour, and what peers get wrong.

type Files = Readonly<Record<string, string>>;

const shortest = { '.obsidian/app.json': '{"newLinkFormat":"shortest"}' };
const relative = { '.obsidian/app.json': '{"newLinkFormat":"relative"}' };
const absolute = { '.obsidian/app.json': '{"newLinkFormat":"absolute"}' };

let opened: MemoryVault | undefined;
afterEach(() => opened?.close());

async function vaultWith(files: Files): Promise<MemoryVault> {
  opened = await openWrittenVault(files);
  return opened;
}

/** The files of a vault after a rename, as far as they differ from before. */
async function afterRename(
  files: Files,
  [name, newName]: readonly [string, string],
): Promise<Files> {
  const vault = await vaultWith(files);
  await vault.change(renameFile, { name, newName });
  expect(await vault.indexFaults()).toEqual([]);
  return Object.fromEntries(
    Object.entries(vault.files()).filter(([path, text]) => files[path] !== text),
  );
}

interface Row {
  readonly it: string;
  readonly files: Files;
  /** A file and its new name or path. */
  readonly rename: readonly [string, string];
  /** Files that are new or different. */
  readonly changed: Files;
}

const rows: readonly Row[] = [
  {
    it: 'R01: a path becomes the bare name where that is unique then, also without a set format',
    files: {
      'one/a.png': '1',
      'two/a.png': '2',
      'n.md': '![[one/a.png]] ![[two/a.png]]',
    },
    rename: ['one/a.png', 'b.png'],
    changed: { 'one/b.png': '1', 'n.md': '![[b.png]] ![[two/a.png]]' },
  },
  {
    it: 'R02: a bare name becomes the full path where it is not unique any more',
    files: { ...shortest, 'one/b.png': '1', 'two/a.png': '2', 'n.md': '![[b.png]] ![[two/a.png]]' },
    rename: ['one/b.png', 'a.png'],
    changed: { 'one/a.png': '1', 'n.md': '![[one/a.png]] ![[two/a.png]]' },
  },
  {
    it: 'R02: another bare name that a new twin would make unclear is protected',
    files: { 'one/b.png': '1', 'two/a.png': '2', 'n.md': '![[b.png]] ![[a.png]]' },
    rename: ['one/b.png', 'a.png'],
    changed: { 'one/a.png': '1', 'n.md': '![[one/a.png]] ![[two/a.png]]' },
  },
  {
    it: 'R03: a name that others have gets the full path, never a part of it',
    files: { ...shortest, 'one/a.png': '1', 'two/a.png': '2', 'n.md': '![[one/a.png]]' },
    rename: ['one/a.png', 'archive/deep/a.png'],
    changed: { 'archive/deep/a.png': '1', 'n.md': '![[archive/deep/a.png]]' },
  },
  {
    it: 'R04: text and title of a Markdown link stay, its destination is encoded',
    files: { 'a.png': '1', 'n.md': '![one](a.png "title") [x]( a.png  (t) )' },
    rename: ['a.png', 'unique image.png'],
    changed: {
      'unique image.png': '1',
      'n.md': '![one](unique%20image.png "title") [x]( unique%20image.png  (t) )',
    },
  },
  {
    it: 'R05: an alias that is the old name follows',
    files: {
      ...absolute,
      'folder/2.md': '',
      'n.md': '[[folder/2|2]] [[folder/2#h|2]] [[2|the 2]] ![[2|2]]',
    },
    rename: ['folder/2.md', '222'],
    changed: {
      'folder/222.md': '',
      'n.md': '[[folder/222|222]] [[folder/222#h|222]] [[folder/222|the 2]] ![[folder/222|2]]',
    },
  },
  {
    it: 'R06: any other alias stays',
    files: { 'Old.md': '', 'n.md': '[[Old|nice]] [[Old|old]] [[Old|]] [[Old.md#^b|x]]' },
    rename: ['Old', 'New'],
    changed: { 'New.md': '', 'n.md': '[[New|nice]] [[New|old]] [[New|]] [[New#^b|x]]' },
  },
  {
    it: 'R07: the text of a Markdown link follows where it is the old name, ".md" stays as it was',
    files: { 'Old.md': '', 'n.md': '[Old](Old.md) [old](Old.md) [t](Old) [u](./Old.md#h)' },
    rename: ['Old', 'New'],
    changed: { 'New.md': '', 'n.md': '[New](New.md) [old](New.md) [t](New) [u](New.md#h)' },
  },
  {
    it: 'R08: a destination in angle brackets stays in them',
    files: {
      'My Old.md': '',
      'n.md': '[x](<My Old.md>) [y](<My Old.md#a b> "t") [z](My%20Old.md)',
    },
    rename: ['My Old', 'My (New'],
    changed: {
      'My (New.md': '',
      'n.md': '[x](<My (New.md>) [y](<My (New.md#a b> "t") [z](My%20%28New.md)',
    },
  },
  {
    it: 'R09: links of the renamed note into itself gain no name',
    files: { 'Old.md': '[[#h]] [x](#h) [[#^b|y]] [[Old#h]]\n\n# h' },
    rename: ['Old', 'New'],
    changed: { 'New.md': '[[#h]] [x](#h) [[#^b|y]] [[New#h]]\n\n# h' },
  },
  {
    it: 'R10: the escaped pipe in a table stays',
    files: { 'Old.md': '', 'n.md': '| a | b |\n|---|---|\n| [[Old\\|x]] | ![[Old#h\\|Old]] |\n' },
    rename: ['Old', 'New'],
    changed: {
      'New.md': '',
      'n.md': '| a | b |\n|---|---|\n| [[New\\|x]] | ![[New#h\\|Old]] |\n',
    },
  },
  {
    it: 'R11: links in properties are rewritten in place, with the escapes of their quotes',
    files: {
      'Old.md': '',
      'n.md':
        '---\nup: "[[Old]]" # c\nvia: "[t](Old.md)"\nlist: [\'[[Old|Old]]\', "[[Old#h]]"]\nfolded: >-\n  [[Old]]\n---\n',
    },
    rename: ['Old', "Bob's"],
    changed: {
      "Bob's.md": '',
      'n.md':
        "---\nup: \"[[Bob's]]\" # c\nvia: \"[t](Bob's.md)\"\nlist: ['[[Bob''s|Bob''s]]', \"[[Bob's#h]]\"]\nfolded: >-\n  [[Bob's]]\n---\n",
    },
  },
  {
    it: 'R12: a canvas is patched in place, file nodes with the whole path',
    files: {
      'sub/Old.md': '',
      'c.canvas':
        '{\n\t"nodes":[\n\t\t{"id":"1","type":"file","file":"sub/Old.md","subpath":"#h"},\n\t\t{"type":"text","text":"see [[Old]]\\n\\u0060[[Old]]\\u0060 [Old](sub/Old.md)","id":"2"}\n\t]\n}',
    },
    rename: ['sub/Old', 'é "new"'.replaceAll('"', "'")],
    changed: {
      "sub/é 'new'.md": '',
      'c.canvas':
        '{\n\t"nodes":[\n\t\t{"id":"1","type":"file","file":"sub/é \'new\'.md","subpath":"#h"},\n\t\t{"type":"text","text":"see [[é \'new\']]\\n\\u0060[[Old]]\\u0060 [é \'new\'](é%20\'new\'.md)","id":"2"}\n\t]\n}',
    },
  },
  {
    it: 'R12: the background of a canvas group follows its picture',
    files: {
      'sub/old.png': 'p',
      'c.canvas':
        '{"nodes":[{"type":"group","id":"1","background":"sub/old.png","backgroundStyle":"cover","label":"sub/old.png"}]}',
    },
    rename: ['sub/old.png', 'new.png'],
    changed: {
      'sub/new.png': 'p',
      'c.canvas':
        '{"nodes":[{"type":"group","id":"1","background":"sub/new.png","backgroundStyle":"cover","label":"sub/old.png"}]}',
    },
  },
  {
    it: 'R12: a base is patched in place, with the escapes of its YAML',
    files: {
      'Old.md': '',
      'b.base':
        'filters:\n  and:\n    - \'file.hasLink(link("Old"))\' # c\n    - file.links.contains([[Old]])\nformulas:\n  f: "link(\\"Old.md\\")"\n',
    },
    rename: ['Old', "It's"],
    changed: {
      "It's.md": '',
      'b.base':
        'filters:\n  and:\n    - \'file.hasLink(link("It\'\'s"))\' # c\n    - file.links.contains([[It\'s]])\nformulas:\n  f: "link(\\"It\'s.md\\")"\n',
    },
  },
  {
    it: 'R20: a name with "$&" is taken literally',
    files: { 'Old.md': '', 'n.md': '[[Old]] [Old](Old.md)' },
    rename: ['Old', '$& $1'],
    changed: { '$& $1.md': '', 'n.md': '[[$& $1]] [$& $1]($&%20$1.md)' },
  },
  {
    it: 'R21: code, HTML comments and escaped brackets are not links',
    files: {
      'Old.md': '',
      'n.md': '`[[Old]]`\n\n```\n[[Old]]\n```\n\n<!-- [[Old]] -->\n\n\\[[Old]] $[[Old]]$ [[Old]]\n',
    },
    rename: ['Old', 'New'],
    changed: {
      'New.md': '',
      'n.md': '`[[Old]]`\n\n```\n[[Old]]\n```\n\n<!-- [[Old]] -->\n\n\\[[Old]] $[[Old]]$ [[New]]\n',
    },
  },
  {
    it: 'R22: links in comments are rewritten',
    files: { 'Old.md': '', 'n.md': 'a %% [[Old]] %% b' },
    rename: ['Old', 'New'],
    changed: { 'New.md': '', 'n.md': 'a %% [[New]] %% b' },
  },
  {
    it: 'L53: a size beside an embed is never taken for a name',
    files: { '100': 'x', '100.md': '', 'n.md': '![[100.md|100]]' },
    rename: ['100.md', '200'],
    changed: { '200.md': '', 'n.md': '![[200|100]]' },
  },
  {
    it: 'definitions of reference links are rewritten, their labels are not',
    files: { 'a/Old.md': '', 'n.md': '[t][Old]\n\n[Old]: a/Old.md "t"\n[x]: <a/Old.md>\n' },
    rename: ['a/Old.md', 'New one'],
    changed: {
      'a/New one.md': '',
      'n.md': '[t][Old]\n\n[Old]: New%20one.md "t"\n[x]: <New one.md>\n',
    },
  },
  {
    it: 'any path becomes the bare name where that is unique, and links to others are not touched',
    files: {
      'A/Old.md': '',
      'A/s/n.md': '[[../Old]] [a](../Old.md) [[A/Old]] [[/A/Old]] [[Old]] [[Gone/Old]] [[Older]]',
      'A/m.md': '[[./Old]]',
      'B/n.md': '[x](../A/Old.md)',
    },
    rename: ['A/Old.md', 'New'],
    changed: {
      'A/New.md': '',
      'A/s/n.md': '[[New]] [a](New.md) [[New]] [[New]] [[New]] [[Gone/Old]] [[Older]]',
      'A/m.md': '[[New]]',
      'B/n.md': '[x](New.md)',
    },
  },
  {
    it: 'any path becomes the full path where the name is not unique',
    files: {
      'New.md': '',
      'A/s/Old.md': '',
      'A/n.md': '[x](s/Old.md) [[./s/Old]] [[Old]]',
      'n.md': '[x](/A/s/Old.md)',
    },
    rename: ['A/s/Old.md', 'New'],
    changed: {
      'A/s/New.md': '',
      'A/n.md': '[x](A/s/New.md) [[A/s/New]] [[A/s/New]]',
      'n.md': '[x](A/s/New.md)',
    },
  },
  {
    it: 'the vault names "relative": every rewritten link is',
    files: { ...relative, 'A/Old.md': '', 'B/n.md': '[[Old]] [x](A/Old.md) [[./../A/Old]]' },
    rename: ['A/Old.md', 'New'],
    changed: { 'A/New.md': '', 'B/n.md': '[[../A/New]] [x](../A/New.md) [[../A/New]]' },
  },
  {
    it: 'the vault names "absolute": every rewritten link is, and the others stay',
    files: { ...absolute, 'A/Old.md': '', 'A/Other.md': '', 'A/n.md': '[[Old]] [[Other]]' },
    rename: ['A/Old.md', 'New'],
    changed: { 'A/New.md': '', 'A/n.md': '[[A/New]] [[Other]]' },
  },
  {
    it: 'a moved note keeps its own links, relative ones rewritten where they would lead elsewhere',
    files: {
      'A/n.md': '[[../Root]] [x](s/T.md) [[Root]] [[./Sib]] [[#h]] ![](pic.png)',
      'A/s/T.md': '',
      'A/Sib.md': '',
      'A/pic.png': 'p',
      'B/C/pic.png': 'q',
      'Root.md': '[[A/n]]',
    },
    rename: ['A/n.md', 'B/C/n.md'],
    changed: {
      'B/C/n.md': '[[Root]] [x](s/T.md) [[Root]] [[Sib]] [[#h]] ![](A/pic.png)',
      'Root.md': '[[n]]',
    },
  },
  {
    it: 'a root note that takes a name does not take links from the note that has it',
    files: { 'A/Note.md': '', 'x.md': '', 'n.md': '[[Note]] [[x]]' },
    rename: ['x.md', 'Note'],
    changed: { 'Note.md': '', 'n.md': '[[A/Note]] [[Note]]' },
  },
  {
    it: 'case-only: a rename that changes only case reaches the file and its links',
    files: { 'Note.md': '[[note]]', 'n.md': '[[Note]] [[NOTE|Note]]' },
    rename: ['Note.md', 'note'],
    changed: { 'note.md': '[[note]]', 'n.md': '[[note]] [[note|note]]' },
  },
  {
    it: 'probe: all forms at once, CRLF, NFD and what is left alone',
    files: {
      'Projects/Alpha.md': '---\ntitle: "Al" # c\naliases: [AlphaProj]\n---\n# H\ntext ^b\n',
      'Daily/d.md': '[x](../Projects/Alpha.md) [[AlphaProj]] `[[Alpha]]`\r\n',
      'Re\u0301sume\u0301.md': '[[Alpha]]\r\n[[Alpha#H]]\r\n[[Alpha#^b|x]]\r\n![[pic.png]]\r\n',
      'board.canvas': '{"nodes":[{"type":"file","file":"Projects/Alpha.md","x":1.0}]}',
      'pic.png': 'p',
    },
    rename: ['Projects/Alpha.md', 'Alpha2'],
    changed: {
      'Projects/Alpha2.md': '---\ntitle: "Al" # c\naliases: [AlphaProj]\n---\n# H\ntext ^b\n',
      'Daily/d.md': '[x](Alpha2.md) [[AlphaProj]] `[[Alpha]]`\r\n',
      'Re\u0301sume\u0301.md': '[[Alpha2]]\r\n[[Alpha2#H]]\r\n[[Alpha2#^b|x]]\r\n![[pic.png]]\r\n',
      'board.canvas': '{"nodes":[{"type":"file","file":"Projects/Alpha2.md","x":1.0}]}',
    },
  },
];

it.each(rows)('$it', async ({ files, rename, changed }) => {
  expect(await afterRename(files, rename)).toEqual(changed);
});

it.each([
  { format: 'no format', app: {} },
  { format: 'the format "shortest"', app: shortest },
  { format: 'the format "absolute"', app: absolute },
])('with $format, a rename to a taken name and back changes nothing', async ({ app }) => {
  const link = app === absolute ? 'A/Name' : 'Name';
  const files = {
    ...app,
    'A/Name.md': `[[${link}#h]] [[#h]]`,
    'B/Taken.md': '',
    'A/near.md': `[[${link}]] ![[${link}|x]] [[B/Taken]]`,
    'far.md': `---\nup: "[[${link}]]"\n---\n[[${link}|Name]] [Name](${link}.md) [t](<${link}.md>)\r\n`,
    'b.base': `filters: file.hasLink(link("${link}"))\n`,
    'c.canvas': `{"nodes":[{"type":"text","text":"[[${link}]]"},{"type":"file","file":"A/Name.md"}]}`,
  };
  const vault = await vaultWith(files);
  await vault.change(renameFile, { name: 'A/Name.md', newName: 'Taken' });
  expect(vault.text('A/near.md')).toBe('[[A/Taken]] ![[A/Taken|x]] [[B/Taken]]');
  await vault.change(renameFile, { name: 'A/Taken.md', newName: 'Name' });
  expect(vault.files()).toEqual(files);
});
