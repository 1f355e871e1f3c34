import { useMemo, useState } from 'preact/hooks';
import { consolePageLimits } from '../../base/console-page-limits.ts';
import { activityStrings } from '../words/activity-strings.ts';
import { type DiffLine, type FileDiff, fileDiff } from './file-diff.ts';
import { VisibleText } from './visible-text.tsx';
import type { WordPiece } from './word-diff.ts';

/** What is offered as files in place of a very long diff; what is empty is not. */
interface Texts {
  readonly name: string;
  readonly before?: string;
  readonly after?: string;
  readonly diff?: string;
}

/** The difference of two texts. A long one is folded, a very long one is offered as a download. */
export function DiffView({
  diff,
  texts,
  at = 0,
}: {
  readonly diff: FileDiff;
  readonly texts: Texts;
  /** How many files stand before it. */
  readonly at?: number;
}) {
  const { unfoldedFiles, foldedLines, foldedLinesLater } = consolePageLimits;
  const shownMax = at < unfoldedFiles ? foldedLines : foldedLinesLater;
  const lines = diff.parts.reduce((sum, part) => sum + part.lines.length, 0);
  const [isOpen, setOpen] = useState(false);
  const { otherEnds } = diff;
  if (lines === 0) {
    return (
      <p>{otherEnds === 0 ? activityStrings.sameText : activityStrings.onlyEnds(otherEnds)}</p>
    );
  }
  if (lines > consolePageLimits.shownLinesMax) return <Downloads lines={lines} texts={texts} />;
  if (lines > shownMax && !isOpen) {
    return (
      <p>
        <button type="button" class="btn small" onClick={() => setOpen(true)}>
          {activityStrings.showLines(lines)}
        </button>
      </p>
    );
  }
  return (
    <div class="diff">
      {diff.parts.map((part) => (
        <>
          {part.title === undefined ? undefined : (
            <p class="diff-title">
              <bdi>{part.title}</bdi>
            </p>
          )}
          <ol>
            {part.lines.map((line) => (
              <Line line={line} />
            ))}
          </ol>
        </>
      ))}
      {otherEnds > 1 ? <p class="diff-title">{activityStrings.onlyEnds(otherEnds)}</p> : undefined}
    </div>
  );
}

/** Compares the texts of a file once, however often it is drawn. */
export function useFileDiff(
  { before, after }: { readonly before: string; readonly after: string },
  by: 'words' | 'lines',
): FileDiff {
  return useMemo(() => fileDiff(before, after, { by }), [before, after, by]);
}

function Line({ line: { is, number, pieces } }: { readonly line: DiffLine }) {
  const sign = { same: '', removed: '−', added: '+' }[is];
  const said = { same: '', removed: activityStrings.removedLine, added: activityStrings.addedLine }[
    is
  ];
  const { shown, more } = cut(pieces);
  return (
    <li class={is}>
      <span aria-hidden="true">{number}</span>
      <span class="sign" aria-hidden="true">
        {sign}
      </span>
      <span class="text" dir="auto">
        {said === '' ? undefined : <span class="unseen">{said}</span>}
        {shown.map(({ text, differs }) => {
          const words = <VisibleText text={text} />;
          if (!differs) return words;
          return is === 'removed' ? <del>{words}</del> : <ins>{words}</ins>;
        })}
        {more === 0 ? undefined : <span class="faint">{activityStrings.lineCut(more)}</span>}
      </span>
    </li>
  );
}

/** The beginning of a line, and how many characters are left out. */
function cut(pieces: readonly WordPiece[]): { shown: WordPiece[]; more: number } {
  const shown: WordPiece[] = [];
  let room: number = consolePageLimits.shownLineCharsMax;
  let more = 0;
  for (const piece of pieces) {
    const text = piece.text.slice(0, room);
    if (text !== '') shown.push({ ...piece, text });
    room -= text.length;
    more += piece.text.length - text.length;
  }
  return { shown, more };
}

function Downloads({ lines, texts }: { readonly lines: number; readonly texts: Texts }) {
  const save = (text: string, ending: string) => {
    const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
    const link = document.createElement('a');
    link.href = address;
    link.download = `${texts.name}.${ending}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  };
  return (
    <p>
      {activityStrings.tooLong(lines)}{' '}
      {(['before', 'after', 'diff'] as const).map((which) => {
        const text = texts[which] ?? '';
        if (text === '') return undefined;
        return (
          <>
            <button
              type="button"
              class="btn small"
              onClick={() => save(text, which === 'diff' ? 'diff' : 'txt')}
            >
              {activityStrings.save[which]}
            </button>{' '}
          </>
        );
      })}
    </p>
  );
}
