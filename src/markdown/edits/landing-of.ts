import type { TextRange } from '../../base/text-range.ts';
import { scanNote } from '../scan/scan-note.ts';

/** What happened around a new text: it stands inside something, or what follows now does. */
export interface Landing {
  readonly how: 'inside' | 'open';
  readonly what: 'code' | 'comment';
  /** Where the code or comment begins. */
  readonly start: number;
}

/**
 * Whether a new piece of a note stands inside code or a comment that began before it, or opens one
 * that takes in what follows; undefined when it does neither. Costs a scan of the note.
 */
export function landingOf(text: string, { start, end }: TextRange): Landing | undefined {
  const facts = scanNote(text);
  const isLast = text.slice(end).trim() === '';
  for (const [what, ranges] of [
    ['code', facts.code],
    ['comment', facts.comments],
  ] as const) {
    const around = ranges.find((range) => range.start < start && range.end > start);
    if (around !== undefined) return { how: 'inside', what, start: around.start };
    const open = ranges.find(
      (range) => range.start >= start && range.start < end && range.end > end,
    );
    if (open !== undefined && !isLast) return { how: 'open', what, start: open.start };
  }
  return undefined;
}
