import { fileURLToPath } from 'node:url';
import type { Server } from '@modelcontextprotocol/server';
import { limits } from '../../../base/limits.ts';

/** The name of the vault that a folder of this machine belongs to; undefined when it is none. */
export type VaultOfFolder = (folder: string) => Promise<string | undefined>;

/**
 * The folders that a client of the 2025 protocol works in (its roots), as far as they say which of
 * several vaults is meant. The client is asked after the handshake, and again when it says that
 * they have changed.
 */
export class ClientRoots {
  readonly #server: Server;
  readonly #vaultOf: VaultOfFolder;
  #found: Promise<string | undefined> = Promise.resolve(undefined);

  constructor(server: Server, vaultOf: VaultOfFolder) {
    this.#server = server;
    this.#vaultOf = vaultOf;
    const { oninitialized } = server;
    server.oninitialized = () => {
      oninitialized?.();
      this.#ask();
    };
    server.setNotificationHandler('notifications/roots/list_changed', () => this.#ask());
  }

  /**
   * The vault that the client's roots lead to; undefined when they lead to none or to several.
   * Waits for a client that has not answered yet, but not long.
   */
  get vault(): Promise<string | undefined> {
    return this.#found;
  }

  #ask(): void {
    if (this.#server.getClientCapabilities()?.roots === undefined) return;
    this.#found = this.#find().catch(() => undefined); // A client that does not answer has none.
  }

  async #find(): Promise<string | undefined> {
    const options = { timeout: limits.rootsWaitMs };
    const { roots } = await this.#server.listRoots(undefined, options);
    const folders = roots.slice(0, limits.rootsMax).map(({ uri }) => folderAt(uri));
    const vaults = await Promise.all(
      folders.map((folder) => (folder === undefined ? undefined : this.#vaultOf(folder))),
    );
    const [vault, ...others] = new Set(vaults.filter((name) => name !== undefined));
    return others.length === 0 ? vault : undefined;
  }
}

/** The folder of a URI; undefined when it is not on this machine. */
function folderAt(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}
