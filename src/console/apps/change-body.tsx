import { useEffect, useState } from 'preact/hooks';
import { folderOf, inOrder, noteName } from '../../tools/wording/describe-change.ts';
import { DiffView } from '../parts/diff-view.tsx';
import { Icon } from '../parts/icon.tsx';
import { type DiffedFile, readDiff } from '../parts/read-diff.ts';
import { Loading } from '../parts/states.tsx';
import { VisibleText } from '../parts/visible-text.tsx';
import { activityStrings } from '../words/activity-strings.ts';
import { appStrings } from '../words/app-strings.ts';
import { strings } from '../words/strings.ts';
import type { Host } from './host.ts';
import { type ChangeId, readUndo, type ShownUndo } from './read-changes.ts';
import { type ReadResult, textIn } from './read-result.ts';
import { Failed } from './start-view.tsx';
import { unseenByModel, useCall } from './use-call.ts';

interface BodyProps {
  readonly host: Host;
  readonly id: ChangeId;
  /** Whether the change has itself taken back others: undoing it does them again. */
  readonly isUndo: boolean;
  readonly vault?: string;
  /** Called when the change was taken back, and when it was done again. */
  readonly onUndone?: (isUndone: boolean) => void;
}

/** The diff of a change, and its way back. It is undone only when the person clicks. */
export function ChangeBody({ host, id, isUndo, vault, onUndone }: BodyProps) {
  const { start: read, ...reading } = useCall(host, 'list_changes');
  const where = vault === undefined ? {} : { vault };
  useEffect(() => {
    if (host.callsTools) void read({ diff: id, ...where, ...unseenByModel });
  }, [id]);
  if (!host.callsTools) return <p class="app-note">{appStrings.noCalls}</p>;
  const { result } = reading;
  if (result === undefined) return <Loading lines={3} />;
  if (result.value === undefined) return <Failed>{result.text}</Failed>;
  const { files, rest } = readDiff(textIn(result.value, 'diff') ?? '');
  return (
    <div class="app-body">
      {inOrder(files).map((file, at) => (
        <File key={file.path} file={file} at={at} />
      ))}
      {rest === '' ? undefined : <p class="app-note">{rest}</p>}
      {result.value['may_undo'] === true ? (
        <WayBack host={host} id={id} isUndo={isUndo} where={where} onUndone={onUndone} />
      ) : undefined}
    </div>
  );
}

function File({
  file: { path, from, did, diff, without },
  at: position,
}: {
  readonly file: DiffedFile;
  readonly at: number;
}) {
  const name = (at: string) => (
    <bdi>
      <span class="app-folder">
        <VisibleText text={folderOf(at) === '' ? '' : `${folderOf(at)}/`} />
      </span>
      <VisibleText text={at.slice(at.lastIndexOf('/') + 1)} />
    </bdi>
  );
  const hasLines = diff.added + diff.removed > 0;
  return (
    <section class="file">
      <header>
        <Icon name={did} />
        <h2 class="grow app-file">
          {from === undefined ? undefined : <>{name(from)} → </>}
          {name(path)}
        </h2>
        {hasLines ? (
          <span class="plus-minus">
            <ins>+{strings.number(diff.added)}</ins> <del>−{strings.number(diff.removed)}</del>
          </span>
        ) : undefined}
      </header>
      {hasLines || diff.otherEnds > 0 ? (
        <DiffView
          diff={diff}
          texts={{ before: '', after: '', name: noteName(path) }}
          at={position}
        />
      ) : undefined}
      {without === undefined ? undefined : <p>{activityStrings[without]}</p>}
    </section>
  );
}

interface WayBackProps {
  readonly host: Host;
  readonly id: ChangeId;
  readonly isUndo: boolean;
  readonly where: object;
  readonly onUndone: BodyProps['onUndone'];
}

function WayBack({ host, id, isUndo, where, onUndone }: WayBackProps) {
  const call = useCall(host, 'undo_change');
  /** The newest of the changes that take each other back, and whether it is an undo. */
  const [last, setLast] = useState({ id, isUndo });
  const undo = async (): Promise<void> => {
    const result = await call.start({ id: last.id, ...where, ...unseenByModel });
    const change = readUndo(result?.value ?? {})?.change;
    if (change === undefined) return;
    setLast({ id: change, isUndo: !last.isUndo });
    onUndone?.(last.isUndo === isUndo);
  };
  const { isBusy, result } = call;
  return (
    <div class="app-way-back">
      <button type="button" class="btn" disabled={isBusy} onClick={undo}>
        <Icon name={last.isUndo ? 'redo' : 'undo'} />{' '}
        {last.isUndo ? appStrings.bringBack : appStrings.takeBack}
      </button>
      <div role="status">
        {isBusy ? appStrings.working : undefined}
        {result === undefined ? undefined : <Outcome result={result} isUndo={last.isUndo} />}
      </div>
    </div>
  );
}

/** What came of the click; `isUndo` says whether the change is now taken back. */
function Outcome({ result, isUndo }: { readonly result: ReadResult; readonly isUndo: boolean }) {
  if (result.isFailure) return <Failed>{result.text}</Failed>;
  const undo = readUndo(result.value ?? {});
  // A client that only proposes changes is told so in words.
  if (undo === undefined) return <p class="app-note">{result.text}</p>;
  return <UndoReport undo={undo} isRedo={!isUndo} />;
}

/** What an undo has done, and what it could not do. */
export function UndoReport({
  undo: { change, undone, merged, left, warnings },
  isRedo,
}: {
  readonly undo: ShownUndo;
  readonly isRedo?: boolean;
}) {
  const done = isRedo === true ? appStrings.broughtBack : appStrings.takenBack(undone);
  return (
    <div class="app-note">
      <p>
        {change === undefined ? appStrings.nothingChanged : done}
        {merged === 0 ? '' : ` ${appStrings.keepsEdits(merged)}`}
      </p>
      {left.length === 0 ? undefined : <p>{appStrings.left}</p>}
      <ul>
        {left.map(({ path, reason }) => (
          <li>
            <b>
              <bdi>{path}</bdi>
            </b>
            : {reason}
          </li>
        ))}
        {warnings.map((warning) => (
          <li>{warning}</li>
        ))}
      </ul>
    </div>
  );
}
