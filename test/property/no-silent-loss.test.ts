import fc from 'fast-check';
import { expect, it } from 'vitest';
import { counted, soakTime } from '../support/counts.ts';
import { type NotesAnswer, type NotesVault, openNotes } from '../support/notes-service.ts';

// Two connections and a person in an editor work on the same notes, one after the other and at
// once. Every text is made of words that occur once. A word may only go when someone took it away
// who had seen it or named it, or who was told that it replaces what it never read.

const starts: readonly string[] = [
  '---\nk: p1;\n---\n# One\n\nw1;\nw2;\n\n## Two\n\nw3;\n',
  '\ufeff---\r\nk: p1;\r\n---\r\nw1;\r\n# One\r\nw2;\r\n# Two\r\nw3;',
  '# One\nw1; w2;\nw3;',
];

const path = fc.constantFrom('a.md', 'a.md', 'a.md', 'b.md');
const section = fc.constantFrom('One', 'Two');
const number = fc.nat({ max: 7 });
const call = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('read' as const), path }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('read' as const),
      path,
      offset: number,
      limit: fc.integer({ min: 1, max: 5 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('update' as const),
      path,
      kept: number,
      versioned: fc.boolean(),
    }),
  },
  fc.record({ do: fc.constant('section' as const), path, section }),
  fc.record({ do: fc.constant('append' as const), path }),
  fc.record({ do: fc.constant('append' as const), path, section }),
  fc.record({ do: fc.constant('insert' as const), path, at: number }),
  fc.record({ do: fc.constant('replace' as const), path, at: number }),
  fc.record({ do: fc.constant('set' as const), path }),
  fc.record({ do: fc.constant('rename' as const), path, to: path }),
  fc.record({ do: fc.constant('create' as const), path }),
  fc.record({ do: fc.constant('delete' as const), path }),
  fc.record({ do: fc.constant('undo' as const), id: fc.integer({ min: 1, max: 12 }) }),
);
type Call = typeof call extends fc.Arbitrary<infer T> ? T : never;

const edit = fc.record({ path, at: number, after: fc.nat({ max: 40 }) });
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

const turn = fc.record(
  { c1: call, c2: call, editor: edit },
  { requiredKeys: [], noNullPrototype: true },
);

const connections = ['c1', 'c2'] as const;
type Connection = (typeof connections)[number];

/** What someone did: the words that are there now, and those that may be gone. */
interface Done {
  readonly wrote: readonly string[];
  readonly took: (word: string) => boolean;
}

const nothing: Done = { wrote: [], took: () => false };

/** One run: the vault, and who has seen which words. */
class Run {
  readonly vault: NotesVault;
  readonly #seen = { c1: new Set<string>(), c2: new Set<string>() };
  readonly #edited = new Set<string>();
  readonly #undos = new Set<unknown>();
  /** The version that the last change of a note has named. */
  #version: unknown;
  #words = 9;

  constructor(vault: NotesVault) {
    this.vault = vault;
  }

  /** Every word that is anywhere, the trash included. */
  words(): Set<string> {
    return wordsOf(Object.values(this.vault.files()).join('\n'));
  }

  /** A connection makes a call. */
  async call(connection: Connection, asked: Call): Promise<Done> {
    const seen = this.#seen[connection];
    const known = Array.from(seen);
    const own = this.#word();
    const { path, tool, args, took = nothing.took } = this.#request(asked, own, known);
    const answer = await this.vault.call(tool, { path, ...args }, { connection });
    if (!answer.ok) return nothing;
    this.#version = answer.json['version'] ?? this.#version;
    if (asked.do === 'read' || asked.do === 'section') {
      for (const word of wordsOf(answer.text)) seen.add(word);
      return nothing;
    }
    if (asked.do === 'undo') return this.#undone(asked.id, answer);
    const wrote = Object.values(args).some((value) => String(value).includes(own)) ? [own] : [];
    for (const word of wrote) seen.add(word);
    // What a person wrote and a connection writes again is that connection's, too.
    for (const word of wordsOf(String(args['content']))) this.#edited.delete(word);
    const isTold = JSON.stringify(answer.json['warnings'] ?? '').includes('had not read');
    return { wrote, took: (word) => took(word) || (isTold && word.startsWith('w')) };
  }

