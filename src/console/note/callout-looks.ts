import type { NoteIconName } from './note-icon.tsx';

/** How a callout is drawn. */
interface CalloutLook {
  readonly icon: NoteIconName;
  /** A class of the style sheet. */
  readonly tone: 'plain' | 'good' | 'ask' | 'bad' | 'quiet';
}

const looks: readonly (readonly [CalloutLook, readonly string[]])[] = [
  [{ icon: 'pen', tone: 'plain' }, ['note']],
  [{ icon: 'list', tone: 'plain' }, ['abstract', 'summary', 'tldr']],
  [{ icon: 'info', tone: 'plain' }, ['info']],
  [{ icon: 'checkbox', tone: 'plain' }, ['todo']],
  [{ icon: 'flame', tone: 'good' }, ['tip', 'hint', 'important']],
  [{ icon: 'tick', tone: 'good' }, ['success', 'check', 'done']],
  [{ icon: 'question', tone: 'ask' }, ['question', 'help', 'faq']],
  [{ icon: 'warning', tone: 'ask' }, ['warning', 'caution', 'attention']],
  [{ icon: 'cross', tone: 'bad' }, ['failure', 'fail', 'missing']],
  [{ icon: 'warning', tone: 'bad' }, ['danger', 'error', 'bug']],
  [{ icon: 'list', tone: 'quiet' }, ['example']],
  [{ icon: 'quote', tone: 'quiet' }, ['quote', 'cite']],
];

const byType = new Map(looks.flatMap(([look, types]) => types.map((type) => [type, look])));
const unknown: CalloutLook = { icon: 'pen', tone: 'plain' };

/** How a callout of this type is drawn; unknown types look like `note`, as in the app. */
export function calloutLook(type: string): CalloutLook {
  return byType.get(type) ?? unknown;
}
