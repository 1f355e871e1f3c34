import type { Caller } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import type { Logger } from '../../base/logger.ts';
import { toVaultError, VaultError } from '../../base/vault-error.ts';
import { insteadOfTool } from '../../tools/define/elsewhere.ts';
import type { Outcome } from '../../tools/define/outcome.ts';
import type { ListedTool, Service } from '../../tools/service/service.ts';
import { readOutcome } from './bridge-answers.ts';
import { BridgeWire } from './bridge-wire.ts';
import { type KeptText, RemoteTools } from './remote-tools.ts';

interface BridgeServiceParts {
  /** The server's address, made by `bridgeUrl`. */
  readonly url: string;
  /** Checked by `checkKey`. */
  readonly key?: string;
  readonly pollMs: number;
  readonly logger: Logger;
  readonly timers: { after(ms: number, call: () => void): () => void };
  /** Where the last list of tools is kept between runs. */
  readonly kept?: KeptText;
}

/** Half surrogate pairs, which a URL cannot hold. */
const halfCharacters = /\p{Surrogate}/gu;

/**
 * A service with the tools of a Bridge v1 server, and no resources or prompts. The server need not
 * run yet: until it does, calls fail with a message that says what to start. That server decides
 * what callers may do.
 */
export function createBridgeService(
  parts: BridgeServiceParts,
): Service & { close(): Promise<void> } {
  return new BridgeService(parts);
}

class BridgeService implements Service {
  readonly vaults = [];
  readonly serverName = 'vaultdoor-bridge';
  readonly #wire: BridgeWire;
  readonly #tools: RemoteTools;

  constructor(parts: BridgeServiceParts) {
    this.#wire = new BridgeWire(parts);
    this.#tools = new RemoteTools({ ...parts, wire: this.#wire });
  }

  instructions(): string {
    return '';
  }

  list(): readonly ListedTool[] {
    return this.#tools.list();
  }

  toolsKnown(): Promise<void> {
    return this.#tools.known();
  }

  onToolsChanged(listener: () => void): () => void {
    return this.#tools.onChanged(listener);
  }

  /** Also true while the server does not answer: the call then fails with the reason. */
  async has(name: string): Promise<boolean> {
    if (this.#tools.has(name)) return true;
    await this.#tools.refresh();
    return this.#tools.has(name) || !this.#tools.isCertain;
  }

  insteadOf(name: string): string | undefined {
    return insteadOfTool(name, { tools: this.#tools.list() });
  }

  async call(name: string, args: unknown, caller: Caller): Promise<Outcome> {
    try {
      return await this.#call(name, args, caller);
    } catch (thrown) {
      const error = toVaultError(thrown);
      return { ok: false, error, content: [{ type: 'text', text: error.message }] };
    }
  }

  async #call(name: string, args: unknown, caller: Caller): Promise<Outcome> {
    const body = JSON.stringify({ arguments: args });
    if (Buffer.byteLength(body) > limits.bridgeBodyBytesMax) {
      const message =
        'The arguments are larger than 1 MiB, the most that Bridge v1 accepts; send less.';
      throw new VaultError('too_large', message);
    }
    const { client, signal, deadlineMs } = caller;
    const path = `/tools/${encodeURIComponent(name.replace(halfCharacters, '\ufffd'))}/call`;
    const answer = await this.#wire.request({ path, body, client, signal, deadlineMs });
    // The list of tools may be out of date: the tool is gone, or the server was away until now.
    const isBack = answer.status === 200 && !this.#tools.isCertain;
    if (answer.status === 404 || isBack) void this.#tools.refresh();
    return readOutcome(answer, this.#wire);
  }

  async resources(): Promise<readonly []> {
    return [];
  }

  async readResource(): Promise<never> {
    throw toolsOnly();
  }

  prompts(): readonly [] {
    return [];
  }

  async prompt(): Promise<never> {
    throw toolsOnly();
  }

  async complete(): Promise<{ values: readonly string[]; total: number }> {
    return { values: [], total: 0 };
  }

  async subscribe(): Promise<never> {
    throw toolsOnly();
  }

  async ready(): Promise<void> {}

  disconnected(): void {}

  async close(): Promise<void> {
    this.#tools.close();
    this.#wire.close();
  }
}

function toolsOnly(): VaultError {
  return new VaultError('invalid_input', 'A Bridge v1 server has only tools.');
}
