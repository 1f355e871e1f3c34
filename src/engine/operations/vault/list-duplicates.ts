import { outOf } from '../../../base/caller.ts';
import { inParallel } from '../../../base/in-parallel.ts';
import { limits } from '../../../base/limits.ts';
import { VaultError } from '../../../base/vault-error.ts';
import type { VaultFolder, VaultPath } from '../../../base/vault-path.ts';
import { bodyStart } from '../../../markdown/properties/frontmatter-block.ts';
import type { Page, PageRequest } from '../../ports/index-store.ts';
import {
  bandKeys,
  estimatedLikeness,
  shinglesMin,
  shinglesOf,
  sketchOf,
} from '../../text/likeness.ts';
import type { BoundVault, NoteText } from '../../vault/bound-vault.ts';
import { Turns } from '../../vault/turns.ts';
import { listFiles } from '../list/list-files.ts';

/** Notes that are the same, or nearly. */
export interface DuplicateGroup {
  readonly paths: readonly VaultPath[];
  /**
   * The least that two of its notes that were joined have in common; 1 for bodies that are the
   * same.
   */
  readonly alike: number;
}

/** The groups, and how many of the notes were compared. */
interface Duplicates extends Page<DuplicateGroup> {
  readonly compared: number;
  /** How many notes were gone or could not be read, so far. */
  readonly unread: number;
  readonly notes: number;
  /** Whether the time of the call was up before all notes were read. */
  readonly timeIsUp: boolean;
}

/** Notes are nearly the same when they share at least this part of their shingles (Jaccard). */
const alikeMin = 0.7;
/** Pairs that their sketches find less alike than this are not looked at: sketches err by 0.1. */
const estimateMin = 0.5;
/**
 * A shingle in more different texts of a cluster than this comes from a template, and does not make
 * two notes alike, unless a text has hardly any others.
 */
const templateTexts = 8;
/** A text with a smaller part of shingles that are not from a template has hardly any of its own. */
const ownMin = 0.1;
/** With how many texts a text that has hardly any shingles of its own is compared as a whole. */
const comparedWhole = 16;
/** Of all shingles of a cluster, about this many are compared; of more, an even sample. */
const clusterShingles = 500_000;
/** With how many texts of one band key a text is compared. */
const comparedPerKey = 4;
const readsAtOnce = 32;
/** Reading may take up this share of the time that a call has; the rest is for comparing. */
const timeShare = 0.8;

/** All notes with one body, up to white space, and its sketch and length. */
interface Body extends Pick<SketchedNote, 'sketch' | 'length'> {
  readonly paths: VaultPath[];
}

/**
 * Lists groups of notes whose bodies are the same up to white space, or nearly: at least 0.7 of all
 * three words in a row in common. Properties do not count, and neither does text that more than 8
 * different notes share, which comes from a template, unless a note has hardly any other text. The
 * cost is linear in the size of the notes; when the time of the call does not suffice (`timeIsUp`),
 * only the first notes by path are compared, and the next call compares more, because it need not
 * read these again. Fails as `findFolder` does.
 */
export async function listDuplicates(
  vault: BoundVault,
  request: PageRequest & { readonly folder: VaultFolder },
): Promise<Duplicates> {
  const { clock } = vault.vault.parts;
  const endMs = clock.nowMs() + vault.caller.deadlineMs * timeShare;
  const turns = new Turns(vault);
  const bodies = new Map<string, Body>();
  let compared = 0;
  let unread = 0;
  const notes = await visitNotes(vault, request.folder, async (path, note) => {
    await turns.next();
    if (note === undefined) {
      unread++;
    } else {
      compared++;
      const { body, ...rest } = note();
      const known = bodies.get(body);
      if (known !== undefined) known.paths.push(path);
      else if (body !== emptyBody) bodies.set(body, { paths: [path], ...rest });
    }
    return clock.nowMs() < endMs;
  });
  const distinct = Array.from(bodies.values());
  const joined = new Groups(distinct.length);
  for (const cluster of await likelyClusters(distinct, turns)) {
    await joinAlike(vault, { cluster, bodies: distinct, joined, turns });
  }
  const groups = groupsOf(distinct, joined);
  const { limit, offset } = request;
  return {
    total: groups.length,
    items: groups.slice(offset, offset + limit),
    compared,
    unread,
    notes,
    timeIsUp: compared + unread < notes,
  };
}

/**
 * Hands every note in a folder to `visit`, in path order, until that answers false, and answers how
 * many there are. A note that is gone or cannot be read is undefined.
 */
