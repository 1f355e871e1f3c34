import type { VaultPath } from '../../base/vault-path.ts';
import { isInside, trashFolder, vaultPath } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import type { ChangeStep, TailStep } from '../ports/state-store.ts';
import type { FileChange } from '../vault/draft.ts';
import { isTailStep } from './tail-step.ts';

/**
 * One file, or one folder that was made, moved or removed, before and after a whole change. It sums
 * up all steps of the change that touch the file.
 */
export interface FileSpan {
  /** Absent for a new file. */
  readonly from?: VaultPath;
  /** Absent for a file that is gone. */
  readonly to?: VaultPath;
  /** Absent where the content was not read: a moved folder or attachment. */
  readonly before?: Version;
  readonly after?: Version;
  /** A folder that was made, moved or removed. */
  readonly isFolder?: true;
  /** See `FileStat`: the content is that of the file at this path. */
  readonly leadsTo?: VaultPath;
  /** What was added to the end of a large file, or cut off, in order; it then has no versions. */
  readonly tails?: readonly TailStep[];
}

/** What happened to one file, with its versions where they are known. */
export interface ChangedFile extends FileChange {
  readonly before?: Version;
  readonly after?: Version;
  /** See `FileSpan`. */
  readonly tails?: readonly TailStep[];
}

/** Whether a reader of history may see a path of a span. */
export type SeesSpan = (path: VaultPath, span?: Pick<FileSpan, 'isFolder' | 'leadsTo'>) => boolean;

/** What the steps of a change do to each file, in the order in which they first touch the files. */
export function fileSpans(steps: readonly ChangeStep[]): FileSpan[] {
  const spans = new Spans();
  for (const step of steps) spans.take(step);
  // Without those that are in the end as they were.
  return spans.all.filter(
    ({ from, to, before, after, tails }) =>
      from !== to || (from !== undefined && before !== after) || tails !== undefined,
  );
}

/**
 * The steps of a change that are about some of its files, named by a path before or after the change,
 * with those that make folders for them.
 */
export function stepsOfFiles(
  steps: readonly ChangeStep[],
  paths: ReadonlySet<string>,
): readonly ChangeStep[] {
  const spans = new Spans();
  const about = steps.map((step) => ({ step, span: spans.take(step) }));
  const isChosen = (span: OpenSpan): boolean =>
    [span.from, span.to].some((path) => path !== undefined && paths.has(path));
  const ends = spans.all.flatMap((span) => (isChosen(span) && span.to) || []);
  return about.flatMap(({ step, span }) => {
    if (span !== undefined) return isChosen(span) ? [step] : [];
    const isNeeded = step.do === 'makeFolder' && ends.some((end) => isInside(end, step.path));
    return isNeeded ? [step] : [];
  });
}

/**
 * Whether a step is skipped when an outside editor has changed the file at the last moment. The
 * change then lists the step's path in `kept`.
 */
export function mayBeKept(step: ChangeStep): boolean {
  return (
    step.do === 'write' ||
    step.do === 'delete' ||
    isTailStep(step) ||
    (step.do === 'move' && step.over !== undefined)
  );
}

/**
 * What a change did to the files that `sees` admits. A file that came from the trash, or from a
 * path that `sees` does not admit, counts as created; a file that went there counts as deleted.
 */
export function changedFiles(steps: readonly ChangeStep[], sees: SeesSpan): ChangedFile[] {
  return fileSpans(steps).flatMap((span) => changedFile(seenSpan(span, sees)) ?? []);
}

/** What `changedFiles` answers without the versions: the form in which a change is reported. */
export function changeFiles(
  steps: readonly ChangeStep[],
  sees: SeesSpan = () => true,
): FileChange[] {
  return changedFiles(steps, sees).map(({ before: _, after: __, tails: ___, ...file }) => file);
}

