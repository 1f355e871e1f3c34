import type { Caller, Scopes } from '../../base/caller.ts';
import type { Logger } from '../../base/logger.ts';
import type { Service } from '../../tools/service/service.ts';
import type { OwnAnswer } from './console-routes.ts';
import type { ConsoleSession, ConsoleSessions } from './console-sessions.ts';
import type { ConsoleSite } from './console-site.ts';
import type { ConsoleEvent } from './console-wire.ts';
import type { PageFiles } from './page-files.ts';

/** A request of the owner that no tool answers. */
export interface OwnRequest {
  /** What the path has in the place of `:id`. */
  readonly id: string;
  readonly query: URLSearchParams;
  /** The JSON of the body; empty for a GET. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The owner, with the name of the vault that is meant. */
  readonly caller: Caller;
  readonly session: ConsoleSession;
  /** The address at which the page is open. */
  readonly site: ConsoleSite;
}

/** Those that this door answers by itself. */
type AnsweredHere = 'enter' | 'sign-out' | 'events' | 'file';

/**
 * Answers what the owner asks for beside tools, as `console-wire.ts` says. Each checks what it is given,
 * and fails with a `VaultError`.
 */
export type OwnAnswers = Readonly<
  Record<Exclude<OwnAnswer, AnsweredHere>, (request: OwnRequest) => Promise<object>>
>;

/** A picture of the vault. */
export interface Picture {
  readonly bytes: Uint8Array;
  /** Such as `image/png`, found out from its first bytes. */
  readonly type: string;
}

/** What happens in the vaults, for the pages that listen. */
export interface ConsoleNews {
  /** The newest change of each vault that is there. */
  latest(): Promise<readonly { readonly vault: string; readonly at: number }[]>;
  /** Tells what happens from now on, until the returned function is called. */
  listen(tell: (event: ConsoleEvent) => void): () => void;
}

/** What the console's door works with. */
export interface ConsoleParts {
  /** The service with the toolset of the console. */
  readonly service: Pick<Service, 'list' | 'call'>;
  readonly own: OwnAnswers;
  /** A picture of the vault. Fails with `not_found`, and with `invalid_input` for other files. */
  readonly picture: (path: string, caller: Caller) => Promise<Picture>;
  readonly sessions: ConsoleSessions;
  readonly news: ConsoleNews;
  /** The files of the page; undefined when they are not there. Asked for at the first request. */
  readonly files: () => Promise<PageFiles | undefined>;
  /** The port on which the server listens, for the name of the cookie: browsers send cookies to all ports. */
  readonly cookiePort: () => number;
  /** The addresses at which a proxy or tunnel makes the server available. */
  readonly publicUrls: readonly string[];
  /** Whether the console is also shown over plain HTTP in a network. */
  readonly allowsPlainHttp: boolean;
  /** What the owner may do here. */
  readonly scopes: Scopes;
  readonly deadlineMs: (tool?: string) => number;
  readonly timers: { after(ms: number, call: () => void): () => void };
  readonly nowMs: () => number;
  readonly logger: Logger;
  /** The program's version. */
  readonly version: string;
}
