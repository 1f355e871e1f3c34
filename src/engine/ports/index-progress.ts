import type { Progress } from '../../base/caller.ts';

/** How far the index is, as one of the stages every start goes through. */
export interface IndexProgress {
  readonly stage: 'walking' | 'facts' | 'text' | 'ready';
  readonly done: number;
  readonly total: number;
}

/** Which answers can be given: names come first, then links, tags and properties, then full text. */
export type IndexPart = 'names' | 'facts' | 'text';

/** How far the index is, as callers are told. */
export function callerProgress(progress: IndexProgress): Progress {
  const { done, total } = progress;
  const message = progressMessage(progress);
  return total > 0 ? { done, total, message } : { done, message };
}

/** How far indexing is, in words. */
export function progressMessage({ stage, done, total }: IndexProgress): string {
  switch (stage) {
    case 'walking':
      return `looking at files: ${done}`;
    case 'facts':
      return `reading notes: ${done} of ${total}`;
    case 'text':
      return `filling full text: ${done} of ${total}`;
    case 'ready':
      return 'ready';
  }
}