  /** A person adds a line to a note, at some moment while others work. */
  async edit({ path, at, after }: Edit): Promise<Done> {
    for (let pause = 0; pause < after; pause++) await Promise.resolve();
    const word = this.#word();
    this.#edited.add(word);
    const text = this.vault.files()[path] ?? '';
    const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
    const lines = text.split(lineEnd);
    const first = text.includes('---') ? lines.indexOf('---', 1) + 1 : 0;
    lines.splice(first + (at % (lines.length - first + 1)), 0, word);
    this.vault.disk[at % 2 === 0 ? 'write' : 'replace'](path, lines.join(lineEnd));
    return { wrote: [word], took: nothing.took };
  }

  #word(): string {
    this.#words += 1;
    return `w${this.#words};`;
  }

  #request(asked: Call, own: string, known: readonly string[]): Request {
    switch (asked.do) {
      case 'read':
        return { tool: 'read_note', path: asked.path, args: { ...asked } };
      case 'section':
        return { tool: 'read_section', path: asked.path, args: { section: asked.section } };
      case 'append': {
        const section = 'section' in asked ? { section: asked.section } : {};
        const tool = 'section' in asked ? 'append_section' : 'append_note';
        return { tool, path: asked.path, args: { ...section, text: own } };
      }
      case 'insert':
        return {
          tool: 'insert_note',
          path: asked.path,
          args: { after: this.#wordAt(asked), text: own },
        };
      case 'replace': {
        const old = this.#wordAt(asked);
        const args = { old_text: old, new_text: own };
        return { tool: 'replace_note', path: asked.path, args, took: (word) => word === old };
      }
      case 'update': {
        const kept = known.filter((word) => word.startsWith('w')).slice(0, asked.kept);
        const content = [...kept, own].join('\n');
        const took = (word: string): boolean => word.startsWith('w') && known.includes(word);
        const args = asked.versioned ? { content, version: this.#version } : { content };
        return { tool: 'update_note', path: asked.path, args, took };
      }
      case 'set':
        return { tool: 'set_frontmatter', path: asked.path, args: { key: own, value: own } };
      case 'rename':
        return { tool: 'rename_note', path: asked.path, args: { new_name: asked.to } };
      case 'create':
        return { tool: 'create_note', path: asked.path, args: { content: own } };
      case 'delete':
        return { tool: 'delete_note', path: asked.path, args: {} };
      case 'undo':
        return { tool: 'undo_change', args: { id: asked.id } };
    }
  }

  /** Undo takes back what tools did; only what it brings back of an undo may be an edit's end. */
  #undone(id: number, answer: NotesAnswer): Done {
    const isRedone = this.#undos.has(id);
    this.#undos.add(answer.json['change']);
    return { wrote: [], took: (word) => isRedone || !this.#edited.has(word) };
  }

  /** A word of a note, as someone may know it. */
  #wordAt({ path, at }: { readonly path: string; readonly at: number }): string {
    const words = Array.from(wordsOf(this.vault.files()[path] ?? ''));
    return words[at % Math.max(1, words.length)] ?? 'w0;';
  }
}

interface Request {
  readonly tool: string;
  readonly path?: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly took?: Done['took'];
}

function wordsOf(text: string): Set<string> {
  return new Set(text.match(/\b[wp]\d+;/g));
}

const runs = counted({ quick: 50, full: 100, soak: 3_000 });

it('loses no word that nobody has seen or named', { timeout: soakTime(240_000) }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...starts),
      fc.array(turn, { minLength: 2, maxLength: 14 }),
      async (start, turns) => {
        const vault = await openNotes({ 'a.md': start }, { tagPolicy: 'off' });
        try {
          const run = new Run(vault);
          for (const { editor, ...calls } of turns) {
            const before = run.words();
            const done = await Promise.all([
              editor === undefined ? nothing : run.edit(editor),
              ...connections.map((id) =>
                calls[id] === undefined ? nothing : run.call(id, calls[id]),
              ),
            ]);
            const after = run.words();
            const lost = [...before, ...done.flatMap(({ wrote }) => wrote)].filter(
              (word) => !after.has(word) && !done.some(({ took }) => took(word)),
            );
            expect(lost).toEqual([]);
          }
        } finally {
          await vault.close();
        }
      },
    ),
    { numRuns: runs },
  );
});
