import { afterEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../src/base/caller.ts';
import { VaultError } from '../../src/base/vault-error.ts';
import { moveFile } from '../../src/engine/operations/move/move-file.ts';
import { appendNote } from '../../src/engine/operations/write/append-note.ts';
import { textsOf } from '../../src/tools/define/outcome.ts';
import type { Service } from '../../src/tools/service/service.ts';
import { canary, comparable, openScoped, type ScopedVault } from './scoped-vaults.ts';

const opened: ScopedVault[] = [];
afterEach(async () => {
  for (const vault of opened.splice(0)) await vault.close();
});

async function open(extent: 'whole' | 'alone'): Promise<ScopedVault> {
  const vault = await openScoped(extent);
  opened.push(vault);
  return vault;
}

/** What a question ends with, be it a failure. */
async function told(question: () => Promise<unknown>): Promise<string> {
  try {
    return comparable(await question());
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    return comparable({ code: error.code, message: error.message, details: error.details });
  }
}

type Ask = (service: Service, caller: Caller) => Promise<unknown>;

const prompt =
  (name: string, args: Readonly<Record<string, string>>): Ask =>
  (service, caller) =>
    service.prompt(name, args, caller);

const completed =
  (name: string, argument: string, value: string, given: Record<string, string> = {}): Ask =>
  (service, caller) =>
    service.complete({ of: 'prompt', prompt: name, argument, value, given }, caller);

const completedPath =
  (value: string): Ask =>
  (service, caller) =>
    service.complete({ of: 'path', value }, caller);

describe('what is no tool answers as if there were nothing but the folder', () => {
  it.each<readonly [string, Ask]>([
    ['the list of resources', (service, caller) => service.resources(caller)],
    ['a resource', (service, caller) => service.readResource('Secret/in/zq.md', caller)],
    ['a resource beside it', (service, caller) => service.readResource('zebra.md', caller)],
    ['a resource of its own', (service, caller) => service.readResource('Work/Log.md', caller)],
    ['settings', (service, caller) => service.readResource('.obsidian/app.json', caller)],
    ['a subscription', (s, caller) => s.subscribe('Secret/in/zq.md', caller, () => undefined)],
    ['the prompt context', prompt('context', {})],
    ['the prompt note', prompt('note', { name: 'zq' })],
    ['the prompt note, by a name of both', prompt('note', { name: 'Log' })],
    ['the prompt note, by a path', prompt('note', { name: 'Secret/in/Log' })],
    ['the prompt note with a section', prompt('note', { name: 'zq', section: 'x' })],
    ['the prompt tagged', prompt('tagged', { tag: 'open' })],
    ['the prompt tagged, of a tag outside', prompt('tagged', { tag: 'claude' })],
    ['the prompt devlog', prompt('devlog', { topic: 'Zebra' })],
    ['the prompt adr', prompt('adr', { title: 'Zebra' })],
    ['completed names', completed('note', 'name', 'z')],
    ['completed names of both', completed('note', 'name', 'lo')],
    ['all names', completed('note', 'name', '')],
    ['completed tags', completed('tagged', 'tag', '')],
    ['completed headings', completed('note', 'section', '', { name: 'zq' })],
    ['completed headings of both', completed('note', 'section', '', { name: 'Log' })],
    ['completed paths', completedPath('')],
    ['completed paths outside', completedPath('Sec')],
    ['completed paths beside it', completedPath('Work')],
  ])('%s', async (_, ask) => {
    const whole = await open('whole');
    const alone = await open('alone');
    const answer = await told(() => ask(whole.service, whole.caller));
    expect(answer).toBe(await told(() => ask(alone.service, alone.caller)));
    expect(answer).not.toMatch(canary);
  });

  it('a subscription tells nothing of what changes around it', async () => {
    const { service, caller, disk, keeper } = await open('whole');
    let count = 0;
    const onChange = (): void => {
      count += 1;
    };
    await service.subscribe('Work/Log.md', caller, onChange);
    disk.write('Secret/in/zq.md', 'quagga');
    await keeper.reconcile();
    expect(count).toBe(0);
    disk.write('Work/Log.md', 'more');
    await keeper.reconcile();
    await expect.poll(() => count).toBe(1);
  });
});

describe('what would have to touch files around the folder', () => {
  const refused = (code: string): { ok: false; error: unknown } => ({
    ok: false,
    error: expect.objectContaining({ code }),
  });

  it.each<readonly [string, string, object]>([
    ['a rename that links outside must follow', 'rename_note', { old_name: 'Open', new_name: 'A' }],
    ['the same as a plan', 'rename_note', { old_name: 'Open', new_name: 'A', dry_run: true }],
    ['by the other toolset', 'obsidian_rename_note', { name: 'Open', new_name: 'A' }],
    ['a deletion that unlinks outside', 'delete_note', { name: 'Open' }],
    ['a move that canvases follow', 'obsidian_move_note', { name: 'Open', to: 'Work/Sub' }],
    ['a move to the outside', 'obsidian_move_note', { name: 'Alone', to: 'Secret' }],
    ['a rename to the outside', 'rename_note', { old_name: 'Alone', new_name: 'Secret/Alone' }],
    ['their own folder', 'rename_note', { old_name: 'Work/', new_name: 'Other/' }],
    ['a folder out of it', 'rename_note', { old_name: 'Work/Sub/', new_name: 'Secret/Sub/' }],
    ['a note outside', 'create_note', { name: 'Secret/in/New' }],
    ['a note in place of one outside', 'create_note', { name: 'Secret/in/zq' }],
    ['a note at the top', 'note_upsert', { path: 'New.md', content: 'x' }],
    ['a note that is there', 'note_upsert', { path: 'zebra.md', content: 'x' }],
    ['a decision', 'adr_create', { title: 'T', content: 'x' }],
    ['an entry of a devlog', 'devlog_append', { topic: 'T', entry: 'x' }],
    ['the daily note', 'obsidian_daily_append', { content: 'x' }],
    ['the same by the default tools', 'daily_note', { text: 'x' }],
    ['reading it', 'daily_note', {}],
    ['a unique note', 'obsidian_unique_note', {}],
  ])('is forbidden, and nothing changes: %s', async (_, tool, args) => {
    const { service, caller, files } = await open('whole');
    const before = files();
    const outcome = await service.call(tool, args, caller);
    expect(outcome).toMatchObject(refused('forbidden'));
    expect(comparable(outcome)).not.toMatch(canary);
    expect(files()).toEqual(before);
  });

  it('is undone as far as it is seen, and nothing is told of the rest', async () => {
    const { service, caller, files, change } = await open('whole');
    await change(moveFile, { name: 'Work/Open.md', to: 'Work/Opened.md' });
    const before = files();
    const listed = await service.call('list_changes', {}, caller);
    expect(comparable(listed)).toContain('Work/Opened.md');
    expect(comparable(listed)).not.toMatch(canary);
    const id = /"id":"(c-\w{8})"/.exec(textsOf(listed.content).join(''))?.[1];
    const shown = comparable(await service.call('list_changes', { diff: id }, caller));
    expect(shown).toContain('rename to Work/Opened.md');
    expect(shown).not.toMatch(canary);
    for (const dry_run of [true, false]) {
      expect(files()).toEqual(before);
      const outcome = await service.call('undo_change', { id, dry_run }, caller);
      expect(outcome).toMatchObject({ ok: true, value: { undone: [id] } });
      expect(JSON.stringify(outcome)).not.toMatch(/quagga|may not see|"(warnings|left)"/i);
    }
    expect(files()).toHaveProperty(['Work/Open.md']);
    expect(files()['Top quagga.md']).toBe(before['Top quagga.md']);
  });

  it('is not undone when all of it lies outside: then it does not exist', async () => {
    const { service, caller, files, change } = await open('whole');
    const { change: id } = await change(appendNote, { name: 'Secret/in/zq', text: 'quagga' });
    const before = files();
    // By its number, by that of one which is seen, and by words that nobody was given.
    for (const asked of [id, 1, 'c-00000000']) {
      const outcome = await service.call('undo_change', { id: asked }, caller);
      expect(await service.call('list_changes', { diff: asked }, caller)).toEqual(outcome);
      expect(outcome).toMatchObject({
        ok: false,
        error: {
          code: 'not_found',
          message: `There is no change ${asked} in the history; list the changes to see which there are. list_changes does that.`,
        },
      });
    }
    expect(files()).toEqual(before);
  });
});
