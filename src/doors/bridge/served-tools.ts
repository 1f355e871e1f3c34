import type { Scopes } from '../../base/caller.ts';
import type { Service } from '../../tools/service/service.ts';
import { inNameOrder, toolHash } from './tool-hash.ts';

/** The tools that are served at one moment. */
export interface ToolList {
  readonly names: ReadonlySet<string>;
  readonly hash: string;
  /** The answer of `GET /tools`. */
  readonly body: string;
}

/** The tools that a service offers someone who may do this, listed and hashed once for all. */
export class ServedTools {
  readonly #service: Service;
  readonly #effects: Scopes['effects'];
  #list: ToolList | undefined;

  constructor(service: Service, { effects }: Pick<Scopes, 'effects'>) {
    this.#service = service;
    this.#effects = effects;
  }

  get list(): ToolList {
    this.#list ??= this.#listed();
    return this.#list;
  }

  /** Calls back when the hash has become another; the answer ends it. There is one who listens. */
  onChange(listener: () => void): () => void {
    const end = this.#service.onToolsChanged?.(() => {
      const before = this.list.hash;
      this.#list = this.#listed();
      if (this.#list.hash !== before) listener();
    });
    return end ?? (() => undefined);
  }

  #listed(): ToolList {
    const tools = inNameOrder(
      this.#service
        .list(this.#effects)
        .map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    );
    const hash = toolHash(tools);
    return {
      names: new Set(tools.map(({ name }) => name)),
      hash,
      body: JSON.stringify({ tools, hash }),
    };
  }
}
