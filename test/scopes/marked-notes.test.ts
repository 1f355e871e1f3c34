import { describe, expect, it } from 'vitest';
import { allScopes, type Scopes } from '../../src/base/caller.ts';
import { vaultPath } from '../../src/base/vault-path.ts';
import { deleteFile } from '../../src/engine/operations/move/delete-file.ts';
import { renameFile } from '../../src/engine/operations/move/rename-file.ts';
import { createNote } from '../../src/engine/operations/write/create-note.ts';
import { replaceInNote } from '../../src/engine/operations/write/replace-in-note.ts';
import { notesCalls } from '../contract/notes-calls.ts';
import { isQuick } from '../support/counts.ts';
import { memoryDisk } from '../support/memory-disk.ts';
import { openWrittenVault } from '../support/written-vault.ts';
import { canary, comparable, inside, type ScopedVault, served } from './scoped-vaults.ts';
import { type Row, rowsOf } from './tool-rows.ts';

// From whom marks hide notes, the notes are as if they were not there. Every tool is asked with each
// of its arguments naming a marked note, on a vault with such notes and on one without.

const limits: Partial<Scopes> = { hideTags: ['private'], hideProperties: ['status=Secret'] };

/** Notes with marks: each has the canary in its text or name, and other notes link to some. */
const marked: Readonly<Record<string, string>> = {
  'Work/zq.md':
    '---\ntags: [claude, open, private/quagga]\naliases: [zebra the quagga, The way in]\nquagga: 1\nrating: 5\ndescription: Read of the quagga.\n---\n# Quagga heading\n\nthe quagga, striped, more words here, to [[Open]], [[Log]] and [[missing]]\n\n- [ ] a quagga task\n',
  'Work/Sub/Diary.md': '---\nstatus: [new, secret]\n---\nthe quagga log, striped, #quagga\n',
  'Work/Sub/Zebra.md': 'to [[zq]] and [[no quagga]] #PRIVATE #quagga/deep\n',
  'Work/Templates/Zebra.md': 'quagga #private\n',
  'Work/adr/ADR-007-quagga.md': '# ADR-007: Quagga\n\n#private\n',
  'Work/Quagga.sync-conflict-20261109-101112-ABCDEFG.md': '#private\n',
  'zebra quagga.md': '---\nstatus: secret\n---\n',
};

/** What names a marked note, or could. */
const reaching: readonly string[] = [
  'Work/zq.md',
  'zq',
  'Sub/Diary',
  'Zebra',
  'zebr',
  'striped',
  'a task',
  'private',
  '#private',
  'claude',
  'status',
  'The way in',
  'Work',
];

/** Opens the vault with or without the marked notes; the rest and its history are the same. */
async function open(extent: 'whole' | 'alone'): Promise<ScopedVault> {
  const settings = { '.obsidian/app.json': '{"trashOption":"local"}' };
  const disk = memoryDisk({ ...inside, ...settings, ...(extent === 'whole' ? marked : {}) });
  let count = 0;
  const random = { token: () => `t${++count}`, below: () => 0 };
  const opened = await openWrittenVault(disk, { parts: { random } });
  const edit = { name: 'Work/Alone.md', find: 'leads', put: 'ever leads', all: false };
  await opened.change(replaceInNote, edit);
  if (extent === 'whole') {
    const { change } = opened;
    // Notes that history still knows: moved, and deleted, while they had a mark.
    const gone = vaultPath('Work/Gone quagga.md');
    await change(createNote, { path: gone, content: 'a quagga #private' });
    await change(renameFile, { name: gone, newName: 'Gone too, quagga' });
    await change(deleteFile, { name: 'Work/Gone too, quagga.md', permanent: true });
    // One of which history keeps no content, and that another program has deleted since.
    const lost = 'Work/Lost quagga.md';
    disk.write(lost, '#private');
    await opened.keeper.refresh([vaultPath(lost)]);
    await change(renameFile, { name: lost, newName: 'Lost too, quagga' });
    disk.erase('Work/Lost too, quagga.md');
    await opened.keeper.refresh([vaultPath('Work/Lost too, quagga.md')]);
    await change(replaceInNote, { ...edit, name: 'Work/zq.md', find: 'striped', put: 'striped!' });
  }
  return { ...opened, ...served(opened, limits) };
}

const outOfSight = /"code":"forbidden".*touch files that this connection may not see/;

/**
 * The changes that cannot be made as if the marked notes were not there: one is at the path of the
 * new note, or in the folder that is renamed, or its link to `zq` would lead to the new note.
 */
function mustDiffer([tool, { name, path, old_name: folder }]: Row): boolean {
  if (/create_note$/.test(tool)) return name === 'Work/zq.md' || name === 'zq';
  if (tool === 'note_upsert') return path === 'Work/zq.md';
  return tool === 'rename_note' && folder === 'Work/Sub/';
}

/** The marked notes as they are now, to check that no call has changed them. */
function markedIn(vault: ScopedVault): Record<string, string> {
  const files = vault.files();
  return Object.fromEntries(Object.keys(marked).map((path) => [path, files[path] ?? 'gone']));
}

const listed = (await open('alone')).service.list(['read', 'write', 'destroy']);
const ofNotes = new Set(notesCalls.map(({ tool }) => tool));
/** With little time, all tools of the notes toolset and some of the others, with fewer values. */
const tools = listed.filter(({ name }, at) => !isQuick || ofNotes.has(name) || at % 8 === 0);
const values = isQuick ? reaching.slice(0, 5) : reaching;

describe('a caller from whom marks hide notes', () => {
  it.each(tools.map((tool) => [tool.name, tool] as const))(
    'is answered by %s as if they were not there',
    async (_, tool) => {
      let pair: readonly [ScopedVault, ScopedVault] | undefined;
      const told: unknown[] = [];
      for (const row of rowsOf(tool, values)) {
        pair ??= await Promise.all([open('whole'), open('alone')]);
        const [whole, alone] = pair;
        const [name, args] = row;
        const before = markedIn(whole);
        const got = await whole.service.call(name, args, whole.caller);
        const expected = await alone.service.call(name, args, alone.caller);
        const [answer, wanted] = [got, expected].map((each) =>
          comparable(each).replaceAll(/2023\d{8}\.md/g, '<minute>.md'),
        );
        const isRight = mustDiffer(row) ? outOfSight.test(answer ?? '') : answer === wanted;
        if (!isRight || canary.test(answer ?? '')) {
          told.push({ name, args, got: answer, expected: wanted });
        }
        expect(markedIn(whole), JSON.stringify(args)).toEqual(before);
        if ((got.ok || expected.ok) && tool.effect !== 'read') {
          await Promise.all(pair.map((vault) => vault.close()));
          pair = undefined;
        }
      }
      await Promise.all((pair ?? []).map((vault) => vault.close()));
      expect(told).toEqual([]);
    },
  );
});

describe('a caller without marks', () => {
  it('is told what the other one is not', async () => {
    const whole = await open('whole');
    const caller = { ...whole.caller, scopes: allScopes };
    const asked: readonly (readonly [string, object])[] = [
      ['list_notes', {}],
      ['search_notes', { query: 'striped' }],
      ['read_note', { path: 'Work/zq.md' }],
      ['list_vault', { what: 'tags' }],
      ['get_links', { path: 'Work/zq.md' }],
      ['list_changes', {}],
    ];
    for (const [tool, args] of asked) {
      expect(comparable(await whole.service.call(tool, args, caller)), tool).toMatch(canary);
    }
    await whole.close();
  });
});
