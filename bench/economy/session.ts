import { countTokens } from 'gpt-tokenizer';
import type { Command } from '../server-client.ts';
import { ServerClient } from '../server-client.ts';

/** What calls have cost: their number, and the size of their arguments and text results. */
export interface Cost {
  calls: number;
  bytes: number;
  tokens: number;
  /** How many of the calls failed. */
  failed: number;
  /** Bytes of auto-context among these: a text that comes once, whatever was asked. */
  context: number;
}

/** The answer to a call: its text, and whether the call failed. */
export interface Said {
  readonly text: string;
  readonly failed: boolean;
}

/** The longest answer of a task, to see what is too long. */
interface Longest {
  readonly tool: string;
  readonly bytes: number;
  readonly text: string;
}

/** How long one call may take: some peers read the whole vault for each search. */
const lateMs = 120_000;

/**
 * The connections of one program to the vaults, and what its calls cost. A program that serves
 * several vaults has one connection for all of them.
 */
export class Session {
  readonly #connect: (vault: string) => { readonly key: string; readonly command: Command };
  readonly #isNotYet: (said: string) => boolean;
  readonly #clients = new Map<string, ServerClient>();
  #cost: Cost = emptyCost();
  #longest: Longest | undefined;
  /** What is paid once: the list of tools and the instructions. */
  readonly fixed = { tools: 0, listBytes: 0, instructionBytes: 0, tokens: 0 };

  constructor(options: {
    /** How the server of a vault is started; vaults with the same key share a connection. */
    readonly connect: (vault: string) => { readonly key: string; readonly command: Command };
    /** Whether an answer says that the program is not ready, and is to be asked again. */
    readonly isNotYet?: (said: string) => boolean;
  }) {
    this.#connect = options.connect;
    this.#isNotYet = options.isNotYet ?? (() => false);
  }

  /** Makes one call and counts it. */
  async call(vault: string, tool: string, args: object): Promise<Said> {
    const client = await this.#client(vault);
    for (;;) {
      const { text, failure, late } = await client.call(tool, args, lateMs);
      const said = text ?? failure ?? (late ? 'No answer in time.' : '');
      // A model would be told to wait: that says how fast a program starts, not what an answer costs.
      if (this.#isNotYet(said)) continue;
      const sent = JSON.stringify(args);
      const bytes = Buffer.byteLength(sent) + Buffer.byteLength(said);
      this.#cost.calls += 1;
      this.#cost.bytes += bytes;
      this.#cost.tokens += countTokens(sent) + countTokens(said);
      if (text === undefined) this.#cost.failed += 1;
      const [context = ''] = /\n\n---\n\[context-[\s\S]*$/.exec(said) ?? [];
      this.#cost.context += Buffer.byteLength(context);
      if (bytes > (this.#longest?.bytes ?? 0)) {
        this.#longest = { tool: `${tool} ${sent}`, bytes, text: said };
      }
      return { text: said, failed: text === undefined };
    }
  }

  /** Makes a call that is not counted: the bench itself asks, to check an answer. */
  async ask(vault: string, tool: string, args: object): Promise<string> {
    const client = await this.#client(vault);
    const { text, failure } = await client.call(tool, args, lateMs);
    return text ?? failure ?? '';
  }

  /** What the calls since the last time have cost, and the longest of them. */
  taken(): { readonly cost: Cost; readonly longest: Longest | undefined } {
    const taken = { cost: this.#cost, longest: this.#longest };
    this.#cost = emptyCost();
    this.#longest = undefined;
    return taken;
  }

  async end(): Promise<void> {
    await Promise.all(Array.from(this.#clients.values(), (client) => client.end()));
  }

  async #client(vault: string): Promise<ServerClient> {
    const { key, command } = this.#connect(vault);
    const known = this.#clients.get(key);
    if (known !== undefined) return known;
    const client = new ServerClient(command);
    this.#clients.set(key, client);
    const { result } = await client.greet();
    const { tools } = await client.result<{ tools: readonly object[] }>('tools/list');
    // Once: a conversation pays the list and the instructions once, whatever the vault.
    if (this.#clients.size === 1) {
      const list = JSON.stringify({ tools });
      const { instructions = '' } = (result ?? {}) as { instructions?: string };
      this.fixed.tools = tools.length;
      this.fixed.listBytes = Buffer.byteLength(list);
      this.fixed.instructionBytes = Buffer.byteLength(instructions);
      this.fixed.tokens = countTokens(list) + countTokens(instructions);
    }
    return client;
  }
}

/** What no call costs. */
export function emptyCost(): Cost {
  return { calls: 0, bytes: 0, tokens: 0, failed: 0, context: 0 };
}
