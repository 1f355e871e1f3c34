import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { generateVault } from './generate-vault.ts';
import { measureBareSearch } from './measure-lines.ts';
import { printTable } from './print-table.ts';
import { runMeasurement } from './run-measurement.ts';
import { ServerClient, type TimedAnswer } from './server-client.ts';
import { vaultdoorCommand } from './stdio-client.ts';
import { type Probe, referring, writeProbes } from './write-probes.ts';

// `npm run bench:cold` measures the first answer of each kind on a vault that was never seen: each
// question is the first call of a process without any index, asked as soon as `tools/list` is answered.
// An answer counts only if it is right and complete. Beside them are ripgrep, a plain read of all notes,
// and reading and parsing all notes in one thread, in the same run. Never fails because of a figure.

/** A probe, and a word that most notes have. */
type ColdProbe = Probe & { readonly common: string };

interface Question {
  readonly what: string;
  readonly tool: string;
  readonly args: (probe: ColdProbe) => object;
  /** Texts that a right answer has. */
  readonly says: (probe: Probe) => readonly string[];
}

const allReferring = Array.from({ length: referring }, (_, at) => `Refers ${at + 1}`);
const nothing = (): readonly string[] => [];

const questions: readonly Question[] = [
  ask(
    'read by path',
    'read_note',
    ({ path }) => ({ name: path }),
    ({ word }) => [word],
  ),
  ask(
    'read by name',
    'read_note',
    ({ name }) => ({ name }),
    ({ word }) => [word],
  ),
  ask('append', 'append_note', ({ path }) => ({ name: path, text: 'A line.' }), nothing),
  ask('create', 'create_note', ({ name }) => ({ name: `New/${name} 2`, content: 'x' }), nothing),
  ask(
    'create, name of another',
    'create_note',
    ({ name }) => ({ name: `New/${name}`, content: 'x' }),
    nothing,
  ),
  ask(
    'rename',
    'rename_note',
    ({ name }) => ({ old_name: name, new_name: `${name} renamed` }),
    nothing,
  ),
  ask('delete', 'delete_note', ({ name }) => ({ name }), nothing),
  ask(
    'backlinks',
    'get_links',
    ({ name }) => ({ name, direction: 'in' }),
    () => allReferring,
  ),
  ask(
    'search, a rare word',
    'search_notes',
    ({ word }) => ({ query: word }),
    ({ name }) => [name],
  ),
  ask(
    'search, two words',
    'search_notes',
    ({ word, beside }) => ({ query: `${word} ${beside}` }),
    ({ name }) => [name],
  ),
  ask('search, a common word', 'search_notes', ({ common }) => ({ query: common }), nothing),
  ask(
    'search, a misspelled word',
    'search_notes',
    ({ word }) => ({ query: `${word.slice(0, -2)}nr` }),
    ({ name }) => [name],
  ),
  ask(
    'a section',
    'read_section',
    ({ path }) => ({ name: path, section: 'Second' }),
    () => ['Some text.'],
  ),
  ask(
    'properties of a note',
    'get_frontmatter',
    ({ path }) => ({ name: path }),
    () => ['open'],
  ),
  ask(
    'set a property',
    'set_frontmatter',
    ({ path }) => ({ name: path, key: 'reviewed', value: 1 }),
    nothing,
  ),
  ask(
    'replace',
    'replace_note',
    ({ path }) => ({ name: path, old_text: 'at night', new_text: 'by day' }),
    nothing,
  ),
  ask(
    'under a heading',
    'append_section',
    ({ path }) => ({ name: path, section: 'Second', text: 'A line.' }),
    nothing,
  ),
  ask(
    'insert below a line',
    'insert_note',
    ({ path }) => ({ name: path, after: 'at night', text: 'A line.' }),
    nothing,
  ),
  ask('check off a task', 'set_task', ({ path }) => ({ name: path, text: 'Look at' }), nothing),
  ask('daily note', 'daily_note', () => ({ text: 'A line.' }), nothing),
  ask('changes', 'list_changes', () => ({}), nothing),
  ask(
    'names',
    'list_notes',
    () => ({ folder: 'Probes', limit: 500 }),
    ({ name }) => [name],
  ),
  ask(
    'related notes',
    'related_notes',
    ({ name }) => ({ name, limit: 30 }),
    () => ['Refers 1'],
  ),
  ask(
    'query by a property',
    'query_notes',
    () => ({ filter: 'state == "open"', limit: 200 }),
    ({ name }) => [name],
  ),
  ask('tags', 'list_vault', () => ({ what: 'tags' }), nothing),
  ask('tasks', 'list_tasks', () => ({}), nothing),
  ask('orphans', 'list_vault', () => ({ what: 'orphans' }), nothing),
  ask('dead ends', 'list_vault', () => ({ what: 'dead_ends' }), nothing),
  ask(
    'folders',
    'list_vault',
    () => ({ what: 'folders' }),
    () => ['Probes/Referring'],
  ),
  ask('unused attachments', 'list_vault', () => ({ what: 'unused' }), nothing),
  ask('duplicates', 'list_vault', () => ({ what: 'duplicates' }), nothing),
  ask('broken links', 'list_vault', () => ({ what: 'broken_links' }), nothing),
];

