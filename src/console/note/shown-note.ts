import type { ConsoleAnswer } from '../../tools/console/console-answers.ts';

type Note = ConsoleAnswer<'note'>;

/**
 * What the parts of this room need of a note: an answer of `GET /c/api/note` is one. For an earlier
 * version there are no facts: it is shown without an outline, and its links lead where `targets`, if
 * given, says.
 */
export type ShownNote = Pick<Note, 'path' | 'kind' | 'text'> &
  Partial<Pick<Note, 'facts' | 'targets' | 'more' | 'propertyTags'>>;
