import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { allScopes, type Caller, type Scopes } from '../../src/base/caller.ts';
import { vaultPath } from '../../src/base/vault-path.ts';
import { createNote } from '../../src/engine/operations/write/create-note.ts';
import { replaceInNote } from '../../src/engine/operations/write/replace-in-note.ts';
import { nodeTimers } from '../../src/node/system/node-ports.ts';
import { agentToolset } from '../../src/tools/agent/agent-toolset.ts';
import { notesToolset } from '../../src/tools/notes/notes-toolset.ts';
import { obsidianToolset } from '../../src/tools/obsidian/obsidian-toolset.ts';
import { createService, type Service } from '../../src/tools/service/service.ts';
import { memoryDisk } from '../support/memory-disk.ts';
import { tempFolder } from '../support/temp-folder.ts';
import {
  type MemoryVault,
  openWrittenFolder,
  openWrittenVault,
  testCaller,
  type WrittenVault,
} from '../support/written-vault.ts';

/** What no answer may have in it: it is in every name, tag and text outside of the folder. */
export const canary = /quagga/i;

/** The folder that the caller is limited to. Its texts name some of what lies outside. */
export const inside: Readonly<Record<string, string>> = {
  'Work/Open.md':
    '---\ntags: [open, shared]\naliases: [The way in]\nstatus: new\n---\n# Open\n\nleads to [[zq]], [[Plain]], [[Log]] and ![[pic.png]]\n\n- [ ] a task\n\n## Second\n\nmore words here ^block\n',
  'Work/Plain.md': '# Plain\n\nnothing much, back to [[Open]], but #open\n',
  'Work/Log.md': '# Log\n\nthe log of work\n',
  'Work/Alone.md': 'nobody leads here\n',
  'Work/Sub/Deep.md':
    '---\nrating: 3\n---\n# Deep\n\n[[Log]] and [[missing]] and [[Secret/in/zq]]\n',
  'Work/Board.canvas':
    '{"nodes":[{"id":"1","type":"file","file":"Work/Plain.md","x":0,"y":0,"width":1,"height":1}],"edges":[]}',
  'Work/Templates/Meeting.md': '# {{title}}\n',
  'Work/_index.md': '# Index\n\n| ADR | Title |\n|---|---|\n',
  'Work/adr/ADR-001-first.md': '---\nstatus: accepted\n---\n# ADR-001: First\n',
};

const outside: Readonly<Record<string, string>> = {
  'Top quagga.md': 'to [[Open]] #quagga\n',
  'zebra.md': '# Quagga\n',
  'Secret/in/zq.md':
    '---\ntags: [claude, open, zebra-quagga]\naliases: [zebra the quagga, The way in]\nstatus: quagga\nquagga: 1\nrating: 5\ndescription: Read of the quagga.\n---\n# Quagga heading\n\nthe quagga, striped, more words here, to [[Open]], [[Log]] and [[missing]]\n\n- [ ] a quagga task\n',
  'Secret/in/Log.md': 'the quagga log, striped\n',
  'Secret/in/Deep.md': 'quagga\n',
  'Secret/Quagga/Zebra.md': 'to [[zq]] #quagga/deep\n',
  'Secret/Quagga/pic.png': 'quagga',
  'Secret/Quagga/Map.canvas': '{"nodes":[{"id":"1","type":"file","file":"Work/Open.md"}]}',
  'Secret/Quagga/Templates/Meeting.md': 'quagga\n',
  'Workshop/Quagga.md': 'to [[Open]]\n',
  'Work quagga.md': '[[nowhere of the quagga]]\n',
  'devlog/Quagga.md': 'quagga\n',
  'adr/ADR-007-quagga.md': '# ADR-007: Quagga\n',
  '_index.md': 'quagga\n',
};

/** Everything outside, as `--hide` names it; folders by what is in them. */
export const hideOutside: readonly string[] = [
  'Secret/**',
  '/W?rksho*/?*',
  'devlog/*',
  '/a??/**/*',
  '*quagga.md',
  'zebra.md',
  '/_index.md',
];

