import { fileKind } from '../../engine/ports/file-kind.ts';
import type { FileChange } from '../../engine/vault/draft.ts';
import { type Piece, changeSentences as sentences } from './change-sentences.ts';
import { count } from './counted.ts';

/** What a change was about, for its picture and its colour. */
type ChangeKind = 'created' | 'changed' | 'moved' | 'deleted' | 'taken-back';

/** A change in one sentence. */
interface DescribedChange {
  readonly kind: ChangeKind;
  readonly sentence: readonly Piece[];
  /** What followed from it, such as "links updated in 2 notes"; empty when nothing did. */
  readonly also: string;
}

/** What is needed of a change to describe it. */
interface DescribableChange {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly files: readonly {
    readonly path: string;
    readonly did: FileChange['did'];
    readonly from?: string | undefined;
  }[];
  readonly undoes?: readonly unknown[] | undefined;
}

type File = DescribableChange['files'][number];
type Words = (file: string, args: Arguments) => readonly Piece[];
type Arguments = DescribableChange['args'];

const added: Words = (file, args) => sentences.addedTo(file, textOf(args['section']));
const edited: Words = (file, args) => sentences.edited(file, textOf(args['section']));
const replaced: Words = (file) => sentences.replaced(file);
const setProperty: Words = (file, { key, keys }) =>
  sentences.setProperties(file, Array.isArray(keys) ? keys.filter(isText) : [key].filter(isText));

/** Without a status, a task was switched between open and done, and the record does not say to which. */
function setTask(file: string, status: string | undefined): readonly Piece[] {
  if (status === 'done' || /^x$/i.test(status ?? '')) return sentences.checkedOff(file);
  if (status === 'open' || status === ' ') return sentences.reopened(file);
  return sentences.setTask(file, status);
}

/** What each tool does to a file that is there. Files that come, go or move need no table. */
const changedBy: Readonly<Record<string, Words>> = {
  append_note: added,
  append_section: added,
  append: added,
  prepend: added,
  obsidian_append_note: added,
  obsidian_prepend_note: added,
  obsidian_daily_append: added,
  obsidian_daily_prepend: added,
  daily_note: added,
  daily: added,
  devlog_append: added,
  note_upsert: added,
  insert_note: edited,
  insert: edited,
  replace_note: edited,
  replace: edited,
  'replace-section': edited,
  update_note: replaced,
  update: replaced,
  upsert: replaced,
  create_note: replaced,
  create: replaced,
  obsidian_create_note: replaced,
  set_frontmatter: setProperty,
  set: setProperty,
  obsidian_property_set: setProperty,
  // Histories may have changes of this tool, which set_frontmatter has taken over.
  set_properties: (file) => sentences.setProperties(file, []),
  unset: (file, args) => sentences.removedProperty(file, textOf(args['key'])),
  obsidian_property_remove: (file, args) => sentences.removedProperty(file, textOf(args['name'])),
  task: (file, args) => setTask(file, textOf(args['status']) ?? 'done'),
  set_task: (file, args) => setTask(file, textOf(args['status']) ?? 'done'),
  obsidian_task_set: (file, args) => setTask(file, textOf(args['status'])),
  link_add: (file) => sentences.linked(file),
  link: (file) => sentences.linked(file),
  'tag add': (file) => sentences.tagged(file),
  'tag remove': (file) => sentences.untagged(file),
  'rename-heading': (file) => sentences.renamedHeading(file),
  'rename-block': (file) => sentences.renamedBlock(file),
  merge_conflict: (file) => sentences.mergedConflict(file),
  'conflicts merge': (file) => sentences.mergedConflict(file),
  restore_version: (file) => sentences.restored(file),
  obsidian_history_restore: (file) => sentences.restored(file),
  obsidian_template_insert: added,
  obsidian_bookmark_add: () => sentences.bookmarked(),
  // Of a proposed undo it is only known which files it is about.
  undo_change: (file) => sentences.tookBackIn(file),
};

/** Puts a change into one sentence, from its tool and its files. Unknown tools "changed" a file. */
export function describeChange(change: DescribableChange): DescribedChange {
  const { tool, args } = change;
  const files = inOrder(withoutReplaced(change.files));
  const undoes = change.undoes?.length ?? 0;
  if (undoes > 0) {
    return {
      kind: 'taken-back',
      sentence: tool === 'redo' ? sentences.madeAgain() : sentences.tookBack(undoes),
      also: filesText(files.length),
    };
  }
  const [first] = files;
  if (first === undefined)
    return { kind: 'changed', sentence: sentences.changedNothing(), also: '' };
  if (tool === 'tag rename') {
    return { kind: 'changed', sentence: sentences.renamedTag(files.length), also: '' };
  }
  if (tool === 'property rename') {
    return { kind: 'changed', sentence: sentences.renamedProperty(files.length), also: '' };
  }
  const same = files.filter(({ did }) => did === first.did).length;
  if (first.did === 'changed') {
    const name = noteName(first.path);
    if (same > 1)
      return { kind: 'changed', sentence: sentences.changedMany(name, same - 1), also: '' };
    const words =
      (Object.hasOwn(changedBy, tool) ? changedBy[tool] : undefined) ??
      ((file: string) => sentences.changed(file));
    return { kind: 'changed', sentence: words(name, args), also: '' };
  }
  const changed = files.filter(({ did }) => did === 'changed');
  // The app's list of bookmarks follows a rename, too, and is no note.
  const followed = changed.map(({ path }) => path).filter((path) => !path.startsWith('.'));
  const others = files.length - changed.length - 1;
  return {
    kind: first.did,
    sentence: others > 0 ? [...sentenceOf(first), sentences.andMore(others)] : sentenceOf(first),
    also: alsoText(first, followed),
  };
}

/** Without the files that another one took the place of. */
function withoutReplaced(files: readonly File[]): readonly File[] {
  const there = new Set(files.flatMap(({ path, did }) => (did === 'deleted' ? [] : [path])));
  return files.filter(({ path, did }) => did !== 'deleted' || !there.has(path));
}

function sentenceOf({ did, path, from }: File): readonly Piece[] {
  const name = noteName(path);
  if (did === 'created') return sentences.created(name, folderOf(path));
  if (did === 'deleted') return sentences.deleted(name);
  const before = from ?? path;
  return folderOf(before) === folderOf(path)
    ? sentences.renamed(noteName(before), name)
    : sentences.moved(
        noteName(before),
        folderOf(path),
        noteName(before) === name ? undefined : name,
      );
}

function alsoText(first: File, followed: readonly string[]): string {
  if (followed.length === 0) return '';
  if (first.did !== 'moved') return sentences.alsoChanged(followed.length);
  const notes = followed.filter((path) => fileKind(path) === 'note').length;
  const canvases = followed.filter((path) => fileKind(path) === 'canvas').length;
  const bases = followed.length - notes - canvases;
  return sentences.linksFollowed({ notes, canvases, bases });
}

function filesText(files: number): string {
  return files > 1 ? count(files, 'file') : '';
}

/** First what was made, moved or deleted, then what only changed; each in the order of its path. */
export function inOrder<Some extends Pick<File, 'path' | 'did'>>(files: readonly Some[]): Some[] {
  const rank = ({ did }: Some): number => (did === 'changed' ? 1 : 0);
  return files.toSorted(
    (a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0),
  );
}

/** The name of a file as the app shows it: without folders, and without `.md`. */
export function noteName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/, '');
}

/** The folder of a path; empty for the vault itself. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function textOf(value: unknown): string | undefined {
  return isText(value) ? value : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
