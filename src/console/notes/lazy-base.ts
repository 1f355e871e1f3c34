import type { BaseProps } from '../note/embed-book.ts';
import { lazily } from '../note/lazily.tsx';

/** What draws bases. Its script and its style sheet are loaded with the first base. */
export const LazyBase = lazily<BaseProps>(async () =>
  (await import('../bases/base-part.tsx')).loadBasePart(),
);