/** A span without those of its two paths that are in the trash, or that `sees` does not admit. */
function seenSpan(span: FileSpan, sees: SeesSpan): FileSpan {
  const isSeen = (path: VaultPath | undefined): path is VaultPath =>
    path !== undefined && !isInside(path, trashFolder) && sees(path, span);
  const { from, to, before, after, tails } = span;
  return {
    ...(tails === undefined ? {} : { tails }),
    ...(isSeen(from) ? { from, ...(before === undefined ? {} : { before }) } : {}),
    ...(isSeen(to) ? { to, ...(after === undefined ? {} : { after }) } : {}),
  };
}

function changedFile({ from, to, ...versions }: FileSpan): ChangedFile | undefined {
  if (to === undefined) {
    return from === undefined ? undefined : { path: from, did: 'deleted', ...versions };
  }
  if (from === undefined) return { path: to, did: 'created', ...versions };
  if (from === to) return { path: to, did: 'changed', ...versions };
  return { path: to, did: 'moved', from, ...versions };
}

/** A `FileSpan` while the steps are followed. */
interface OpenSpan {
  from?: VaultPath;
  to?: VaultPath;
  before?: Version;
  after?: Version;
  isFolder?: true;
  leadsTo?: VaultPath;
  tails?: TailStep[];
}

/** Follows files through the steps of a change. */
class Spans {
  readonly all: OpenSpan[] = [];
  /** Each file by the path it has after the steps so far. */
  readonly #at = new Map<VaultPath, OpenSpan>();

  /** Follows a step, and answers the file that it is about; undefined for a folder made for others. */
  take(step: ChangeStep): OpenSpan | undefined {
    const { path } = step;
    const link = 'leadsTo' in step ? { leadsTo: step.leadsTo } : {};
    switch (step.do) {
      case 'makeFolder':
        return step.asked ? this.#folder({ to: path, isFolder: true }) : undefined;
      case 'dropFolder':
        return step.asked ? this.#folder({ from: path, isFolder: true }) : undefined;
      case 'write': {
        const { before } = step;
        const start = before === undefined ? {} : { from: path, before };
        const span = this.#span(path, { ...start, ...link, to: path });
        span.after = step.after;
        return span;
      }
      case 'append':
      case 'cut': {
        const span = this.#span(path, { from: path, to: path });
        span.tails = [...(span.tails ?? []), step];
        return span;
      }
      case 'delete':
        return this.#gone(path, { ...(step.before && { before: step.before }), ...link });
      case 'move': {
        const { version, over } = step;
        if (over !== undefined) this.#gone(step.to, over === 'unkept' ? {} : { before: over });
        const start = version === undefined ? {} : { before: version, after: version };
        return this.#moved(this.#span(path, { from: path, ...start, ...link }), path, step.to);
      }
      case 'moveFolder': {
        for (const [inside, span] of Array.from(this.#at)) {
          if (!isInside(inside, path)) continue;
          this.#moved(span, inside, vaultPath(step.to + inside.slice(path.length)));
        }
        return this.#moved(this.#span(path, { from: path, isFolder: true }), path, step.to);
      }
    }
  }

  /**
   * The span of the file at a path; `start` becomes it when no step has touched the file before.
   */
  #span(path: VaultPath, start: OpenSpan): OpenSpan {
    const known = this.#at.get(path);
    if (known !== undefined) return known;
    this.all.push(start);
    this.#at.set(path, start);
    return start;
  }

  #folder(span: OpenSpan): OpenSpan {
    this.all.push(span);
    return span;
  }

  /** Records that the file at a path is deleted. */
  #gone(path: VaultPath, start: Pick<OpenSpan, 'before' | 'leadsTo'>): OpenSpan {
    const span = this.#span(path, { from: path, ...start });
    this.#at.delete(path);
    delete span.to;
    delete span.after;
    return span;
  }

  #moved(span: OpenSpan, from: VaultPath, to: VaultPath): OpenSpan {
    this.#at.delete(from);
    this.#at.set(to, span);
    span.to = to;
    return span;
  }
}
