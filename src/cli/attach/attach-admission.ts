import { isDeepStrictEqual } from 'node:util';
import { commonRights, type Scopes } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { VaultSource } from '../../engine/open/vault-source.ts';
import type { Timers } from '../../engine/ports/ports.ts';
import { createService, type Service } from '../../tools/service/service.ts';
import type { VaultChoice } from '../options/choose-vault.ts';
import type { ServerOptions } from '../options/server-options.ts';
import { serverToolsets, type ToolsetOptions } from '../options/server-toolsets.ts';
import { absolutePaths, attachFromOf, type Hello, publishOf } from './attach-protocol.ts';
import { readHello } from './read-hello.ts';

interface AttachAdmissionParts {
  readonly version: string;
  /** The options of the server itself. */
  readonly options: ServerOptions;
  readonly currentFolder: string;
  /** The most that the server allows anyone. */
  readonly scopes: Scopes;
  readonly vaults: readonly VaultSource[];
  readonly timers: Timers;
}

interface LocatedVault {
  readonly source: VaultSource;
  /** The real path of its folder; undefined when it cannot be opened now. */
  readonly path: string | undefined;
}

/** How long a vault may take to open; it must leave time for the answer to a hello. */
const openMs = limits.helloMs / 2;

/** What an attached program is served. */
export interface Admitted {
  readonly service: Service;
  readonly scopes: Scopes;
  readonly deadlineMs: (tool?: string) => number;
  /** To be called when the program has left. */
  readonly release: () => void;
}

/**
 * Decides which programs may share a server. Each gets exactly what it would serve by itself, within
 * the restrictions of the server. Programs with the same options share one service; all share the open
 * vaults.
 */
export class AttachAdmission {
  readonly #parts: AttachAdmissionParts;
  /** By the vaults and options of their programs; `users` is how many programs use each. */
  readonly #services = new Map<string, { readonly service: Service; users: number }>();

  constructor(parts: AttachAdmissionParts) {
    this.#parts = parts;
  }

  /**
   * Reads a program's `Hello`. Fails with the reason when the server cannot do what the program would
   * do.
   */
  async admit(line: string): Promise<Admitted> {
    const hello = readHello(line, this.#parts.version);
    this.#checkVaultOptions(hello);
    const served = await Promise.all(this.#parts.vaults.map((source) => this.#located(source)));
    const vaults = hello.vaults.map((wanted) => servedVault(wanted, served));
    const deadlinesMs = new Map(hello.toolDeadlinesMs);
    const { scopes } = this.#parts;
    return {
      ...(await this.#serviceFor(hello, vaults)),
      scopes: {
        ...scopes,
        effects: commonRights(scopes.effects, hello.rights),
        ...lowerBrake(scopes, hello),
        hide: [...scopes.hide, ...hello.hide],
        hideTags: [...(scopes.hideTags ?? []), ...hello.hideTags],
        hideProperties: [...(scopes.hideProperties ?? []), ...hello.hideProperties],
      },
      deadlineMs: (tool = '') => deadlinesMs.get(tool) ?? hello.deadlineMs,
    };
  }

  /**
   * A vault is opened once, so the options it was opened with hold for all who share it.
   * `--allow-root` must be the same; the others only where the program asks for something.
   */
  #checkVaultOptions(hello: Hello): void {
    const { allowRoots, poll, logReads, notify, sync, publish, attachFrom, embed } = hello;
    const { options, currentFolder } = this.#parts;
    const folder = attachFromOf(options, currentFolder).attachFrom;
    const own = publishOf(options, currentFolder);
    const differences: readonly (readonly [string, boolean])[] = [
      [
        '--allow-root',
        !isDeepStrictEqual(allowRoots, absolutePaths(options.allowRoots, currentFolder)),
      ],
      ['--poll', poll !== 'auto' && poll !== options.poll],
      ['--log-reads', logReads && !options.logReads],
      ['--notify', notify !== undefined && !isDeepStrictEqual(notify, options.notify)],
      ['--sync', sync !== undefined && !isDeepStrictEqual(sync, options.sync)],
      ['--adr-repo', publish !== undefined && !isDeepStrictEqual(publish, own.publish)],
      ['--embed', embed !== undefined && !isDeepStrictEqual(embed, options.embed)],
      ['--attach-from', attachFrom !== undefined && attachFrom !== folder],
    ];
    const option = differences.find(([, differs]) => differs)?.[0];
    if (option !== undefined) throw refusal(`The server was started with another "${option}".`);
  }

  /** A vault with its folder; without one when it is missing or its drive does not answer. */
  async #located(source: VaultSource): Promise<LocatedVault> {
    let cancel: () => void = () => undefined;
    const timeout = new Promise<undefined>((resolve) => {
      cancel = this.#parts.timers.after(openMs, () => resolve(undefined));
    });
    const vault = await Promise.race([source.open().catch(() => undefined), timeout]);
    cancel();
    return { source, path: vault?.parts.location };
  }

  /** The service for these options, made now or shared with programs that have the same ones. */
  async #serviceFor(
    hello: Hello,
    vaults: readonly VaultSource[],
  ): Promise<Pick<Admitted, 'service' | 'release'>> {
    const { tools: toolsets, tagPolicy, history, sync, publish, attachFrom } = hello;
    const { contextEveryMs, contextPlace, contextBodyTags } = hello;
    const options: ToolsetOptions = {
      toolsets,
      tagPolicy,
      history,
      contextEveryMs,
      contextPlace,
      contextBodyTags,
      toolDeadlinesMs: new Map(hello.toolDeadlinesMs),
      ...(sync === undefined ? {} : { sync }),
      ...(publish === undefined ? {} : { publish }),
      ...(attachFrom === undefined ? {} : { attachFrom }),
    };
    const names = vaults.map(({ name }) => name);
    const served = await serverToolsets(options, names);
    // Deadlines belong to the caller, not to the service; `serverToolsets` has checked their tools.
    const { toolDeadlinesMs: _, ...shareable } = options;
    const key = JSON.stringify([hello.vaults, shareable]);
    const shared = this.#services.get(key) ?? {
      service: createService(vaults, served, this.#parts.timers),
      users: 0,
    };
    shared.users += 1;
    this.#services.set(key, shared);
    const release = (): void => {
      shared.users -= 1;
      if (shared.users === 0) this.#services.delete(key);
    };
    return { service: shared.service, release };
  }
}

function servedVault({ name, path }: VaultChoice, served: readonly LocatedVault[]): VaultSource {
  const source = served.find((each) => each.path === path)?.source;
  if (source === undefined) throw refusal(`The server does not serve the vault "${name}".`);
  if (source.name === name) return source;
  throw refusal(
    `The server calls this vault "${source.name}"; to share it, give "--vault ${source.name}=<folder>".`,
  );
}

function refusal(reason: string): VaultError {
  return new VaultError('unavailable', reason);
}

/** The lower of two brakes; none when neither has one. */
function lowerBrake(...brakes: readonly Pick<Scopes, 'brakeFiles'>[]): Pick<Scopes, 'brakeFiles'> {
  const files = brakes.flatMap(({ brakeFiles }) => (brakeFiles === undefined ? [] : [brakeFiles]));
  return files.length === 0 ? {} : { brakeFiles: Math.min(...files) };
}
