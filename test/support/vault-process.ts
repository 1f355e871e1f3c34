import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { bundleProgram } from './bundle-program.ts';
import { bundle } from './run-cli.ts';

/** The operations that such a process can be asked for. */
export type ProcessOperation =
  | 'appendNote'
  | 'createNote'
  | 'deleteFile'
  | 'moveFile'
  | 'replaceInNote'
  | 'setNoteProperty'
  | 'check';

export type ProcessAnswer =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly code: string; readonly message: string };

/** Builds the program that `startVaultProcess` runs: the engine on a vault, asked line by line. */
export function buildVaultProgram(): string {
  return bundleProgram(
    import.meta.dirname,
    `
    import { createInterface } from 'node:readline';
    import { allScopes } from '../../src/base/caller.ts';
    import { openVault } from '../../src/cli/vaults/compose.ts';
    import { appendNote } from '../../src/engine/operations/write/append-note.ts';
    import { checkVault } from '../../src/engine/operations/vault/check-vault.ts';
    import { createNote } from '../../src/engine/operations/write/create-note.ts';
    import { deleteFile } from '../../src/engine/operations/move/delete-file.ts';
    import { moveFile } from '../../src/engine/operations/move/move-file.ts';
    import { replaceInNote } from '../../src/engine/operations/write/replace-in-note.ts';
    import { setNoteProperty } from '../../src/engine/operations/write/set-note-property.ts';

    const operations = {
      appendNote, createNote, deleteFile, moveFile, replaceInNote, setNoteProperty,
    };
    const [path = '', entryFile = '', watch = ''] = process.argv.slice(2);
    const recovered = [];
    const vault = openVault({ name: 'vault', path }, {
      entryFile, env: process.env, watch: watch === 'watch',
      onRecovered: (change) => recovered.push(change.outcome),
    });
    const signal = new AbortController().signal;
    const caller = { door: 'cli', scopes: allScopes, signal, deadlineMs: 60_000, indexWaitMs: 60_000 };
    const alive = setInterval(() => undefined, 1 << 30);
    const bound = vault.bind(caller, { tool: 'test', args: {} });
    const answer = async ({ id, operation, request }) => {
      try {
        const value = operation === 'check'
          ? await checkVault(bound)
          : await bound.change(operations[operation], request);
        return { id, ok: true, value: { ...value, recoveredHere: recovered.splice(0) } };
      } catch (error) {
        return { id, ok: false, code: error.code ?? 'thrown', message: String(error.message) };
      }
    };
    process.stdout.write('ready\\n');
    const running = [];
    for await (const line of createInterface({ input: process.stdin })) {
      running.push(answer(JSON.parse(line)).then((a) => process.stdout.write(JSON.stringify(a) + '\\n')));
    }
    await Promise.all(running);
    await vault.close();
    clearInterval(alive);
  `,
  );
}

/** A process of its own that works on a vault as every door does. */
export class VaultProcess {
  readonly child: ChildProcess;
  readonly #waiting = new Map<number, (answer: ProcessAnswer) => void>();
  readonly #ready: Promise<void>;
  #calls = 0;
  /** Whether it has ended; calls then answer `killed`. */
  ended = false;

  constructor(options: {
    readonly program: string;
    readonly folder: string;
    readonly env: Readonly<Record<string, string>>;
    readonly watch?: boolean;
  }) {
    const { program, folder, env, watch = false } = options;
    const args = [program, folder, bundle, watch ? 'watch' : ''];
    const { PATH, HOME } = process.env;
    this.child = spawn(process.execPath, args, {
      env: { PATH, HOME, ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.child.stdin?.on('error', () => undefined); // It may be killed while we write.
    let ready: () => void = () => undefined;
    this.#ready = new Promise((resolve) => {
      ready = resolve;
    });
    const lines = createInterface({ input: this.child.stdout as NodeJS.ReadableStream });
    lines.on('line', (line) => {
      if (line === 'ready') return ready();
      const answer = JSON.parse(line) as ProcessAnswer & { readonly id: number };
      this.#waiting.get(answer.id)?.(answer);
      this.#waiting.delete(answer.id);
    });
    this.child.on('exit', () => {
      this.ended = true;
      ready();
      const killed = { ok: false, code: 'killed', message: 'The process has ended.' } as const;
      for (const answer of this.#waiting.values()) answer(killed);
      this.#waiting.clear();
    });
  }

  async call(operation: ProcessOperation, request: object = {}): Promise<ProcessAnswer> {
    await this.#ready;
    if (this.ended) return { ok: false, code: 'killed', message: 'The process has ended.' };
    const id = ++this.#calls;
    const answer = new Promise<ProcessAnswer>((resolve) => this.#waiting.set(id, resolve));
    this.child.stdin?.write(`${JSON.stringify({ id, operation, request })}\n`);
    return answer;
  }

  async kill(): Promise<void> {
    if (this.ended) return;
    const exited = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGKILL');
    await exited;
  }

  /** Lets it finish and end by itself. */
  async close(): Promise<void> {
    if (this.ended) return;
    const exited = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.stdin?.end();
    await exited;
  }
}
