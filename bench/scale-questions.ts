import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer, ScaleClient } from './scale-client.ts';
import { type Probe, referring } from './write-probes.ts';

/** A question that is asked many times, each time about another probe note. */
export interface Question {
  readonly what: string;
  /** Why its time may grow with the vault; missing if it may depend only on the answer. */
  readonly grows?: string;
  /** Whether it is also asked of a process that hides some files. */
  readonly hides?: true;
  readonly ask: (asked: Asked) => Promise<Answer>;
  /** What a right answer contains. A wrong answer fails, however fast it is. */
  readonly shows: RegExp | ((probe: Probe) => string);
}

export interface Asked {
  readonly client: ScaleClient;
  /** The vault's folder. */
  readonly folder: string;
  readonly probe: Probe;
  /** How often the question was asked before. */
  readonly turn: number;
}

const tool =
  (name: string, args: (asked: Asked) => object = () => ({})): Question['ask'] =>
  (asked) =>
    asked.client.call(name, args(asked));

const search = (query: (probe: Probe) => string): Question['ask'] =>
  tool('search_notes', ({ probe }) => ({ query: query(probe) }));

const path = ({ probe }: Asked) => ({ name: probe.path });
const byPath = (probe: Probe): string => probe.name;

/** The text with one wrong letter near its end. */
function mistyped(text: string): string {
  const middle = text.length - 3;
  return `${text.slice(0, middle)}${text[middle] === 'o' ? 'a' : 'o'}${text.slice(middle + 1)}`;
}

export const questions: readonly Question[] = [
  { what: 'read by path', ask: tool('read_note', path), shows: ({ word }) => word },
  {
    what: 'read by name',
    ask: tool('read_note', ({ probe }) => ({ name: probe.name })),
    shows: ({ word }) => word,
  },
  {
    what: 'a name that is not found',
    ask: tool('read_note', ({ probe }) => ({ name: mistyped(probe.name) })),
    shows: byPath,
  },
  { what: 'outline', ask: tool('obsidian_outline', path), shows: /Second/ },
  {
    what: `backlinks (${referring})`,
    ask: tool('obsidian_backlinks', path),
    shows: new RegExp(`Refers ${referring}`),
  },
  { what: 'outgoing links', ask: tool('obsidian_links', path), shows: /Xq.. probe/ },
  {
    what: 'neighbours, two links away',
    ask: tool('graph_neighbors', ({ probe }) => ({ path: probe.path, depth: 2 })),
    shows: new RegExp(`Refers ${referring}`),
  },
  { what: 'orphans, first page', hides: true, ask: tool('obsidian_orphans'), shows: /\.md/ },
  { what: 'dead ends, first page', hides: true, ask: tool('obsidian_deadends'), shows: /"total"/ },
  {
    what: 'unresolved, first page',
    hides: true,
    ask: tool('obsidian_unresolved'),
    shows: /some day/,
  },
  {
    what: 'tags',
    hides: true,
    grows: 'a larger vault has more tags, and all are listed',
    ask: tool('obsidian_tags'),
    shows: /"total"/,
  },
  {
    what: 'files with a rare tag',
    ask: tool('obsidian_tags', ({ probe }) => ({ tag: probe.tag })),
    shows: byPath,
  },
  { what: 'tasks, first page', hides: true, ask: tool('obsidian_tasks'), shows: /"total"/ },
  {
    what: 'open tasks, a later page',
    ask: tool('obsidian_tasks', ({ turn }) => ({ status: 'todo', limit: 20, offset: 20 * turn })),
    shows: /"total"/,
  },
  { what: 'properties', hides: true, ask: tool('obsidian_properties'), shows: /related/ },
  {
    what: 'the vault in numbers',
    grows: 'all folders are counted on disk, since the index knows no empty ones',
    ask: tool('obsidian_vault_info'),
    shows: /orphans/,
  },
  { what: 'notes by name, first page', ask: tool('list_notes', () => ({ limit: 50 })), shows: /./ },
  {
    what: 'notes by time, first page',
    hides: true,
    ask: tool('list_notes', () => ({ limit: 50, sort: 'modified' })),
    shows: /./,
  },
  {
    what: 'name search, exact',
    ask: tool('search_notes', ({ probe }) => ({ query: probe.alias, mode: 'name' })),
    shows: byPath,
  },
  {
    what: 'name search, partial',
    ask: tool('search_notes', ({ probe }) => ({
      query: probe.name.slice(0, 6),
      mode: 'name_partial',
    })),
    shows: byPath,
  },
  { what: 'text search, one rare word', ask: search(({ word }) => word), shows: byPath },
  {
    what: 'text search, two words',
    ask: search(({ word, beside }) => `${beside} ${word}`),
    shows: byPath,
  },
  {
    what: 'text search, phrase',
    ask: search(({ word, beside }) => `"${word} ${beside} at night"`),
    shows: byPath,
  },
  { what: 'text search, prefix', ask: search(({ word }) => word.slice(0, 8)), shows: byPath },
  {
    what: 'text search, typo',
    grows: 'a word that is nowhere is compared with all words of the vault',
    ask: search(({ word }) => mistyped(word)),
    shows: byPath,
  },
  {
    what: 'text search, common word',
    grows: 'all notes that have it are ranked',
    ask: search(() => 'night'),
    shows: /./,
  },
  {
    what: 'append',
    ask: tool('append_note', ({ probe, turn }) => ({
      name: probe.path,
      text: `Appended ${turn}.`,
    })),
    shows: /"change"/,
  },
  {
    what: 'set a property',
    ask: tool('set_frontmatter', ({ probe, turn }) => ({
      name: probe.path,
      key: 'state',
      value: `step ${turn}`,
    })),
    shows: /"change"/,
  },
  {
    what: `rename, ${referring} referring`,
    ask: async (asked) => (await renameAndUndo(asked)).renamed,
    shows: /"change"/,
  },
  {
    what: 'undo that',
    ask: async (asked) => (await renameAndUndo(asked)).undone,
    shows: /"change"/,
  },
  { what: 'a change from outside', ask: changeOutside, shows: byPath },
];

/**
 * Renames a probe and undoes the rename, so that the next question finds the probe where it was.
 */
async function renameAndUndo({
  client,
  probe,
}: Asked): Promise<Record<'renamed' | 'undone', Answer>> {
  const renamed = await client.call('rename_note', {
    old_name: probe.path,
    new_name: `${probe.name} renamed`,
  });
  const change = /"change":\s*(\d+)/.exec(renamed.text)?.[1];
  const undone = await client.call('undo_change', { id: Number(change) });
  return { renamed, undone };
}

/** The time from a save by another program until a search finds the saved text. */
async function changeOutside({ client, folder, probe, turn }: Asked): Promise<Answer> {
  const word = `${probe.word}outside${turn}`;
  const start = performance.now();
  appendFileSync(join(folder, probe.path), `\nA word: ${word}\n`);
  for (;;) {
    const answer = await client.call('search_notes', { query: word });
    if (answer.text.includes(probe.name)) return { ...answer, ms: performance.now() - start };
    if (performance.now() - start > 10_000) return answer;
  }
}