/** The vault's own settings, which lead outside wherever they can. */
const settings: Readonly<Record<string, string>> = {
  '.obsidian/app.json':
    '{"newFileLocation":"folder","newFileFolderPath":"Secret/Quagga","attachmentFolderPath":"Secret/Quagga","trashOption":"local"}',
  '.obsidian/daily-notes.json': '{"folder":"Secret/Quagga/Days","template":"Secret/in/zq"}',
  '.obsidian/templates.json': '{"folder":"Secret/Quagga/Templates"}',
  '.obsidian/zk-prefixer.json': '{"folder":"Secret/Quagga"}',
  '.obsidian/bookmarks.json': JSON.stringify({
    items: [
      { type: 'file', path: 'Work/Open.md', title: 'Mine' },
      { type: 'file', path: 'Secret/in/zq.md', title: 'The quagga' },
      { type: 'folder', path: 'Secret/Quagga' },
      { type: 'search', query: 'quagga' },
      { type: 'group', title: 'Of the quagga', items: [{ type: 'file', path: 'zebra.md' }] },
    ],
  }),
};

/** A vault behind all note toolsets, and a caller who sees one folder of it. */
export interface ScopedVault extends MemoryVault {
  readonly service: Service;
  readonly caller: Caller;
}

/**
 * Opens the vault as the caller sees it: `whole` with everything around the folder, else the same
 * folder with nothing around. Both have the same history within the folder.
 */
export async function openScoped(
  extent: 'whole' | 'alone',
  limits: Partial<Scopes> = { folders: [vaultPath('Work')] },
): Promise<ScopedVault> {
  // What is inside comes first, so that its times are the same in both.
  const disk = memoryDisk({ ...inside, ...settings, ...(extent === 'whole' ? outside : {}) });
  const random = { token: counted(), below: () => 0 };
  const opened = await openWrittenVault(disk, { parts: { random } });
  await opened.change(replaceInNote, {
    name: 'Work/Alone.md',
    find: 'leads',
    put: 'ever leads',
    all: false,
  });
  if (extent === 'whole') {
    await opened.change(createNote, { path: 'Secret/Quagga/New.md', content: 'quagga' });
    await opened.change(replaceInNote, {
      name: 'Secret/in/zq.md',
      find: 'striped',
      put: 'very striped',
      all: false,
    });
  }
  return { ...opened, ...served(opened, limits) };
}

/** All note toolsets over a vault, and a caller with these limits. */
export function served(
  { whole }: Pick<WrittenVault, 'whole'>,
  limits: Partial<Scopes>,
  tagPolicy: 'enforce' | 'off' = 'enforce',
): Pick<ScopedVault, 'service' | 'caller'> {
  const toolsets = [
    notesToolset({ tagPolicy, history: true, contextEveryMs: 0 }),
    obsidianToolset(),
    agentToolset({ sync: false, publish: false }),
  ];
  return {
    service: createService(whole, toolsets, nodeTimers),
    caller: testCaller({
      door: 'mcp-http',
      connection: 'c1',
      scopes: { ...allScopes, ...limits },
    }),
  };
}

/** A vault on a real disk whose seen folder has symlinks. */
export interface LinkedVault extends WrittenVault, Pick<ScopedVault, 'service' | 'caller'> {
  readonly root: string;
}

/**
 * Opens the whole vault in a folder. `Work/Link.md` and `Work/Map.canvas` are symlinks to files
 * outside `Work`, `Work/Same.md` is one to a note inside. The owner has written through `Link`.
 */
export async function openLinked(limits: Partial<Scopes>): Promise<LinkedVault> {
  const root = tempFolder({ ...inside, ...settings, ...outside });
  symlinkSync('../Secret/in/zq.md', join(root, 'Work/Link.md'));
  symlinkSync('../Secret/Quagga/Map.canvas', join(root, 'Work/Map.canvas'));
  symlinkSync('Sub/Deep.md', join(root, 'Work/Same.md'));
  const opened = await openWrittenFolder(root);
  await opened.change(replaceInNote, {
    name: 'Work/Link.md',
    find: 'striped',
    put: 'very striped',
    all: false,
  });
  return { ...opened, root, ...served(opened, limits) };
}

/** Names for temporary files, in turn. */
function counted(): () => string {
  let count = 0;
  return () => `t${++count}`;
}

/**
 * An answer without what differs for reasons that tell nothing: times, numbers of changes, and the
 * random markers around the context.
 */
export function comparable(answer: unknown): string {
  return (JSON.stringify(answer) ?? '')
    .replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.]+Z?/g, '<time>')
    .replaceAll(/\b1[6-9]\d{11}(\.\d+)?\b/g, '<time>')
    .replaceAll(/context-t\d+/g, '<marker>')
    .replaceAll(/\bc-[0-9a-z]{8}\b/g, '<change>')
    .replaceAll(
      /(\\*"(?:id|change|undoneBy|undone_by|undoes|undone)\\*":\s*\[?)\d+/g,
      '$1<number>',
    );
}
