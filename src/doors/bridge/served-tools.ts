import type { Scopes } from '../../base/caller.ts';
import type { Service } from '../../tools/service/service.ts';
import { inNameOrder, toolHash } from './tool-hash.ts';

/** The tools as they are listed at one moment. */
interface ToolList {
  readonly names: ReadonlySet<string>;
  readonly hash: string;
  /** The body of the answer to `GET /tools`. */
  readonly body: string;
}

/** The tools of a service that are served with these scopes. The list and its hash are cached. */
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

  /**
   * Calls back when the hash has changed; the returned function ends that. There can be only one
   * listener: a second one would find the list renewed, and see no change.
   */
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
