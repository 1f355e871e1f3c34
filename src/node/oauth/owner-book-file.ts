import { randomBytes } from 'node:crypto';
import { isObject } from '../../base/json.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { Owner, OwnerBook, OwnerPage, Passkey } from '../../oauth/ports/owner-book.ts';
import { PageFile } from './page-file.ts';

interface OwnerBookParts {
  readonly file: string;
  /** Runs its work while no other process changes the files in this folder. */
  readonly alone: <R>(folder: string, work: () => Promise<R>) => Promise<R>;
}

const version = 1;
const keyBytes = 32;

/**
 * Opens the file with what is kept about the owner. While it is damaged every call fails, so nobody
 * signs in.
 */
export function openOwnerBook({ file, alone }: OwnerBookParts): OwnerBook {
  const kept = new PageFile<OwnerPage>({
    file,
    alone,
    parse: (text) => pageIn(file, text),
    textOf: (page) => `${JSON.stringify({ version, ...page }, undefined, 2)}\n`,
  });
  const change: OwnerBook['change'] = (decide) => kept.change((page) => decide(page ?? newPage()));
  return {
    change,
    // Another process may make the first page at the same moment: the one in the file counts.
    read: async () => (await kept.read()) ?? change((made) => ({ keep: made, answer: made })),
  };
}

function newPage(): OwnerPage {
  return { sessions: [], deviceKey: randomBytes(keyBytes).toString('base64url') };
}

/** The content of the file. Fails when it is damaged. */
function pageIn(file: string, text: string): OwnerPage {
  const found = parsed(text);
  if (isObject(found) && found['version'] === version && isPage(found)) {
    const { version: _, ...page } = found;
    return page;
  }
  throw new VaultError(
    'io_failed',
    `"${file}" is damaged, or of a newer version of Vaultdoor. Delete it, and set the owner again with "vaultdoor owner set".`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isPage(found: Fields): found is Fields & OwnerPage {
  const { owner, setUp, sessions, deviceKey } = found;
  return (
    isBytes(deviceKey, keyBytes) &&
    (owner === undefined || isOwner(owner)) &&
    (setUp === undefined || isSetUp(setUp)) &&
    Array.isArray(sessions) &&
    sessions.every(isSession)
  );
}

type Fields = Readonly<Record<string, unknown>>;

function isOwner(value: unknown): value is Owner {
  if (!isObject(value)) return false;
  const { passphrase, setMs, passkeys } = value;
  return (
    isPassphrase(passphrase) &&
    isTime(setMs) &&
    Array.isArray(passkeys) &&
    passkeys.every(isPasskey)
  );
}

function isPassphrase(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { salt, hash, n, r, p } = value;
  return isBytes(salt, 16) && isBytes(hash, 32) && [n, r, p].every(isTime);
}

function isPasskey(value: unknown): value is Passkey {
  if (!isObject(value)) return false;
  const { id, name, host, key, createdMs, usedMs } = value;
  return (
    [id, name, host].every(isText) &&
    isObject(key) &&
    [-7, -8, -257].includes(key['algorithm'] as number) &&
    isObject(key['jwk']) &&
    Object.values(key['jwk']).every(isText) &&
    isTime(createdMs) &&
    (usedMs === undefined || isTime(usedMs))
  );
}

function isSetUp(value: unknown): boolean {
  return (
    isObject(value) &&
    isHash(value['sha256']) &&
    [value['endsMs'], value['triesLeft']].every(isTime)
  );
}

function isSession(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { sha256, signedInMs, createdMs, usedMs } = value;
  return isHash(sha256) && [signedInMs, createdMs, usedMs].every(isTime);
}

function isBytes(value: unknown, bytes: number): boolean {
  if (!isText(value) || !/^[\w-]+$/.test(value)) return false;
  return Buffer.from(value, 'base64url').length === bytes;
}

function isHash(value: unknown): boolean {
  return isText(value) && /^[0-9a-f]{64}$/.test(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Times and counts are whole numbers that are not negative. */
function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
