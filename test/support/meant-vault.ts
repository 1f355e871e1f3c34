import { VaultError } from '../../src/base/vault-error.ts';
import { MeaningKeeper } from '../../src/engine/meaning/meaning-keeper.ts';
import type { Embedder } from '../../src/engine/ports/meaning.ts';
import { wholeVault } from '../../src/engine/ports/view.ts';
import { nodeHash } from '../../src/node/system/node-ports.ts';
import { openSqliteMeaning } from '../../src/sqlite/meaning/sqlite-meaning-store.ts';
import { type MemoryVault, openWrittenVault } from './written-vault.ts';

/** Words that a stand-in takes for the same. */
const alike = [
  ['loaf', 'bread', 'dough', 'bake'],
  ['auto', 'car', 'vehicle', 'engine'],
  ['physician', 'doctor', 'hospital', 'illness'],
];

/** A stand-in for a model: texts are close when they have words of the same group, or the same words. */
export class StandIn implements Embedder {
  model = 'stand-in';
  /** Every text that it was sent. */
  readonly sent: string[] = [];
  /** How long its vectors are. */
  length = 64;
  failure: VaultError | undefined;
  /** Texts with this word are refused. */
  refuses = '\0';
  /** Called before it answers. */
  onSent = (): void => {};

  async embed(texts: readonly string[]): Promise<readonly Float32Array[]> {
    this.sent.push(...texts);
    this.onSent();
    if (this.failure !== undefined) throw this.failure;
    if (texts.some((text) => text.includes(this.refuses))) {
      throw new VaultError('too_large', 'refused');
    }
    return texts.map((text) => this.#vector(text));
  }

  async close(): Promise<void> {}

  #vector(text: string): Float32Array {
    const vector = new Float32Array(this.length);
    vector[this.length - 1] = 0.1;
    for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
      const group = alike.findIndex((words) => words.includes(word));
      const at =
        group >= 0 ? group : alike.length + (sumOf(word) % (this.length - alike.length - 1));
      vector[at] = (vector[at] ?? 0) + (group >= 0 ? 1 : 0.05);
    }
    return vector;
  }
}

function sumOf(word: string): number {
  return Array.from(word).reduce(
    (sum, letter) => (31 * sum + (letter.codePointAt(0) ?? 0)) % 9973,
    7,
  );
}

/** A vault in memory that is searched by meaning, and what closes it. */
export async function openMeantVault(
  files: Readonly<Record<string, string>>,
  options: Partial<ConstructorParameters<typeof MeaningKeeper>[0]> = {},
): Promise<MemoryVault & { readonly meaning: MeaningKeeper; readonly embedder: StandIn }> {
  const opened = await openWrittenVault(files);
  const embedder = new StandIn();
  const meaning = new MeaningKeeper({
    keeper: opened.keeper,
    disk: opened.disk,
    clock: opened.disk.clock,
    // What it waits for comes at once.
    timers: { after: (_, call) => stopOf(setTimeout(call, 1)) },
    hash: nodeHash,
    embedder,
    openStore: (model) => openSqliteMeaning({ file: ':memory:', leaseFile: ':memory:', model }),
    view: wholeVault,
    fills: true,
    ...options,
  });
  Object.assign(opened.whole.parts, { meaning });
  await meaning.settle();
  return { ...opened, meaning, embedder };
}

function stopOf(timer: NodeJS.Timeout): () => void {
  return () => clearTimeout(timer);
}
