import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { counted } from '../support/counts.ts';
import { openDesk, owner } from '../support/desk-vault.ts';
import { memoryDisk } from '../support/memory-disk.ts';
import { memoryState, type StateFault } from '../support/memory-state.ts';
import { bundle, runCli } from '../support/run-cli.ts';
import { StdioProcess, stdioEnv } from '../support/stdio-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

// The owner accepts proposals, and the process that makes the changes dies. When the owner accepts
// them again, each of them has been made once.

const step = counted({ quick: 7, full: 1 });

/** Proposes three changes, accepts them in a process with this fault, and then in one without. */
async function acceptTwice(fault: StateFault) {
  const disk = memoryDisk({ 'A.md': 'one\n', 'B.md': 'b\n', 'Link.md': '[[B]]\n' });
  const shared = await memoryState();
  const agent = await openDesk(disk, { process: shared.open() });
  const ids = [
    await agent.propose('append_note', { name: 'A', text: 'two' }),
    await agent.propose('rename_note', { old_name: 'B', new_name: 'C' }),
    await agent.propose('create_note', { name: 'N', content: 'new' }),
  ];
  const process = shared.open(fault);
  const dying = await openDesk(disk, { process });
  await dying.desk.accept(ids, owner).catch(() => undefined); // Nobody is left to hear it.
  process.kill();
  const { desk, files, whole } = await openDesk(disk, { process: shared.open() });
  const decided = await desk.accept(ids, owner);
  const { items } = await whole.parts.state.changes({}, { limit: 10, offset: 0 });
  return {
    isOver: !process.faulted(),
    outcomes: decided.map(({ outcome }) => outcome),
    end: {
      files: files(),
      changes: items.map(({ proposal }) => proposal),
      unfinished: await whole.parts.state.unfinished(),
      states: (await desk.proposals({ open: false })).map(({ state }) => state),
    },
  };
}

it('makes each once, at whichever call of the state the first process dies', async () => {
  const outcomes = new Set<string>();
  for (let crashAt = 1; ; crashAt += step) {
    for (const when of ['before', 'after'] as const) {
      const run = await acceptTwice({ crashAt, when });
      expect(run.end, `call ${crashAt}, ${when}`).toEqual({
        files: { 'A.md': 'one\ntwo\n', 'C.md': 'b\n', 'Link.md': '[[C]]\n', 'N.md': 'new' },
        changes: ['p3', 'p2', 'p1'],
        unfinished: [],
        states: ['accepted', 'accepted', 'accepted'],
      });
      for (const outcome of run.outcomes) outcomes.add(outcome);
      if (!run.isOver) continue;
      expect(run.outcomes).toEqual(['decided', 'decided', 'decided']);
      expect([...outcomes].sort()).toEqual(['decided', 'made']);
      return;
    }
  }
});

const notes = 150;

it('makes it once when the command is killed before it answers', async () => {
  const links = Array.from({ length: notes }, (_, n) => [`n${n}.md`, '[[A]]\n']);
  const folder = tempFolder({ 'A.md': 'one\n', 'B.md': 'b\n', ...Object.fromEntries(links) });
  const env = stdioEnv({ folder });
  const program = new StdioProcess({ folder, env, args: ['--propose'] });
  await program.initialize();
  const propose = (name: string, args: object) =>
    program.request('tools/call', { name, arguments: args });
  await propose('rename_note', { old_name: 'A', new_name: 'Z' });
  await propose('append_note', { name: 'B', text: 'two' });
  const text = (file: string): string => readFileSync(join(folder, file), 'utf8');
  const isLinked = (n: number): boolean => text(`n${n}.md`) === '[[Z]]\n';
  const killed = {
    p1: await killedAccept('p1', env, () => isLinked(0) || isLinked(notes - 1)),
    p2: await killedAccept('p2', env, () => text('B.md') !== 'b\n'),
  };
  expect(killed.p1).toBe('');
  for (const id of ['p1', 'p2']) {
    const again = await runCli(['proposals', 'accept', id], env);
    expect(again).toMatchObject({ code: 0 });
    expect(again.stdout).toMatch(new RegExp(`^${id} (is made|was accepted before), as change`));
  }
  expect([text('Z.md'), text('B.md')]).toEqual(['one\n', 'b\ntwo\n']);
  for (let n = 0; n < notes; n++) expect(isLinked(n)).toBe(true);
  expect(readdirSync(folder).filter((name) => name.includes('~vd-'))).toEqual([]);
  const history = await runCli(['history', '--json'], env);
  const made = JSON.parse(history.stdout) as { readonly items: readonly { tool: string }[] };
  expect(made.items.map(({ tool }) => tool)).toEqual(['append_note', 'rename_note']);
  await program.end();
});

/** Accepts a proposal and kills the process as soon as this holds; answers what it had printed. */
async function killedAccept(
  id: string,
  env: Readonly<Record<string, string>>,
  holds: () => boolean,
): Promise<string> {
  const child = spawn(process.execPath, [bundle, 'proposals', 'accept', id], { env });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    printed += part;
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  while (!isOver && !holds()) await new Promise(setImmediate);
  child.kill('SIGKILL');
  await ended;
  return printed;
}
