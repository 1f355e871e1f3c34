import { z } from 'zod';
import { type Caller, servedToolsets } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { vaultFolder } from '../../base/vault-path.ts';
import type { OwnAnswers } from '../../doors/console/console-parts.ts';
import type {
  CreateTokenAnswer,
  CreateTokenRequest,
  GrantRow,
  GrantsAnswer,
  LastCall,
  OpenSessionsAnswer,
  ReadsAnswer,
  TokenRow,
  TokensAnswer,
} from '../../doors/console/console-wire.ts';
import type { McpHttp } from '../../doors/mcp/http/mcp-http.ts';
import type { ReadLog } from '../../engine/ports/read-log.ts';
import type { Grants } from '../../oauth/grants/grants.ts';
import type { Grant } from '../../oauth/ports/oauth-book.ts';
import type { KeptToken, TokenBook } from '../../oauth/ports/token-book.ts';
import { checkSent } from '../options/check-sent.ts';
import { servedFolder, tokenRights } from '../options/token-options.ts';
import { type TokenNames, withTokenName } from '../vaults/token-names.ts';

interface ConsoleAccessParts {
  readonly book: TokenBook;
  readonly grants: Pick<Grants, 'list' | 'end'>;
  /** The open sessions of MCP; absent where MCP is not served. */
  readonly mcp?: Pick<McpHttp, 'openSessions' | 'endSession'>;
  /** What clients have read in the vault that a caller means. */
  readonly reads: (caller: Caller) => Pick<ReadLog, 'entries'>;
  readonly names: () => Promise<TokenNames>;
  /** The last call with each token and grant, by their ids. */
  readonly lastCalls: () => Promise<ReadonlyMap<string, LastCall>>;
}

type AccessAnswers = Pick<
  OwnAnswers,
  | 'tokens'
  | 'create-token'
  | 'revoke-token'
  | 'grants'
  | 'end-grant'
  | 'open-sessions'
  | 'end-session'
  | 'reads'
>;

const visible = /^[^\p{C}]+$/u;
const NewToken: z.ZodType<CreateTokenRequest> = z.strictObject({
  name: z.string().trim().min(1).max(limits.tokenNameCharsMax).regex(visible),
  effects: z.array(z.enum(['read', 'write', 'destroy', 'propose'])),
  folders: z.array(z.string().max(1_000)).max(100).exactOptional(),
  tools: z.array(z.enum(servedToolsets)).min(1).exactOptional(),
  expiresMs: z.number().int().positive().exactOptional(),
});
const ReadsQuery = z.strictObject({
  client: z.string().exactOptional(),
  path: z.string().exactOptional(),
  since: z.coerce.number().nonnegative().exactOptional(),
  limit: z.coerce.number().int().min(1).max(limits.consoleReadsMax).default(100),
});

/** Answers what the console asks about who comes in, and what they have read. */
export function accessAnswers(parts: ConsoleAccessParts): AccessAnswers {
  const { book, grants, mcp } = parts;
  return {
    tokens: async (): Promise<TokensAnswer> => {
      const calls = await parts.lastCalls();
      return { tokens: (await book.list()).map((kept) => tokenRow(kept, calls.get(kept.id))) };
    },
    'create-token': async ({ body }): Promise<CreateTokenAnswer> => {
      const { folders = [], ...wanted } = checkSent(NewToken, body);
      if (wanted.expiresMs !== undefined && wanted.expiresMs <= Date.now()) {
        throw new VaultError('invalid_input', 'This token would have expired already.');
      }
      const served = [...new Set(folders.map(servedFolder))];
      const made = await book.create({
        ...wanted,
        effects: tokenRights(wanted.effects),
        folders: served.length === 0 ? [''] : served,
      });
      return { token: made.token, kept: tokenRow(made.kept, undefined) };
    },
    'revoke-token': async ({ id }) => {
      // By its id alone: the name of one token may be the id of another.
      if (!(await book.list()).some((kept) => kept.id === id)) throw missing('token');
      return tokenRow(await book.revoke(id), undefined);
    },
    grants: async (): Promise<GrantsAnswer> => {
      const calls = await parts.lastCalls();
      return { grants: (await grants.list()).map((grant) => grantRow(grant, calls.get(grant.id))) };
    },
    'end-grant': async ({ id }) => {
      const ended = await grants.end(id, 'revoked');
      if (ended === undefined) throw missing('connection');
      return grantRow(ended, undefined);
    },
    'open-sessions': async (): Promise<OpenSessionsAnswer> => {
      const names = await parts.names();
      const sessions = (mcp?.openSessions() ?? []).map(({ connection, ...session }) =>
        withTokenName({ id: connection, ...session }, names),
      );
      return { sessions: sessions.toReversed() };
    },
    'end-session': async ({ id }) => {
      if ((await mcp?.endSession(id)) !== true) throw missing('session');
      return {};
    },
    reads: async ({ query, caller }): Promise<ReadsAnswer> => {
      const { client, path, since, limit } = checkSent(ReadsQuery, Object.fromEntries(query));
      const { items, more, isEmpty } = await parts.reads(caller).entries({
        ...(client === undefined ? {} : { client }),
        ...(path === undefined ? {} : { path: vaultFolder(path) }),
        ...(since === undefined ? {} : { sinceMs: since }),
        limit,
      });
      const names = await parts.names();
      return { reads: items.map((entry) => withTokenName(entry, names)), more, isEmpty };
    },
  };
}

function tokenRow(kept: KeptToken, lastCall: LastCall | undefined): TokenRow {
  return { ...kept, ...(lastCall === undefined ? {} : { lastCall }) };
}

function grantRow(grant: Grant, lastCall: LastCall | undefined): GrantRow {
  const { id, client, effects, folders, tools, createdMs, usedMs, endsMs } = grant;
  const { name, kind, answersTo } = client;
  return {
    id,
    client: { name, kind, answersTo },
    effects,
    folders,
    tools,
    createdMs,
    ...(usedMs === undefined ? {} : { usedMs }),
    ...(endsMs === undefined ? {} : { endsMs }),
    ...(lastCall === undefined ? {} : { lastCall }),
  };
}

function missing(what: 'token' | 'connection' | 'session'): VaultError {
  return new VaultError('not_found', `This ${what} is not there any more.`);
}
