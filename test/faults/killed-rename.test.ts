import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { seededRandom } from '../../bench/random.ts';
import { vaultFolders } from '../../src/node/place/vault-folders.ts';
import { openSqliteState } from '../../src/sqlite/state/sqlite-state-store.ts';
import { counted, soakTime } from '../support/counts.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { buildVaultProgram, VaultProcess } from '../support/vault-process.ts';

// A process is killed in the middle of a rename that touches 1,000 notes, while a second one goes
// on writing to the same notes: always all old or all new, and nothing of the second is lost.

const program = buildVaultProgram();
const notes = 1_000;
const kills = counted({ quick: 1, full: 6, soak: 100 });

it('leaves all notes old or all new, however often it is killed', {
  timeout: soakTime(1_200_000),
}, async () => {
  const random = seededRandom(20_26);
  const folder = tempFolder();
  const env = { XDG_STATE_HOME: tempFolder(), XDG_CACHE_HOME: tempFolder() };
  mkdirSync(join(folder, 'notes'));
  const noteFile = (n: number) => join(folder, 'notes', `note ${n}.md`);
  for (let n = 0; n < notes; n++) {
    writeFileSync(noteFile(n), `# ${n}\n[[Target]] and ![[Target#Part|Target]] once more\n`);
  }
  writeFileSync(join(folder, 'Log.md'), '');
  writeFileSync(join(folder, 'Target.md'), '# Part\n[[#Part]]\n');
  const writer = new VaultProcess({ program, folder, env });
  const confirmed = new Map<number, string[]>();
  let lines = 0;
  let stop = false;
  const writing = (async () => {
    while (!stop) {
      const n = random.between(0, notes - 1);
      const text = `line ${++lines}`;
      const answer = await writer.call('appendNote', { name: `notes/note ${n}.md`, text });
      if (answer.ok) confirmed.set(n, [...(confirmed.get(n) ?? []), text]);
      else expect(answer).toMatchObject({ code: 'conflict' });
    }
  })();

  const stateFile = join(vaultFolders(folder, env, process.platform).state, 'state.db');
  const outcomes = { old: 0, new: 0, killed: 0 };
  let name = 'Target';
  // How long it takes is seen from one that is left alone; kills are spread over that time.
  let commitMs = 0;
  try {
    for (let kill = 0; kill <= kills; kill++) {
      const next = `Target ${kill}`;
      const renamer = new VaultProcess({ program, folder, env });
      const renamed = renamer.call('moveFile', { name: `${name}.md`, to: `${next}.md` });
      await untilBegun(stateFile, renamed);
      if (kill === 0) commitMs = await timeOf(renamed);
      // The first is killed at once, and is taken back.
      else if (kill > 1)
        await pause(((kill - random.between(0, 100) / 100) / kills) * commitMs * 1.2);
      await renamer.kill();
      if (!(await renamed).ok) outcomes.killed++;
      // Whoever takes the lock next finishes it or takes it back: the second process does.
      expect(await writer.call('appendNote', { name: 'Log.md', text: 'x' })).toMatchObject({
        ok: true,
      });
      const now = settledName(folder);
      expect([name, next]).toContain(now);
      outcomes[now === next ? 'new' : 'old']++;
      expectAll(folder, now);
      name = now;
    }
  } finally {
    stop = true;
    await writing;
  }
  expect(outcomes.killed).toBeGreaterThan(0);
  expect(outcomes.old).toBeGreaterThan(0);
  // The writer's lines are there once each, and in order.
  for (const [n, texts] of confirmed) {
    const found = readFileSync(noteFile(n), 'utf8')
      .split('\n')
      .filter((line) => /^line \d/.test(line));
    expect(found).toEqual(texts);
  }
  expect(litter(folder)).toEqual([]);
  const check = await writer.call('check');
  expect(check).toMatchObject({ ok: true, value: { index: [] } });
  await writer.close();
  console.log(`killed ${outcomes.killed} of ${kills}: ${outcomes.new} new, ${outcomes.old} old`);
});

/** The one name that the renamed note has now. */
function settledName(folder: string): string {
  const names = readdirSync(folder).filter((name) => /^Target.*\.md$/.test(name));
  expect(names).toHaveLength(1);
  return (names[0] ?? '').slice(0, -'.md'.length);
}

function expectAll(folder: string, name: string): void {
  for (let n = 0; n < notes; n++) {
    const [, line] = readFileSync(join(folder, 'notes', `note ${n}.md`), 'utf8').split('\n');
    expect(line).toBe(`[[${name}]] and ![[${name}#Part|Target]] once more`);
  }
}

/** Waits until the intent record of a change is there, or the change is over. */
async function untilBegun(stateFile: string, over: Promise<unknown>): Promise<void> {
  let ended = false;
  void over.then(() => {
    ended = true;
  });
  while (!ended && !existsSync(stateFile)) await pause(5);
  const state = await openSqliteState({ file: stateFile });
  while (!ended) {
    const open = await state.unfinished();
    if (open.some(({ steps }) => steps.length > notes)) break;
    await pause(3);
  }
  await state.close();
}

async function timeOf(work: Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work;
  return performance.now() - start;
}

function litter(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => /\.~vd-/.test(name));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
