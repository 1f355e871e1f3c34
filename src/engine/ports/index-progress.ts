import { outOf, type Progress } from '../../base/caller.ts';
import { groupedNumber } from '../../base/grouped-number.ts';

/** How far the index is. Every start goes through these stages in order. */
export interface IndexProgress {
  readonly stage: 'walking' | 'facts' | 'text' | 'ready';
  /** Files that this stage is done with. */
  readonly done: number;
  /** All files of this stage; 0 while that is not known. */
  readonly total: number;
}

/**
 * The parts of the index in the order in which they are built: `names` are the paths of all files,
 * `facts` the links, tags and properties in them, `text` is the full text.
 */
export type IndexPart = 'names' | 'facts' | 'text';

/** How far the index is, in the form that is sent to callers. */
export function callerProgress(progress: IndexProgress): Progress {
  const { done, total } = progress;
  const message = progressMessage(progress);
  return total > 0 ? { done, total, message } : { done, message };
}

/** How far indexing is, in words. */
export function progressMessage({ stage, done, total }: IndexProgress): string {
  switch (stage) {
    case 'walking':
      return done === 0 ? 'looking for files' : `looking for files: ${groupedNumber(done)}`;
    case 'facts':
      return `indexing ${outOf(done, total)} notes`;
    case 'text':
      return `indexing the text of ${outOf(done, total)} notes`;
    case 'ready':
      return 'ready';
  }
}
