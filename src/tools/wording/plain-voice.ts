import { limits } from '../../base/limits.ts';
import type { VaultError } from '../../base/vault-error.ts';
import type { Paint } from '../define/define-tool.ts';

/** A failure as a model reads it: what to do about it, and the lines it is about. */
export function failureText({ message, excerpt }: VaultError): string {
  const text = excerpt === undefined ? message : `${message}\n\n${excerpt}`;
  const max = limits.answerCharsMax;
  return text.length > max ? `${text.slice(0, max - 1)}…` : text;
}

const same = (text: string): string => text;

/** No colours: for texts that no terminal shows. */
export const plainPaint: Paint = {
  strong: same,
  faint: same,
  good: same,
  bad: same,
  content: same,
};
