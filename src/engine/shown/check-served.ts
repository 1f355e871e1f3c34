import { LineIndex } from '../../base/text-range.ts';
import { VaultError } from '../../base/vault-error.ts';
import { shortVersion } from '../../base/version.ts';
import { bodyStart } from '../../markdown/properties/frontmatter-block.ts';
import type { BoundVault, NoteText } from '../vault/bound-vault.ts';
import type { Draft } from '../vault/draft.ts';
import type { ServedNote } from '../vault/served-notes.ts';
import { isShownFrom } from './shown-ranges.ts';

/** How many of the parts that were read a message lists. */
const partsMax = 10;
const instead = 'replace a piece of its text, insert into it or append to it instead';

/**
 * Checks a connection that is about to replace the body of a note. Fails with `conflict` when the
 * connection has read another version of the note, or only parts of it: it would remove text that
 * it has not seen. Only warns when the connection has not read the note at all. Checks nothing when
 * there is no connection, or when the body is empty.
 */
export async function checkServed(draft: Draft, note: NoteText): Promise<void> {
  const { served } = draft.vault;
  const start = bodyStart(note.text);
  const isEmpty = isShownFrom(note.text, [], start);
  if (served === undefined || isEmpty) return;
  const known = served.of(note.path);
  if (known === undefined) {
    draft.warn(
      `This connection had not read "${note.path}" before it replaced the body; undo brings the old one back.`,
    );
  } else if (known.version !== note.version) {
    throw await changedSince(draft.vault, note, known);
  } else if (!known.whole && !isShownFrom(note.text, known.shown, start)) {
    throw shownInPart(note, known);
  }
}

async function changedSince(
  vault: BoundVault,
  { path, text, version }: NoteText,
  known: ServedNote,
): Promise<VaultError> {
  const details = {
    path,
    version: shortVersion(version),
    served: shortVersion(known.version),
  };
  const changed = `"${path}" has changed since this connection read it, and nothing was changed now`;
  const todo = `Read it again before you replace the whole body, or ${instead}.`;
  if (known.text === undefined) {
    const lost = 'what it was like then is not remembered any more';
    return new VaultError('conflict', `${changed}; ${lost}. ${todo}`, { details });
  }
  const file = { from: path, to: path, before: known.text, after: text };
  return new VaultError('conflict', `${changed}; what became different is below. ${todo}`, {
    details,
    excerpt: await vault.work('diffExcerpt', file),
  });
}

function shownInPart({ path, text, version }: NoteText, { shown }: ServedNote): VaultError {
  const lines = new LineIndex(text);
  const count = text.endsWith('\n') ? lines.count - 1 : lines.count;
  const parts = shown.slice(0, partsMax).map(({ start, end }) => {
    const [first, last] = [lines.lineAt(start) + 1, lines.lineAt(Math.max(start, end - 1)) + 1];
    return first === last ? `${first}` : `${first}–${last}`;
  });
  const isOne = parts.length === 1 && !parts[0]?.includes('–');
  const more = shown.length > partsMax ? ' …' : '';
  const seen =
    parts.length === 0
      ? ''
      : ` (${isOne ? 'line' : 'lines'} ${parts.join(', ')}${more} of ${count})`;
  return new VaultError(
    'conflict',
    `This connection has read "${path}" only in part${seen}, and replacing the body would take away what it has not seen; nothing was changed. Read the rest (say at which line to begin), or ${instead}.`,
    { details: { path, version: shortVersion(version) } },
  );
}
