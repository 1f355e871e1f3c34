import { useMemo } from 'preact/hooks';
import { settings } from '../page/settings.ts';
import { activityStrings } from '../words/activity-strings.ts';
import { strings } from '../words/strings.ts';
import { DiffView } from './diff-view.tsx';
import { Icon } from './icon.tsx';
import { readUnified, type UnifiedFile } from './read-unified.ts';
import { scrolling } from './scrolling.ts';
import { VisibleText } from './visible-text.tsx';

/** A unified diff, as the server writes it: each file with its lines, word by word. */
export function UnifiedDiff({ text }: { readonly text: string }) {
  const by = settings.value.diff;
  const { files, more } = useMemo(() => readUnified(text, { by }), [text, by]);
  return (
    <>
      {files.map((file, at) => (
        <OneFile key={at} file={file} />
      ))}
      {more === 0 ? undefined : <p class="note-line">{activityStrings.linesLeftOut(more)}</p>}
    </>
  );
}

function OneFile({ file }: { readonly file: UnifiedFile }) {
  const { from, to, added, removed, isBinary } = file;
  const did = from === undefined ? 'created' : to === undefined ? 'deleted' : undefined;
  const isMoved = did === undefined && from !== to;
  const name = to ?? from ?? '';
  return (
    <section class="file" {...scrolling} aria-label={name}>
      <header>
        <Icon name={did ?? (isMoved ? 'moved' : 'changed')} />
        <h3 class="grow">
          {isMoved ? (
            <>
              <bdi>
                <VisibleText text={from ?? ''} />
              </bdi>{' '}
              <span>→</span>{' '}
            </>
          ) : undefined}
          <bdi>
            <VisibleText text={name} />
          </bdi>
        </h3>
        {added + removed === 0 ? undefined : (
          <span class="plus-minus">
            <ins>+{strings.number(added)}</ins> <del>−{strings.number(removed)}</del>
          </span>
        )}
      </header>
      {isBinary ? <p>{activityStrings.binary}</p> : undefined}
      {added + removed === 0 ? undefined : (
        <DiffView diff={file} texts={{ before: '', after: '', name }} />
      )}
    </section>
  );
}
