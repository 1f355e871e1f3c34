import { expect, it } from 'vitest';
import { seededRandom } from '../../bench/random.ts';
import { allScopes } from '../../src/base/caller.ts';
import { undoSelection } from '../../src/engine/operations/history/undo-selection.ts';
import { counted } from '../support/counts.ts';
import { agent, openDesk, owner } from '../support/desk-vault.ts';
import { memoryDisk } from '../support/memory-disk.ts';
import { memoryState } from '../support/memory-state.ts';

// An agent proposes many changes. The owner decides them in another order, while a person edits
// files and two agents that may write do so, one of them in another process. Every text is made of
// words that occur once, and no proposal replaces words of others: none may be missing at the end.

const proposed = counted({ quick: 60, full: 200, soak: 480 });
const seeds = counted({ quick: [1], full: [1, 2], soak: [1, 2, 3, 4, 5, 6] });
const notes = 100;

it.each(seeds)('nothing is lost, and what is refused leaves no trace (seed %i)', async (seed) => {
  const random = seededRandom(seed);
  const start = Array.from({ length: notes }, (_, n) => [
    `F${n % 3}/n${n}.md`,
    `base${n}; #t${n % 5}\n[[n${(n + 1) % notes}]]\n`,
  ]);
  const disk = memoryDisk(Object.fromEntries(start));
  const shared = await memoryState();
  const { desk, propose, call, files, as, indexFaults, whole } = await openDesk(disk, {
    process: shared.open(),
  });
  const elsewhere = await openDesk(disk, { process: shared.open() });
  const must = new Set(start.map((_, n) => `base${n};`));
  const mustNot = new Set<string>();
  let words = 0;

  /** The arguments of a random call, and the word that it adds to the vault, if it does. */
  const anyCall = (): readonly [string, object, string?] => {
    const word = `w${++words};`;
    const name = `n${random.between(0, notes - 1)}`;
    return random.pick<readonly [string, object, string?]>([
      ['create_note', { name: `New/x${words}`, content: `${word}\n` }, word],
      ['append_note', { name, text: word }, word],
      ['insert_note', { name, text: word, before: '[[' }, word],
      ['rename_note', { old_name: name, new_name: `F${random.between(0, 3)}/m${words}` }],
      ['delete_note', { name }],
      ['set_frontmatter', { name, key: 'word', value: word }],
      ['set_frontmatter', { name, key: 'tags', value: [`t${random.between(0, 4)}`] }],
      ['rename_note', { old_name: `F${random.between(0, 2)}/`, new_name: `G${words}/` }],
      ['rename_note', { old_name: `#t${random.between(0, 4)}`, new_name: `#u${words}` }],
    ]);
  };
  const wordOf = new Map<string, string>();
  const ids: string[] = [];
  while (ids.length < proposed) {
    const [tool, args, word] = anyCall();
    // One client may have only so many open ones, so five propose in turn.
    const as = { ...agent, client: `agent ${ids.length % 5}` };
    const id = await propose(tool, args, as).catch(() => undefined); // What it names may not be there.
    if (id === undefined) continue;
    ids.push(id);
    if (word !== undefined) wordOf.set(id, word);
  }
  expect(files()).toEqual(Object.fromEntries(start));

  /** A person adds a line to some note, as an editor saves it. */
  const edit = (): void => {
    const path = random.pick(disk.paths().filter((each) => !each.startsWith('.')));
    const word = `p${++words};`;
    disk.write(path, `${disk.text(path)}${word}\n`);
    must.add(word);
  };
  /** An agent appends a line, and knows whether it has. */
  const write = async (by: typeof call, connection: string): Promise<void> => {
    const path = random.pick(disk.paths().filter((each) => !each.startsWith('.')));
    const word = `a${++words};`;
    const free = { client: connection, connection, scopes: allScopes };
    const { ok } = await by('append_note', { path, text: word }, free);
    if (ok) must.add(word);
  };

  const outcomes: Record<string, number> = {};
  const order = ids.toSorted(() => random.next() - 0.5);
  for (const id of order) {
    const word = wordOf.get(id);
    if (random.chance(0.2)) {
      expect(await desk.refuse([id], {}, owner)).toMatchObject([{ outcome: 'refused' }]);
      if (word !== undefined) mustNot.add(word);
      continue;
    }
    const isQuiet = random.chance(0.4);
    const others = isQuiet ? [] : [write(call, 'c7'), write(elsewhere.call, 'c8')];
    const before = files();
    let [decided] = await acceptAmong(others);
    // A proposal that was planned again is accepted a second time, while no one else writes.
    if (decided?.outcome === 'replanned') {
      [decided] = await desk.accept([decided.proposal.shownAs], owner);
    }
    const { outcome = '' } = decided ?? {};
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    if (decided?.outcome === 'failed') {
      // The note was renamed, moved or deleted, or something else is where it would be.
      expect(['not_found', 'already_exists', 'ambiguous']).toContain(decided.error.code);
    }
    if (word !== undefined) (outcome === 'made' ? must : mustNot).add(word);
    if (isQuiet && decided?.outcome === 'made') {
      const after = files();
      const { change, left } = await undoSelection(as({}), { names: [decided.change.id] });
      expect([left, files()]).toEqual([[], before]);
      await undoSelection(as({}), { names: [change ?? 0] });
      expect(files()).toEqual(after);
    }

    async function acceptAmong(running: readonly Promise<void>[]) {
      const accepting = desk.accept([id], owner);
      for (let n = running.length === 0 ? 0 : random.between(1, 8); n > 0; n--) {
        await new Promise(setImmediate);
        if (n === 1) edit();
      }
      await Promise.all(running);
      return accepting;
    }
  }
  expect(outcomes).toMatchObject({ made: expect.any(Number), failed: expect.any(Number) });
  const text = Object.values(files()).join('\n');
  const counts = (word: string): number => text.split(new RegExp(`\\b${word}`)).length - 1;
  expect([...must].filter((word) => counts(word) !== 1)).toEqual([]);
  expect([...mustNot].filter((word) => counts(word) !== 0)).toEqual([]);
  expect(await whole.parts.state.unfinished()).toEqual([]);
  await whole.parts.keeper.reconcile();
  expect(await indexFaults()).toEqual([]);
  console.log(`seed ${seed}: ${JSON.stringify(outcomes)}, ${must.size} words kept`);
});