async function visitNotes(
  vault: BoundVault,
  folder: VaultFolder,
  visit: (path: VaultPath, note: (() => SketchedNote) | undefined) => Promise<boolean>,
): Promise<number> {
  for (let offset = 0; ; offset += limits.resultsMax) {
    const page = { limit: limits.resultsMax, offset };
    const asked = { folder, kinds: ['note'], sort: 'path', ...page } as const;
    const { total, items } = await listFiles(vault, asked);
    for (let at = 0; at < items.length; at += readsAtOnce) {
      const some = items.slice(at, at + readsAtOnce);
      const done = offset + at;
      vault.caller.progress?.({ done, total, message: `comparing notes: ${outOf(done, total)}` });
      const found = await inParallel(some, readsAtOnce, ({ path }) => sketchedNote(vault, path));
      for (const [index, { path }] of some.entries()) {
        if (!(await visit(path, found[index]))) return total;
      }
    }
    if (offset + limits.resultsMax >= total) return total;
  }
}

/** What is compared of a note. */
interface SketchedNote {
  /** A hash of the body up to white space. */
  readonly body: string;
  /** Undefined when the body is too short to be compared with others that are not the same. */
  readonly sketch: Uint32Array | undefined;
  /** How many characters the body has, where white space counts as one. */
  readonly length: number;
}

const emptyBody = '';

/**
 * The sketches of the notes of a vault, with the stamps of the files that they were made of, so that
 * another page, or a call after one that was not completed in time, reads only what has changed.
 */
const sketches = new WeakMap<object, Map<VaultPath, SketchedNote & { readonly stamp: string }>>();

/**
 * Reads a note unless its sketch is known, and answers a function that makes the sketch; undefined
 * when the note is gone or cannot be read.
 */
async function sketchedNote(
  vault: BoundVault,
  path: VaultPath,
): Promise<(() => SketchedNote) | undefined> {
  const kept = sketches.get(vault.vault) ?? new Map();
  sketches.set(vault.vault, kept);
  const known = kept.get(path);
  if (known !== undefined && known.stamp === (await vault.stat(path))?.stamp) return () => known;
  kept.delete(path);
  const note = await bodyOf(vault, path);
  if (note === undefined) return undefined;
  const { clock } = vault.vault.parts;
  const { stamp, mtimeMs } = note.stat;
  const isRacy = clock.nowMs() - mtimeMs < limits.racyMs;
  return () => {
    const sketched = { stamp, ...sketchBody(vault, note.text) };
    if (!isRacy && kept.size < limits.duplicateSketchesMax) kept.set(path, sketched);
    return sketched;
  };
}

function sketchBody(vault: BoundVault, text: string): SketchedNote {
  const plain = text.replace(/\s+/g, ' ').trim();
  const { length } = plain;
  if (length === 0) return { body: emptyBody, sketch: undefined, length };
  const body = vault.vault.parts.hash.version(new TextEncoder().encode(plain));
  const shingles = shinglesIn(text);
  return { body, sketch: shingles.length < shinglesMin ? undefined : sketchOf(shingles), length };
}

/** The body of a note; undefined when the note is gone or cannot be read. */
async function bodyOf(
  vault: BoundVault,
  path: VaultPath,
): Promise<Pick<NoteText, 'text' | 'stat'> | undefined> {
  try {
    const { text, stat } = await vault.readText(path, { shown: false });
    return { text: text.slice(bodyStart(text)), stat };
  } catch (error) {
    if (error instanceof VaultError && error.code !== 'vault_not_found') return undefined;
    throw error;
  }
}

/** Of a very long body, only the beginning is compared with others that are not the same. */
function shinglesIn(text: string): Uint32Array {
  return shinglesOf(text.slice(0, limits.duplicateCharsMax));
}

/**
 * Puts texts that are probably alike into clusters, by the keys of their sketches. A text is
 * compared with a few of those that share a key, so the cost is linear even if all share one.
 */
async function likelyClusters(bodies: readonly Body[], turns: Turns): Promise<readonly number[][]> {
  const joined = new Groups(bodies.length);
  const byKey = new Map<number, number[]>();
  for (const [index, { sketch }] of bodies.entries()) {
    await turns.next();
    if (sketch === undefined) continue;
    for (const key of bandKeys(sketch)) {
      const others = byKey.get(key) ?? [];
      if (others.length === 0) byKey.set(key, others);
      const near = others.find((other) => {
        const known = bodies[other]?.sketch;
        return known !== undefined && estimatedLikeness(sketch, known) >= estimateMin;
      });
      if (near !== undefined) joined.join(near, index, 1);
      else if (others.length < comparedPerKey) others.push(index);
    }
  }
  return joined.all().filter((cluster) => cluster.length > 1);
}

/**
 * Compares the texts of one cluster and joins those that are alike. It reads them again, drops the
 * shingles of templates, and counts for each pair how many of the others both have. As no shingle
 * that is left is in more than `templateTexts` texts, the number of pairs is linear. Texts of which
 * hardly anything is left are compared as a whole, by their sketches.
 */
