import { createHash } from 'node:crypto';
import { type VaultPath, vaultPath } from '../../src/base/vault-path.ts';
import type { Version } from '../../src/base/version.ts';
import type {
  ChangeFilter,
  ChangeId,
  ChangeStep,
  ContentPut,
  NewChange,
  StateStore,
} from '../../src/engine/ports/state-store.ts';

export const startMs = 1_700_000_000_000;

/** The version of a text, or of bytes. */
export function versionOf(content: string | Uint8Array): Version {
  return createHash('sha256').update(content).digest('hex') as Version;
}

/** A text as a change brings it. */
export function put(text: string, base?: string): ContentPut {
  const bytes = new TextEncoder().encode(text);
  return { version: versionOf(text), bytes, ...(base !== undefined && { base: versionOf(base) }) };
}

/** A step that gives a file another text; `before` undefined makes the file. */
export function write(path: string, before: string | undefined, after: string): ChangeStep {
  return {
    do: 'write',
    path: vaultPath(path),
    ...(before !== undefined && { before: versionOf(before) }),
    after: versionOf(after),
    token: 'abc',
  };
}

export function remove(path: string, before: string): ChangeStep {
  return { do: 'delete', path: vaultPath(path), before: versionOf(before) };
}

export function move(how: 'move' | 'moveFolder', path: string, to: string): ChangeStep {
  return { do: how, path: vaultPath(path), to: vaultPath(to) };
}

export function change(steps: readonly ChangeStep[], more: Partial<NewChange> = {}): NewChange {
  return { timeMs: startMs, door: 'cli', tool: 'append', args: {}, steps, ...more };
}

/** Makes a change from beginning to end, and answers its number. */
export async function make(
  store: StateStore,
  made: NewChange,
  options: { contents?: readonly ContentPut[]; kept?: readonly VaultPath[] } = {},
): Promise<ChangeId> {
  const id = await store.begin(made, 'staging', []);
  await store.mark(id, options.contents ?? []);
  await store.finish(id, options.kept ?? []);
  return id;
}

/** One save of a note, as an editor far away makes it. */
export async function save(
  store: StateStore,
  options: {
    before: string | undefined;
    after: string;
    path?: string;
    more?: Partial<NewChange>;
    kept?: readonly VaultPath[];
  },
): Promise<ChangeId> {
  const { before, after, path = 'A.md', more, kept = [] } = options;
  const made = change([write(path, before, after)], { fold: true, door: 'remote', ...more });
  const contents = before === undefined ? [put(after)] : [put(before), put(after, before)];
  const id = await store.begin(made, 'single', contents);
  await store.finish(id, kept);
  return id;
}

/** The numbers of the finished changes that a filter admits, newest first. */
export async function idsOf(store: StateStore, filter: ChangeFilter = {}): Promise<ChangeId[]> {
  const { items } = await store.changes(filter, { limit: 1_000, offset: 0 });
  return items.map(({ id }) => id);
}

/** The text of a version, if it is kept. */
export async function textOf(store: StateStore, text: string): Promise<string | undefined> {
  const bytes = await store.content(versionOf(text));
  return bytes && new TextDecoder().decode(bytes);
}
