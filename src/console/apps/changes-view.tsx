import { useEffect, useState } from 'preact/hooks';
import { describeChange } from '../../tools/wording/describe-change.ts';
import { Icon } from '../parts/icon.tsx';
import { Sentence } from '../parts/sentence.tsx';
import { appStrings } from '../words/app-strings.ts';
import { shownClient } from '../words/client-name.ts';
import { dayAndTime } from '../words/times.ts';
import { ChangeBody, UndoReport } from './change-body.tsx';
import { readChanges, readUndo, type ShownChange } from './read-changes.ts';
import { type Answer, numberIn, type ReadResult } from './read-result.ts';
import { Failed, startView, type ViewProps } from './start-view.tsx';
import { unseenByModel, useCall, vaultOf } from './use-call.ts';

/** The result of list_changes or undo_change. A change that awaits the owner is only text. */
function ChangesView({ result, input, host }: ViewProps) {
  const { value } = result;
  if (value === undefined) {
    return (
      <>
        <h1>{appStrings.changes}</h1>
        <p class="app-note">{result.text}</p>
      </>
    );
  }
  const undo = readUndo(value);
  const more = { host, ...vaultOf(result) };
  if (undo === undefined) return <ChangeList first={value} input={input} {...more} />;
  return (
    <>
      <h1>{appStrings.undone}</h1>
      <UndoReport undo={undo} />
      {undo.change === undefined ? undefined : <ChangeBody id={undo.change} isUndo {...more} />}
    </>
  );
}

interface ListProps extends Pick<ViewProps, 'host' | 'input'> {
  readonly first: Answer;
  readonly vault?: string;
}

function ChangeList({ first, input, host, vault }: ListProps) {
  const [pages, setPages] = useState<readonly Answer[]>([first]);
  const where = vault === undefined ? {} : { vault };
  const more = useCall(host, 'list_changes');
  const changes = pages.flatMap(readChanges);
  const total = numberIn(first, 'total') ?? changes.length;
  const offset = numberIn(pages.at(-1) ?? {}, 'next_offset');
  const load = async (): Promise<void> => {
    const page = await more.start({ ...input, ...where, offset, ...unseenByModel });
    if (page?.value !== undefined) setPages([...pages, page.value]);
  };
  return (
    <>
      <h1>
        {appStrings.changes}{' '}
        <small class="app-facts">{appStrings.shownOf(changes.length, total)}</small>
      </h1>
      {changes.length === 0 ? <p class="app-note">{appStrings.noChanges}</p> : undefined}
      <ul class="app-list">
        {changes.map((change) => (
          <ChangeRow
            key={change.id}
            change={change}
            isOpen={changes.length === 1}
            host={host}
            {...where}
          />
        ))}
      </ul>
      {offset === undefined || !host.callsTools ? undefined : (
        <button type="button" class="btn small" disabled={more.isBusy} onClick={load}>
          {appStrings.more}
        </button>
      )}
      <MoreFailed result={more.result} />
    </>
  );
}

function MoreFailed({ result }: { readonly result: ReadResult | undefined }) {
  return result?.isFailure === true ? <Failed>{result.text}</Failed> : null;
}

interface RowProps extends Pick<ViewProps, 'host'> {
  readonly change: ShownChange;
  readonly isOpen: boolean;
  readonly vault?: string;
}

function ChangeRow({ change, isOpen: isFirstOpen, ...more }: RowProps) {
  const [isOpen, setOpen] = useState(isFirstOpen && more.host.callsTools);
  const [isUndone, setUndone] = useState(change.isUndone);
  useEffect(() => setUndone(change.isUndone), [change]);
  const { kind, sentence, also } = describeChange({
    tool: change.tool,
    args: {},
    files: change.files,
    undoes: Array.from({ length: change.undoes }),
  });
  const client = shownClient('mcp-http', change.client).name;
  const facts = [
    client,
    ...(change.timeMs === undefined ? [] : [dayAndTime(change.timeMs, { nowMs: Date.now() })]),
    ...(also === '' ? [] : [also]),
    ...(isUndone ? [appStrings.isUndone] : []),
  ];
  const words = (
    <>
      <Icon name={kind} />
      <span class="grow">
        <span class={isUndone ? 'app-undone' : ''}>
          <Sentence pieces={sentence} />
        </span>
        <small class="app-facts">
          <bdi>{facts.join(' · ')}</bdi>
        </small>
      </span>
    </>
  );
  if (!more.host.callsTools) return <li class="app-row">{words}</li>;
  return (
    <li>
      <button type="button" class="app-row" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {words}
      </button>
      {isOpen ? (
        <ChangeBody id={change.id} isUndo={change.undoes > 0} onUndone={setUndone} {...more} />
      ) : undefined}
    </li>
  );
}

startView('vaultdoor-changes', ChangesView);
