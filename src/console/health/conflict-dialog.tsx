import type { ComponentChildren } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { consolePageLimits } from '../../base/console-page-limits.ts';
import type { ConsoleAnswer } from '../../tools/console/console-answers.ts';
import { noteName } from '../../tools/wording/describe-change.ts';
import { type ApiFailure, asFailure, get } from '../page/api.ts';
import { canUndo } from '../page/server-state.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { showInvisible } from '../parts/invisible.ts';
import { Failure, Loading } from '../parts/states.tsx';
import { UnifiedDiff } from '../parts/unified-diff.tsx';
import { type WordPiece, wordDiff } from '../parts/word-diff.ts';
import { healthStrings } from '../words/health-strings.ts';
import { strings } from '../words/strings.ts';
import { dayAndTime } from '../words/times.ts';
import { type Choices, chosenCount, type Side, sides, unnumbered } from './choose-sides.ts';
import { isMerging, mergeCopy } from './merge-actions.ts';

type Conflict = ConsoleAnswer<'conflict'>;

/** Compares a conflict copy with its original, lets the owner choose, and merges. */
export function ConflictDialog({
  path,
  onClose,
  onMerged,
}: {
  readonly path: string;
  readonly onClose: () => void;
  readonly onMerged: () => void;
}) {
  const [conflict, setConflict] = useState<Conflict | undefined>(undefined);
  const [failure, setFailure] = useState<ApiFailure | undefined>(undefined);
  const [choices, setChoices] = useState<Choices>({ each: new Map() });
  const load = (stop?: AbortSignal): void => {
    setConflict(undefined);
    setFailure(undefined);
    setChoices({ each: new Map() });
    get<Conflict>('/conflict', { path }, stop).then(setConflict, (error: unknown) => {
      if (stop?.aborted !== true) setFailure(asFailure(error));
    });
  };
  useEffect(() => {
    const stop = new AbortController();
    load(stop.signal);
    return () => stop.abort();
  }, [path]);
  const merge = async (shown: Conflict): Promise<void> => {
    try {
      await mergeCopy(shown, choices);
      onClose();
      onMerged();
    } catch (error) {
      setFailure(asFailure(error));
    }
  };
  const open = conflict === undefined ? undefined : conflict.total - chosenCount(conflict, choices);
  return (
    <Dialog
      title={healthStrings.mergeTitle(noteName(conflict?.path ?? path))}
      more={moreOf(conflict)}
      onClose={onClose}
      footer={
        <>
          <span class="faint">
            {conflict === undefined || conflict.total === 0
              ? ''
              : healthStrings.chosen(chosenCount(conflict, choices), conflict.total)}
          </span>
          <span class="grow" />
          <button type="button" class="btn" onClick={onClose}>
            {strings.cancel}
          </button>
          <button
            type="button"
            class="btn main"
            disabled={open !== 0 || isMerging.value || !canUndo.value || failure !== undefined}
            onClick={() => {
              if (conflict !== undefined) void merge(conflict);
            }}
          >
            {healthStrings.merge}
          </button>
        </>
      }
    >
      {failure === undefined ? undefined : <Failure failure={failure} retry={() => load()} />}
      {failure === undefined && conflict === undefined ? <Loading /> : undefined}
      {conflict === undefined || failure !== undefined ? undefined : (
        <Comparison conflict={conflict} choices={choices} onChoose={setChoices} />
      )}
    </Dialog>
  );
}

function moreOf(conflict: Conflict | undefined): string {
  if (!canUndo.value) return strings.readOnly;
  return conflict?.how === 'whole' ? healthStrings.mergeWholeMore : healthStrings.mergeMore;
}

