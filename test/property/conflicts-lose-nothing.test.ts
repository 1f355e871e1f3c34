import fc from 'fast-check';
import { expect, it } from 'vitest';
import { vaultPath } from '../../src/base/vault-path.ts';
import { mergeConflict } from '../../src/engine/operations/conflicts/merge-conflict.ts';
import type { Draft } from '../../src/engine/vault/draft.ts';
import { counted, soakTime } from '../support/counts.ts';
import { openWrittenVault } from '../support/written-vault.ts';

// Two sides of one note that are cut from each other and joined again, as a sync program does it:
// the vault, where an agent writes through the engine, and a text elsewhere. Each edit adds a word
// of its own, and no word may be lost, however the copies are merged and how many pile up.

/** An edit: at which line of the text, and what is done there. */
const edit = fc.tuple(fc.nat(30), fc.constantFrom('append', 'change', 'insert'));
const round = fc.record({
  agent: fc.array(edit, { maxLength: 3 }),
  editor: fc.array(edit, { maxLength: 3 }),
  /** Another program changes the note in the vault while the sides are joined. */
  app: fc.array(edit, { maxLength: 1 }),
  agentWins: fc.boolean(),
  merges: fc.boolean(),
  /** The agent writes once more before it merges. */
  late: fc.array(edit, { maxLength: 1 }),
});

let words = 0;

function edited(text: string, [at, how]: readonly [number, string], all: string[]): string {
  const word = `w${++words}.`;
  all.push(word);
  const lines = text.split('\n').slice(0, -1);
  const place = at % Math.max(1, lines.length);
  if (how === 'append') lines.push(word);
  else if (how === 'insert') lines.splice(place, 0, word);
  else lines[place] = `${lines[place] ?? ''} ${word}`;
  return lines.map((line) => `${line}\n`).join('');
}

it('no word is lost by merging conflict copies', { timeout: soakTime(60_000) }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 2, maxLength: 8 }), async (rounds) => {
      const start = 'one\n\ntwo\n\nthree\n\nfour\n\nfive\n\nsix\n';
      const vault = await openWrittenVault({ 'N.md': start });
      const all: string[] = [];
      const write = (text: string) =>
        vault.change((draft: Draft, _: object) => {
          const bytes = new TextEncoder().encode(text);
          return draft.put(vaultPath('N.md'), bytes).then(() => ({}));
        }, {});
      const here = () => vault.text('N.md');
      const copies = () => vault.disk.paths().filter((path) => /^N\.sync-conflict/.test(path));
      for (const [count, { agent, editor, app, agentWins, merges, late }] of rounds.entries()) {
        for (const each of app) vault.disk.write('N.md', edited(here(), each, all));
        const shared = here();
        let there = shared;
        for (const each of agent) await write(edited(here(), each, all));
        for (const each of editor) there = edited(there, each, all);
        const ours = here();
        if (ours === shared) vault.disk.write('N.md', there);
        else if (there !== shared) {
          const [winner, loser] = agentWins ? [ours, there] : [there, ours];
          const number = String(count).padStart(6, '0');
          vault.disk.write(`N.sync-conflict-20260901-${number}-ABCDEF2.md`, loser);
          vault.disk.write('N.md', winner);
        }
        await vault.keeper.reconcile();
        for (const each of late) await write(edited(here(), each, all));
        for (const name of merges || count === rounds.length - 1 ? copies() : []) {
          await mergeConflict(vault.vault, { name, choose: 'both' });
        }
      }
      expect(copies()).toEqual([]);
      expect(all.filter((word) => !here().includes(word))).toEqual([]);
      await vault.close();
    }),
    { numRuns: counted({ quick: 20, full: 100, soak: 2_000 }) },
  );
});
