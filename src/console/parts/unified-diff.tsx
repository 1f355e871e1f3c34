import { useMemo } from 'preact/hooks';
import { activityStrings } from '../words/activity-strings.ts';
import { strings } from '../words/strings.ts';
import { DiffView } from './diff-view.tsx';
import { Icon } from './icon.tsx';
import { type DiffedFile, readDiff } from './read-diff.ts';
import { scrolling } from './scrolling.ts';
import { VisibleText } from './visible-text.tsx';

/** A unified diff, as the server writes it: each file with its lines, word by word. */
export function UnifiedDiff({ text }: { readonly text: string }) {
  const { files, rest } = useMemo(() => readDiff(text), [text]);
  return (
    <>
      {files.map((file, at) => (
        <OneFile key={file.path} file={file} at={at} />
      ))}
      {rest === '' ? undefined : <p class="note-line">{rest}</p>}
    </>
  );
}

function OneFile({
  file: { path, from, did, diff, without, text },
  at,
}: {
  readonly file: DiffedFile;
  readonly at: number;
}) {
  const hasLines = diff.added + diff.removed > 0;
  return (
    <section class="file" {...scrolling} aria-label={path}>
      <header>
        <Icon name={did} />
        <h3 class="grow">
          {from === undefined ? undefined : (
            <>
              <bdi>
                <VisibleText text={from} />
              </bdi>{' '}
              <span>→</span>{' '}
            </>
          )}
          <bdi>
            <VisibleText text={path} />
          </bdi>
        </h3>
        {hasLines ? (
          <span class="plus-minus">
            <ins>+{strings.number(diff.added)}</ins> <del>−{strings.number(diff.removed)}</del>
          </span>
        ) : undefined}
      </header>
      {hasLines || diff.otherEnds > 0 ? (
        <DiffView diff={diff} texts={{ name: path, diff: text }} at={at} />
      ) : undefined}
      {without === undefined ? undefined : <p>{activityStrings[without]}</p>}
    </section>
  );
}