function ask(what: string, tool: string, args: Question['args'], says: Question['says']): Question {
  return { what, tool, args, says };
}

/** Asks one question of a process that has no index. */
async function firstAnswer(
  folder: string,
  { tool, args, says }: Question,
  probe: ColdProbe,
): Promise<{ readonly ms: number; readonly was: string }> {
  const cache = mkdtempSync(join(tmpdir(), 'vaultdoor-cold-'));
  const client = new ServerClient(vaultdoorCommand(folder, cache, 'notes'));
  try {
    await client.greet();
    await client.request('tools/list');
    const answer = await client.call(tool, args(probe));
    return { ms: answer.ms, was: outcome(answer, says(probe)) };
  } finally {
    await client.end();
    rmSync(cache, { recursive: true, force: true });
  }
}

/** The word that most of the first notes have. */
function commonWord(folder: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const notes = new Map<string, number>();
  for (const name of names.filter((each) => each.endsWith('.md')).slice(0, 300)) {
    const text = readFileSync(join(folder, name), 'utf8').toLowerCase();
    for (const word of new Set(text.match(/[a-z]{4,}/g))) {
      notes.set(word, (notes.get(word) ?? 0) + 1);
    }
  }
  return Array.from(notes).reduce((most, each) => (each[1] > most[1] ? each : most))[0];
}

function outcome({ text }: TimedAnswer, says: readonly string[]): string {
  if (text === undefined) return 'failed';
  if (text.includes('incomplete') || text.includes('still being indexed')) return 'in part';
  return says.every((each) => text.includes(each)) ? 'right' : 'wrong';
}

export async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      notes: { type: 'string', default: '10000' },
      only: { type: 'string', default: '' },
    },
  });
  const folder = mkdtempSync(join(tmpdir(), 'vaultdoor-bench-'));
  try {
    generateVault(folder, { notes: Number(values.notes) });
    const probes = writeProbes(folder, questions.length);
    const common = commonWord(folder);
    const rgMs = await measureBareSearch(folder, [probes[0]?.word ?? '']);
    const { readMs } = runMeasurement<{ readMs: number }>('measure-limits.ts', [folder]);
    const { parseMs } = runMeasurement<{ parseMs: number }>('measure-parse.ts', [folder]);
    const shown: Record<string, string>[] = [];
    for (const [at, question] of questions.entries()) {
      if (!values.only.split(',').some((only) => question.what.includes(only))) continue;
      const { ms, was } = await firstAnswer(folder, question, {
        ...(probes[at] as Probe),
        common,
      });
      shown.push({
        '': question.what,
        'first answer': `${(ms / 1000).toFixed(2)} s`,
        'times rg': (ms / rgMs).toFixed(1),
        'times the bare parse': (ms / parseMs).toFixed(2),
        was,
      });
    }
    console.log(
      `${values.notes} notes. rg: ${rgMs.toFixed(0)} ms; plain read: ${readMs.toFixed(0)} ms; reading and parsing in one thread: ${parseMs.toFixed(0)} ms`,
    );
    const columns = ['first answer', 'times rg', 'times the bare parse', 'was'];
    printTable(
      Object.fromEntries(
        columns.map((column) => [
          column,
          Object.fromEntries(shown.map((row) => [row[''] ?? '', row[column] ?? ''])),
        ]),
      ),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
