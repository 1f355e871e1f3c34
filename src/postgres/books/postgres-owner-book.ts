import { randomBytes } from 'node:crypto';
import type {
  Owner,
  OwnerBook,
  OwnerPage,
  OwnerSession,
  Passkey,
  SetUpCode,
} from '../../oauth/ports/owner-book.ts';
import type { Postgres } from '../connection/postgres.ts';
import type { BookVersions } from './book-versions.ts';
import { type BookPage, changesTo, PostgresBook } from './postgres-book.ts';

type Page = BookPage<'owner' | 'passkey' | 'owner_session'>;

/** What the table `owner` has, by its ids. */
interface OwnerRows {
  readonly deviceKey?: string;
  readonly owner?: Omit<Owner, 'passkeys'>;
  readonly setUp?: SetUpCode;
}

const keyBytes = 32;

/** What is kept about the owner, for all nodes of a cluster. */
export function openPostgresOwnerBook(parts: {
  readonly postgres: Postgres;
  readonly versions: BookVersions;
}): OwnerBook {
  const book = new PostgresBook({
    ...parts,
    name: 'owner',
    tables: { owner: 'entry', passkey: 'entry', owner_session: 'entry' },
  });
  const change: OwnerBook['change'] = (decide) =>
    book.change((page) => {
      const { keep, answer } = decide(ownerPage(page) ?? newPage());
      return keep === undefined ? { answer } : { keep: ownerChanges(page, keep), answer };
    });
  return {
    change,
    // Another node may make the first page at the same moment: the one in the table counts.
    read: async (how) =>
      ownerPage(await (how?.newest ? book.readNewest() : book.read())) ??
      change((made) => ({ keep: made, answer: made })),
  };
}

function newPage(): OwnerPage {
  return { sessions: [], deviceKey: randomBytes(keyBytes).toString('base64url') };
}

/** The page of the port; undefined when nothing was kept yet. */
function ownerPage(page: Page): OwnerPage | undefined {
  const { deviceKey, owner, setUp } = Object.fromEntries(page.owner) as OwnerRows;
  if (deviceKey === undefined) return undefined;
  const passkeys = [...page.passkey.values()] as Passkey[];
  return {
    ...(owner === undefined ? {} : { owner: { ...owner, passkeys } }),
    ...(setUp === undefined ? {} : { setUp }),
    sessions: [...page.owner_session.values()] as OwnerSession[],
    deviceKey,
  };
}

function ownerChanges(page: Page, { owner, setUp, sessions, deviceKey }: OwnerPage) {
  const { passkeys = [], ...own } = owner ?? {};
  const rows: [string, unknown][] = [
    ['deviceKey', deviceKey],
    ...(owner === undefined ? [] : [['owner', own] satisfies [string, unknown]]),
    ...(setUp === undefined ? [] : [['setUp', setUp] satisfies [string, unknown]]),
  ];
  return [
    ...changesTo('owner', page.owner, new Map(rows)),
    ...changesTo('passkey', page.passkey, new Map(passkeys.map((each) => [each.id, each]))),
    ...changesTo(
      'owner_session',
      page.owner_session,
      new Map(sessions.map((each) => [each.sha256, each])),
    ),
  ];
}
