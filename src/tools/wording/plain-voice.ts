import { limits } from '../../base/limits.ts';
import type { VaultError } from '../../base/vault-error.ts';
import { formatDate } from '../../engine/text/format-date.ts';
import type { Paint } from '../define/define-tool.ts';

/** A failure as a model reads it: the message, and the excerpt of the note if there is one. */
export function failureText({ message, excerpt }: VaultError): string {
  const text = excerpt === undefined ? message : `${message}\n\n${excerpt}`;
  const max = limits.answerCharsMax;
  return text.length > max ? `${text.slice(0, max - 1)}…` : text;
}

const same = (text: string): string => text;

/** Styles that change nothing, for texts that are not shown on a terminal. */
export const plainPaint: Paint = {
  strong: same,
  faint: same,
  good: same,
  bad: same,
  match: same,
  content: same,
  when: (timeMs) => formatDate(timeMs, 'YYYY-MM-DD HH:mm'),
  command: (words) => `vaultdoor ${words.join(' ')}`,
};