async function joinAlike(
  vault: BoundVault,
  {
    cluster,
    bodies,
    joined,
    turns,
  }: {
    readonly cluster: readonly number[];
    readonly bodies: readonly Body[];
    readonly joined: Groups;
    readonly turns: Turns;
  },
): Promise<void> {
  const having = new Map<number, number[]>();
  const all = new Map<number, number>();
  let kept = 0;
  let every = 1;
  for (const index of cluster) {
    await turns.next();
    const [path] = bodies[index]?.paths ?? [];
    const note = path === undefined ? undefined : await bodyOf(vault, path);
    const shingles = new Set(shinglesIn(note?.text ?? ''));
    all.set(index, shingles.size);
    for (const shingle of shingles) {
      if (shingle % every !== 0) continue;
      const texts = having.get(shingle);
      if (texts === undefined) having.set(shingle, [index]);
      else if (texts.length <= templateTexts) texts.push(index);
      else continue;
      kept++;
    }
    while (kept > clusterShingles) {
      every *= 2;
      for (const [shingle, texts] of having) {
        if (shingle % every === 0) continue;
        kept -= texts.length;
        having.delete(shingle);
      }
    }
  }
  const sizes = new Map<number, number>();
  const shared = new Map<string, number>();
  for (const texts of having.values()) {
    if (texts.length > templateTexts) continue;
    for (const [at, one] of texts.entries()) {
      sizes.set(one, (sizes.get(one) ?? 0) + 1);
      for (const other of texts.slice(at + 1)) {
        const pair = `${one} ${other}`;
        shared.set(pair, (shared.get(pair) ?? 0) + 1);
      }
    }
  }
  for (const [pair, both] of shared) {
    const [one = 0, other = 0] = pair.split(' ').map(Number);
    const size = (sizes.get(one) ?? 0) + (sizes.get(other) ?? 0) - both;
    if (both * every < shinglesMin || both / size < alikeMin) continue;
    joined.join(one, other, both / size);
  }
  const hardlyOwn = cluster.filter((index) => {
    const own = (sizes.get(index) ?? 0) * every;
    return own < Math.max(shinglesMin, (all.get(index) ?? 0) * ownMin);
  });
  joinWhole(hardlyOwn, bodies, joined);
}

/**
 * Joins the texts that are alike as a whole, as their sketches estimate it. Each is compared with
 * the first ones that differ from each other, so the cost is linear.
 */
function joinWhole(texts: readonly number[], bodies: readonly Body[], joined: Groups): void {
  const first: { readonly text: number; readonly sketch: Uint32Array }[] = [];
  for (const text of texts) {
    const sketch = bodies[text]?.sketch;
    if (sketch === undefined) continue;
    let isJoined = false;
    for (const other of first) {
      const alike = estimatedLikeness(sketch, other.sketch);
      if (alike < alikeMin) continue;
      joined.join(other.text, text, alike);
      isJoined = true;
      break;
    }
    if (!isJoined && first.length < comparedWhole) first.push({ text, sketch });
  }
}

/** Groups of numbers that were joined, each with the least of the likenesses that joined it. */
class Groups {
  readonly #parent: Uint32Array;
  readonly #alike: Float64Array;

  constructor(size: number) {
    this.#parent = Uint32Array.from({ length: size }, (_, at) => at);
    this.#alike = new Float64Array(size).fill(1);
  }

  join(a: number, b: number, alike: number): void {
    const [first, second] = [this.#root(a), this.#root(b)];
    const least = Math.min(alike, this.#alike[first] ?? 1, this.#alike[second] ?? 1);
    this.#parent[second] = first;
    this.#alike[first] = least;
  }

  alike(member: number): number {
    return this.#alike[this.#root(member)] ?? 1;
  }

  all(): number[][] {
    const groups = new Map<number, number[]>();
    for (const member of this.#parent.keys()) {
      const root = this.#root(member);
      const known = groups.get(root);
      if (known === undefined) groups.set(root, [member]);
      else known.push(member);
    }
    return Array.from(groups.values());
  }

  #root(member: number): number {
    let at = member;
    for (;;) {
      const parent = this.#parent[at] ?? at;
      if (parent === at) return at;
      // Halves the way for the next time.
      const above = this.#parent[parent] ?? parent;
      this.#parent[at] = above;
      at = above;
    }
  }
}

/**
 * The groups of several notes: the same first, then the most alike; of these the longest, then by
 * path.
 */
function groupsOf(bodies: readonly Body[], joined: Groups): readonly DuplicateGroup[] {
  const groups = joined.all().flatMap((members) => {
    const paths = members.flatMap((member) => bodies[member]?.paths ?? []).toSorted();
    const [member = 0] = members;
    // Texts that differ in punctuation only have all words in common, but are not the same.
    const alike = members.length === 1 ? 1 : Math.min(joined.alike(member), 0.99);
    const length = members.reduce((most, each) => Math.max(most, bodies[each]?.length ?? 0), 0);
    return paths.length > 1 ? [{ paths, alike, length }] : [];
  });
  const percent = ({ alike }: DuplicateGroup): number => Math.floor(alike * 100);
  groups.sort(
    (a, b) =>
      percent(b) - percent(a) ||
      b.length - a.length ||
      ((a.paths[0] ?? '') < (b.paths[0] ?? '') ? -1 : 1),
  );
  return groups.map(({ paths, alike }) => ({ paths, alike }));
}