function Comparison({
  conflict,
  choices,
  onChoose,
}: {
  readonly conflict: Conflict;
  readonly choices: Choices;
  readonly onChoose: (choices: Choices) => void;
}) {
  const [showsDiff, setShowsDiff] = useState(false);
  const { how, total, commonMs, fromCopy, diff } = conflict;
  const rest = unnumbered(conflict);
  return (
    <div class="compare">
      <dl>
        <dt>{healthStrings.sides.original}</dt>
        <dd>
          <bdi>{conflict.path}</bdi>
        </dd>
        <dt>{healthStrings.sides.copy}</dt>
        <dd>
          <bdi>{conflict.copy}</bdi>
        </dd>
      </dl>
      {how === 'same' ? <p class="note-line">{healthStrings.sameText}</p> : undefined}
      {commonMs === undefined ? undefined : (
        <p class="faint">{healthStrings.common(dayAndTime(commonMs, { nowMs: Date.now() }))}</p>
      )}
      {fromCopy === 0 ? undefined : (
        <p>
          {healthStrings.fromCopy(fromCopy)}{' '}
          {diff === '' ? undefined : (
            <button
              type="button"
              class="btn small"
              aria-expanded={showsDiff}
              onClick={() => setShowsDiff(!showsDiff)}
            >
              {showsDiff ? healthStrings.hideFromCopy : healthStrings.showFromCopy}
            </button>
          )}
        </p>
      )}
      {showsDiff ? <UnifiedDiff text={diff} /> : undefined}
      {how === 'lines' && total === 0 ? (
        <p class="note-line">{healthStrings.noOverlap}</p>
      ) : undefined}
      {conflict.choices.map((choice) => (
        <Difference
          key={choice.number}
          choice={choice}
          total={total}
          chosen={choices.each.get(choice.number)}
          onChoose={(side) =>
            onChoose({ ...choices, each: new Map(choices.each).set(choice.number, side) })
          }
        />
      ))}
      {rest === 0 ? undefined : (
        <SideChoice
          legend={how === 'whole' ? healthStrings.wholeFile : healthStrings.otherDifferences(rest)}
          labels={how === 'whole' ? healthStrings.sidesWhole : healthStrings.sides}
          chosen={choices.others}
          onChoose={(others) => onChoose({ ...choices, others })}
        />
      )}
    </div>
  );
}

/** One place where both files have something else. */
function Difference({
  choice: { number, line, original, copy },
  total,
  chosen,
  onChoose,
}: {
  readonly choice: Conflict['choices'][number];
  readonly total: number;
  readonly chosen: Side | undefined;
  readonly onChoose: (side: Side) => void;
}) {
  const words = wordDiff(original, copy);
  const plain = (text: string): readonly WordPiece[] => [{ text, differs: false }];
  return (
    <SideChoice
      legend={healthStrings.difference(number, total, line)}
      labels={healthStrings.sides}
      chosen={chosen}
      onChoose={onChoose}
      texts={{
        original: <Text pieces={words?.removed ?? plain(original)} is="del" />,
        copy: <Text pieces={words?.added ?? plain(copy)} is="ins" />,
        both: <small>{healthStrings.bothMore}</small>,
      }}
    />
  );
}

function SideChoice({
  legend,
  labels,
  chosen,
  onChoose,
  texts,
}: {
  readonly legend: string;
  readonly labels: Readonly<Record<Side, string>>;
  readonly chosen: Side | undefined;
  readonly onChoose: (side: Side) => void;
  readonly texts?: Readonly<Record<Side, ComponentChildren>>;
}) {
  const name = useId();
  return (
    <fieldset class="sides">
      <legend>{legend}</legend>
      {sides.map((side) => (
        <label key={side} class={chosen === side ? 'side-choice on' : 'side-choice'}>
          <input
            type="radio"
            name={name}
            value={side}
            checked={chosen === side}
            onChange={() => onChoose(side)}
          />
          <span class="grow">
            <b>{labels[side]}</b>
            {texts?.[side]}
          </span>
          {chosen === side ? <Icon name="tick" /> : undefined}
        </label>
      ))}
    </fieldset>
  );
}

/** Lines of a note, as text; what differs from the other side is marked. */
function Text({
  pieces,
  is: Marked,
}: {
  readonly pieces: readonly WordPiece[];
  readonly is: 'del' | 'ins';
}) {
  const all = pieces.map(({ text }) => text).join('');
  if (all === '') return <small> {healthStrings.nothingHere}</small>;
  let room: number = consolePageLimits.shownLineCharsMax;
  return (
    <span class="side-text" dir="auto">
      {pieces.map(({ text, differs }) => {
        const words = shown(text.slice(0, room));
        room = Math.max(0, room - text.length);
        return differs ? <Marked>{words}</Marked> : words;
      })}
    </span>
  );
}

/** Text whose invisible characters are marks; line breaks stay. */
function shown(text: string): ComponentChildren {
  return text
    .split('\n')
    .map((line, at) => [
      at === 0 ? '' : '\n',
      showInvisible(line.replace(/\r$/, '')).map((part) =>
        typeof part === 'string' ? part : <span class="invisible">{part.code}</span>,
      ),
    ]);
}
