import type { Paint } from '../define/define-tool.ts';

const same = (text: string): string => text;

/** No colours: for texts that no terminal shows. */
export const plainPaint: Paint = {
  strong: same,
  faint: same,
  good: same,
  bad: same,
  content: same,
};
